/**
 * Sign-in with OpenID Connect (Core 1.0, Discovery 1.0) by the code flow with PKCE (RFC 7636), without any I/O: what is
 * sent to the provider, and what must be true of what comes back.
 */
import { createHash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { z } from 'zod'
import { newToken } from '../lib/ids.ts'
import type { OidcSettings } from '../lib/settings/oidc-settings.ts'

/** Why a sign-in came to nothing, for the page: no more than that is told. */
export type OidcRefusal = 'cancelled' | 'expired' | 'unreachable' | 'refused' | 'unverified' | 'unknown'

/** A sign-in that came to nothing; the message is for the log. */
export class OidcError extends Error {
  readonly refusal: OidcRefusal

  constructor(refusal: OidcRefusal, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OidcError'
    this.refusal = refusal
  }
}

/** What the provider says of itself, as far as it is used. */
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

/** What a sign-in is bound to: it is kept in the browser that began it, sealed. */
export const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The page of the dashboard to go to, such as `/a/…/grants`; empty for the first. */
  to: z.string(),
  expiresAt: z.number(),
})
export type Attempt = z.output<typeof Attempt>

export const attemptMs = 10 * 60_000

/** A path inside of the dashboard and nothing else; what looks like more is left out. */
const pathInside = (to: string): string => (/^\/[\w\-./~%]*(\?[\w\-./~%=&+]*)?$/.test(to) && to.length <= 500 ? to : '')

export const newAttempt = (to: string, now: number): Attempt => ({
  state: newToken(),
  nonce: newToken(),
  verifier: newToken(),
  to: pathInside(to),
  expiresAt: now + attemptMs,
})

/** Where the browser is sent to. */
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

/** The code in what the provider sent the browser back with; throws where it is not the answer to this attempt. */
export function codeIn(
  query: URLSearchParams,
  attempt: Attempt | undefined,
  { issuer, now }: { issuer: string; now: number },
): string {
  const one = (name: string): string | undefined => {
    const [value, second] = query.getAll(name)
    return second === undefined ? value : undefined
  }
  if (!attempt || attempt.expiresAt <= now) throw new OidcError('expired', 'no sign-in was begun in this browser')
  if (one('state') !== attempt.state) throw new OidcError('expired', 'the state is not that of the sign-in')
  // Who answered, where the provider says it (RFC 9207).
  const from = query.has('iss') ? one('iss') : issuer
  if (from !== issuer) throw new OidcError('refused', 'another issuer answered')
  const error = one('error')
  if (error === 'access_denied') throw new OidcError('cancelled', 'the provider says access_denied')
  if (error !== undefined) throw new OidcError('refused', `the provider says ${error.slice(0, 100)}`)
  const code = one('code')
  if (!code) throw new OidcError('refused', 'the provider sent no code')
  return code
}

/** How the code is traded: the secret goes as the provider takes it, or not at all where there is none. */
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

/** Signatures that a provider proves its tokens with: none that a secret shared with us could make. */
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

/** What of a token whose signature, issuer, audience and times are right is right too; throws where it is not. */
export function checkClaims(
  payload: JWTPayload,
  { clientId }: Pick<OidcSettings, 'clientId'>,
  attempt: Attempt,
): string {
  if (payload.nonce !== attempt.nonce) throw new OidcError('refused', 'the token is of another sign-in')
  const several = Array.isArray(payload.aud) && payload.aud.length > 1
  if ((several || payload.azp !== undefined) && payload.azp !== clientId) {
    throw new OidcError('refused', 'the token was made for another client')
  }
  const { sub } = payload
  // As long as it may be (Core 1.0 §2).
  if (typeof sub !== 'string' || sub === '' || sub.length > 255)
    throw new OidcError('refused', 'the token names nobody')
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

/** What a token, or the answer of the userinfo endpoint, says of the person. */
export const profileIn = (claims: unknown): Profile => Profile.parse(claims)

/** What the userinfo endpoint says, where it is of the same person as the token (Core 1.0 §5.3.2). */
export function profileOf(claims: unknown, subject: string): Profile {
  const found = z.object({ sub: z.literal(subject) }).safeParse(claims)
  if (!found.success) throw new OidcError('refused', 'the userinfo endpoint tells of somebody else')
  return profileIn(claims)
}

/** The address, where the provider says that it is the person's own. */
export const verifiedAddress = ({ email, email_verified }: Profile): string | undefined =>
  email_verified === true ? email : undefined

/** A name as it is kept: one line, and not too long. */
export const nameOf = ({ name }: Profile): string | undefined =>
  name
    ?.toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
    .slice(0, 256)
    .toWellFormed() || undefined
