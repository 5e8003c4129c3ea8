/** Agents, and the grants that each may use. A deleted grant takes its rows of `agent_grants` with it. */
import { type Queries, sql } from '../../engine/database.ts'
import { nullable, number, type RowOf, table, text, word } from '../../engine/table.ts'
import { type After, firstPage } from '../mail/signatures.ts'

const agents = table('agents', {
  id: text,
  application_id: text,
  client_id: text,
  name: text,
  client_uri: nullable(text),
  /** The address of the account, or the name of the administrator. */
  connected_by: text,
  /** Who connected it. */
  connector: word<'owner' | 'administrator'>(),
  /** The rights that the person agreed to, as JSON: the most that it can have. */
  consent: text,
  /** The rights that it has now, as JSON, without the grants. */
  rights: text,
  created_at: number,
  updated_at: number,
  /** When its last refresh token ends. */
  expires_at: number,
  last_used_at: nullable(number),
  disconnected_at: nullable(number),
})
export type AgentRow = RowOf<typeof agents>

/** An agent with the grants that still exist. */
export interface AgentRecord extends AgentRow {
  grantIds: readonly string[]
}

const { columns } = agents
const ofAgent = columns.replaceAll(/\w+/g, 'a.$&')

type JoinedRow = AgentRow & { grant_id: string | null }

const insert = agents.insert()
const insertGrant = sql('agent_grants.insert')`insert into agent_grants (agent_id, grant_id, application_id)
   select cast($2 as text), id, application_id from grants where application_id = $1 and id = $3 and document <> 'null'`
const clearGrants = sql('agent_grants.clear')`delete from agent_grants where application_id = $1 and agent_id = $2`
const joined = `select ${ofAgent}, g.grant_id from agents a
   left join agent_grants g on g.application_id = a.application_id and g.agent_id = a.id`
const get = sql<JoinedRow>('agents.get')`${joined} where a.application_id = $1 and a.id = $2 order by g.grant_id`
const list = sql<JoinedRow>('agents.list')`${joined} where a.application_id = $1 and a.id in (
     select id from agents where application_id = $1 and (created_at, id) > ($2, $3) order by created_at, id limit $4)
   order by a.created_at, a.id, g.grant_id`
const ofGrant = sql<JoinedRow>('agents.ofGrant')`${joined} where a.application_id = $1 and a.id in (
     select a2.id from agent_grants g2 join agents a2 on a2.application_id = g2.application_id and a2.id = g2.agent_id
     where g2.application_id = $1 and g2.grant_id = $2 and (a2.created_at, a2.id) > ($3, $4)
     order by a2.created_at, a2.id limit $5)
   order by a.created_at, a.id, g.grant_id`
const ofClient = sql<JoinedRow>('agents.ofClient')`${joined}
   where a.application_id = $1 and a.client_id = $2 and a.connected_by = $3 and a.connector = $4
     and a.disconnected_at is null order by a.created_at, a.id, g.grant_id`
const change = agents.update('change')`
   set name = $3, client_uri = $4, consent = $5, rights = $6, updated_at = $7, expires_at = $8
   where application_id = $1 and id = $2 and disconnected_at is null`
const extend = agents.update('extend')`set expires_at = $3
   where application_id = $1 and id = $2 and disconnected_at is null`
const touch = agents.update('touch')`set last_used_at = $3 where application_id = $1 and id = $2`
const disconnect = agents.update('disconnect')`set disconnected_at = $3, updated_at = $3
   where application_id = $1 and id = $2 and disconnected_at is null`
const purge = agents.delete('purge')`where expires_at < $1`

/** Rows of one agent follow each other. */
function recordsOf(rows: readonly JoinedRow[]): AgentRecord[] {
  const records = new Map<string, AgentRow & { grantIds: string[] }>()
  for (const { grant_id: grantId, ...row } of rows) {
    const record = records.get(row.id) ?? { ...row, grantIds: [] }
    if (grantId !== null) record.grantIds.push(grantId)
    records.set(row.id, record)
  }
  return [...records.values()]
}

interface AgentAddress {
  applicationId: string
  id: string
}

/** Inserts an agent with those of its grants that exist. */
export async function insertAgent(tx: Queries, { grantIds, ...row }: AgentRecord): Promise<void> {
  await tx.run(...insert(row))
  for (const grantId of grantIds) await tx.run(insertGrant, [row.application_id, row.id, grantId])
}
/** Replaces the rights, the consent and the grants of a connected agent. False if it is disconnected. */
export async function changeAgent(tx: Queries, { grantIds, ...row }: AgentRecord): Promise<boolean> {
  const { application_id: applicationId, id } = row
  const values = [row.name, row.client_uri, row.consent, row.rights, row.updated_at, row.expires_at]
  if ((await tx.run(change, [applicationId, id, ...values])) !== 1) return false
  await tx.run(clearGrants, [applicationId, id])
  for (const grantId of grantIds) await tx.run(insertGrant, [applicationId, id, grantId])
  return true
}
export const getAgent = async (queries: Queries, at: AgentAddress): Promise<AgentRecord | undefined> =>
  recordsOf(await queries.all(get, [at.applicationId, at.id]))[0]
/** In order of connection: those of the application, or those that may use one grant. */
export const listAgents = async (
  queries: Queries,
  { applicationId, grantId }: { applicationId: string; grantId?: string | undefined },
  { after = firstPage, limit }: { after: After | undefined; limit: number },
): Promise<AgentRecord[]> => {
  const page = [after.createdAt, after.id, limit]
  return recordsOf(
    grantId === undefined
      ? await queries.all(list, [applicationId, ...page])
      : await queries.all(ofGrant, [applicationId, grantId, ...page]),
  )
}
/** The agents that a person connected with one client. */
export const agentsOfClient = async (
  queries: Queries,
  of: Pick<AgentRow, 'application_id' | 'client_id' | 'connected_by' | 'connector'>,
): Promise<AgentRecord[]> =>
  recordsOf(await queries.all(ofClient, [of.application_id, of.client_id, of.connected_by, of.connector]))
/** Sets when its last refresh token ends. False if it is disconnected. */
export const extendAgent = async (tx: Queries, at: AgentAddress, expiresAt: number): Promise<boolean> =>
  (await tx.run(extend, [at.applicationId, at.id, expiresAt])) === 1
export const touchAgent = (queries: Queries, at: AgentAddress, now: number): Promise<number> =>
  queries.run(touch, [at.applicationId, at.id, now])
/** False if there is no such agent, or it is disconnected already. */
export const disconnectAgent = async (tx: Queries, at: AgentAddress, now: number): Promise<boolean> =>
  (await tx.run(disconnect, [at.applicationId, at.id, now])) === 1
/** Deletes agents whose last token ended before a time. */
export const purgeAgents = (queries: Queries, before: number): Promise<number> => queries.run(purge, [before])
