/** Tests a connector, which has only scopes; the server does not know them. */
import type { ProviderClient } from '../identity.ts'
import type { ConnectorCheck, ConnectorUse } from '../provider.ts'
import { checkScopes, good } from '../shared/connector-check.ts'
import { canonicalScope, defaultScope } from './scopes.ts'

export async function check(_client: ProviderClient, { scope }: ConnectorUse): Promise<ConnectorCheck[]> {
  return [
    good('connector', 'There is nothing to set up: users give their credentials when they sign in.'),
    checkScopes(scope, { name: 'Exchange', canonicalScope, known: new Set(defaultScope), isUsedPart: () => true }),
  ]
}
