/** Tokens of agents. Only their hashes are stored. */
import type { Queries } from '../../engine/database.ts'
import { nullable, number, type RowOf, table, text, word } from '../../engine/table.ts'

const tokens = table('agent_tokens', {
  id: text,
  application_id: text,
  agent_id: text,
  /** Tokens that come from one code form a family and are revoked together. */
  family: text,
  kind: word<'access' | 'refresh'>(),
  hash: text,
  /** The URL of the MCP endpoint that the token is for. */
  resource: text,
  created_at: number,
  expires_at: number,
  revoked_at: nullable(number),
})
export type AgentTokenRow = RowOf<typeof tokens>

const insert = tokens.insert()
const byHash = tokens.select('byHash')`where hash = $1`
const revoke = tokens.update('revoke')`set revoked_at = $3 where application_id = $1 and id = $2 and revoked_at is null`
const revokeFamily = tokens.update('revokeFamily')`set revoked_at = $4
   where application_id = $1 and agent_id = $2 and family = $3 and revoked_at is null`
const revokeAll = tokens.update('revokeAll')`set revoked_at = $3
   where application_id = $1 and agent_id = $2 and revoked_at is null`
const purge = tokens.delete('purge')`where expires_at < $1`

type TokenAddress = Pick<AgentTokenRow, 'application_id' | 'id'>

export const insertAgentToken = (tx: Queries, row: AgentTokenRow): Promise<number> => tx.run(...insert(row))
/** A token in any state. */
export const findAgentToken = (queries: Queries, hash: string): Promise<AgentTokenRow | undefined> =>
  queries.get(byHash, [hash])
/** Revokes one token. False if it is revoked already. */
export const revokeAgentToken = async (tx: Queries, { application_id, id }: TokenAddress, now: number) =>
  (await tx.run(revoke, [application_id, id, now])) === 1
export const revokeAgentFamily = (
  tx: Queries,
  of: Pick<AgentTokenRow, 'application_id' | 'agent_id' | 'family'>,
  now: number,
): Promise<number> => tx.run(revokeFamily, [of.application_id, of.agent_id, of.family, now])
export const revokeAgentTokens = (
  tx: Queries,
  of: { applicationId: string; id: string },
  now: number,
): Promise<number> => tx.run(revokeAll, [of.applicationId, of.id, now])
export const purgeAgentTokens = (queries: Queries, before: number): Promise<number> => queries.run(purge, [before])
