/**
 * How far the changes of each watched grant are read: a cursor of its provider, never mail, but sealed, since it may name
 * folders. And which grants are watched.
 */
import type { DataSeals } from '../../../lib/crypto/data-seals.ts'
import type { SealContext } from '../../../lib/crypto/secrets.ts'
import { dynamic, type Queries, sql } from '../../engine/database.ts'
import { type HeldShard, shardCount } from './watch-shards.ts'

/** Times in milliseconds. */
export interface WatchRow {
  /** Where the provider goes on from; undefined where it was altered in the store: then it begins anew. */
  cursor: string | undefined
  /** When changes were last fetched in full. */
  synced_at: number | null
  /** The authentication of the grant that the cursor was fetched after. */
  authenticated_at: number
  /** Nothing that happened before is told. */
  told_from: number
}

export interface WatchAddress {
  applicationId: string
  grantId: string
}

const read = sql<Omit<WatchRow, 'cursor'> & { sealed_cursor: string }>({
  name: 'watches.read',
  text: 'select sealed_cursor, synced_at, authenticated_at, told_from from watches where application_id = $1 and grant_id = $2',
  reads: ['watches'],
})
const save = sql({
  name: 'watches.save',
  text: `insert into watches (application_id, grant_id, sealed_cursor, synced_at, authenticated_at, told_from)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (grant_id, application_id) do update set sealed_cursor = excluded.sealed_cursor, synced_at = excluded.synced_at,
   authenticated_at = excluded.authenticated_at, told_from = excluded.told_from`,
  writes: ['watches'],
})
const touch = sql({
  name: 'watches.touch',
  text: `update watches set synced_at = $3 where application_id = $1 and grant_id = $2 and synced_at < $3
   and exists (select 1 from watch_shards where shard = $4 and owner = $5 and epoch = $6)`,
  reads: ['watch_shards'],
  writes: ['watches'],
})
const forget = sql({
  name: 'watches.forget',
  text: 'delete from watches where application_id = $1 and grant_id = $2',
  writes: ['watches'],
})
const holdGrant = sql({
  name: 'grants.holdWatched',
  text: `select id from grants where application_id = $1 and id = $2 and watched = 1 and watch_mark = $3`,
  locks: ['grants'],
})

const contextOf = ({ applicationId, grantId }: WatchAddress): SealContext => ({
  table: 'watches',
  column: 'sealed_cursor',
  application: applicationId,
  row: grantId,
})

export async function readWatch(queries: Queries, at: WatchAddress, seals: DataSeals): Promise<WatchRow | undefined> {
  const found = await queries.get(read, [at.applicationId, at.grantId])
  if (!found) return undefined
  const { sealed_cursor, ...row } = found
  await seals.learn([sealed_cursor])
  return { ...row, cursor: seals.openOrLog(sealed_cursor, contextOf(at)) }
}
export function saveWatch(
  tx: Queries,
  at: WatchAddress,
  { cursor, ...row }: WatchRow & { cursor: string },
  seals: DataSeals,
): Promise<void> {
  const sealed = seals.seal(cursor, contextOf(at))
  return tx.post(save, [at.applicationId, at.grantId, sealed, row.synced_at, row.authenticated_at, row.told_from])
}
/** Notes that everything was fetched at a time, unless another node has the shard. */
export const touchWatch = (
  queries: Queries,
  at: WatchAddress,
  by: HeldShard & { owner: string; syncedAt: number },
): Promise<number> => queries.run(touch, [at.applicationId, at.grantId, by.syncedAt, by.shard, by.owner, by.epoch])
/** The next watch of the grant begins from then on. */
export const forgetWatch = (queries: Queries, at: WatchAddress): Promise<number> =>
  queries.run(forget, [at.applicationId, at.grantId])

/** Whether a grant is still watched, and in the same way; if so, nobody changes it before the transaction ends. */
export const holdWatchedGrant = async (tx: Queries, at: WatchAddress, mark: number): Promise<boolean> =>
  (await tx.get(holdGrant, [at.applicationId, at.grantId, mark])) !== undefined

/** Shards are compared in parts: only those in which something differs are read. */
export const partCount = 64
const partSize = shardCount / partCount
export const partOf = (shard: number): number => Math.floor(shard / partSize)

export interface PartTally {
  part: number
  grants: number
  /** The sum of their marks. */
  marks: number
}
export interface WatchedGrant {
  id: string
  application_id: string
  shard: number
  watch_mark: number
}

const watchedBy = (kinds: readonly string[]): string =>
  `from grants join watch_shards held on held.shard = grants.shard
   where held.owner = $1 and grants.watched = 1 and grants.provider in (${kinds.map((_, index) => `$${index + 2}`).join(', ')})`

/** The watched grants of a node's shards, of the kinds of provider that tell of changes: counted by part. */
export const tallyWatched = (queries: Queries, owner: string, kinds: readonly string[]): Promise<PartTally[]> =>
  queries.all(
    dynamic<PartTally>({
      name: 'grants.tallyWatched',
      text: `select grants.shard / ${partSize} as part, count(*) as grants, sum(grants.watch_mark) as marks ${watchedBy(kinds)}
       group by grants.shard / ${partSize}`,
      reads: ['grants', 'watch_shards'],
    }),
    [owner, ...kinds],
  )

/** Those of one part, one by one. */
export const listWatched = (
  queries: Queries,
  owner: string,
  { kinds, part }: { kinds: readonly string[]; part: number },
): Promise<WatchedGrant[]> => {
  const from = kinds.length + 2
  return queries.all(
    dynamic<WatchedGrant>({
      name: 'grants.listWatched',
      text: `select grants.id, grants.application_id, grants.shard, grants.watch_mark ${watchedBy(kinds)}
       and grants.shard >= $${from} and grants.shard < $${from + 1}`,
      reads: ['grants', 'watch_shards'],
    }),
    [owner, ...kinds, part * partSize, (part + 1) * partSize],
  )
}
