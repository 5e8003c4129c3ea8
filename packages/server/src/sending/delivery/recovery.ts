/**
 * Work on messages other than sending them. Messages of a dead node become `unknown`, unknown ones are searched for,
 * and copies of sent ones are filed.
 *
 * The sent folder is searched for a message whose transmission broke off after the provider may have accepted it. The
 * search ends when the message can no longer appear. A missing copy proves nothing unless the provider itself files
 * what it accepts. So by default the message is reported as failed with an unknown outcome, and its sender decides.
 */

import { ApiError } from '@waypost/platform/api-error'
import { RepeatedFailure } from '@waypost/platform/repeated-failure'
import { wireLength } from '@waypost/providers/mail/large-files'
import { transmissionMs } from '@waypost/providers/mail/transmission'
import {
  ownSend,
  readSend,
  type SendRow,
  searchForSendAgain,
  type WholeSendRow,
} from '@waypost/store/tables/mail/sends'
import { addressOf, type End } from '../ledger/ledger.ts'
import { type SendTools, settle } from './attempt.ts'
import { type CopyFiling, closeCopy, createCopyFiling, placeCopy } from './copy-filing.ts'
import type { SendingAccount } from './sending-account.ts'

interface RecoveryOptions extends SendTools, Pick<Search, 'quarantineMs' | 'onUnknown'> {
  ending: AbortSignal
  /** Whether messages wait to be sent; they have priority over copies. */
  isPressed(): boolean
}

export interface Recovery extends CopyFiling {
  /** Starts work on messages without an owner: a few grants at a time, the messages of each grant in sequence. */
  tend(rows: readonly SendRow[]): void
}

/** A copy has more time the larger it is, down to half a megabyte per second. */
const slowestBytesPerMs = 500
/** Concurrent grants. */
const tendedAtOnce = 16
/** Delay after a failure, and the number of failed messages that are remembered. */
const backoff = { first: 1_000, max: 300_000 }
const resting = 10_000

export function createRecovery(options: RecoveryOptions): Recovery {
  const { database, log, nodeId, ledger, seals, held, ending, now, open, follow, wake, quarantineMs, onUnknown } =
    options
  const tended = new Set<string>()
  const troubled = createTroubled({ log, now })

  const lasting = (bytes = 0): AbortSignal =>
    AbortSignal.any([AbortSignal.timeout(60_000 + Math.ceil(bytes / slowestBytesPerMs)), ending])
  const copies = createCopyFiling({ ...options, deadline: lasting })

  async function fileFound(row: WholeSendRow): Promise<void> {
    const mail = await ledger.mailOf(row)
    if (!mail) return
    await closeCopy(
      options,
      row,
      placeCopy(options, row, { account: () => open(row, lasting(wireLength(mail))), mail }),
    )
  }

  async function searchForOne(row: SendRow): Promise<void> {
    const account = () => open(row, lasting())
    const found = await searchFor(row, account, { now: now(), quarantineMs, onUnknown })
    if ('trigger' in found) {
      if (found.trigger === 'find') log.info({ send_id: row.id }, 'a message was found in the sent folder')
      else log.warn({ send_id: row.id, ended: found.trigger }, 'a message was not found in the sent folder')
      if (row.attempt !== null) await settle(options, row, row.attempt, found)
      return
    }
    if (found.error) log.warn({ error: found.error, send_id: row.id }, 'the sent folder could not be searched')
    await searchForSendAgain(database, addressOf(row), nodeId, found.again)
  }

  async function tend(row: SendRow): Promise<void> {
    if (row.state === 'transmitting') {
      // Its owner died, so the outcome is unknown.
      if (row.attempt !== null) await ledger.settle(row, row.attempt, { trigger: 'lose' })
      log.warn(
        { send_id: row.id, grant_id: row.grant_id },
        'the node that was sending a message died; the message is searched for',
      )
      return wake()
    }
    if (!(await ownSend(database, row, { node: nodeId, now: now() }))) return
    if (row.state === 'unknown') return searchForOne(row)
    const whole = await readSend(database, addressOf(row), seals)
    if (whole) await fileFound(whole)
  }

  /** In sequence per grant: each message uses a connection. */
  async function tendGrant(rows: readonly SendRow[]): Promise<void> {
    for (const row of rows) {
      try {
        if (ending.aborted) continue
        await tend(row)
        troubled.recovered(row.id)
      } catch (error) {
        troubled.failed(row.id, error)
      } finally {
        held.delete(row.id)
      }
    }
  }

  function tendAll(rows: readonly SendRow[]): void {
    const ready = rows.filter(({ id }) => !troubled.isResting(id))
    for (const [grant, those] of Map.groupBy(ready, ({ grant_id }) => grant_id)) {
      if (tended.has(grant) || tended.size >= tendedAtOnce) continue
      tended.add(grant)
      for (const { id } of those) held.add(id)
      void follow(tendGrant(those)).finally(() => tended.delete(grant))
    }
  }

  return { ...copies, tend: tendAll }
}

/** Messages whose recovery failed, and when it is retried. */
function createTroubled({ log, now }: Pick<RecoveryOptions, 'log' | 'now'>) {
  const troubled = new Map<string, { failure: RepeatedFailure; until: number }>()
  return {
    isResting: (id: string): boolean => (troubled.get(id)?.until ?? 0) > now(),
    recovered: (id: string): void => void troubled.delete(id),
    /** An unexpected failure would repeat at the next poll, so the retry is delayed. */
    failed(id: string, error: unknown): void {
      const failure = troubled.get(id)?.failure ?? new RepeatedFailure(backoff)
      const [first] = troubled.keys()
      if (troubled.size >= resting && first !== undefined) troubled.delete(first)
      if (failure.failed()) {
        const facts = { error, send_id: id, failures: failure.count }
        log.warn(facts, 'recovery of a message failed; it is retried')
      }
      troubled.set(id, { failure, until: now() + failure.rest })
    },
  }
}

/** Time that a provider may need until an accepted message can be found. */
const indexingMs = 60_000
export const usualQuarantineMs = transmissionMs + indexingMs
/** If the sent folder cannot be searched, the outcome is delayed by at most this long. */
const maxUnseenMs = 3_600_000

interface Search {
  now: number
  quarantineMs: number
  /** What happens to a message that was not found: report it as failed, or send it again. */
  onUnknown: 'hold' | 'resend'
}

/** Searches once; returns the outcome, or the time of the next search. */
async function searchFor(
  row: SendRow,
  open: () => Promise<SendingAccount>,
  { now, quarantineMs, onUnknown }: Search,
): Promise<End | { again: number; error?: unknown }> {
  const from = row.began_at ?? row.created_at
  const over = from + quarantineMs
  try {
    const { sent } = await open()
    const providerId = await sent?.find(row.message_id)
    if (providerId !== undefined) return { trigger: 'find', providerId }
    if (now >= over) return notFound(onUnknown)
    return { again: nextPoll(from, now, over) }
  } catch (error) {
    if (now >= over + maxUnseenMs) return notFound(onUnknown)
    return { again: Math.max(nextPoll(from, now, over), now + 10_000), error }
  }
}

function notFound(onUnknown: Search['onUnknown']): End {
  if (onUnknown === 'resend') return { trigger: 'resend' }
  const message =
    'the connection broke before the provider confirmed the message, and the message is not in the sent folder'
  return { trigger: 'give_up', error: new ApiError('outcome_unknown', message) }
}

/** Searches often at first, then less often, and once more at the end. */
const nextPoll = (from: number, now: number, over: number): number =>
  Math.max(now + 250, Math.min(over, now + Math.min(Math.max(1_000, Math.round((now - from) / 4)), 30_000)))
