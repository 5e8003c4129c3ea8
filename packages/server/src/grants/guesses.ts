/**
 * Credentials that are tried at a provider: each try passes a guess on. They are counted by account and by where they come
 * from, over every way in (the form, custom authentication, new settings of a grant), whatever limits the operator turned
 * off. What a provider accepts does not count, nor does what never reached one.
 */

import { ApiError } from '../lib/api-error.ts'
import { emailKey } from '../lib/email-key.ts'
import type { RateLimiter } from '../telemetry/rate-limit.ts'

/** Failures by minute. */
const most = { byAddress: 30, byAccount: 10 }

/** What was tried is not known to be wrong, because nobody looked at it. */
const notTried: ReadonlySet<ApiError['code']> = new Set([
  'invalid_request',
  'provider_required',
  'connector_required',
  'not_supported_by_provider',
  'invalid_scope',
  'provider_unavailable',
  'provider_unreachable',
  'provider_rate_limited',
])

export interface Guessing {
  /** The application, and the address of who tries. */
  from: string
  /** What is tried with. */
  settings: Record<string, unknown>
  now: number
}

const nameFields = ['imap_username', 'smtp_username', 'username', 'ews_username', 'email', 'email_address'] as const
const hostFields = ['imap_host', 'smtp_host', 'ews_host'] as const

/** The accounts that settings name: an address names one anywhere, another user name one at its server. */
export function accountsIn(settings: Record<string, unknown>): string[] {
  const text = (name: string): string => (typeof settings[name] === 'string' ? emailKey(settings[name]) : '')
  const hosts = hostFields.map((field) => text(field).replace(/\.$/, '')).filter(Boolean)
  const names = nameFields.map(text).filter(Boolean)
  const accounts = names.flatMap((name) =>
    name.includes('@') ? [name] : (hosts.length > 0 ? hosts : ['']).map((host) => `${name} at ${host}`),
  )
  return [...new Set(accounts)]
}

/** Whether there is something to guess: the accounts that the service keeps itself have no secret. */
const holdsSecret = (settings: Record<string, unknown>): boolean =>
  Object.keys(settings).some((name) => /(?:password|token)$/.test(name))

/**
 * Tries credentials, if that was not tried too often; throws `rate_limited`. Tries of one account count while they are under
 * way; those of one address when they failed, so that a backend that connects many accounts at once is not held up.
 */
export async function countGuess<T>(limiter: RateLimiter, guessing: Guessing, attempt: () => Promise<T>): Promise<T> {
  const { from, settings, now } = guessing
  if (!holdsSecret(settings)) return attempt()
  const countFailure = limiter.takeFailure(`from ${from}`, most.byAddress, now)
  const accounts = accountsIn(settings).map((account) => [`to ${account}`, most.byAccount] as const)
  const takeBack = limiter.takeAttempt(accounts, now)
  try {
    const accepted = await attempt()
    takeBack()
    return accepted
  } catch (error) {
    if (error instanceof ApiError && notTried.has(error.code)) takeBack()
    else countFailure()
    throw error
  }
}
