import type { ConnectAuthQuery } from './generated/types.ts'

/** The query of `GET /v3/connect/auth`; `response_type` defaults to `code`. */
export type SignInUrlOptions = Pick<ConnectAuthQuery, 'client_id' | 'redirect_uri'> & Partial<ConnectAuthQuery>

/** The URL where a user signs in: `GET /v3/connect/auth`. */
export function signInUrl(baseUrl: string, { response_type = 'code', ...options }: SignInUrlOptions): string {
  const url = new URL(`${new URL(baseUrl).href.replace(/\/+$/, '')}/v3/connect/auth`)
  for (const [name, value] of Object.entries({ ...options, response_type })) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url.href
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

/**
 * A proof key for clients that cannot keep a secret (PKCE, RFC 7636): the challenge is for the URL, the verifier for
 * the exchange.
 */
export async function newProofKey(): Promise<{ code_verifier: string; code_challenge: string }> {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return { code_verifier: verifier, code_challenge: base64url(new Uint8Array(digest)) }
}
