/**
 * The ids of messages that were told of lately, so that none is told of twice where a provider brings one up again. They
 * are kept in the cursor of a watch as short hashes, each with the date by which it is forgotten.
 */
import { createHash } from 'node:crypto'

export interface RecentIdsLimits {
  /** Characters of a hash: as stored cursors have them. */
  hashLength: number
  /** The most that are kept; the oldest entries go first. */
  max: number
}

export class RecentIds {
  readonly #dates: Map<string, number>
  readonly #limits: RecentIdsLimits

  constructor(stored: Readonly<Record<string, number>>, limits: RecentIdsLimits) {
    this.#dates = new Map(Object.entries(stored))
    this.#limits = limits
  }

  get size(): number {
    return this.#dates.size
  }

  has(id: string): boolean {
    return this.#dates.has(this.#hash(id))
  }

  add(id: string, date: number): void {
    this.#dates.set(this.#hash(id), date)
  }

  /** Forgets what is older than a date, in the unit of those that were added, and what is too much. */
  prune(oldest: number): void {
    for (const [hash, date] of this.#dates) if (date < oldest) this.#dates.delete(hash)
    let surplus = this.#dates.size - this.#limits.max
    for (const hash of this.#dates.keys()) {
      if (surplus-- <= 0) break
      this.#dates.delete(hash)
    }
  }

  /** As it is written into a cursor. */
  stored(): Record<string, number> {
    return Object.fromEntries(this.#dates)
  }

  #hash(id: string): string {
    return createHash('sha256').update(id).digest('base64url').slice(0, this.#limits.hashLength)
  }
}
