/**
 * The ids of recently notified messages, so that none is notified twice if a provider reports it again. The cursor of
 * a watch stores them as short hashes, each with the date until which it is needed.
 */
import { createHash } from 'node:crypto'

export interface RecentIdsLimits {
  /** The length of a hash, as stored cursors have it. */
  hashLength: number
  /** The maximum number; the oldest entries are dropped first. */
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

  delete(id: string): void {
    this.#dates.delete(this.#hash(id))
  }

  /** Drops entries older than a date, in the unit of the added dates, and entries beyond the maximum. */
  prune(oldest: number): void {
    for (const [hash, date] of this.#dates) if (date < oldest) this.#dates.delete(hash)
    let surplus = this.#dates.size - this.#limits.max
    for (const hash of this.#dates.keys()) {
      if (surplus-- <= 0) break
      this.#dates.delete(hash)
    }
  }

  /** As it is stored in a cursor. */
  stored(): Record<string, number> {
    return Object.fromEntries(this.#dates)
  }

  #hash(id: string): string {
    return createHash('sha256').update(id).digest('base64url').slice(0, this.#limits.hashLength)
  }
}
