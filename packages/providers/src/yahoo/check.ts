/** Checks a connector: tests its client at Yahoo's token endpoint with an invalid code. */
import type { ProviderClient } from '../identity.ts'
import type { Io } from '../io.ts'
import type { ConnectorCheck, ConnectorUse } from '../provider.ts'
import {
  type ClientErrors,
  checkAddress,
  checkClientSecret,
  checkScopes,
  good,
  type KnownScopes,
} from '../shared/connector-check.ts'
import { text } from '../shared/oauth-token.ts'
import { scopeNames } from './scopes.ts'
import { endpoint } from './token-endpoint.ts'

const knownScopes: KnownScopes = {
  ...scopeNames,
  isUsedPart: (scope) => scope.startsWith('mail'),
}

const errors: ClientErrors = {
  redirectUri: ['invalid_redirect_uri', 'invalid_callback'],
  client: ['invalid_client', 'invalid_client_secret', 'unauthorized_client'],
}

/** Checks everything that a Yahoo connector needs. */
export async function check(
  client: ProviderClient,
  { scope, redirectUri }: ConnectorUse,
  io: Io,
): Promise<ConnectorCheck[]> {
  if (!text(client.data.client_id) && !text(client.data.client_secret)) {
    return [good('client', 'Not set: users connect their accounts with app passwords.')]
  }
  return [
    await checkClientSecret(endpoint, client, { redirectUri, errors }, io),
    checkAddress(redirectUri, endpoint),
    checkScopes(scope, knownScopes),
  ]
}
