/**
 * Signs in at Zoom and refreshes access tokens. Zoom issues a new refresh token with each refresh, and accepts only the
 * last one. Nothing is revoked there when a grant is deleted: users remove the app in their Zoom account.
 */
import { ApiError } from '@waypost/platform/api-error'
import type { Identity, OAuthTokens, ProviderClient } from '../identity.ts'
import type { Io } from '../io.ts'
import type { OAuth } from '../oauth.ts'
import { secretClient } from '../shared/oauth-client.ts'
import { ask, authorizationUrl, exchangeCode, refreshTokens, text } from '../shared/oauth-token.ts'
import { userScopes } from './scopes.ts'
import { at, endpoint, hosts } from './token-endpoint.ts'

const clientForm = (client: ProviderClient) => secretClient(client, 'zoom')

export const refresh = (client: ProviderClient, credentials: Record<string, unknown>, io: Io): Promise<OAuthTokens> =>
  refreshTokens(endpoint, clientForm(client), text(credentials.refresh_token), io)

/** The account of an access token, according to Zoom. */
export async function identify(_client: ProviderClient, tokens: OAuthTokens, io: Io): Promise<Identity> {
  const request = {
    method: 'GET',
    url: at('api', '/v2/users/me', io),
    headers: { authorization: `Bearer ${tokens.accessToken}`, accept: 'application/json' },
  } as const
  const { response, answer } = await ask(io, request, 'Zoom could not be queried for the identity of the account')
  const { status } = response
  const { code, message } = answer
  const details = { providerError: { status, ...(code === undefined ? {} : { code, message }) } }
  if (status === 429 || status >= 500) {
    throw new ApiError('provider_unavailable', 'Zoom cannot identify the account at the moment; try again', details)
  }
  const email = text(answer.email)
  if (status !== 200 || !email) {
    const words = `Zoom did not report the account of the token: the app at Zoom needs the scope ${userScopes[0]}`
    throw new ApiError('authentication_failed', words, details)
  }
  if (answer.verified === 0) {
    throw new ApiError('authentication_failed', 'Zoom has not verified the address of this account')
  }
  const names = [text(answer.first_name), text(answer.last_name)].filter(Boolean).join(' ')
  return {
    email,
    name: text(answer.display_name) ?? (names || null),
    providerUserId: text(answer.id) ?? null,
    scope: [...(tokens.scope ?? [])],
    settings: {},
    tokens,
    ...(tokens.refreshToken ? { credentials: { refresh_token: tokens.refreshToken } } : {}),
  }
}

export const oauth: OAuth = {
  identityScope: [],
  defaultScope: [],
  canonicalScope: (scope) => scope.trim(),
  signInUrl(client, request, io) {
    const { client_id: id } = clientForm(client)
    const url = new URL(authorizationUrl(at('signIn', '/oauth/authorize', io), id, request))
    // The scopes are those of the app, and Zoom's sign-in page has no preselected address.
    for (const name of ['scope', 'login_hint']) url.searchParams.delete(name)
    return url.href
  },
  isIssuer: (issuer, { providerUrl }) => issuer === hosts.signIn || issuer === providerUrl,
  exchange: (client, answer, io) => exchangeCode(endpoint, clientForm(client), answer, io),
  refresh,
  identify,
}
