/** The client that a connector is at an OAuth provider, and refresh tokens that applications bring along. */
import { errors, type ProviderKind } from '@waypost/contract'
import { ApiError, invalidField } from '../../lib/api-error.ts'
import type { Identity, OAuthTokens, ProviderClient } from '../identity.ts'
import type { Io } from '../io.ts'
import type { OAuth } from '../oauth.ts'
import { text } from './oauth-token.ts'

/** The client's name and secret as a token endpoint takes them; throws where the connector has none. */
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

/** The refusal of a token that the application gave, which is not the refusal of a grant that exists. */
function passedOn(error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== 'grant_invalid') throw error
  const explained = error.message === errors.grant_invalid.title ? undefined : error.message
  throw new ApiError('refresh_token_invalid', explained, { ...error.details, cause: error })
}

/** Custom authentication: whose the refresh token is that an application holds. */
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

/** Refuses an account whose token lacks scopes that it cannot be used without. */
export function needGranted({ scope }: Identity, needed: readonly string[]): void {
  const missing = needed.filter((each) => !scope.includes(each))
  if (missing.length === 0) return
  throw new ApiError('authentication_failed', `the refresh token lacks the scopes ${missing.join(', ')}`)
}
