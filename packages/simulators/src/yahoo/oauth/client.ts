// Client authentication. https://developer.yahoo.com/oauth2/guide/errors/
import { clientCredentials, OAuthError } from '../../shared/oauth/errors.ts'
import type { OAuth, YahooClient } from './oauth.ts'

/** The client of a request, from the `Authorization` header or the form. */
export function authenticateClient({ clients }: OAuth, form: URLSearchParams, headers: Headers): YahooClient {
  const { id, secret } = clientCredentials(form, headers)
  if (!id) throw new OAuthError(400, 'INVALID_INPUT', 'client id cannot be empty')
  const client = clients.find(id)
  if (client === undefined) throw new OAuthError(400, 'INVALID_CLIENT', 'client id is invalid')
  if (!secret) throw new OAuthError(400, 'INVALID_INPUT', 'client secret cannot be empty')
  if (secret !== client.secret) throw new OAuthError(401, 'INVALID_CLIENT_SECRET', 'client secret is invalid')
  return client
}
