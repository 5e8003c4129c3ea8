/** The result at the application's redirect URI: a code, or an error with a number. */
import { errors } from '@waypost/contract'
import type { ApiError } from '@waypost/platform/api-error'

/** A failure as query parameters. */
export interface Failure {
  error: string
  code: number
  description: string
}

/** The user refused, or must not sign in. */
export const denied = (description: string): Failure => ({ error: 'access_denied', code: 45002, description })

/**
 * The provider's reason for returning its user without a code. Its description is shortened, or replaced by our
 * explanation.
 */
export function failureOfProvider(error: string, description: string | null, explained?: string): Failure {
  if (explained !== undefined && error !== 'access_denied') {
    return { error: 'oauth_failed', code: 45002, description: explained }
  }
  if (explained !== undefined) return denied(explained)
  const said = (description ?? '').replace(/\p{Cc}+/gu, ' ').slice(0, 200)
  if (error === 'access_denied') return denied(said || 'the end user did not give consent')
  return {
    error: 'oauth_failed',
    code: 45002,
    description: `the provider answered ${error.slice(0, 60)}. ${said}`.trim(),
  }
}

const known: Partial<Record<ApiError['code'], { error: string; code?: number }>> = {
  authentication_failed: { error: 'oauth_failed', code: 45002 },
  scopes_conflict: { error: errors.scopes_conflict.type, code: 25016 },
  invalid_request: { error: 'invalid_request' },
  internal_error: { error: 'server_error' },
  service_unavailable: { error: 'temporarily_unavailable' },
  provider_unavailable: { error: 'temporarily_unavailable' },
  provider_rate_limited: { error: 'temporarily_unavailable' },
  rate_limited: { error: 'temporarily_unavailable' },
}

/** Converts an error for the application. */
export function failureOf({ code, status, message }: ApiError): Failure {
  const named = known[code]
  return { error: named?.error ?? errors[code].type, code: named?.code ?? status, description: message.slice(0, 300) }
}

/** Adds parameters to a redirect URI and keeps its own. */
function withParameters(redirectUri: string, parameters: Record<string, string | null>): string {
  const added = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== null) added.append(name, value)
  // Not every platform reads a plus sign as a space.
  const text = String(added).replaceAll('+', '%20')
  if (!redirectUri.includes('?')) return `${redirectUri}?${text}`
  return `${redirectUri}${/[?&]$/.test(redirectUri) ? '' : '&'}${text}`
}

interface Back {
  redirectUri: string
  state: string | null
}

export const backWithCode = ({ redirectUri, state }: Back, code: string): string =>
  withParameters(redirectUri, { code, state })

/** The return of an administrator: without a code, because nobody signed in. */
export const backWithConsent = ({ redirectUri, state }: Back, tenant: string): string =>
  withParameters(redirectUri, { admin_consent: 'true', tenant, state })

export const backWithFailure = ({ redirectUri, state }: Back, { error, code, description }: Failure): string =>
  withParameters(redirectUri, { error, error_code: String(code), error_description: description, state })
