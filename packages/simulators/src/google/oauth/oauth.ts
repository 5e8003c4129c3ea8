// What the parts of sign-in share.
import { jsonAnswer, type RawAnswer, type RawRequest } from '../http.ts'
import type { World } from '../world.ts'
import type { Clients } from './clients.ts'
import type { Codes } from './codes.ts'
import type { Grants } from './grants.ts'
import type { ServiceAccounts } from './service-accounts.ts'

export interface OAuth {
  readonly world: World
  readonly grants: Grants
  readonly clients: Clients
  readonly codes: Codes
  readonly serviceAccounts: ServiceAccounts
}

/** The issuer is Google's, wherever the simulator listens, so that tokens are checked as the real ones are. */
export const ISSUER = 'https://accounts.google.com'

/** A failure of the token endpoint (RFC 6749 section 5.2). */
export class OAuthError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, description: string) {
    super(description)
    this.status = status
    this.code = code
  }
}

export function oauthErrorAnswer({ status, code, message }: OAuthError): RawAnswer {
  return jsonAnswer(status, { error: code, error_description: message }, { 'cache-control': 'no-store' })
}

/** The fields of a posted form, and those of the query. */
export function formOf({ url, body }: RawRequest): URLSearchParams {
  const form = new URLSearchParams(url.searchParams)
  for (const [name, value] of new URLSearchParams(new TextDecoder().decode(body))) form.append(name, value)
  return form
}
