/** Tests a connector: its client is sent to Google's token endpoint with an invented code. */

import type { ProviderClient } from '../identity.ts'
import type { Io } from '../io.ts'
import type { ConnectorCheck, ConnectorUse } from '../provider.ts'
import {
  bad,
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

const used = /\/auth\/(gmail|calendar|contacts|directory|admin\.directory\.resource|userinfo)\b/
const knownScopes: KnownScopes = {
  ...scopeNames,
  isUsedPart: (scope) => used.test(scope),
}

function checkTopic(topic: string | undefined): ConnectorCheck {
  if (topic === undefined)
    return good('topic_name', 'Not set: new mail is looked for now and then instead of being told.')
  return /^projects\/[a-z][a-z0-9-]{4,28}[a-z0-9]\/topics\/[A-Za-z][\w.~+%-]{2,254}$/.test(topic)
    ? good('topic_name', 'It has the form that Google asks for.')
    : bad('topic_name', 'It must read projects/<project>/topics/<topic>.')
}

const errors: ClientErrors = {
  redirectUri: ['redirect_uri_mismatch'],
  client: ['invalid_client', 'unauthorized_client'],
}

export async function check(
  client: ProviderClient,
  { scope, redirectUri }: ConnectorUse,
  io: Io,
): Promise<ConnectorCheck[]> {
  return [
    await checkClientSecret(endpoint, client, { redirectUri, errors }, io),
    checkAddress(redirectUri, endpoint),
    checkScopes(scope, knownScopes),
    checkTopic(text(client.settings.topic_name)),
  ]
}
