/**
 * The rules of RFC 9700 and OWASP ASVS that clients of the API do not keep by themselves. An operator whose applications
 * all keep them asks for them with `WAYPOST_OAUTH=strict`.
 */
import type { AdditionalSettings, ConnectAuthQuery } from '@waypost/contract'
import { invalidField } from '../lib/api-error.ts'

/** How a refresh token lives where neither the application nor the operator says otherwise in strict mode. */
const longestDays = 90

/** Refuses an authorization request without a proof key whose verifier nobody on the way can see. */
export function needProofKey({ code_challenge: value, code_challenge_method: method }: ConnectAuthQuery): void {
  if (value !== undefined && method === 's256') return
  throw invalidField('code_challenge', 'is required, with code_challenge_method=S256: WAYPOST_OAUTH is strict')
}

/** The settings of an application's tokens: each refresh token is good once, and none lives for ever. */
export const strictTokens = (settings: AdditionalSettings): AdditionalSettings => ({
  ...settings,
  rotate_refresh_token: true,
  refresh_token_expiration_absolute: settings.refresh_token_expiration_absolute || longestDays * 86_400,
})
