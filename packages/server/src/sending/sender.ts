/**
 * Sends. A message that a request brings is sent by that request (`requested-sends.ts`); scheduled ones, and those that a
 * dead node left, by whichever node claims them (`due-sends.ts`); what is to be done for messages beside sending them is
 * done by `recovery.ts`. A node works on a message only once at a time (`held`); between nodes the ledger decides.
 *
 * A grant has a bounded number of messages under way on each node, and so has the node.
 */
import type { Sessions } from '../grants/sessions.ts'
import { type Clock, sleep } from '../lib/clock.ts'
import type { DataSeals } from '../lib/crypto/data-seals.ts'
import type { Log } from '../lib/log.ts'
import { RepeatedFailure } from '../lib/repeated-failure.ts'
import { Wakeup } from '../lib/wakeup.ts'
import type { Database } from '../store/engine/database.ts'
import type { SendAddress, SendRow } from '../store/tables/mail/sends.ts'
import { nextSend } from '../store/tables/notifications/next-work.ts'
import { openAccount } from './account.ts'
import { createDueSends, type DueSends } from './due-sends.ts'
import type { FailPoint, Ledger, Outcome } from './ledger.ts'
import { usualQuarantineMs } from './reconcile.ts'
import { createRecovery, type Recovery } from './recovery.ts'
import { createRequestedSends, type NewMessage } from './requested-sends.ts'
import { type SettleTools, settle, storeRests } from './settled-attempt.ts'

export interface SenderOptions {
  database: Database
  clock: Clock
  log: Log
  sessions: Sessions
  ledger: Ledger
  seals: DataSeals
  nodeId: string
  /** How long a message whose outcome is unknown is looked for, from when its transmission began. */
  quarantineMs?: number
  /** What becomes of a message that was not found by then. Default `hold`: it is told as failed. */
  onUnknown?: 'hold' | 'resend'
  failpoint?: FailPoint
  /** How long it may rest, because it hears of what is written; where it does not (0), it looks often. */
  maxRest?(): number
}

export interface Sender extends AsyncDisposable {
  /** Has a message written down and sends it; of one that was accepted before, answers what became of it. */
  acceptAndSend(message: NewMessage, signal: AbortSignal): Promise<Outcome>
  /** Sends a message that was accepted, or answers what became of it. It may go on after the signal aborts, if it has begun. */
  sendAccepted(at: SendAddress, signal: AbortSignal): Promise<Outcome>
  /** Sends what is due until the signal aborts, then lets what is under way end. */
  run(signal: AbortSignal): Promise<void>
  /** Something may be due. */
  wake(): void
  /** Something may be due by the next look, which is not put off. */
  stir(): void
}

const lookMs = 250
const lookAgainMs = 25
/** What messages under way are given when the node stops; of those that are cut the ledger knows how far they came. */
const shutdownGraceMs = 800

export function createSender(options: SenderOptions): Sender {
  const { database, clock, log, sessions, ledger, seals, nodeId } = options
  const { quarantineMs = usualQuarantineMs, onUnknown = 'hold', failpoint = () => undefined } = options
  /** Messages that this process works on. */
  const held = new Set<string>()
  const ending = new AbortController()
  const wakeup = new Wakeup(options.maxRest)
  const { wake } = wakeup
  const { follow, underWay } = createFollowed()
  const now = (): number => clock.now()
  const open = (row: SendRow, signal: AbortSignal) => openAccount({ sessions, database }, row, signal)
  const tools: SettleTools = { ledger, now, failpoint, log, open }
  const common = { database, seals, nodeId, tools, held, follow, wake }

  const due: DueSends = createDueSends({ ...common, recovery: () => recovery })
  const recovery: Recovery = createRecovery({
    ...{ database, log, nodeId, ledger, seals, held, quarantineMs, onUnknown, failpoint, now, follow, wake, open },
    settle: (row, attempt, end) => settle(tools, row, attempt, end),
    ending: ending.signal,
    isPressed: due.isPressed,
  })
  const requested = createRequestedSends({ ...common, recovery })

  async function finish(): Promise<void> {
    const grace = setTimeout(() => ending.abort(), shutdownGraceMs)
    await Promise.race([
      Promise.all([due.end(), recovery.end(), ...underWay]),
      sleep(shutdownGraceMs + 200, ending.signal),
    ])
    clearTimeout(grace)
    ending.abort()
  }

  /** In how many milliseconds something is due that is written already. */
  async function next(): Promise<number | undefined> {
    if (held.size > 0) return 0
    const at = await nextSend(database, now()).catch(() => now())
    return at === undefined ? undefined : at - now()
  }

  return {
    wake,
    stir: wakeup.stir,
    acceptAndSend: (message, signal) => follow(requested.acceptAndSend(message, signal)),
    sendAccepted: (at, signal) => follow(requested.sendAccepted(at, signal)),
    async run(signal) {
      await lookUntil(signal, { due, wakeup, next, log })
      await finish()
    },
    [Symbol.asyncDispose]: finish,
  }
}

/** Looks for what is due until the signal aborts, however often the store fails. */
async function lookUntil(
  signal: AbortSignal,
  { due, wakeup, next, log }: { due: DueSends; wakeup: Wakeup; next(): Promise<number | undefined>; log: Log },
): Promise<void> {
  const failure = new RepeatedFailure(storeRests)
  while (!signal.aborted) {
    wakeup.reset()
    await failure.attempt(due.look, (error) =>
      log.warn({ error }, 'messages that are due could not be read; it is tried again'),
    )
    if (due.waiting > 0) await sleep(lookAgainMs, signal)
    // Whoever wakes it then needs the store that does not answer.
    if (failure.rest > 0) await sleep(failure.rest, signal)
    await wakeup.rest(lookMs, signal, wakeup.isCalm ? await next() : undefined)
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
