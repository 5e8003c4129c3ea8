/** Sign-in with OpenID Connect, without I/O: the state of a sign-in, and the person in a provider's claims. */
import { createHash } from 'node:crypto'
import { newToken } from '@waypost/platform/ids'
import { z } from 'zod'

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
  endpoint: string,
  { clientId, redirectUri, attempt }: { clientId: string; redirectUri: string; attempt: Attempt },
): string {
  const url = new URL(endpoint)
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

/** Accepted signature algorithms of a provider that names none. Symmetric ones are not among them. */
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

const Profile = z.object({
  email: z.email().max(320).optional().catch(undefined),
  email_verified: z
    .union([z.boolean(), z.literal('true').transform(() => true)])
    .optional()
    .catch(undefined),
  name: z.string().optional().catch(undefined),
})
export type Profile = z.output<typeof Profile>

/** The person's profile in the claims of a token and a userinfo response. */
export const profileIn = (claims: unknown): Profile => Profile.parse(claims)

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
