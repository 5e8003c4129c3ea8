/**
 * The request of a client at the authorization endpoint. Problems with the client or its redirect URI are shown to the
 * person, because the browser must not be sent to an address that nobody checked. All others go back to the client.
 */
import type { KeyOperation } from '@waypost/contract'
import type { ApplicationRow } from '@waypost/store/tables/applications/applications'
import type { AgentClient } from './client-documents.ts'
import { type ClientTools, findClient } from './clients.ts'
import { needed, OAuthError, single } from './oauth-error.ts'
import { hasRedirectUri } from './redirect-uris.ts'
import { applicationOf, type NamedResource, readResource } from './resources.ts'
import { offeredScopes } from './scopes.ts'

/** Where the browser returns to. */
export interface ReturnAddress {
  client: AgentClient
  redirectUri: string
  state: string | undefined
}

export interface AuthorizationRequest extends ReturnAddress {
  challenge: string
  resource: NamedResource
  application: ApplicationRow
  offered: readonly KeyOperation[]
  /** The parameters, to ask for the same again. */
  parameters: URLSearchParams
}

/** The parameters that count. Others are ignored (RFC 6749 §3.1). */
const known = [
  ...['client_id', 'redirect_uri', 'response_type', 'state', 'code_challenge', 'code_challenge_method', 'resource'],
  ...['scope', 'ui_locales'],
] as const
/** The whole request must fit into the cookie of a sign-in. */
const maxQueryLength = 1_900

/** Finds the client and the address to return to. What it throws is shown to the person. */
export async function readReturnAddress(
  tools: ClientTools,
  parameters: URLSearchParams,
  signal: AbortSignal,
): Promise<ReturnAddress> {
  const client = await findClient(tools, needed(parameters, 'client_id'), signal)
  const redirectUri = needed(parameters, 'redirect_uri')
  if (!hasRedirectUri(client.redirectUris, redirectUri)) {
    throw new OAuthError('invalid_request', 'redirect_uri: the client has not registered this address')
  }
  return { client, redirectUri, state: single(parameters, 'state') }
}

/** Reads the rest of a request. What it throws is sent to the client. */
export async function readAuthorizationRequest(
  { database, baseUrl }: ClientTools & { baseUrl: string },
  back: ReturnAddress,
  parameters: URLSearchParams,
): Promise<AuthorizationRequest> {
  if (needed(parameters, 'response_type') !== 'code') {
    throw new OAuthError('unsupported_response_type', 'response_type: must be "code"')
  }
  const challenge = needed(parameters, 'code_challenge')
  if (single(parameters, 'code_challenge_method') !== 'S256') {
    throw new OAuthError('invalid_request', 'code_challenge_method: must be "S256"')
  }
  if (!/^[\w-]{43}$/.test(challenge)) {
    throw new OAuthError('invalid_request', 'code_challenge: must be a SHA-256 digest in base64url')
  }
  const resource = readResource(baseUrl, single(parameters, 'resource'))
  const scope = single(parameters, 'scope')
  const retained = new URLSearchParams()
  for (const name of known) {
    const value = single(parameters, name)
    if (value !== undefined) retained.set(name, value)
  }
  if (String(retained).length > maxQueryLength) {
    throw new OAuthError(
      'invalid_request',
      `the request is longer than ${maxQueryLength} characters: shorten the state`,
    )
  }
  const application = await applicationOf(database, resource)
  if (!application) throw new NoApplication(resource)
  return { ...back, challenge, resource, application, offered: offeredScopes(scope), parameters: retained }
}

/** The endpoint serves no application, or does not say which. */
export class NoApplication extends OAuthError {
  constructor({ applicationId }: NamedResource) {
    super(
      'invalid_target',
      applicationId === undefined
        ? 'resource: several applications, or none, have the MCP endpoint enabled; connect to /mcp/<application id>'
        : 'resource: the application does not exist or has the MCP endpoint disabled',
    )
  }
}

/** The address to return to, with the answer in its query. `iss` names this server (RFC 9207). */
export function addressWith(
  { redirectUri, state }: Pick<ReturnAddress, 'redirectUri' | 'state'>,
  issuer: string,
  answer: Record<string, string>,
): string {
  const query = new URLSearchParams({ ...answer, ...(state === undefined ? {} : { state }), iss: issuer })
  // Not every platform reads a plus sign as a space.
  const text = String(query).replaceAll('+', '%20')
  if (!redirectUri.includes('?')) return `${redirectUri}?${text}`
  return `${redirectUri}${/[?&]$/.test(redirectUri) ? '' : '&'}${text}`
}
