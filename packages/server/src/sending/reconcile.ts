/**
 * What became of a message whose sending broke off where the provider may have taken it: it is looked for in the account's
 * sent mail, until nothing can come any more. Not to be found means not sent only where the provider itself files what it
 * takes, so by default it is told as failed with an outcome that is not known, and its sender decides.
 */
import { ApiError } from '../lib/api-error.ts'
import { transmissionMs } from '../providers/mail/transmission.ts'
import type { SendRow } from '../store/tables/mail/sends.ts'
import type { SendingAccount } from './account.ts'
import type { End } from './ledger.ts'

/** What the provider may need until a message stands in its books. */
const indexingMs = 60_000
export const usualQuarantineMs = transmissionMs + indexingMs
/** Sent mail that cannot be looked at is waited for so long beyond that. */
const maxUnseenMs = 3_600_000

export interface Search {
  now: number
  quarantineMs: number
  /** What to do with a message that was not found: tell its sender, or send it again. */
  onUnknown: 'hold' | 'resend'
}

/** Looks for a message once: what it comes to, or when to look again. */
export async function lookFor(
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
    return { again: nextLook(from, now, over) }
  } catch (error) {
    if (now >= over + maxUnseenMs) return notFound(onUnknown)
    return { again: Math.max(nextLook(from, now, over), now + 10_000), error }
  }
}

function notFound(onUnknown: Search['onUnknown']): End {
  if (onUnknown === 'resend') return { trigger: 'resend' }
  const message =
    'the connection broke before the provider said whether it took the message, and it is not in the sent mail'
  return { trigger: 'give_up', error: new ApiError('outcome_unknown', message) }
}

/** Often at first, then more rarely, and once more when the time is over. */
export const nextLook = (from: number, now: number, over: number): number =>
  Math.max(now + 250, Math.min(over, now + Math.min(Math.max(1_000, Math.round((now - from) / 4)), 30_000)))
