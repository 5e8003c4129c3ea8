// Sign-in under Microsoft's paths. `{tenant}` is `common`, `organizations`, `consumers`, an id or a domain.
import { jsonAnswer, type RawAnswer, type RawRequest, type WebRoute } from '../../shared/http.ts'
import { beginAdminConsent, decideAdminConsent } from './admin-consent.ts'
import { beginAuthorization, decideAuthorization, replying } from './authorize.ts'
import { userInfo } from './id-token.ts'
import { authorityOf, issuerOf, type OAuth } from './oauth.ts'
import { answerToken } from './token.ts'

type Handler = (oauth: OAuth, request: RawRequest, tenant: string) => Promise<RawAnswer> | RawAnswer

export function oauthRoutes(oauth: OAuth): WebRoute[] {
  const on = (method: WebRoute['method'], path: string, handle: Handler): WebRoute => ({
    method,
    path: `/:tenant${path}`,
    handle: (request, { tenant = '' }) => handle(oauth, request, tenant),
  })
  return [
    on('GET', '/oauth2/v2.0/authorize', beginAuthorization),
    on('POST', '/oauth2/v2.0/authorize', decideAuthorization),
    on('POST', '/oauth2/v2.0/token', answerToken),
    on('GET', '/v2.0/adminconsent', beginAdminConsent),
    on('POST', '/v2.0/adminconsent', decideAdminConsent),
    on('GET', '/adminconsent', beginAdminConsent),
    on('POST', '/adminconsent', decideAdminConsent),
    on('GET', '/discovery/v2.0/keys', keys),
    on('GET', '/v2.0/.well-known/openid-configuration', configuration),
    { method: 'GET', path: '/oidc/userinfo', handle: (request) => answerUserInfo(oauth, request) },
  ]
}

function keys({ world }: OAuth): RawAnswer {
  const key = { ...world.key.jwk, issuer: issuerOf('{tenantid}') }
  return jsonAnswer(200, { keys: [key] }, { 'cache-control': 'public, max-age=86400' })
}

function configuration(oauth: OAuth, _request: RawRequest, name: string): Promise<RawAnswer> {
  return replying(oauth, async () => {
    const { tenant } = authorityOf(oauth.world, name)
    const base = `${oauth.world.url}/${name}`
    return jsonAnswer(200, {
      issuer: issuerOf(tenant?.id ?? '{tenantid}'),
      authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
      token_endpoint: `${base}/oauth2/v2.0/token`,
      userinfo_endpoint: `${oauth.world.url}/oidc/userinfo`,
      jwks_uri: `${base}/discovery/v2.0/keys`,
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      subject_types_supported: ['pairwise'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
      claims_supported: [
        'sub',
        'iss',
        'aud',
        'exp',
        'iat',
        'nonce',
        'preferred_username',
        'name',
        'tid',
        'ver',
        'email',
      ],
      tenant_region_scope: null,
      cloud_instance_name: 'microsoftonline.com',
    })
  })
}

function answerUserInfo({ grants, world }: OAuth, { headers }: RawRequest): RawAnswer {
  const token = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  const found = grants.findAccess(token ?? '')
  const account = found && world.findAccount(found.consent.sub)
  if (found === undefined || account === undefined || !found.scopes.has('openid')) {
    return jsonAnswer(401, {
      error: { code: 'InvalidAuthenticationToken', message: 'Access token validation failure.' },
    })
  }
  return jsonAnswer(200, userInfo(account, found.consent.clientId))
}
