/**
 * Change notifications of providers that reached a node which does not watch the grant. The watching node takes them
 * here.
 */
import { type Distributable, type Queries, sql } from '../../engine/database.ts'
import { shardOf } from './watch-shards.ts'

const add = sql('nudges.add', { raises: ['watches'] })`insert into nudges (grant_id, application_id, shard, renews_push)
   values ($1, $2, $3, $4)
   on conflict (grant_id, application_id) do update set renews_push = excluded.renews_push where nudges.renews_push < excluded.renews_push`
interface NudgeRow {
  grant_id: string
  application_id: string
  renews_push: number
}
const take = sql<NudgeRow>('nudges.take')`delete from nudges
   where shard in (select shard from watch_shards where owner = $1) returning grant_id, application_id, renews_push`
// In a distributed store, nudges are found first. Then each application's are taken on the machine that has them.
const waiting = sql<{ grant_id: string; application_id: string }>('nudges.waiting')`select grant_id, application_id
   from nudges where shard in (select shard from watch_shards where owner = $1)`
const takeOne = sql<NudgeRow>('nudges.takeOne')`delete from nudges where application_id = $1 and grant_id = $2
   returning grant_id, application_id, renews_push`
// A notification for an address concerns the grants of all applications with that address.
const watched = sql<{ id: string; application_id: string }>('grants.watchedOfAddress')`select id, application_id
   from grants where email_key = $1 and provider = $2 and watched = 1`

/** A grant to poll. With `renewPush`, the provider's push subscription must also be renewed. */
export interface Nudge {
  applicationId: string
  grantId: string
  renewPush: boolean
}

export const addNudge = (queries: Queries, { applicationId, grantId, renewPush }: Nudge): Promise<number> =>
  queries.run(add, [grantId, applicationId, shardOf(grantId), renewPush ? 1 : 0])
/** Takes the nudges for the shards of a node. */
export async function takeNudges(queries: Distributable, owner: string): Promise<Nudge[]> {
  const rows = queries.isDistributed?.() ? await takeEach(queries, owner) : await queries.all(take, [owner])
  return rows.map((row) => ({
    applicationId: row.application_id,
    grantId: row.grant_id,
    renewPush: row.renews_push === 1,
  }))
}
async function takeEach(queries: Queries, owner: string): Promise<NudgeRow[]> {
  const rows: NudgeRow[] = []
  for (const { application_id, grant_id } of await queries.all(waiting, [owner])) {
    rows.push(...(await queries.all(takeOne, [application_id, grant_id])))
  }
  return rows
}
export const watchedOfAddress = async (
  queries: Queries,
  emailKey: string,
  provider: string,
): Promise<Omit<Nudge, 'renewPush'>[]> =>
  (await queries.all(watched, [emailKey, provider])).map((row) => ({
    applicationId: row.application_id,
    grantId: row.id,
  }))
