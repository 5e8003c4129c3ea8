/**
 * The grants that this node watches, compared with the store. A few sums per part are compared first; the grants of a
 * part are read only if its sums differ.
 */
import type { Database, Queries } from '@waypost/store/engine/database'
import { getGrant, lockGrant } from '@waypost/store/tables/grants/grants'
import {
  forgetWatch,
  listWatched,
  partCount,
  partOf,
  tallyWatched,
  type WatchAddress,
} from '@waypost/store/tables/grants/watches'
import type { Watch } from './change-reader.ts'
import type { Shards } from './shards.ts'

export interface WatchedGrantsOptions {
  database: Database
  nodeId: string
  /** Provider kinds that can report changes. */
  kinds: readonly string[]
  shards: Pick<Shards, 'epochOf'>
  started(watch: Watch): void
  stopped(watch: Watch): void
}

export class WatchedGrants {
  readonly #options: WatchedGrantsOptions
  readonly #watches = new Map<string, Watch>()
  /** The expected sums of each part if every grant is watched that should be. */
  readonly #tallies = Array.from({ length: partCount }, () => ({ grants: 0, marks: 0 }))

  constructor(options: WatchedGrantsOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#watches.size
  }

  get(grantId: string): Watch | undefined {
    return this.#watches.get(grantId)
  }

  /** Whether the watch is still current: neither replaced nor stopped. */
  isCurrent(watch: Watch): boolean {
    return this.#watches.get(watch.grantId) === watch
  }

  stopAll(): void {
    for (const watch of [...this.#watches.values()]) this.#stop(watch)
  }

  /** Stops watches of shards that this node lost or has under another lease. */
  stopForeign(): void {
    const { shards } = this.#options
    const foreign = this.#watches.values().filter((watch) => shards.epochOf(watch.shard) !== watch.epoch)
    for (const watch of [...foreign]) this.#stop(watch)
  }

  /** Starts and stops watches to match the store. */
  async compare(): Promise<void> {
    const { database, nodeId, kinds } = this.#options
    const counts = new Map((await tallyWatched(database, nodeId, kinds)).map((each) => [each.part, each]))
    for (const [part, mine] of this.#tallies.entries()) {
      const { grants, marks } = counts.get(part) ?? { grants: 0, marks: 0 }
      if (grants !== mine.grants || marks !== mine.marks) await this.#comparePart(part)
    }
  }

  async #comparePart(part: number): Promise<void> {
    const { database, nodeId, kinds, shards } = this.#options
    const found = await listWatched(database, nodeId, { kinds, part })
    const marks = new Map(found.map(({ id, watch_mark }) => [id, watch_mark]))
    const over = this.#watches
      .values()
      .filter((each) => partOf(each.shard) === part && marks.get(each.grantId) !== each.mark)
    for (const watch of [...over]) {
      this.#stop(watch)
      if (!marks.has(watch.grantId)) await forgetUnwanted(database, watch)
    }
    for (const { id, application_id, shard, watch_mark } of found) {
      const epoch = shards.epochOf(shard)
      if (epoch === undefined || this.#watches.has(id)) continue
      this.#start(newWatch({ applicationId: application_id, grantId: id, shard, epoch, mark: watch_mark }))
    }
  }

  #start(watch: Watch): void {
    this.#watches.set(watch.grantId, watch)
    this.#tally(watch, 1)
    this.#options.started(watch)
  }

  #stop(watch: Watch): void {
    this.#watches.delete(watch.grantId)
    this.#tally(watch, -1)
    this.#options.stopped(watch)
  }

  #tally({ shard, mark }: Watch, sign: 1 | -1): void {
    const counted = this.#tallies[partOf(shard)]
    if (!counted) return
    counted.grants += sign
    counted.marks += sign * mark
  }
}

const newWatch = (of: Pick<Watch, 'applicationId' | 'grantId' | 'shard' | 'epoch' | 'mark'>): Watch => ({
  ...of,
  failures: 0,
  retryAt: 0,
  syncedAt: 0,
  storedAt: 0,
  opened: undefined,
})

/** A grant that must not be watched loses its position: if it is watched again, it starts from then. */
async function forgetUnwanted(database: Database, { applicationId, grantId }: WatchAddress): Promise<void> {
  const isUnwanted = async (queries: Queries): Promise<boolean> =>
    (await getGrant(queries, applicationId, grantId))?.grant.settings.watch === false
  if (!(await isUnwanted(database))) return
  await database.transaction(async (tx) => {
    await lockGrant(tx, applicationId, grantId)
    if (await isUnwanted(tx)) await forgetWatch(tx, { applicationId, grantId })
  })
}
