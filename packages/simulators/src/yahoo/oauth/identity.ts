// The user's identity in ID tokens and at the userinfo endpoint.
// https://developer.yahoo.com/oauth2/guide/openid_connect/getting_started.html
import { jsonAnswer, type RawAnswer, type RawRequest } from '../../shared/http.ts'
import type { SimulatedYahooAccount } from '../account.ts'
import { ISSUER, type OAuth } from './oauth.ts'

const lifetimeSeconds = 3600

export function idToken(
  { key, now }: OAuth,
  account: SimulatedYahooAccount,
  requested: { readonly clientId: string; readonly nonce: string | undefined; readonly scopes: ReadonlySet<string> },
): Promise<string> {
  const iat = Math.floor(now() / 1000)
  return key.sign({
    iss: ISSUER,
    aud: requested.clientId,
    ...claimsOf(account, requested.scopes),
    ...(requested.nonce !== undefined && { nonce: requested.nonce }),
    auth_time: iat,
    iat,
    exp: iat + lifetimeSeconds,
  })
}

/** The claims that the scopes `email` and `profile` give access to. */
function claimsOf({ email, guid, name }: SimulatedYahooAccount, scopes: ReadonlySet<string>): Record<string, unknown> {
  const [given = name, ...family] = name.split(' ')
  return {
    sub: guid,
    ...(scopes.has('email') && { email, email_verified: true }),
    ...(scopes.has('profile') && { name, given_name: given, family_name: family.join(' '), locale: 'en-US' }),
  }
}

export function answerUserinfo({ grants, accounts }: OAuth, { headers }: RawRequest): RawAnswer {
  const token = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  const found = grants.findAccess(token ?? '')
  const account = found && accounts.find(found.consent.sub)
  if (found === undefined || account === undefined) {
    const challenge = { 'www-authenticate': 'Bearer realm="yahooapis.com", error="invalid_token"' }
    return jsonAnswer(401, { error: 'invalid_token', error_description: 'token is invalid or expired' }, challenge)
  }
  if (!found.scopes.has('openid')) {
    return jsonAnswer(403, { error: 'insufficient_scope', error_description: 'the token lacks the scope openid' })
  }
  return { ...jsonAnswer(200, claimsOf(account, found.scopes)), account: account.email }
}
