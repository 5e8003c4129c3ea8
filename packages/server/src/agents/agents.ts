/**
 * Agents: MCP clients that a person connected. An agent has at most the rights that the person agreed to. It works
 * until somebody disconnects it, its last refresh token ends, or the last of its grants is deleted.
 */
import { type Agent, type AgentChange, ApprovalKind, type KeyRights } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import type { Queries } from '@waypost/store/engine/database'
import { purgeAgentClients } from '@waypost/store/tables/agents/agent-clients'
import { purgeAgentCodes } from '@waypost/store/tables/agents/agent-codes'
import { purgeAgentTokens, revokeAgentTokens } from '@waypost/store/tables/agents/agent-tokens'
import {
  type AgentRecord,
  changeAgent,
  disconnectAgent,
  getAgent,
  purgeAgents,
} from '@waypost/store/tables/agents/agents'
import { needValidRights, readRights } from '../applications/key-rights.ts'

/** Whether the tokens of an agent work. */
export const isConnected = (agent: AgentRecord, now: number): boolean =>
  agent.disconnected_at === null && agent.expires_at > now && agent.grantIds.length > 0

/** The rights that an agent has now. If its grants are deleted, those that it had are named: no list would mean all. */
export function rightsOfAgent({ rights, consent, grantIds }: AgentRecord): KeyRights {
  const had = grantIds.length > 0 ? { ids: [...grantIds] } : readRights(consent).grants
  return { ...readRights(rights), grants: had }
}

export const agentOf = (record: AgentRecord, now: number): Agent => ({
  id: record.id,
  object: 'agent',
  name: record.name,
  client_id: record.client_id,
  client_uri: record.client_uri,
  rights: rightsOfAgent(record),
  grant_ids: [...record.grantIds],
  connected_by: record.connected_by,
  status: isConnected(record, now) ? 'active' : 'disconnected',
  last_used_at: record.last_used_at === null ? null : seconds(record.last_used_at),
  created_at: seconds(record.created_at),
})

export async function needAgent(queries: Queries, at: { applicationId: string; id: string }): Promise<AgentRecord> {
  const record = await getAgent(queries, at)
  if (!record) throw new ApiError('not_found', 'the application has no agent with this id')
  return record
}

/** Refuses rights beyond those that the person agreed to. Returns the grants. */
function grantsWithin(record: AgentRecord, rights: KeyRights): readonly string[] {
  const consent = readRights(record.consent)
  const extra = rights.operations.find((operation) => operation !== 'mcp' && !consent.operations.includes(operation))
  const more = 'the person who connected the agent did not agree to it; connect the agent again to ask for more'
  if (extra !== undefined) throw invalidField('rights.operations', `"${extra}": ${more}`)
  const dropped = consent.approval.find((kind) => !rights.approval.includes(kind))
  if (dropped !== undefined) {
    throw invalidField(
      'rights.approval',
      `must include "${dropped}", which the person who connected the agent asked for`,
    )
  }
  if (rights.elicitation && !consent.elicitation) throw invalidField('rights.elicitation', more)
  const { grants } = rights
  if (!grants) return record.grantIds
  if (!('ids' in grants)) throw invalidField('rights.grants', 'an agent has a list of grants: send `ids`')
  const agreed = consent.grants && 'ids' in consent.grants ? consent.grants.ids : []
  const foreign = grants.ids.find((id) => !agreed.includes(id))
  if (foreign !== undefined) throw invalidField('rights.grants.ids', `"${foreign}": ${more}`)
  return [...new Set(grants.ids)]
}

/** The stored form of rights. The grants have their own rows. The endpoint is all that an agent can use. */
export const storedRights = ({ grants: _, ...rights }: KeyRights): string =>
  JSON.stringify({
    ...rights,
    operations: [...new Set([...rights.operations, 'mcp'])],
    approval: ApprovalKind.options.filter((kind) => rights.approval.includes(kind)),
  })

/** Changes the name or the rights of an agent. */
export async function updateAgent(
  tx: Queries,
  at: { applicationId: string; id: string },
  change: AgentChange,
  now: number,
): Promise<Agent> {
  const record = await needAgent(tx, at)
  const { name, rights } = change
  if (rights) {
    const grantIds = grantsWithin(record, rights)
    await needValidRights(tx, at.applicationId, rights)
    await keep(tx, { ...record, name: name ?? record.name, rights: storedRights(rights), grantIds, updated_at: now })
  } else if (name !== undefined) await keep(tx, { ...record, name, updated_at: now })
  return agentOf(await needAgent(tx, at), now)
}

async function keep(tx: Queries, record: AgentRecord): Promise<void> {
  if (!(await changeAgent(tx, record))) throw new ApiError('invalid_request', 'the agent is disconnected')
}

/** Disconnects an agent: all of its tokens stop at once. False if there is no such agent that is connected. */
export async function disconnect(
  tx: Queries,
  at: { applicationId: string; id: string },
  now: number,
): Promise<boolean> {
  if (!(await disconnectAgent(tx, at, now))) return false
  await revokeAgentTokens(tx, at, now)
  return true
}

const day = 86_400_000
/** Agents stay in lists for this long after their tokens ended. */
const listedDays = 30

/** Deletes rows that are no longer needed. A code that is used again still revokes its tokens for a day. */
export async function purgeAgentRows(queries: Queries, now: number): Promise<void> {
  await purgeAgentClients(queries, now)
  await purgeAgentCodes(queries, now - day)
  await purgeAgentTokens(queries, now - day)
  await purgeAgents(queries, now - listedDays * day)
}

/** Takes accounts away from an agent. An agent that loses its last account is disconnected. */
export async function leaveAccounts(
  tx: Queries,
  at: { applicationId: string; id: string },
  grantIds: readonly string[],
  now: number,
): Promise<void> {
  const agent = await needAgent(tx, at)
  const left = agent.grantIds.filter((id) => !grantIds.includes(id))
  if (left.length === agent.grantIds.length) throw new ApiError('not_found', 'the agent does not use this account')
  if (left.length === 0) {
    await disconnect(tx, at, now)
    return
  }
  await updateAgent(tx, at, { rights: { ...rightsOfAgent(agent), grants: { ids: left } } }, now)
}
