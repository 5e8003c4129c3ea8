/**
 * Clients whose id is the https URL of a document about them (Client ID Metadata Documents). Anybody can name any URL,
 * so documents are fetched only from public addresses, without redirects, within 5 seconds and 64 KB.
 */
import type { Clock } from '@waypost/platform/clock'
import { type Egress, EgressError } from '@waypost/platform/egress/egress'
import { parseJsonBytes } from '@waypost/platform/json/guard'
import { z } from 'zod'
import { OAuthError } from './oauth-error.ts'
import { redirectUriProblem } from './redirect-uris.ts'

const deadlineMs = 5_000
const maxBytes = 65_536
const retainedMs = 600_000
const maxCached = 200
const maxIdLength = 500

const ClientDocument = z.object({
  client_id: z.string(),
  client_name: z.string().optional(),
  client_uri: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(30),
  token_endpoint_auth_method: z.string().optional(),
})

/** Whether a client id is the URL of a document. */
export const isDocumentUrl = (clientId: string): boolean => /^https?:\/\//i.test(clientId)

/** An OAuth client, whatever describes it. */
export interface AgentClient {
  id: string
  name: string
  uri: string | null
  redirectUris: readonly string[]
  /** The host whose document describes the client. A registered client only says who it is. */
  verifiedHost?: string
}

export interface ClientDocuments {
  read(clientId: string, signal: AbortSignal): Promise<AgentClient>
}

interface ClientDocumentOptions {
  clock: Clock
  /** Opens connections to public addresses only. */
  openPublicEgress(): Egress
}

const refused = (message: string): OAuthError =>
  new OAuthError('invalid_client', `client_id: ${message}`, { status: 401 })

/** Refuses URLs that cannot be a client id. */
function checkedUrl(clientId: string): URL {
  const url = URL.parse(clientId)
  if (!url || clientId.length > maxIdLength) throw refused('is no URL of up to 500 characters')
  if (url.protocol !== 'https:') throw refused('the URL of a metadata document must use https')
  // The person sees the host, so the text must not be another spelling of the URL.
  if (url.href !== clientId || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw refused('must be a plain URL without user name, fragment and dot segments')
  }
  if (url.pathname === '/') throw refused('must have a path')
  return url
}

export function createClientDocuments({ clock, openPublicEgress }: ClientDocumentOptions): ClientDocuments {
  const retained = new Map<string, { client: AgentClient; until: number }>()
  return {
    async read(clientId, signal) {
      const now = clock.now()
      const known = retained.get(clientId)
      if (known && known.until > now) return known.client
      const url = checkedUrl(clientId)
      const client = clientIn(await fetchDocument(openPublicEgress, url, signal), url)
      retained.delete(clientId)
      const [oldest] = retained.keys()
      if (retained.size >= maxCached && oldest !== undefined) retained.delete(oldest)
      retained.set(clientId, { client, until: now + retainedMs })
      return client
    },
  }
}

async function fetchDocument(
  openPublicEgress: ClientDocumentOptions['openPublicEgress'],
  url: URL,
  signal: AbortSignal,
): Promise<unknown> {
  await using egress = openPublicEgress()
  const limits = { deadlineMs, maxBytes, onOverflow: 'fail' } as const
  const headers = { accept: 'application/json' }
  const answer = await egress.request({ url, method: 'GET', headers, signal, ...limits }).catch((error: unknown) => {
    if (error instanceof EgressError) throw refused(`its document cannot be read: ${error.message}`)
    throw error
  })
  if (answer.status !== 200)
    throw refused(`its document answers ${answer.status}; it must answer 200 without a redirect`)
  const parsed = parseJsonBytes(answer.body)
  if (!parsed?.ok) throw refused('its document is not JSON')
  return parsed.value
}

/** The client that a document describes. It must name its own URL, so that nobody can speak for another host. */
function clientIn(document: unknown, url: URL): AgentClient {
  const found = ClientDocument.safeParse(document)
  if (!found.success) throw refused('its document needs client_id and redirect_uris')
  const { client_id: id, redirect_uris: redirectUris, token_endpoint_auth_method: method } = found.data
  if (id !== url.href) throw refused('its document names another client_id')
  if (method !== undefined && method !== 'none') {
    throw refused(`token_endpoint_auth_method "${method}" is not supported; use "none" with PKCE`)
  }
  const usable = redirectUris.filter((uri) => redirectUriProblem(uri) === undefined)
  if (usable.length === 0) throw refused('its document has no redirect URI that can be used')
  return {
    id,
    name: shownName(found.data.client_name) ?? url.host,
    uri: webPage(found.data.client_uri),
    redirectUris: usable,
    verifiedHost: url.host,
  }
}

/** A name on one line, without characters that hide or reorder others. Undefined if nothing is left. */
export function shownName(text: string | undefined): string | undefined {
  const shown = (text ?? '')
    .normalize('NFC')
    .replace(/\p{C}+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .slice(0, 100)
    .trim()
  return shown === '' ? undefined : shown
}

/** The https URL of a web page; null for anything else. */
export function webPage(text: string | undefined): string | null {
  const url = URL.parse(text ?? '')
  return url?.protocol === 'https:' && url.username === '' && url.href.length <= 500 ? url.href : null
}
