/**
 * Sends messages. A request sends its own message (`requested-sends.ts`). Any node sends scheduled messages and those
 * of a dead node (`due-sends.ts`). `recovery.ts` does the remaining work. Within a process, `held` ensures that only
 * one task works on a message; between nodes, the ledger does.
 *
 * The number of concurrent messages is limited per grant and per node.
 */

import { type Clock, sleep } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Log } from '@waypost/platform/log'
import { RepeatedFailure } from '@waypost/platform/repeated-failure'
import { Wakeup } from '@waypost/platform/wakeup'
import type { Database } from '@waypost/store/engine/database'
import type { SendAddress, SendRow } from '@waypost/store/tables/mail/sends'
import { nextSend } from '@waypost/store/tables/notifications/next-work'
import type { Sessions } from '../../grants/sessions.ts'
import type { FailPoint, Ledger, Outcome } from '../ledger/ledger.ts'
import { type SendTools, storeRests } from './attempt.ts'
import { createDueSends, type DueSends } from './due-sends.ts'
import { createRecovery, type Recovery, usualQuarantineMs } from './recovery.ts'
import { createRequestedSends, type NewMessage } from './requested-sends.ts'
import { openAccount } from './sending-account.ts'

export interface SenderOptions {
  database: Database
  clock: Clock
  log: Log
  sessions: Sessions
  ledger: Ledger
  seals: DataSeals
  nodeId: string
  /** How long a message with unknown outcome is searched for, from the start of its transmission. */
  quarantineMs?: number
  /** What happens to a message that was not found. Default `hold`: it is reported as failed. */
  onUnknown?: 'hold' | 'resend'
  failpoint?: FailPoint
  /** How long the loop may sleep because it is notified of writes; 0 makes it poll often. */
  maxRest?(): number
}

export interface Sender extends AsyncDisposable {
  /** Records and sends a message. If it was accepted before, returns its outcome. */
  acceptAndSend(message: NewMessage, signal: AbortSignal): Promise<Outcome>
  /** Sends an accepted message, or returns its outcome. Once begun, it continues after the signal aborts. */
  sendAccepted(at: SendAddress, signal: AbortSignal): Promise<Outcome>
  /** Sends due messages until the signal aborts, then lets running ones finish. */
  run(signal: AbortSignal): Promise<void>
  /** Polls now: something may be due. */
  wake(): void
  /** Polls soon: something may be due by the next poll. */
  stir(): void
}

const pollMs = 250
const checkAgainMs = 25
/** Time for running messages when the node stops. For interrupted ones, the ledger has their last step. */
const shutdownGraceMs = 800

export function createSender(options: SenderOptions): Sender {
  const { database, clock, log, sessions, ledger, seals, nodeId } = options
  const { quarantineMs = usualQuarantineMs, onUnknown = 'hold', failpoint = () => undefined } = options
  /** Ids of messages that this process is working on. */
  const held = new Set<string>()
  const ending = new AbortController()
  const wakeup = new Wakeup(options.maxRest)
  const { wake } = wakeup
  const { follow, underWay } = createFollowed()
  const now = (): number => clock.now()
  const open = (row: SendRow, signal: AbortSignal) => openAccount({ sessions, database }, row, signal)
  const tools: SendTools = { database, log, ledger, seals, nodeId, held, failpoint, now, open, follow, wake }

  const due: DueSends = createDueSends({ ...tools, recovery: () => recovery })
  const recovery: Recovery = createRecovery({
    ...tools,
    quarantineMs,
    onUnknown,
    ending: ending.signal,
    isPressed: due.isPressed,
  })
  const requested = createRequestedSends({ ...tools, recovery })

  async function finish(): Promise<void> {
    const grace = setTimeout(() => ending.abort(), shutdownGraceMs)
    await Promise.race([
      Promise.all([due.end(), recovery.end(), ...underWay]),
      sleep(shutdownGraceMs + 200, ending.signal),
    ])
    clearTimeout(grace)
    ending.abort()
  }

  /** Milliseconds until the next recorded message is due, also one that fell due since the last look began. */
  async function next(checkedAt: number): Promise<number | undefined> {
    if (held.size > 0) return 0
    const at = await nextSend(database, checkedAt).catch(() => checkedAt)
    return at === undefined ? undefined : at - now()
  }

  return {
    wake,
    stir: wakeup.stir,
    acceptAndSend: (message, signal) => follow(requested.acceptAndSend(message, signal)),
    sendAccepted: (at, signal) => follow(requested.sendAccepted(at, signal)),
    async run(signal) {
      await pollUntil(signal, { due, wakeup, next, now, log })
      await finish()
    },
    [Symbol.asyncDispose]: finish,
  }
}

interface SendPoll {
  due: DueSends
  wakeup: Wakeup
  next(checkedAt: number): Promise<number | undefined>
  now(): number
  log: Log
}

/** Polls until the signal aborts, even if the store fails repeatedly. */
async function pollUntil(signal: AbortSignal, { due, wakeup, next, now, log }: SendPoll): Promise<void> {
  const failure = new RepeatedFailure(storeRests)
  while (!signal.aborted) {
    wakeup.reset()
    const checkedAt = now()
    await failure.attempt(due.poll, (error) => log.warn({ error }, 'due messages could not be read; retrying'))
    if (due.waiting > 0) await sleep(checkAgainMs, signal)
    // Being woken earlier would not help while the store is down.
    if (failure.rest > 0) await sleep(failure.rest, signal)
    await wakeup.rest(pollMs, signal, wakeup.isCalm ? await next(checkedAt) : undefined)
  }
}

/** Work that the node waits for when it stops. */
function createFollowed(): { underWay: ReadonlySet<Promise<unknown>>; follow<T>(work: Promise<T>): Promise<T> } {
  const underWay = new Set<Promise<unknown>>()
  return {
    underWay,
    follow(work) {
      const followed = work.catch(() => undefined).finally(() => underWay.delete(followed))
      underWay.add(followed)
      return work
    },
  }
}
