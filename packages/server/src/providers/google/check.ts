/** Whether a connector will do: tried at Google's token endpoint with a code that nobody was given. */

import type { ProviderClient } from '../identity.ts'
import type { Io } from '../io.ts'
import type { ConnectorCheck, ConnectorUse } from '../provider.ts'
import {
  bad,
  type Complaint,
  checkAddress,
  checkClient,
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

/** What a complaint says of the client: that the code alone is none says that the rest is good. */
const judging =
  (redirectUri: string) =>
  ({ error, words }: Complaint): ConnectorCheck => {
    if (error === 'invalid_grant') return good('client', 'Google accepts the client.')
    if (error === 'redirect_uri_mismatch') {
      return bad('client', `Google accepts the client, but ${redirectUri} is not registered there.`)
    }
    if (error === 'invalid_client' || error === 'unauthorized_client') {
      return bad('client', `Google does not know this client_id, or the client_secret is another one (${words}).`)
    }
    return bad('client', `Google could not be asked: ${words}`)
  }

async function clientCheck({ data }: ProviderClient, redirectUri: string, io: Io): Promise<ConnectorCheck> {
  const [id, secret] = [text(data.client_id), text(data.client_secret)]
  if (!id || !secret) return bad('client', 'client_id and client_secret are missing.')
  const tried = { redirectUri, judge: judging(redirectUri) }
  return checkClient(endpoint, { client_id: id, client_secret: secret }, tried, io)
}

/** Looks at everything that a connector to Google needs. */
export async function check(
  client: ProviderClient,
  { scope, redirectUri }: ConnectorUse,
  io: Io,
): Promise<ConnectorCheck[]> {
  return [
    await clientCheck(client, redirectUri, io),
    checkAddress(redirectUri, endpoint),
    checkScopes(scope, knownScopes),
    checkTopic(text(client.settings.topic_name)),
  ]
}
