/** The tables of nodes and shards in memory: every statement takes its time, may fail, and is counted. */
import type { Database, Queries, Statement, Value } from '@waypost/store/engine/database'
import { shardCount, tallyOf } from '@waypost/store/tables/grants/watch-shards'
import type { VirtualTime } from './virtual-time.ts'

interface ShardRow {
  owner: string | null
  epoch: number
}

export class SimulatedStore {
  readonly shards: ShardRow[] = Array.from({ length: shardCount }, () => ({ owner: null, epoch: 0 }))
  readonly seenAt = new Map<string, number>()
  readonly #owned = new Map<string, Set<number>>()
  #ids: string[] | undefined
  /** Only statements about leases, not about notifications. */
  statements = 0
  /** The duration of a statement in milliseconds, or its failure. */
  latency: () => number | 'fails' = () => 1

  readonly #time: VirtualTime

  constructor(time: VirtualTime) {
    this.#time = time
  }

  /** The store as a node queries it. */
  readonly database = (): Database => {
    const ask = (statement: Statement<unknown>, values: readonly Value[] = []): Promise<unknown[]> => {
      this.statements++
      return this.#ask(() => this.#answer(statement.name, values))
    }
    const queries: Queries = {
      get: async (statement, values) => (await ask(statement, values))[0] as never,
      all: async (statement, values) => (await ask(statement, values)) as never,
      run: async (statement, values) => (await ask(statement, values)).length,
      post: async (statement, values) => void (await ask(statement, values)),
    }
    // The statements of a transaction happen at one time.
    return {
      ...queries,
      exclusively: (work: (tx: Queries) => Promise<unknown>) => work(queries),
    } as unknown as Database
  }

  /** The effect of a statement, at the time when the store executes it. */
  #ask<T>(work: () => T): Promise<T> {
    const latency = this.latency()
    return new Promise((resolve, reject) => {
      if (latency === 'fails') this.#time.after(1, () => reject(new Error('the store does not answer')))
      else this.#time.after(latency, () => resolve(work()))
    })
  }

  /** A transaction: nothing happens between its statements. */
  transaction<T>(work: () => T): Promise<T> {
    return this.#ask(work)
  }

  holds(shard: number, owner: string, epoch: number): boolean {
    const row = this.shards[shard]
    return row?.owner === owner && row.epoch === epoch
  }

  ownedBy(owner: string): Set<number> {
    const known = this.#owned.get(owner)
    if (known) return known
    const fresh = new Set<number>()
    this.#owned.set(owner, fresh)
    return fresh
  }

  #own(shard: number, owner: string | null): void {
    const row = this.shards[shard]
    if (!row) return
    if (row.owner !== null) this.ownedBy(row.owner).delete(shard)
    row.owner = owner
    if (owner !== null) this.ownedBy(owner).add(shard)
  }

  beat(id: string, now: number): void {
    if (!this.seenAt.has(id)) this.#ids = undefined
    this.seenAt.set(id, now)
  }

  #answer(name: string, values: readonly Value[]): unknown[] {
    const owner = String(values[0])
    const rowOf = (shard: number) => ({ shard, epoch: this.shards[shard]?.epoch ?? 0 })
    switch (name) {
      case 'watch_shards.tally':
        return [tallyOf([...this.ownedBy(owner)].map(rowOf))]
      case 'watch_shards.ofOwner':
        return [...this.ownedBy(owner)].map(rowOf)
      case 'nodes.live':
        this.#ids ??= [...this.seenAt.keys()].sort()
        return this.#ids
          .filter((id) => (this.seenAt.get(id) ?? 0) >= Number(values[0]))
          .map((id) => ({ id, roles: 'watcher' }))
      case 'watch_shards.take':
        return this.#take(owner, Number(values[1]), Number(values[2])).map(rowOf)
      case 'watch_shards.release': {
        const spare = [...this.ownedBy(owner)].filter((shard) => shard >= Number(values[1]))
        for (const shard of spare) this.#own(shard, null)
        return spare
      }
      default:
        throw new Error(`the simulated store does not know ${name}`)
    }
  }

  #take(owner: string, seenSince: number, atMost: number): number[] {
    const taken: number[] = []
    for (const [shard, row] of this.shards.entries()) {
      if (taken.length >= atMost) break
      if (row.owner !== null && (this.seenAt.get(row.owner) ?? 0) >= seenSince) continue
      row.epoch++
      this.#own(shard, owner)
      taken.push(shard)
    }
    return taken
  }
}
