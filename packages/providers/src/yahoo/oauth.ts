/** Signs in at Yahoo and refreshes access tokens. */
import { ApiError } from '@waypost/platform/api-error'
import type { Identity, OAuthTokens, ProviderClient } from '../identity.ts'
import type { Io } from '../io.ts'
import type { OAuth } from '../oauth.ts'
import { secretClient } from '../shared/oauth-client.ts'
import { ask, authorizationUrl, basicOf, exchangeCode, refreshTokens, saidBy, text } from '../shared/oauth-token.ts'
import { canonicalScope, defaultScope, identityScope } from './scopes.ts'
import { at, endpoint, host } from './token-endpoint.ts'

const clientForm = (client: ProviderClient) => secretClient(client, 'yahoo')

/** Yahoo requires the redirect URI at each refresh; applications need not supply it with their tokens. */
export function refresh(client: ProviderClient, credentials: Record<string, unknown>, io: Io): Promise<OAuthTokens> {
  const redirectUri = text(credentials.redirect_uri)
  const more: Record<string, string> = redirectUri === undefined ? {} : { redirect_uri: redirectUri }
  return refreshTokens(endpoint, clientForm(client), text(credentials.refresh_token), io, more)
}

/** The account of an access token, according to Yahoo. */
export async function identify(client: ProviderClient, tokens: OAuthTokens, io: Io): Promise<Identity> {
  const request = {
    method: 'GET',
    url: at('/openid/v1/userinfo', io),
    headers: { authorization: `Bearer ${tokens.accessToken}`, accept: 'application/json' },
  } as const
  const { response, answer } = await ask(io, request, 'Yahoo could not be queried for the identity of the account')
  const details = { providerError: saidBy(response.status, answer) }
  if (response.status === 429 || response.status >= 500) {
    throw new ApiError('provider_unavailable', 'Yahoo cannot identify the account at the moment; try again', details)
  }
  const email = text(answer.email)
  if (response.status !== 200 || !email) {
    const words = `Yahoo did not report the account of the token: it must have the scopes ${identityScope.join(' ')}`
    throw new ApiError('authentication_failed', words, details)
  }
  if (answer.email_verified === false) {
    throw new ApiError('authentication_failed', 'Yahoo has not verified the address of this account')
  }
  const { refreshToken, redirectUri } = tokens
  const scope = tokens.scope ?? (await scopeOf(client, tokens, io)) ?? defaultScope
  return {
    email,
    name: text(answer.name) ?? null,
    providerUserId: text(answer.sub) ?? null,
    scope: scope.map(canonicalScope),
    settings: {},
    tokens,
    ...(refreshToken
      ? { credentials: { refresh_token: refreshToken, ...(redirectUri ? { redirect_uri: redirectUri } : {}) } }
      : {}),
  }
}

/** The scopes of a token, if Yahoo reports them: its token endpoint does not, its introspection (RFC 7662) may. */
async function scopeOf(
  client: ProviderClient,
  { accessToken }: OAuthTokens,
  io: Io,
): Promise<readonly string[] | undefined> {
  const { client_id: id, client_secret: secret } = clientForm(client)
  const request = {
    method: 'POST',
    url: at('/oauth2/introspect', io),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      authorization: basicOf(id, secret),
    },
    body: new URLSearchParams({ token: accessToken, token_type_hint: 'access_token' }).toString(),
  } as const
  const { response, answer } = await ask(io, request, 'Yahoo could not be queried for the scopes of the token')
  return response.status === 200
    ? text(answer.scope)
        ?.split(/[\s,]+/)
        .filter(Boolean)
    : undefined
}

export const oauth: OAuth = {
  identityScope,
  defaultScope,
  canonicalScope,
  signInUrl: (client, request, io) =>
    authorizationUrl(at('/oauth2/request_auth', io), clientForm(client).client_id, request, {
      ...(request.consent ? { prompt: 'consent' } : {}),
    }),
  isIssuer: (issuer, { providerUrl }) => issuer === host || issuer === providerUrl,
  async exchange(client, answer, io) {
    const tokens = await exchangeCode(endpoint, clientForm(client), answer, io)
    const scope = tokens.scope ?? [...new Set([...identityScope, ...answer.scope])]
    return { ...tokens, scope, redirectUri: answer.redirectUri }
  },
  refresh,
  identify,
}
