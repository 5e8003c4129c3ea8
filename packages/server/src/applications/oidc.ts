/**
 * Sign-in with OpenID Connect (Core 1.0, Discovery 1.0) through the code flow with PKCE (RFC 7636), without I/O:
 * builds the requests to the provider and checks its responses.
 */
import { createHash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { z } from 'zod'
import { newToken } from '../lib/ids.ts'
import type { OidcSettings } from '../lib/settings/oidc-settings.ts'

/** Why a sign-in failed, as far as the page shows it. */
export type OidcRefusal = 'cancelled' | 'expired' | 'unreachable' | 'refused' | 'unverified' | 'unknown'

/** A failed sign-in. The message is for the log. */
export class OidcError extends Error {
  readonly refusal: OidcRefusal

  constructor(refusal: OidcRefusal, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OidcError'
    this.refusal = refusal
  }
}

/** The fields of the provider's discovery document that are used. */
export const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url({ protocol: /^https?$/ }),
  token_endpoint: z.url({ protocol: /^https?$/ }),
  jwks_uri: z.url({ protocol: /^https?$/ }),
  userinfo_endpoint: z.url({ protocol: /^https?$/ }).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
})
export type Discovery = z.output<typeof Discovery>

export const discoveryAddress = (issuer: string): string =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`

/** The state of a sign-in, stored in a sealed cookie of the browser that started it. */
export const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The dashboard page to open, such as `/a/…/grants`; empty for the first. */
  to: z.string(),
  expiresAt: z.number(),
})
export type Attempt = z.output<typeof Attempt>

export const attemptMs = 10 * 60_000

/** Only a path inside the dashboard is accepted. */
const pathInside = (to: string): string => (/^\/[\w\-./~%]*(\?[\w\-./~%=&+]*)?$/.test(to) && to.length <= 500 ? to : '')

export const newAttempt = (to: string, now: number): Attempt => ({
  state: newToken(),
  nonce: newToken(),
  verifier: newToken(),
  to: pathInside(to),
  expiresAt: now + attemptMs,
})

/** The authorization URL. */
export function authorizationAddress(
  { authorization_endpoint }: Discovery,
  { clientId, redirectUri, attempt }: { clientId: string; redirectUri: string; attempt: Attempt },
): string {
  const url = new URL(authorization_endpoint)
  const challenge = createHash('sha256').update(attempt.verifier).digest('base64url')
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** The code in the provider's callback. Throws if the callback does not belong to this sign-in. */
export function codeIn(
  query: URLSearchParams,
  attempt: Attempt | undefined,
  { issuer, now }: { issuer: string; now: number },
): string {
  const one = (name: string): string | undefined => {
    const [value, second] = query.getAll(name)
    return second === undefined ? value : undefined
  }
  if (!attempt || attempt.expiresAt <= now) throw new OidcError('expired', 'no sign-in was started in this browser')
  if (one('state') !== attempt.state) throw new OidcError('expired', 'the state does not match the sign-in')
  // The issuer of the response, if the provider names it (RFC 9207).
  const from = query.has('iss') ? one('iss') : issuer
  if (from !== issuer) throw new OidcError('refused', 'the response comes from another issuer')
  const error = one('error')
  if (error === 'access_denied') throw new OidcError('cancelled', 'the provider returned access_denied')
  if (error !== undefined) throw new OidcError('refused', `the provider returned ${error.slice(0, 100)}`)
  const code = one('code')
  if (!code) throw new OidcError('refused', 'the provider sent no code')
  return code
}

/** The token request. The client secret is sent in the way the provider supports, or not at all if there is none. */
export function tokenRequest(
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: Discovery,
  given: { clientId: string; secret: string | undefined; redirectUri: string; code: string; verifier: string },
): { headers: Record<string, string>; body: string } {
  const { clientId, secret, redirectUri, code, verifier } = given
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  })
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  }
  const basic =
    secret !== undefined && (methods.includes('client_secret_basic') || !methods.includes('client_secret_post'))
  if (basic) {
    // Each part is form-encoded first (RFC 6749 §2.3.1).
    const pair = `${formEncoded(clientId)}:${formEncoded(secret)}`
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`
  } else {
    form.set('client_id', clientId)
    if (secret !== undefined) form.set('client_secret', secret)
  }
  return { headers, body: form.toString() }
}

const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1)

export const Tokens = z.object({ id_token: z.string().max(32_768), access_token: z.string().max(32_768).optional() })

/** Accepted signature algorithms. Symmetric ones are not among them. */
export const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/** Checks the remaining claims of a token whose signature, issuer, audience and times are valid. */
export function checkClaims(
  payload: JWTPayload,
  { clientId }: Pick<OidcSettings, 'clientId'>,
  attempt: Attempt,
): string {
  if (payload.nonce !== attempt.nonce) throw new OidcError('refused', 'the token belongs to another sign-in')
  const several = Array.isArray(payload.aud) && payload.aud.length > 1
  if ((several || payload.azp !== undefined) && payload.azp !== clientId) {
    throw new OidcError('refused', 'the token was issued for another client')
  }
  const { sub } = payload
  // Maximum length of Core 1.0 §2.
  if (typeof sub !== 'string' || sub === '' || sub.length > 255)
    throw new OidcError('refused', 'the token names no subject')
  return sub
}

const Profile = z.object({
  email: z.email().max(320).optional().catch(undefined),
  email_verified: z
    .union([z.boolean(), z.literal('true').transform(() => true)])
    .optional()
    .catch(undefined),
  name: z.string().optional().catch(undefined),
})
export type Profile = z.output<typeof Profile>

/** The person's profile in a token or a userinfo response. */
export const profileIn = (claims: unknown): Profile => Profile.parse(claims)

/** The profile of a userinfo response, which must have the same subject as the token (Core 1.0 §5.3.2). */
export function profileOf(claims: unknown, subject: string): Profile {
  const found = z.object({ sub: z.literal(subject) }).safeParse(claims)
  if (!found.success) throw new OidcError('refused', 'the userinfo response is about another subject')
  return profileIn(claims)
}

/** The address, if the provider has verified it. */
export const verifiedAddress = ({ email, email_verified }: Profile): string | undefined =>
  email_verified === true ? email : undefined

/** The name as it is stored: one line of limited length. */
export const nameOf = ({ name }: Profile): string | undefined =>
  name
    ?.toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
    .slice(0, 256)
    .toWellFormed() || undefined
