/** Sign-in at Google, and refreshing of access tokens. */
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { signAssertion } from '@waypost/platform/crypto/assertion'
import type { Identity, OAuthTokens, ProviderClient } from '../identity.ts'
import type { Io } from '../io.ts'
import type { OAuth } from '../oauth.ts'
import { secretClient } from '../shared/oauth-client.ts'
import {
  ask,
  assertionGrant,
  authorizationUrl,
  exchangeCode,
  refreshTokens,
  saidBy,
  text,
} from '../shared/oauth-token.ts'
import { defaultScope, fullScope, identityScope } from './scopes.ts'
import { at, endpoint, hosts } from './token-endpoint.ts'

const clientForm = (client: ProviderClient) => secretClient(client, 'google')

export async function refresh(
  client: ProviderClient,
  credentials: Record<string, unknown>,
  io: Io,
): Promise<OAuthTokens> {
  if (client.type === 'serviceaccount') return impersonate(client, credentials, io)
  return refreshTokens(endpoint, clientForm(client), text(credentials.refresh_token), io)
}

/** The account that an access token belongs to, as Google reports it. */
export async function identify(_client: ProviderClient, tokens: OAuthTokens, io: Io): Promise<Identity> {
  const get = (url: string, headers: Record<string, string> = {}) =>
    ask(io, { method: 'GET', url, headers }, 'Google could not be asked who the account is')
  const { response, answer } = await get(at('identity', '/v1/userinfo', io), {
    authorization: `Bearer ${tokens.accessToken}`,
  })
  const email = text(answer.email)
  if (response.status !== 200 || !email) {
    throw new ApiError(
      'authentication_failed',
      `Google did not say whose token it is: it must have the scopes ${identityScope.join(' ')}`,
      { providerError: saidBy(response.status, answer) },
    )
  }
  if (answer.email_verified === false) {
    throw new ApiError('authentication_failed', 'Google has not verified the address of this account')
  }
  const tokenInfo = at('oauth', `/tokeninfo?${new URLSearchParams({ access_token: tokens.accessToken })}`, io)
  const scope = tokens.scope ?? text((await get(tokenInfo)).answer.scope)?.split(' ') ?? []
  return {
    email,
    name: text(answer.name) ?? null,
    providerUserId: text(answer.sub) ?? null,
    scope: scope.map(fullScope),
    settings: {},
    tokens,
    // A second consent may come without a refresh token; the first one stays valid.
    ...(tokens.refreshToken ? { credentials: { refresh_token: tokens.refreshToken } } : {}),
  }
}

export const oauth: OAuth = {
  identityScope,
  defaultScope,
  canonicalScope: fullScope,
  signInUrl(client, request, io) {
    return authorizationUrl(at('accounts', '/o/oauth2/v2/auth', io), clientForm(client).client_id, request, {
      access_type: 'offline',
      ...(request.includeGranted ? { include_granted_scopes: 'true' } : {}),
      ...(request.consent ? { prompt: 'consent' } : {}),
    })
  },
  isIssuer: (issuer, { providerUrl }) => [hosts.accounts, 'accounts.google.com', providerUrl].includes(issuer),
  exchange: (client, answer, io) => exchangeCode(endpoint, clientForm(client), answer, io),
  refresh,
  identify,
  async revoke(credentials, io) {
    const token = text(credentials.refresh_token) ?? text(credentials.access_token)
    if (!token) return
    const request = {
      method: 'POST',
      url: at('oauth', '/revoke', io),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token }).toString(),
    } as const
    const { response } = await ask(io, request, 'Google could not be reached to revoke the token')
    // 400 means that the token was not valid any more, which is the same result.
    if (response.status !== 200 && response.status !== 400) {
      throw new ApiError('provider_unavailable', `Google did not revoke the token: status ${response.status}`)
    }
  },
}

/**
 * A Google Workspace service account acts for accounts of a domain without their consent: an access token for the account
 * and the scopes in the credentials (`email_address`, `scopes`).
 */
async function impersonate(
  { data }: ProviderClient,
  { email_address: subject, scopes }: Record<string, unknown>,
  io: Io,
): Promise<OAuthTokens> {
  if (typeof subject !== 'string' || !Array.isArray(scopes)) {
    throw new ApiError('grant_invalid', 'the grant does not say which account the service account stands for')
  }
  const assertion = await signAssertion(
    {
      privateKey: String(data.private_key),
      alg: 'RS256',
      header: { kid: String(data.private_key_id) },
      issuer: String(data.client_email),
      subject,
      audience: endpoint.url(io),
      claims: { scope: scopes.join(' ') },
      lifeSeconds: 3600,
      unreadableKey: () =>
        invalidField('credential_id', 'the private_key of the service account is not a PKCS #8 key in PEM form'),
    },
    io.clock.now(),
  )
  return assertionGrant(endpoint, assertion, io)
}
