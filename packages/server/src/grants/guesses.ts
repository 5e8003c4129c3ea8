/**
 * Limits credential guessing at providers. Failures are counted by account and by source, over all entry points (the
 * form, custom authentication, new settings of a grant), whatever limits the operator turned off. Successful attempts
 * do not count, nor do attempts that never reached a provider.
 */

import { ApiError } from '@waypost/platform/api-error'
import { emailKey } from '@waypost/platform/email-key'
import type { RateLimiter } from '../telemetry/rate-limit.ts'

/** Allowed failures per minute. */
const max = { byAddress: 30, byAccount: 10 }

/** Errors that say nothing about the credentials, because the provider did not check them. */
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
  /** The application and the address of the caller. */
  from: string
  /** The credentials to try. */
  settings: Record<string, unknown>
  now: number
}

const nameFields = ['imap_username', 'smtp_username', 'username', 'ews_username', 'email', 'email_address'] as const
const hostFields = ['imap_host', 'smtp_host', 'ews_host'] as const

/**
 * The accounts that settings name. An address identifies an account anywhere, another user name only at its server.
 */
export function accountsIn(settings: Record<string, unknown>): string[] {
  const text = (name: string): string => (typeof settings[name] === 'string' ? emailKey(settings[name]) : '')
  const hosts = hostFields.map((field) => text(field).replace(/\.$/, '')).filter(Boolean)
  const names = nameFields.map(text).filter(Boolean)
  const accounts = names.flatMap((name) =>
    name.includes('@') ? [name] : (hosts.length > 0 ? hosts : ['']).map((host) => `${name} at ${host}`),
  )
  return [...new Set(accounts)]
}

/** Whether there is a secret to guess. Accounts in our own tables have none. */
const holdsSecret = (settings: Record<string, unknown>): boolean =>
  Object.keys(settings).some((name) => /(?:password|token)$/.test(name))

/**
 * Tries credentials unless there were too many failures, which throws `rate_limited`. Attempts for one account count
 * while they run. Attempts from one address count when they fail, so that a backend can connect many accounts at
 * once.
 */
export async function countGuess<T>(limiter: RateLimiter, guessing: Guessing, attempt: () => Promise<T>): Promise<T> {
  const { from, settings, now } = guessing
  if (!holdsSecret(settings)) return attempt()
  const countFailure = limiter.takeFailure(`from ${from}`, max.byAddress, now)
  const accounts = accountsIn(settings).map((account) => [`to ${account}`, max.byAccount] as const)
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
