/** Whether a connector will do: its client is tried at Yahoo's token endpoint with a code that nobody was given. */
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

const knownScopes: KnownScopes = {
  ...scopeNames,
  isUsedPart: (scope) => scope.startsWith('mail'),
}

/** What a complaint says of the client: that the code alone is none says that the rest is good. */
const judging =
  (redirectUri: string) =>
  ({ error, words }: Complaint): ConnectorCheck => {
    const name = String(error).toUpperCase()
    if (name === 'INVALID_GRANT') return good('client', 'Yahoo accepts the client.')
    if (name === 'INVALID_REDIRECT_URI' || name === 'INVALID_CALLBACK') {
      return bad('client', `Yahoo accepts the client, but ${redirectUri} is not registered there.`)
    }
    if (['INVALID_CLIENT', 'INVALID_CLIENT_SECRET', 'UNAUTHORIZED_CLIENT'].includes(name))
      return bad('client', `${words}.`)
    return bad('client', `Yahoo could not be asked: ${words}`)
  }

async function clientCheck({ data }: ProviderClient, redirectUri: string, io: Io): Promise<ConnectorCheck> {
  const [id, secret] = [text(data.client_id), text(data.client_secret)]
  if (!id || !secret) return bad('client', 'client_id and client_secret are missing.')
  const tried = { redirectUri, judge: judging(redirectUri) }
  return checkClient(endpoint, { client_id: id, client_secret: secret }, tried, io)
}

/** Looks at everything that a connector to Yahoo needs. */
export async function check(
  client: ProviderClient,
  { scope, redirectUri }: ConnectorUse,
  io: Io,
): Promise<ConnectorCheck[]> {
  if (!text(client.data.client_id) && !text(client.data.client_secret)) {
    return [good('client', 'Not set: users connect their accounts with app passwords.')]
  }
  return [
    await clientCheck(client, redirectUri, io),
    checkAddress(redirectUri, endpoint),
    checkScopes(scope, knownScopes),
  ]
}
