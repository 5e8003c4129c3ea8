/**
 * The shards of this node. All live nodes share the shards evenly: each node releases shards beyond its share and
 * takes free ones. Shards of a dead node become free when its heartbeat expires.
 */
import type { Clock } from '@waypost/platform/clock'
import type { Database } from '@waypost/store/engine/database'
import { liveWatchers } from '@waypost/store/tables/applications/nodes'
import {
  releaseShards,
  shardCount,
  shardsOf,
  type Tally,
  takeShards,
  tallyOf,
  tallyShards,
} from '@waypost/store/tables/grants/watch-shards'

export interface Shards {
  /** The epoch under which this node has a shard; undefined if it does not have it. */
  epochOf(shard: number): number | undefined
  /** Compares with the store and takes free shards. Returns the first shard beyond this node's share. */
  poll(): Promise<number | undefined>
  /** Releases the shards of this node from a shard on. */
  release(from: number): Promise<void>
}

export function createShards({
  database,
  clock,
  nodeId,
}: {
  database: Database
  clock: Clock
  nodeId: string
}): Shards {
  let held = new Map<number, number>()
  /** Tally of the held shards; undefined if they changed since it was counted. */
  let known: Tally | undefined

  /** The store decides: a node that was suspended for too long has lost its shards without notice. */
  async function compare(): Promise<void> {
    const { shards, sum, products } = await tallyShards(database, nodeId)
    known ??= tallyOf(held.entries().map(([shard, epoch]) => ({ shard, epoch })))
    if (shards === known.shards && sum === known.sum && products === known.products) return
    held = new Map((await shardsOf(database, nodeId)).map(({ shard, epoch }) => [shard, epoch]))
    known = undefined
  }

  return {
    epochOf: (shard) => held.get(shard),
    async poll() {
      await compare()
      const now = clock.now()
      const watchers = await liveWatchers(database, now)
      const place = watchers.indexOf(nodeId)
      // The other nodes do not see this node, so they would take its shards at once.
      if (place === -1) return undefined
      const share = shareOf(place, watchers.length)
      if (held.size < share) {
        const taken = await takeShards(database, { owner: nodeId, atMost: share - held.size, now })
        for (const { shard, epoch } of taken) held.set(shard, epoch)
        known = undefined
      }
      if (held.size <= share) return undefined
      const spare = [...held.keys()].sort((a, b) => a - b).slice(share)
      for (const shard of spare) held.delete(shard)
      known = undefined
      return spare[0]
    },
    async release(from) {
      for (const shard of held.keys()) if (shard >= from) held.delete(shard)
      known = undefined
      await releaseShards(database, nodeId, from)
    },
  }
}

/** Number of shards for the node at an index among `count` nodes; together they have all. */
export const shareOf = (place: number, nodes: number): number =>
  Math.floor(shardCount / nodes) + (place < shardCount % nodes ? 1 : 0)
