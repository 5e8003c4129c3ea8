/**
 * Custom authentication: a refresh token of the application, or a mailbox that an administrator gave it access to.
 */

import { ApiError, invalidField } from '@waypost/platform/api-error'
import { decodeJwt } from 'jose'
import type { Identity, OAuthTokens, ProviderClient } from '../identity.ts'
import type { Io } from '../io.ts'
import { identifyByRefreshToken } from '../shared/oauth-client.ts'
import { saidBy, type TokenAnswer, text } from '../shared/oauth-token.ts'
import { addressOf, askWho, identify, refresh } from './oauth.ts'
import { dataScope, shortScope } from './scopes.ts'

export async function authenticate(
  settings: Record<string, unknown>,
  io: Io,
  { client, scope }: { client: ProviderClient; scope: readonly string[] | undefined },
): Promise<Identity> {
  if (typeof settings.email_address === 'string') {
    if (client.type === 'adminconsent') return byAdministrator(settings.email_address, io, client, scope)
    throw invalidField('settings.credential_id', 'must be a credential of the type adminconsent for email_address')
  }
  return identifyByRefreshToken({ refresh, identify }, settings, client, io)
}

/** A mailbox of an organization whose administrator gave consent to the application. */
async function byAdministrator(
  email: string,
  io: Io,
  client: ProviderClient,
  scope: readonly string[] | undefined,
): Promise<Identity> {
  const tokens = await refresh(client, {}, io).catch(notConsented)
  const { status, answer } = await askWho(`users/${encodeURIComponent(email)}`, tokens.accessToken, io)
  // An application that may not read the directory may still read the mailbox.
  if (status !== 200 && status !== 403) throw refusedUser(email, status, answer)
  return {
    email: (status === 200 ? addressOf(answer) : undefined) ?? email,
    name: text(answer.displayName) ?? null,
    providerUserId: text(answer.id) ?? null,
    scope: permissionsOf(tokens) ?? (scope ?? dataScope).map(shortScope),
    settings: { email_address: email },
    tokens,
    credentials: { email_address: email },
  }
}

/** The permissions in the client's token; undefined if it cannot be read. */
function permissionsOf({ accessToken }: OAuthTokens): string[] | undefined {
  try {
    const { roles } = decodeJwt(accessToken)
    return Array.isArray(roles) ? roles.map((role) => shortScope(String(role))) : undefined
  } catch {
    return undefined
  }
}

function notConsented(error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== 'grant_invalid') throw error
  throw new ApiError('authentication_failed', error.message, { ...error.details, cause: error })
}

function refusedUser(email: string, status: number, answer: TokenAnswer): ApiError {
  const details = { providerError: saidBy(status, answer) }
  if (status >= 500 || status === 429) {
    return new ApiError('provider_unavailable', 'Microsoft cannot say now whose account it is; try again', details)
  }
  const words =
    status === 404
      ? `the organization has no user ${email}`
      : `Microsoft does not let the application ask for ${email}: has an administrator given consent?`
  return new ApiError('authentication_failed', words, details)
}
