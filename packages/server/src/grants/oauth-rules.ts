/**
 * Rules of RFC 9700 and OWASP ASVS that existing API clients do not follow by default. Operators whose applications
 * all follow them can enforce them with `WAYPOST_OAUTH=strict`.
 */
import type { AdditionalSettings, ConnectAuthQuery } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'

/** Lifetime of a refresh token in strict mode if neither the application nor the operator sets one. */
const maxDays = 90

/** Refuses an authorization request without an S256 code challenge. */
export function needProofKey({ code_challenge: value, code_challenge_method: method }: ConnectAuthQuery): void {
  if (value !== undefined && method === 's256') return
  throw invalidField('code_challenge', 'is required, with code_challenge_method=S256: WAYPOST_OAUTH is strict')
}

/** The token settings of an application in strict mode: refresh tokens are rotated and expire. */
export const strictTokens = (settings: AdditionalSettings): AdditionalSettings => ({
  ...settings,
  rotate_refresh_token: true,
  refresh_token_expiration_absolute: settings.refresh_token_expiration_absolute || maxDays * 86_400,
})
