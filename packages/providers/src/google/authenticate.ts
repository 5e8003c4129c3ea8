/** Custom authentication: a refresh token that the application holds, or an account of a Workspace domain. */
import { ApiError, invalidField } from '@waypost/platform/api-error'
import type { Identity, ProviderClient } from '../identity.ts'
import type { Io } from '../io.ts'
import { identifyByRefreshToken, needGranted } from '../shared/oauth-client.ts'
import { identify, refresh } from './oauth.ts'
import { defaultScope, fullScope, identityScope } from './scopes.ts'

export async function authenticate(
  settings: Record<string, unknown>,
  io: Io,
  { client, scope }: { client: ProviderClient; scope: readonly string[] | undefined },
): Promise<Identity> {
  if (client.type === 'serviceaccount') return delegated(settings, io, client, scope)
  const identity = await identifyByRefreshToken({ refresh, identify }, settings, client, io)
  needGranted(identity, identityScope)
  return identity
}

async function delegated(
  settings: Record<string, unknown>,
  io: Io,
  client: ProviderClient,
  scope: readonly string[] | undefined,
): Promise<Identity> {
  const { email_address: email } = settings
  if (typeof email !== 'string') {
    throw invalidField('settings.email_address', 'is required: whose account the service account stands for')
  }
  const requested = (Array.isArray(settings.scopes) ? settings.scopes : undefined) ?? scope ?? defaultScope
  const scopes = requested.map((each) => fullScope(String(each)))
  const credentials = { email_address: email, scopes }
  const tokens = await refresh(client, credentials, io).catch((error) => {
    if (!(error instanceof ApiError) || error.code !== 'grant_invalid') throw error
    throw new ApiError(
      'authentication_failed',
      'Google does not let the service account act for this address: allow its client id these scopes under domain-wide delegation',
      { ...error.details },
    )
  })
  const reported = scopes.includes('https://www.googleapis.com/auth/userinfo.email')
    ? await identify(client, { ...tokens, scope: scopes }, io)
    : undefined
  return {
    email: reported?.email ?? email,
    name: reported?.name ?? null,
    providerUserId: reported?.providerUserId ?? null,
    scope: scopes,
    settings: { email_address: email },
    tokens,
    credentials,
  }
}
