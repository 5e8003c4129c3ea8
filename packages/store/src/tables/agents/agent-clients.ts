/** OAuth clients that registered themselves (RFC 7591). They register before any application is known. */
import { type Queries, sql } from '../../engine/database.ts'
import { nullable, number, type RowOf, table, text } from '../../engine/table.ts'

const clients = table('agent_clients', {
  id: text,
  name: text,
  client_uri: nullable(text),
  /** A JSON list. */
  redirect_uris: text,
  created_at: number,
  /** It moves on when the client is used. */
  expires_at: number,
})
export type AgentClientRow = RowOf<typeof clients>

const insert = clients.insert()
const get = clients.select('get')`where id = $1 and expires_at > $2`
const count = sql<{ n: number }>('agent_clients.count')`select count(*) as n
   from (select id from agent_clients limit $1) as some_clients`
const keep = clients.update('keep')`set expires_at = $2 where id = $1 and expires_at < $2`
const purge = clients.delete('purge')`where expires_at < $1`

export const insertAgentClient = (queries: Queries, row: AgentClientRow): Promise<number> => queries.run(...insert(row))
/** A registered client whose registration has not expired. */
export const getAgentClient = (queries: Queries, id: string, now: number): Promise<AgentClientRow | undefined> =>
  queries.get(get, [id, now])
/** The number of registered clients, up to a limit. */
export const countAgentClients = async (queries: Queries, max: number): Promise<number> =>
  (await queries.get(count, [max]))?.n ?? 0
export const keepAgentClient = (queries: Queries, id: string, until: number): Promise<number> =>
  queries.run(keep, [id, until])
export const purgeAgentClients = (queries: Queries, now: number): Promise<number> => queries.run(purge, [now])
