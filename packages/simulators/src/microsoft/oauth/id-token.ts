// The user's identity in ID tokens and at the userinfo endpoint.
// https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference
import { createHash, randomBytes } from 'node:crypto'
import type { AccountOwner } from '../owner.ts'
import type { World } from '../world.ts'
import { issuerOf } from './oauth.ts'

const lifetimeSeconds = 3600

export interface IdTokenRequest {
  readonly clientId: string
  readonly nonce: string | undefined
  readonly scopes: readonly string[]
}

export function idToken(
  world: World,
  account: AccountOwner,
  { clientId, nonce, scopes }: IdTokenRequest,
): Promise<string> {
  const { tenant, oid, name, email } = account
  const iat = Math.floor(world.now() / 1000)
  return world.key.sign({
    aud: clientId,
    iss: issuerOf(tenant.id),
    iat,
    nbf: iat,
    exp: iat + lifetimeSeconds,
    ...(scopes.includes('email') && { email }),
    ...(scopes.includes('profile') && { name, oid, preferred_username: email }),
    ...(nonce !== undefined && { nonce }),
    sub: subjectOf(account, clientId),
    tid: tenant.id,
    uti: randomBytes(16).toString('base64url'),
    ver: '2.0',
  })
}

/** The `sub` claim, which differs for every application. */
export function subjectOf({ oid }: AccountOwner, clientId: string): string {
  return createHash('sha256').update(`${clientId} ${oid}`).digest('base64url')
}

export function userInfo(account: AccountOwner, clientId: string): Record<string, string> {
  const [given = account.name, ...family] = account.name.split(' ')
  return {
    sub: subjectOf(account, clientId),
    name: account.name,
    given_name: given,
    ...(family.length > 0 && { family_name: family.join(' ') }),
    picture: 'https://graph.microsoft.com/v1.0/me/photo/$value',
    email: account.email,
  }
}
