// Sign-in under Google's paths, including those of older versions.

import { jsonAnswer, type RawAnswer, type RawRequest, type WebRoute } from '../../shared/http.ts'
import { formOf, OAuthError, oauthErrorAnswer } from '../../shared/oauth/errors.ts'
import type { ApiRoute } from '../http.ts'
import { beginAuthorization, decideAuthorization } from './authorize.ts'
import { userClaims } from './id-token.ts'
import { ISSUER, type OAuth } from './oauth.ts'
import { answerToken } from './token.ts'

const signInScopes = ['openid', 'email', 'profile']

export function oauthRoutes(oauth: OAuth): WebRoute[] {
  const { world } = oauth
  const each = (method: WebRoute['method'], paths: readonly string[], handle: WebRoute['handle']): WebRoute[] =>
    paths.map((path) => ({ method, path, handle }))
  return [
    ...each('GET', ['/o/oauth2/v2/auth', '/o/oauth2/auth'], (request) => beginAuthorization(oauth, request)),
    ...each('POST', ['/o/oauth2/v2/auth', '/o/oauth2/auth'], (request) => decideAuthorization(oauth, request)),
    ...each('POST', ['/token', '/oauth2/v4/token', '/o/oauth2/token'], (request) => answerToken(oauth, request)),
    ...each('POST', ['/revoke', '/o/oauth2/revoke'], (request) => revoke(oauth, request)),
    ...each('GET', ['/tokeninfo', '/oauth2/v3/tokeninfo'], (request) => tokenInfo(oauth, request)),
    ...each('POST', ['/tokeninfo', '/oauth2/v3/tokeninfo'], (request) => tokenInfo(oauth, request)),
    ...each('GET', ['/oauth2/v3/certs'], () =>
      jsonAnswer(200, { keys: [world.key.jwk] }, { 'cache-control': 'public, max-age=20000' }),
    ),
    ...each('GET', ['/.well-known/openid-configuration'], () => jsonAnswer(200, configuration(world.url))),
  ]
}

/** The userinfo endpoints, which take a bearer token like the APIs. */
export const userinfoRoutes: readonly ApiRoute[] = [
  ...['/v1/userinfo', '/oauth2/v3/userinfo'].map(
    (path): ApiRoute => ({
      method: 'GET',
      path,
      scopes: signInScopes,
      handle: ({ account, scopes }) => ({ json: userClaims(account, scopes) }),
    }),
  ),
  {
    method: 'GET',
    path: '/oauth2/v2/userinfo',
    scopes: signInScopes,
    handle({ account, scopes }) {
      const { sub, email_verified, ...claims } = userClaims(account, scopes)
      return { json: { id: sub, ...claims, ...(email_verified !== undefined && { verified_email: email_verified }) } }
    },
  },
]

/** Ends the whole consent, whichever of its tokens is presented. */
function revoke({ grants }: OAuth, request: RawRequest): RawAnswer {
  const token = formOf(request).get('token')
  if (!token) return oauthErrorAnswer(new OAuthError(400, 'invalid_request', 'Missing required parameter: token'))
  if (grants.revoke(token)) return jsonAnswer(200, {})
  return oauthErrorAnswer(new OAuthError(400, 'invalid_token', 'Token expired or revoked'))
}

function tokenInfo({ grants, world }: OAuth, request: RawRequest): RawAnswer {
  const bearer = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  const found = grants.findAccess(formOf(request).get('access_token') ?? bearer ?? '')
  const account = found && world.findAccount(found.consent.sub)
  if (found === undefined || account === undefined) {
    return oauthErrorAnswer(new OAuthError(400, 'invalid_token', 'Invalid Value'))
  }
  const { consent, scopes, expiresAt } = found
  const claims = userClaims(account, scopes)
  return jsonAnswer(200, {
    azp: consent.clientId,
    aud: consent.clientId,
    sub: account.sub,
    scope: [...scopes].join(' '),
    exp: String(Math.floor(expiresAt / 1000)),
    expires_in: String(Math.floor((expiresAt - world.now()) / 1000)),
    ...('email' in claims && { email: account.email, email_verified: 'true' }),
    access_type: consent.offline ? 'offline' : 'online',
  })
}

function configuration(url: string): unknown {
  return {
    issuer: ISSUER,
    authorization_endpoint: `${url}/o/oauth2/v2/auth`,
    token_endpoint: `${url}/token`,
    userinfo_endpoint: `${url}/v1/userinfo`,
    revocation_endpoint: `${url}/revoke`,
    jwks_uri: `${url}/oauth2/v3/certs`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: signInScopes,
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    claims_supported: [
      'aud',
      'email',
      'email_verified',
      'exp',
      'family_name',
      'given_name',
      'iat',
      'iss',
      'name',
      'picture',
      'sub',
    ],
    code_challenge_methods_supported: ['plain', 'S256'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
  }
}
