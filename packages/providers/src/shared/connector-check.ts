/** Tests a connector to an OAuth provider: its client, its redirect URI and its scopes. */
import { ApiError } from '@waypost/platform/api-error'
import type { ProviderClient } from '../identity.ts'
import type { Io } from '../io.ts'
import type { ConnectorCheck } from '../provider.ts'
import type { ScopeNames } from '../scope-names.ts'
import { askForTokens, type ClientForm, type TokenEndpoint, text } from './oauth-token.ts'

export const good = (name: string, message: string): ConnectorCheck => ({ name, ok: true, message })
export const bad = (name: string, message: string): ConnectorCheck => ({ name, ok: false, message })

/** The scopes of a provider, for testing a connector. */
export interface KnownScopes extends ScopeNames {
  /** Whether a scope belongs to an area that this service uses. An unknown one is then a typing mistake. */
  isUsedPart(scope: string): boolean
}

export function checkScopes(
  scope: readonly string[],
  { name, canonicalScope, known, isUsedPart }: KnownScopes,
): ConnectorCheck {
  if (scope.length === 0) return good('scopes', 'None are set: mail, calendars and contacts are asked for.')
  const unknown = scope.map(canonicalScope).filter((each) => !known.has(each))
  const wrong = unknown.filter((each) => isUsedPart(each) || /\s/.test(each))
  if (wrong.length > 0) return bad('scopes', `${name} has no scope of this name: ${wrong.join(', ')}.`)
  if (unknown.length > 0) return good('scopes', `No operation of this service needs ${unknown.join(', ')}.`)
  return good('scopes', 'All are known.')
}

/** Whether the provider can redirect users to a URI. */
export function checkAddress(redirectUri: string, { name }: Pick<TokenEndpoint, 'name'>): ConnectorCheck {
  const { protocol, hostname } = new URL(redirectUri)
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1'
  return protocol === 'https:' || isLocal
    ? good('redirect_uri', `Register ${redirectUri} at the client, letter for letter.`)
    : bad('redirect_uri', `${name} sends users only to https addresses: set WAYPOST_BASE_URL to one.`)
}

/** The error of the token endpoint for an invented code. */
export interface Complaint {
  /** The standard error code, such as `invalid_grant`. */
  error: unknown
  /** The provider's message, as it is shown. */
  words: string
  said: Readonly<Record<string, unknown>>
}

/** Error codes of a token endpoint, in lower case, that say what is wrong with the connector. */
export interface ClientErrors {
  redirectUri: readonly string[]
  client: readonly string[]
}

/** Tests a client id and secret. The error `invalid_grant` means that the client is good and only the code is not. */
export async function checkClientSecret(
  endpoint: TokenEndpoint,
  { data }: ProviderClient,
  { redirectUri, errors }: { redirectUri: string; errors: ClientErrors },
  io: Io,
): Promise<ConnectorCheck> {
  const [id, secret] = [text(data.client_id), text(data.client_secret)]
  if (!id || !secret) return bad('client', 'client_id and client_secret are missing.')
  const { name } = endpoint
  const judge = ({ error, words }: Complaint): ConnectorCheck => {
    const code = String(error).toLowerCase()
    if (code === 'invalid_grant') return good('client', `${name} accepts the client.`)
    if (errors.redirectUri.includes(code)) {
      return bad('client', `${name} accepts the client, but ${redirectUri} is not registered there.`)
    }
    if (errors.client.includes(code)) return bad('client', `${name} rejects client_id or client_secret: ${words}.`)
    return bad('client', `The request to ${name} failed: ${words}`)
  }
  return checkClient(endpoint, { client_id: id, client_secret: secret }, { redirectUri, judge }, io)
}

/** Sends the client with an invented code to the token endpoint; `judge` interprets the error. */
export async function checkClient(
  endpoint: TokenEndpoint,
  client: ClientForm,
  { redirectUri, judge }: { redirectUri: string; judge(complaint: Complaint): ConnectorCheck },
  io: Io,
): Promise<ConnectorCheck> {
  const form = { grant_type: 'authorization_code', code: 'waypost-connector-test', redirect_uri: redirectUri }
  try {
    await askForTokens(endpoint, { ...form, ...client }, io)
    return good('client', `${endpoint.name} accepts the client.`)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const said = error.details.providerError ?? {}
    const words = endpoint.explain?.(said)?.words ?? text(said.error_description) ?? text(said.error) ?? error.message
    return judge({ error: said.error, words, said })
  }
}
