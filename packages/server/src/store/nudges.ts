/** Grants that their provider told a node about which does not watch them: the one that does takes them from here. */
import { type Queries, sql } from './database.ts'
import { shardOf } from './watch-shards.ts'

const add = sql('nudges.add', 'insert into nudges (grant_id, shard) values ($1, $2) on conflict (grant_id) do nothing')
const take = sql<{ grant_id: string }>(
  'nudges.take',
  'delete from nudges where shard in (select shard from watch_shards where owner = $1) returning grant_id',
)
// What a provider tells of an address concerns every application that has it.
const watched = sql<{ id: string }>(
  'grants.watchedOfAddress',
  'select id from grants where email_key = $1 and provider = $2 and watched = 1',
)

export const addNudge = (queries: Queries, grantId: string): Promise<number> =>
  queries.run(add, [grantId, shardOf(grantId)])
/** Takes those that stand in the shards of a node. */
export const takeNudges = async (queries: Queries, owner: string): Promise<string[]> =>
  (await queries.all(take, [owner])).map((row) => row.grant_id)
export const watchedOfAddress = async (queries: Queries, emailKey: string, provider: string): Promise<string[]> =>
  (await queries.all(watched, [emailKey, provider])).map((row) => row.id)
