/** Authorization codes of agents. Only their hashes are stored. */
import type { Queries } from '../../engine/database.ts'
import { nullable, number, type RowOf, table, text } from '../../engine/table.ts'

const codes = table('agent_codes', {
  id: text,
  application_id: text,
  hash: text,
  client_id: text,
  redirect_uri: text,
  resource: text,
  /** The S256 challenge. */
  code_challenge: text,
  /** What the person agreed to, as JSON. */
  consent: text,
  /** The agent that it connected, once it was exchanged. */
  agent_id: nullable(text),
  created_at: number,
  expires_at: number,
  used_at: nullable(number),
})
export type AgentCodeRow = RowOf<typeof codes>

const insert = codes.insert()
const byHash = codes.select('byHash')`where hash = $1`
const use = codes.update('use')`set used_at = $3 where application_id = $1 and id = $2 and used_at is null`
const connect = codes.update('connect')`set agent_id = $3 where application_id = $1 and id = $2`
const purge = codes.delete('purge')`where expires_at < $1`

type CodeAddress = Pick<AgentCodeRow, 'application_id' | 'id'>

export const insertAgentCode = (tx: Queries, row: AgentCodeRow): Promise<number> => tx.run(...insert(row))
/** A code in any state. */
export const findAgentCode = (queries: Queries, hash: string): Promise<AgentCodeRow | undefined> =>
  queries.get(byHash, [hash])
/** Consumes a code. False if it was used before. */
export const useAgentCode = async (tx: Queries, { application_id, id }: CodeAddress, now: number): Promise<boolean> =>
  (await tx.run(use, [application_id, id, now])) === 1
/** Records the agent that a code connected. */
export const noteConnectedAgent = (
  tx: Queries,
  { application_id, id }: CodeAddress,
  agentId: string,
): Promise<number> => tx.run(connect, [application_id, id, agentId])
export const purgeAgentCodes = (queries: Queries, before: number): Promise<number> => queries.run(purge, [before])
