// Sign-in under Yahoo's paths (https://api.login.yahoo.com/.well-known/openid-configuration).
import { jsonAnswer, type RawAnswer, type RawRequest, type WebRoute } from '../../shared/http.ts'
import { clientCredentials, formOf, OAuthError, oauthErrorAnswer } from '../../shared/oauth/errors.ts'
import { beginAuthorization, decideAuthorization } from './authorize.ts'
import { authenticateClient } from './client.ts'
import { answerUserinfo } from './identity.ts'
import { ISSUER, type OAuth } from './oauth.ts'
import { answerToken } from './token.ts'

export function oauthRoutes(oauth: OAuth): WebRoute[] {
  return [
    { method: 'GET', path: '/oauth2/request_auth', handle: (request) => beginAuthorization(oauth, request) },
    { method: 'POST', path: '/oauth2/request_auth', handle: (request) => decideAuthorization(oauth, request) },
    { method: 'POST', path: '/oauth2/get_token', handle: (request) => answerToken(oauth, request) },
    { method: 'POST', path: '/oauth2/introspect', handle: (request) => introspect(oauth, request) },
    { method: 'POST', path: '/oauth2/revoke', handle: (request) => revoke(oauth, request) },
    { method: 'GET', path: '/openid/v1/userinfo', handle: (request) => answerUserinfo(oauth, request) },
    { method: 'GET', path: '/openid/v1/certs', handle: () => jsonAnswer(200, { keys: [oauth.key.jwk] }) },
    {
      method: 'GET',
      path: '/.well-known/openid-configuration',
      handle: () => jsonAnswer(200, configuration(oauth.url)),
    },
  ]
}

/**
 * Token introspection (RFC 7662). Mail servers use it too. For them, a token without a mail scope is inactive, and
 * `username` is the address that mail programs log in with.
 */
function introspect(oauth: OAuth, request: RawRequest): RawAnswer {
  try {
    const form = formOf(request)
    const isMailServer = isOfMailServers(oauth, form, request.headers)
    if (!isMailServer) authenticateClient(oauth, form, request.headers)
    const found = oauth.grants.findAccess(form.get('token') ?? '')
    const account = found && oauth.accounts.find(found.consent.sub)
    const isTaken = !isMailServer || found?.scopes.has('mail-r') || found?.scopes.has('mail-w')
    if (found === undefined || account === undefined || !isTaken) return jsonAnswer(200, { active: false })
    return jsonAnswer(200, {
      active: true,
      scope: [...found.scopes].join(' '),
      client_id: found.consent.clientId,
      username: account.email,
      sub: account.guid,
      token_type: 'bearer',
      exp: Math.floor(found.expiresAt / 1000),
    })
  } catch (error) {
    if (error instanceof OAuthError) return oauthErrorAnswer(error)
    throw error
  }
}

function isOfMailServers({ mailServers }: OAuth, form: URLSearchParams, headers: Headers): boolean {
  const { id, secret } = clientCredentials(form, headers)
  return id === mailServers.id && secret === mailServers.secret
}

function revoke(oauth: OAuth, request: RawRequest): RawAnswer {
  try {
    const form = formOf(request)
    authenticateClient(oauth, form, request.headers)
    oauth.grants.revoke(form.get('token') ?? '')
    return jsonAnswer(200, {})
  } catch (error) {
    if (error instanceof OAuthError) return oauthErrorAnswer(error)
    throw error
  }
}

function configuration(url: string): unknown {
  return {
    issuer: ISSUER,
    authorization_endpoint: `${url}/oauth2/request_auth`,
    token_endpoint: `${url}/oauth2/get_token`,
    introspection_endpoint: `${url}/oauth2/introspect`,
    userinfo_endpoint: `${url}/openid/v1/userinfo`,
    token_revocation_endpoint: `${url}/oauth2/revoke`,
    jwks_uri: `${url}/openid/v1/certs`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'profile', 'email'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    claims_supported: [
      'aud',
      'email',
      'email_verified',
      'exp',
      'family_name',
      'given_name',
      'iat',
      'iss',
      'locale',
      'name',
      'sub',
      'auth_time',
    ],
  }
}
