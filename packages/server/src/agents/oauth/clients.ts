/** OAuth clients: those that registered themselves (RFC 7591), and those that a metadata document describes. */
import type { Clock } from '@waypost/platform/clock'
import { newToken } from '@waypost/platform/ids'
import type { Database } from '@waypost/store/engine/database'
import { countAgentClients, getAgentClient, insertAgentClient } from '@waypost/store/tables/agents/agent-clients'
import { z } from 'zod'
import { type AgentClient, type ClientDocuments, isDocumentUrl, shownName, webPage } from './client-documents.ts'
import { OAuthError } from './oauth-error.ts'
import { redirectUriProblem } from './redirect-uris.ts'

export interface ClientTools {
  database: Database
  clock: Clock
  documents: ClientDocuments
}

/** Registrations that nobody uses end after this time. */
export const registrationMs = 30 * 86_400_000
/** All registrations together. Those that are not used expire. */
const maxClients = 20_000

const prefix = 'wpac_'

/** The client with an id. */
export async function findClient(
  { database, clock, documents }: ClientTools,
  id: string,
  signal: AbortSignal,
): Promise<AgentClient> {
  if (isDocumentUrl(id)) return documents.read(id, signal)
  const row = id.startsWith(prefix) && id.length < 100 ? await getAgentClient(database, id, clock.now()) : undefined
  if (!row) {
    const message = 'client_id: is unknown or its registration expired; register again'
    throw new OAuthError('invalid_client', message, { status: 401 })
  }
  return { id: row.id, name: row.name, uri: row.client_uri, redirectUris: JSON.parse(row.redirect_uris) }
}

const Registration = z.object({
  redirect_uris: z.array(z.string()).min(1).max(20),
  client_name: z.string().max(1000).optional(),
  client_uri: z.string().max(1000).optional(),
  grant_types: z.array(z.string()).max(20).optional(),
  response_types: z.array(z.string()).max(20).optional(),
  token_endpoint_auth_method: z.string().max(100).optional(),
})

const metadataError = (message: string): OAuthError => new OAuthError('invalid_client_metadata', message)

/** Registers a client. The answer says what the client may do, which can be less than it asked for (RFC 7591 §3.2.1). */
export async function registerClient(
  { database, clock }: Pick<ClientTools, 'database' | 'clock'>,
  body: unknown,
): Promise<Record<string, unknown>> {
  const read = Registration.safeParse(body)
  if (!read.success) {
    const [issue] = read.error.issues
    throw metadataError(`${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'is not valid'}`)
  }
  const { redirect_uris: redirectUris, ...requested } = read.data
  for (const uri of redirectUris) {
    const problem = redirectUriProblem(uri)
    if (problem) throw new OAuthError('invalid_redirect_uri', `redirect_uris: ${problem}`)
  }
  if (requested.grant_types && !requested.grant_types.includes('authorization_code')) {
    throw metadataError('grant_types: must include "authorization_code"')
  }
  if (requested.response_types && !requested.response_types.includes('code')) {
    throw metadataError('response_types: must include "code"')
  }
  if ((await countAgentClients(database, maxClients)) >= maxClients) {
    throw new OAuthError('temporarily_unavailable', 'there are too many registered clients: try again later', {
      status: 429,
      retryAfter: 3600,
    })
  }
  const now = clock.now()
  const row = {
    id: `${prefix}${newToken()}`,
    name: shownName(requested.client_name) ?? 'MCP client',
    client_uri: webPage(requested.client_uri),
    redirect_uris: JSON.stringify([...new Set(redirectUris)]),
    created_at: now,
    expires_at: now + registrationMs,
  }
  await insertAgentClient(database, row)
  return {
    client_id: row.id,
    client_id_issued_at: Math.floor(now / 1000),
    client_name: row.name,
    ...(row.client_uri === null ? {} : { client_uri: row.client_uri }),
    redirect_uris: JSON.parse(row.redirect_uris),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}
