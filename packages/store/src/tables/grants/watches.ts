/**
 * The list of watched grants, and the provider's sync cursor of each. The cursor contains no mail, but it is
 * encrypted because it may contain folder names.
 */
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { dynamic, type Queries, sql } from '../../engine/database.ts'
import { nullable, number, type RowOf, table, text } from '../../engine/table.ts'
import { sealedColumn } from '../../sealing/sealed-values.ts'
import { type HeldShard, shardCount } from './watch-shards.ts'

/** Times in milliseconds. */
const watches = table('watches', {
  application_id: text,
  grant_id: text,
  sealed_cursor: text,
  /** The last time at which all changes were fetched. */
  synced_at: nullable(number),
  /** The authentication of the grant to which the cursor belongs. */
  authenticated_at: number,
  /** Earlier changes are not reported. */
  told_from: number,
})

export interface WatchRow extends Pick<RowOf<typeof watches>, 'synced_at' | 'authenticated_at' | 'told_from'> {
  /** The position at the provider. Undefined if it was altered in the store; then the watch restarts. */
  cursor: string | undefined
  /** When all mail of the account was read for the first time; null if it was not. */
  first_read_at: number | null
}

export interface WatchAddress {
  applicationId: string
  grantId: string
}

const read = sql<Omit<WatchRow, 'cursor'> & { sealed_cursor: string }>('watches.read')`
   select sealed_cursor, synced_at, authenticated_at, told_from,
   (select first_read_at from grants where application_id = $1 and id = $2) as first_read_at
   from watches where application_id = $1 and grant_id = $2`
const save = watches.upsert('save', 'grant_id, application_id')
const touch = watches.update('touch')`set synced_at = $3 where application_id = $1 and grant_id = $2 and synced_at < $3
   and exists (select 1 from watch_shards where shard = $4 and owner = $5 and epoch = $6)`
const forget = watches.delete('forget')`where application_id = $1 and grant_id = $2`
const firstRead = sql('grants.firstRead')`update grants set first_read_at = $3
   where application_id = $1 and id = $2 and first_read_at is null`
const holdGrant = sql('grants.holdWatched', { locks: ['grants'] })`select id from grants
   where application_id = $1 and id = $2 and watched = 1 and watch_mark = $3`

const contextOf = sealedColumn('watches', 'sealed_cursor')

export async function readWatch(queries: Queries, at: WatchAddress, seals: DataSeals): Promise<WatchRow | undefined> {
  const found = await queries.get(read, [at.applicationId, at.grantId])
  if (!found) return undefined
  const { sealed_cursor, ...row } = found
  await seals.learn([sealed_cursor])
  return { ...row, cursor: seals.openOrLog(sealed_cursor, contextOf(at.applicationId, at.grantId)) }
}
export function saveWatch(
  tx: Queries,
  at: WatchAddress,
  { cursor, ...row }: Omit<WatchRow, 'first_read_at'> & { cursor: string },
  seals: DataSeals,
): Promise<void> {
  const { applicationId, grantId } = at
  const sealed_cursor = seals.seal(cursor, contextOf(applicationId, grantId))
  return tx.post(...save({ ...row, application_id: applicationId, grant_id: grantId, sealed_cursor }))
}
/** Records a complete fetch, unless another node owns the shard. */
export const touchWatch = (
  queries: Queries,
  at: WatchAddress,
  by: HeldShard & { owner: string; syncedAt: number },
): Promise<number> => queries.run(touch, [at.applicationId, at.grantId, by.syncedAt, by.shard, by.owner, by.epoch])
/** Deletes the cursor, so that the next watch of the grant starts from its own time. */
export const forgetWatch = (queries: Queries, at: WatchAddress): Promise<number> =>
  queries.run(forget, [at.applicationId, at.grantId])

/** Records that all mail of an account was read. False if it was recorded before. */
export const noteFirstRead = async (tx: Queries, at: WatchAddress, now: number): Promise<boolean> =>
  (await tx.run(firstRead, [at.applicationId, at.grantId, now])) === 1

/** Whether a grant is still watched with the same mark. If so, it cannot change until the transaction ends. */
export const holdWatchedGrant = async (tx: Queries, at: WatchAddress, mark: number): Promise<boolean> =>
  (await tx.get(holdGrant, [at.applicationId, at.grantId, mark])) !== undefined

/** Shards are compared in groups, and only groups that differ are read. */
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

/** Counts per group the watched grants in a node's shards, for the kinds of provider that report changes. */
export const tallyWatched = (queries: Queries, owner: string, kinds: readonly string[]): Promise<PartTally[]> =>
  queries.all(
    dynamic<PartTally>({
      name: 'grants.tallyWatched',
      text: `select grants.shard / ${partSize} as part, count(*) as grants, sum(grants.watch_mark) as marks ${watchedBy(kinds)}
       group by grants.shard / ${partSize}`,
    }),
    [owner, ...kinds],
  )

/** The watched grants of one group. */
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
    }),
    [owner, ...kinds, part * partSize, (part + 1) * partSize],
  )
}
