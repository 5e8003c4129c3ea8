// The user's identity in ID tokens and at the userinfo endpoints.
// https://developers.google.com/identity/openid-connect/openid-connect
import { createHash } from 'node:crypto'
import type { AccountOwner } from '../owner.ts'
import type { World } from '../world.ts'
import { ISSUER } from './oauth.ts'
import { expandScope } from './scopes.ts'

const lifetimeSeconds = 3600

export interface IdTokenRequest {
  readonly clientId: string
  readonly accessToken: string
  readonly nonce: string | undefined
  readonly scopes: readonly string[]
}

export function idToken(
  world: World,
  account: AccountOwner,
  { clientId, accessToken, nonce, scopes }: IdTokenRequest,
): Promise<string> {
  const iat = Math.floor(world.now() / 1000)
  const digest = createHash('sha256').update(accessToken).digest()
  return world.key.sign({
    iss: ISSUER,
    azp: clientId,
    aud: clientId,
    ...userClaims(account, new Set(scopes)),
    at_hash: digest.subarray(0, digest.length / 2).toString('base64url'),
    ...(nonce !== undefined && { nonce }),
    iat,
    exp: iat + lifetimeSeconds,
  })
}

/** The claims that the scopes `email` and `profile` give access to. */
export function userClaims(account: AccountOwner, scopes: ReadonlySet<string>): Record<string, unknown> {
  const { email, sub, name } = account
  const domain = email.slice(email.indexOf('@') + 1)
  const [given = name, ...family] = name.split(' ')
  return {
    sub,
    ...(domain !== 'gmail.com' && { hd: domain }),
    ...(scopes.has(expandScope('email')) && { email, email_verified: true }),
    ...(scopes.has(expandScope('profile')) && {
      name,
      picture: `https://lh3.googleusercontent.com/a/${sub}=s96-c`,
      given_name: given,
      ...(family.length > 0 && { family_name: family.join(' ') }),
    }),
  }
}
