/**
 * The shards that this node has. The nodes that are seen share all of them evenly: each gives back what is beyond its
 * share, and takes what nobody has. What a dead node had is free when it is not seen any more.
 */
import type { Clock } from '../lib/clock.ts'
import type { Database } from '../store/engine/database.ts'
import { liveWatchers } from '../store/tables/applications/nodes.ts'
import {
  releaseShards,
  shardCount,
  shardsOf,
  type Tally,
  takeShards,
  tallyOf,
  tallyShards,
} from '../store/tables/grants/watch-shards.ts'

export interface Shards {
  /** The epoch under which this node has a shard, or undefined when it has not. */
  epochOf(shard: number): number | undefined
  /** Compares with the store and takes what is free. Answers the shard from which on this node has too many. */
  look(): Promise<number | undefined>
  /** Gives back what this node has from a shard on. */
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
  /** The tally of what is held; undefined where that has changed since it was counted. */
  let known: Tally | undefined

  /** What the store says counts: a node that was frozen for too long has lost its shards without hearing of it. */
  async function compare(): Promise<void> {
    const { shards, sum, products } = await tallyShards(database, nodeId)
    known ??= tallyOf(held.entries().map(([shard, epoch]) => ({ shard, epoch })))
    if (shards === known.shards && sum === known.sum && products === known.products) return
    held = new Map((await shardsOf(database, nodeId)).map(({ shard, epoch }) => [shard, epoch]))
    known = undefined
  }

  return {
    epochOf: (shard) => held.get(shard),
    async look() {
      await compare()
      const now = clock.now()
      const watchers = await liveWatchers(database, now)
      const place = watchers.indexOf(nodeId)
      // The others do not see this node: what it took would be theirs at once.
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

/** How many shards the node at a place among so many has: together they have all. */
export const shareOf = (place: number, nodes: number): number =>
  Math.floor(shardCount / nodes) + (place < shardCount % nodes ? 1 : 0)
