/**
 * What a person agreed to, and its exchange for tokens. A code is valid once and for minutes. Presenting it again
 * disconnects the agent that it connected, because somebody else has it too (RFC 6749 §4.1.2).
 */
import { hash, timingSafeEqual } from 'node:crypto'
import { KeyRights } from '@waypost/contract'
import type { Clock } from '@waypost/platform/clock'
import { newId, newToken } from '@waypost/platform/ids'
import type { Database, Queries } from '@waypost/store/engine/database'
import { keepAgentClient } from '@waypost/store/tables/agents/agent-clients'
import {
  type AgentCodeRow,
  findAgentCode,
  insertAgentCode,
  noteConnectedAgent,
  useAgentCode,
} from '@waypost/store/tables/agents/agent-codes'
import {
  findAgentToken,
  revokeAgentFamily,
  revokeAgentToken,
  revokeAgentTokens,
} from '@waypost/store/tables/agents/agent-tokens'
import {
  type AgentRecord,
  agentsOfClient,
  changeAgent,
  extendAgent,
  getAgent,
  insertAgent,
} from '@waypost/store/tables/agents/agents'
import { z } from 'zod'
import { disconnect, isConnected, rightsOfAgent, storedRights } from '../agents.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { isDocumentUrl } from './client-documents.ts'
import { registrationMs } from './clients.ts'
import { needed, OAuthError, single } from './oauth-error.ts'
import { applicationOf, readResource } from './resources.ts'
import { hashAgentToken, type IssuedTokens, issueTokens, refreshTokenMs } from './tokens.ts'

const codeMs = 300_000

const Consent = z.object({
  name: z.string(),
  clientUri: z.string().nullable(),
  connectedBy: z.string(),
  connector: z.enum(['owner', 'administrator']),
  rights: KeyRights,
})
export type Consent = z.output<typeof Consent>

export interface TokenTools {
  database: Database
  clock: Clock
  baseUrl: string
}

/** Stores what a person agreed to, and returns the code for it. */
export async function makeAgentCode(
  tx: Queries,
  { client, redirectUri, resource, challenge, application }: AuthorizationRequest,
  consent: Consent,
  now: number,
): Promise<string> {
  const code = newToken()
  await insertAgentCode(tx, {
    id: newId(),
    application_id: application.id,
    hash: hashAgentToken(code),
    client_id: client.id,
    redirect_uri: redirectUri,
    resource: resource.url,
    code_challenge: challenge,
    consent: JSON.stringify(consent),
    agent_id: null,
    created_at: now,
    expires_at: now + codeMs,
    used_at: null,
  })
  return code
}

const refused = (message: string): OAuthError => new OAuthError('invalid_grant', message)

export interface TokenAnswer extends IssuedTokens {
  scope: string
}

/** A code that is presented again: the agent that it connected is disconnected. */
async function refuseReplay(database: Database, code: string, now: number): Promise<never> {
  const row = await findAgentCode(database, hashAgentToken(code))
  const at = row?.agent_id ? { applicationId: row.application_id, id: row.agent_id } : undefined
  if (at) await database.transaction((tx) => disconnect(tx, at, now))
  throw refused('code: was used before, so the agent that it connected is now disconnected')
}

const proves = (verifier: string, challenge: string): boolean => {
  const [given, expected] = [Buffer.from(hash('sha256', verifier, 'base64url')), Buffer.from(challenge)]
  return /^[\w.~-]{43,128}$/.test(verifier) && given.length === expected.length && timingSafeEqual(given, expected)
}

/** What a client presents with a code. */
interface ShownConsent {
  clientId: string
  redirectUri: string
  verifier: string
  resource: string | undefined
}

function checkShown(row: AgentCodeRow, shown: ShownConsent, { baseUrl, now }: { baseUrl: string; now: number }): void {
  if (row.expires_at <= now) throw refused('code: is expired; ask the person again')
  if (row.client_id !== shown.clientId) throw refused('code: was issued to another client')
  if (row.redirect_uri !== shown.redirectUri) {
    throw refused('redirect_uri: differs from that of the authorization request')
  }
  if (!proves(shown.verifier, row.code_challenge)) throw refused('code_verifier: does not match the code_challenge')
  if (shown.resource !== undefined && readResource(baseUrl, shown.resource).url !== row.resource) {
    throw new OAuthError('invalid_target', 'resource: differs from that of the authorization request')
  }
}

/** `grant_type=authorization_code`: connects the agent and issues its first tokens. */
export async function tradeAgentCode(tools: TokenTools, parameters: URLSearchParams): Promise<TokenAnswer> {
  const { database, clock, baseUrl } = tools
  const now = clock.now()
  const code = needed(parameters, 'code')
  const shown: ShownConsent = {
    clientId: needed(parameters, 'client_id'),
    redirectUri: needed(parameters, 'redirect_uri'),
    verifier: needed(parameters, 'code_verifier'),
    resource: single(parameters, 'resource'),
  }
  const row = await findAgentCode(database, hashAgentToken(code))
  if (!row) throw refused('code: is unknown or expired; ask the person again')
  if (row.used_at !== null) return refuseReplay(database, code, now)
  try {
    checkShown(row, shown, { baseUrl, now })
    await needServed(database, row.application_id)
  } catch (error) {
    // A code is valid for one attempt, so that nobody can guess what belongs to it.
    await useAgentCode(database, row, now)
    throw error
  }
  const issued = await database.transaction(async (tx) => {
    // In the same transaction as the agent: whoever presents the code at the same time then finds the agent.
    if (!(await useAgentCode(tx, row, now))) return undefined
    const agent = await connectAgent(tx, row, Consent.parse(JSON.parse(row.consent)), now)
    await noteConnectedAgent(tx, row, agent.id)
    const of = { application_id: row.application_id, agent_id: agent.id, family: row.id, resource: row.resource, now }
    return { ...(await issueTokens(tx, of)), scope: scopeOf(agent) }
  })
  if (!issued) return refuseReplay(database, code, now)
  // The registration of a client that is used lives on, also past the life of its last tokens.
  await keepAgentClient(database, row.client_id, now + refreshTokenMs + registrationMs)
  return issued
}

async function needServed(queries: Queries, applicationId: string): Promise<void> {
  const application = await applicationOf(queries, { url: '', applicationId })
  if (!application) throw refused('the application is blocked or its MCP endpoint is disabled')
}

const scopeOf = (agent: AgentRecord): string =>
  rightsOfAgent(agent)
    .operations.filter((operation) => operation !== 'mcp')
    .join(' ')

/** Connects an agent. */
async function connectAgent(tx: Queries, code: AgentCodeRow, consent: Consent, now: number): Promise<AgentRecord> {
  const { rights, name, clientUri, connectedBy, connector } = consent
  const grantIds = rights.grants && 'ids' in rights.grants ? rights.grants.ids : []
  const agreed = {
    application_id: code.application_id,
    client_id: code.client_id,
    name,
    client_uri: clientUri,
    connected_by: connectedBy,
    connector,
    consent: JSON.stringify(rights),
    rights: storedRights(rights),
    grantIds,
    updated_at: now,
    expires_at: now + refreshTokenMs,
  }
  const former = await formerAgent(tx, agreed)
  const record: AgentRecord = former
    ? { ...former, ...agreed }
    : { ...agreed, id: newId(), created_at: now, last_used_at: null, disconnected_at: null }
  if (former) {
    await revokeAgentTokens(tx, { applicationId: record.application_id, id: record.id }, now)
    await changeAgent(tx, record)
  } else await insertAgent(tx, record)
  const stored = await getAgent(tx, { applicationId: record.application_id, id: record.id })
  if (!stored || !isConnected(stored, now)) throw refused('the accounts were disconnected meanwhile')
  return stored
}

/**
 * The agent that the same person connected before with the same registered client for the same grants: a client that
 * asks for more rights stays one agent. Everybody's copy of a client with a metadata document has the same id, so there
 * each consent is an agent of its own.
 */
async function formerAgent(
  tx: Queries,
  agreed: Omit<AgentRecord, 'id' | 'created_at' | 'last_used_at' | 'disconnected_at'>,
) {
  if (isDocumentUrl(agreed.client_id)) return undefined
  const wanted = agreed.grantIds.toSorted().join()
  const found = await agentsOfClient(tx, agreed)
  return found.find(({ grantIds }) => grantIds.toSorted().join() === wanted)
}

/** `grant_type=refresh_token`: exchanges a refresh token, which is valid once. */
export async function tradeAgentRefreshToken(tools: TokenTools, parameters: URLSearchParams): Promise<TokenAnswer> {
  const { database, clock, baseUrl } = tools
  const now = clock.now()
  const token = needed(parameters, 'refresh_token')
  const clientId = needed(parameters, 'client_id')
  const resource = single(parameters, 'resource')
  const row = await findAgentToken(database, hashAgentToken(token))
  if (row?.kind !== 'refresh') throw refused('refresh_token: is unknown')
  const at = { applicationId: row.application_id, id: row.agent_id }
  const agent = await getAgent(database, at)
  if (!agent || agent.client_id !== clientId) throw refused('refresh_token: was issued to another client')
  if (resource !== undefined && readResource(baseUrl, resource).url !== row.resource) {
    throw new OAuthError('invalid_target', 'resource: differs from that of the authorization request')
  }
  if (row.expires_at <= now) throw refused('refresh_token: is expired; ask the person again')
  if (!isConnected(agent, now)) throw refused('the agent is disconnected')
  await needServed(database, at.applicationId)
  const issued = await database.transaction(async (tx) => {
    if (!(await revokeAgentToken(tx, row, now))) return undefined
    if (!(await extendAgent(tx, at, now + refreshTokenMs))) return undefined
    const { application_id, agent_id, family } = row
    return issueTokens(tx, { application_id, agent_id, family, resource: row.resource, now })
  })
  if (issued) return { ...issued, scope: scopeOf(agent) }
  await revokeAgentFamily(database, row, now)
  throw refused('refresh_token: was used before or revoked, so all tokens from the same code are now revoked')
}

/** Revokes a token (RFC 7009). With a refresh token the client gives up its access: the agent is disconnected. */
export async function revokeShownToken({ database, clock }: TokenTools, parameters: URLSearchParams): Promise<void> {
  const token = needed(parameters, 'token')
  const clientId = single(parameters, 'client_id')
  const row = await findAgentToken(database, hashAgentToken(token))
  if (!row) return
  const at = { applicationId: row.application_id, id: row.agent_id }
  const agent = await getAgent(database, at)
  if (!agent || (clientId !== undefined && agent.client_id !== clientId)) return
  await database.transaction(async (tx) => {
    if (row.kind === 'refresh' && row.revoked_at === null) await disconnect(tx, at, clock.now())
    else await revokeAgentToken(tx, row, clock.now())
  })
}
