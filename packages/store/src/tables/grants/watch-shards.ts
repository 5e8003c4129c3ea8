/**
 * Grants are distributed over a fixed number of shards, and nodes own shards instead of grants. A node owns its
 * shards while its heartbeat continues (`nodes`), so one row per node renews all of them. Each change of owner
 * increments the epoch of the shard. Every write checks the epoch, so that a former owner cannot write any more.
 */
import { hash } from 'node:crypto'
import { type Database, type Queries, sql } from '../../engine/database.ts'
import { nodeLeaseMs } from '../applications/nodes.ts'

export const shardCount = 4_096

/** A stable hash of a text, below 2^31. */
export const numberOf = (text: string): number => Number.parseInt(hash('sha256', text).slice(0, 8), 16) >>> 1

/** The shard of a grant. */
export const shardOf = (grantId: string): number => numberOf(grantId) % shardCount

export interface HeldShard {
  shard: number
  epoch: number
}

/**
 * A checksum of the shards of a node, to compare with the store. The second sum distinguishes sets with the same
 * first sum.
 */
export interface Tally {
  shards: number
  sum: number
  products: number
}

// Must match `tallyOf`. All sums stay below 2^53.
const tally = sql<Tally>('watch_shards.tally')`
   select count(*) as shards, cast(coalesce(sum(place), 0) as bigint) as sum,
   cast(coalesce(sum(place * (place % 4093)), 0) as bigint) as products
   from (select cast(epoch as bigint) % 32768 * ${shardCount} + shard as place from watch_shards where owner = $1) as held`
const ofOwner = sql<HeldShard>('watch_shards.ofOwner')`select shard, epoch from watch_shards where owner = $1`
const take = sql<HeldShard>('watch_shards.take')`update watch_shards set owner = $1, epoch = epoch + 1
   where shard in (
     select free.shard from watch_shards free left join nodes on nodes.id = free.owner and nodes.seen_at >= $2
     where nodes.id is null order by free.shard limit $3)
   returning shard, epoch`
const release = sql('watch_shards.release', { raises: ['watches'] })`update watch_shards set owner = null
   where owner = $1 and shard >= $2`
const abandon = sql('watch_shards.abandon', { raises: ['watches'] })`update watch_shards set owner = null
   where owner is not null`
const hold = sql('watch_shards.hold', { locks: ['watch_shards'] })`select shard from watch_shards
   where shard = $1 and owner = $2 and epoch = $3`

/** The number of shards of a node, and checksums of them. */
export const tallyShards = async (queries: Queries, owner: string): Promise<Tally> =>
  (await queries.get(tally, [owner])) ?? { shards: 0, sum: 0, products: 0 }

/** The tally of the shards in the memory of the node. */
export function tallyOf(held: Iterable<HeldShard>): Tally {
  const counted: Tally = { shards: 0, sum: 0, products: 0 }
  for (const { shard, epoch } of held) {
    const place = (epoch % 32_768) * shardCount + shard
    counted.shards++
    counted.sum += place
    counted.products += place * (place % 4093)
  }
  return counted
}

export const shardsOf = (queries: Queries, owner: string): Promise<HeldShard[]> => queries.all(ofOwner, [owner])

/** Takes up to `atMost` shards that no live node owns. Only one node at a time does so, which prevents deadlocks. */
export const takeShards = (
  database: Database,
  by: { owner: string; atMost: number; now: number },
): Promise<HeldShard[]> => database.exclusively((tx) => tx.all(take, [by.owner, by.now - nodeLeaseMs, by.atMost]))

/** Releases the shards of a node from a number on. */
export const releaseShards = (queries: Queries, owner: string, from: number): Promise<number> =>
  queries.run(release, [owner, from])

/** Releases all shards, when the only server of a SQLite file starts. */
export const abandonShards = (queries: Queries): Promise<number> => queries.run(abandon)

/** Whether a node still owns a shard. If so, no other node can take it until the transaction ends. */
export const holdShard = async (tx: Queries, owner: string, { shard, epoch }: HeldShard): Promise<boolean> =>
  (await tx.get(hold, [shard, owner, epoch])) !== undefined
