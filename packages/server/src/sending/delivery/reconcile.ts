/**
 * Searches the sent folder for a message whose transmission broke off after the provider may have accepted it. The
 * search ends when the message can no longer appear. A missing copy proves nothing unless the provider itself files
 * what it accepts. So by default the message is reported as failed with an unknown outcome, and its sender decides.
 */
import { ApiError } from '@waypost/platform/api-error'
import { transmissionMs } from '@waypost/providers/mail/transmission'
import type { SendRow } from '@waypost/store/tables/mail/sends'
import type { End } from '../ledger/ledger.ts'
import type { SendingAccount } from './sending-account.ts'

/** Time that a provider may need until an accepted message can be found. */
const indexingMs = 60_000
export const usualQuarantineMs = transmissionMs + indexingMs
/** If the sent folder cannot be searched, the outcome is delayed by at most this long. */
const maxUnseenMs = 3_600_000

export interface Search {
  now: number
  quarantineMs: number
  /** What happens to a message that was not found: report it as failed, or send it again. */
  onUnknown: 'hold' | 'resend'
}

/** Searches once; returns the outcome, or the time of the next search. */
export async function searchFor(
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
export const nextPoll = (from: number, now: number, over: number): number =>
  Math.max(now + 250, Math.min(over, now + Math.min(Math.max(1_000, Math.round((now - from) / 4)), 30_000)))
