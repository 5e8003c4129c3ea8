/** Checks a connector: tests its client at Zoom's token endpoint with an invalid code. */
import type { ProviderClient } from '../identity.ts'
import type { Io } from '../io.ts'
import type { ConnectorCheck, ConnectorUse } from '../provider.ts'
import { bad, type Complaint, checkAddress, checkClient, good } from '../shared/connector-check.ts'
import { text } from '../shared/oauth-token.ts'
import { endpoint } from './token-endpoint.ts'

/** Checks everything that a Zoom connector needs. */
export async function check(
  { data }: ProviderClient,
  { redirectUri }: ConnectorUse,
  io: Io,
): Promise<ConnectorCheck[]> {
  const [id, secret] = [text(data.client_id), text(data.client_secret)]
  const client =
    id && secret
      ? await checkClient(endpoint, { client_id: id, client_secret: secret }, { redirectUri, judge }, io)
      : bad('client', 'client_id and client_secret are missing.')
  return [client, checkAddress(redirectUri, endpoint)]
}

/** Zoom names an invalid code either by its error or by its reason. Then the client is good. */
function judge({ error, words, said }: Complaint): ConnectorCheck {
  const reason = text(said.reason) ?? ''
  if (error === 'invalid_grant' || /authorization code/i.test(reason)) {
    return good('client', 'Zoom accepts the client.')
  }
  if (/redirect/i.test(reason)) {
    return bad('client', 'Zoom accepts the client, but this redirect URI is not registered there.')
  }
  if (error === 'invalid_client') return bad('client', `Zoom rejects client_id or client_secret: ${words}.`)
  return bad('client', `The request to Zoom failed: ${words}`)
}
