/** Signing in at Google, and keeping an account's access token fresh. */
import { ApiError } from '../../lib/api-error.ts'
import type { Identity, Io, OAuth, OAuthTokens, ProviderClient } from '../provider.ts'
import { defaultScope, fullScope, identityScope } from './scopes.ts'
import { impersonate } from './service-account.ts'
import { askForTokens, at, deadlineMs, hosts, maxBytes, readAnswer, saidBy, text } from './token-endpoint.ts'

const clientForm = ({ data }: ProviderClient): Record<string, string> => {
  const id = text(data.client_id)
  const secret = text(data.client_secret)
  if (!id || !secret) {
    throw new ApiError(
      'connector_required',
      'the google connector has no client_id and client_secret: set them with PATCH /v3/connectors/google',
    )
  }
  return { client_id: id, client_secret: secret }
}

export async function refresh(
  client: ProviderClient,
  credentials: Record<string, unknown>,
  io: Io,
): Promise<OAuthTokens> {
  if (client.type === 'serviceaccount') return impersonate(client, credentials, io)
  const token = text(credentials.refresh_token)
  if (!token) throw new ApiError('grant_invalid', 'the grant has no refresh token: the end user must sign in again')
  return askForTokens({ grant_type: 'refresh_token', refresh_token: token, ...clientForm(client) }, io)
}

/** Who an access token belongs to, by Google's own word. */
export async function identify(_client: ProviderClient, tokens: OAuthTokens, io: Io): Promise<Identity> {
  const ask = (host: keyof typeof hosts, path: string, headers: Record<string, string>) =>
    io
      .request({ method: 'GET', url: at(host, path, io), headers, signal: io.signal, deadlineMs, maxBytes })
      .catch((cause) => {
        throw new ApiError('provider_unavailable', 'Google could not be asked who the account is', { cause })
      })
  const response = await ask('identity', '/v1/userinfo', { authorization: `Bearer ${tokens.accessToken}` })
  const answer = readAnswer(response)
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
  const scope =
    tokens.scope ??
    text(
      readAnswer(await ask('oauth', `/tokeninfo?${new URLSearchParams({ access_token: tokens.accessToken })}`, {}))
        .scope,
    )?.split(' ') ??
    []
  return {
    email,
    name: text(answer.name) ?? null,
    providerUserId: text(answer.sub) ?? null,
    scope: scope.map(fullScope),
    settings: {},
    tokens,
    // A second consent may come without one: the one of the first still counts.
    ...(tokens.refreshToken ? { credentials: { refresh_token: tokens.refreshToken } } : {}),
  }
}

export const oauth: OAuth = {
  identityScope,
  defaultScope,
  fullScope,
  signInUrl(client, { redirectUri, state, codeChallenge, scope, loginHint, consent, includeGranted }, io) {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientForm(client).client_id ?? '',
      redirect_uri: redirectUri,
      scope: scope.join(' '),
      state,
      access_type: 'offline',
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
      ...(includeGranted ? { include_granted_scopes: 'true' } : {}),
      ...(loginHint ? { login_hint: loginHint } : {}),
      ...(consent ? { prompt: 'consent' } : {}),
    })
    return `${at('accounts', '/o/oauth2/v2/auth', io)}?${query}`
  },
  issuers: ({ providerUrl }) => [hosts.accounts, 'accounts.google.com', ...(providerUrl ? [providerUrl] : [])],
  async exchange(client, { code, redirectUri, codeVerifier }, io) {
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier }
    return askForTokens({ ...form, ...clientForm(client) }, io).catch((error) => {
      if (!(error instanceof ApiError) || error.code !== 'grant_invalid') throw error
      throw new ApiError('authentication_failed', 'Google did not take its own code: begin the sign-in again', {
        ...error.details,
      })
    })
  },
  refresh,
  identify,
  async revoke(credentials, io) {
    const token = text(credentials.refresh_token) ?? text(credentials.access_token)
    if (!token) return
    const response = await io.request({
      method: 'POST',
      url: at('oauth', '/revoke', io),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token }).toString(),
      signal: io.signal,
      deadlineMs,
      maxBytes,
    })
    // 400: the token was not valid any more, which is as good.
    if (response.status !== 200 && response.status !== 400) {
      throw new ApiError('provider_unavailable', `Google did not revoke the token: status ${response.status}`)
    }
  },
}
