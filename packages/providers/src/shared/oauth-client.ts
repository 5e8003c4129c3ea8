/** The client of a connector at an OAuth provider, and refresh tokens that applications bring along. */
import { errors, type ProviderKind } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import type { Identity, OAuthTokens, ProviderClient } from '../identity.ts'
import type { Io } from '../io.ts'
import type { OAuth } from '../oauth.ts'
import { text } from './oauth-token.ts'

/** The client's id and secret for a token endpoint; throws if the connector has none. */
export function secretClient(
  { data }: ProviderClient,
  kind: ProviderKind,
): { client_id: string; client_secret: string } {
  const id = text(data.client_id)
  const secret = text(data.client_secret)
  if (id && secret) return { client_id: id, client_secret: secret }
  throw new ApiError(
    'connector_required',
    `the ${kind} connector has no client_id and client_secret: set them with PATCH /v3/connectors/${kind}`,
  )
}

/** Rewords the refusal of a token that the application gave, which is not the refusal of an existing grant. */
function passedOn(error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== 'grant_invalid') throw error
  const explained = error.message === errors.grant_invalid.title ? undefined : error.message
  throw new ApiError('refresh_token_invalid', explained, { ...error.details, cause: error })
}

/** Custom authentication: identifies the account of a refresh token. */
export async function identifyByRefreshToken(
  { refresh, identify }: Pick<OAuth, 'refresh' | 'identify'>,
  settings: Record<string, unknown>,
  client: ProviderClient,
  io: Io,
): Promise<Identity> {
  const { refresh_token: token } = settings
  if (typeof token !== 'string') throw invalidField('settings.refresh_token', 'is required')
  const tokens: OAuthTokens = await refresh(client, { refresh_token: token }, io).catch(passedOn)
  return identify(client, { ...tokens, refreshToken: tokens.refreshToken ?? token }, io)
}

/** Refuses an account whose token lacks required scopes. */
export function needGranted({ scope }: Identity, needed: readonly string[]): void {
  const missing = needed.filter((each) => !scope.includes(each))
  if (missing.length === 0) return
  throw new ApiError('authentication_failed', `the refresh token lacks the scopes ${missing.join(', ')}`)
}
