/**
 * Security headers of every answer, whatever its path and status. A browser that opens an answer directly guesses no
 * type, runs no script, embeds it nowhere and sends no referrer. A page that needs more replaces the policy with its
 * own.
 */
import { prefixOf } from './base-path.ts'

const policy = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", 'sandbox']

/** One year, as browsers require. A host that serves Waypost alone includes its subdomains. */
const transportSecurity = (baseUrl: string): string =>
  `max-age=31536000${prefixOf(baseUrl) === '' ? '; includeSubDomains' : ''}`

export const guardsOf = (baseUrl: string): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'content-security-policy': policy.join('; '),
  'referrer-policy': 'no-referrer',
  ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': transportSecurity(baseUrl) } : {}),
})
