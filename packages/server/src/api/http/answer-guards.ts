/**
 * What every answer carries, whatever its path and status. A browser that shows one directly guesses no type, runs
 * nothing, embeds it nowhere and names its address to nobody. A page that needs more replaces the policy with its own.
 */
import { prefixOf } from './base-path.ts'

const policy = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", 'sandbox']

/** A year, as browsers ask for. A host that the service has for itself speaks for the names below it too. */
const transportSecurity = (baseUrl: string): string =>
  `max-age=31536000${prefixOf(baseUrl) === '' ? '; includeSubDomains' : ''}`

export const guardsOf = (baseUrl: string): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'content-security-policy': policy.join('; '),
  'referrer-policy': 'no-referrer',
  ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': transportSecurity(baseUrl) } : {}),
})
