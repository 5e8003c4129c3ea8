/**
 * Counts how long each owner has used a shared resource, recent use most, so that the owner with the shortest use is
 * served next. A hostile server whose answers take seconds to read then waits for all others, however many it sends.
 */

/** After this time, use counts half. */
const HALF_LIFE_MS = 10_000
/** At most this many owners are counted. Beyond that, those with the shortest use are dropped. */
const MAX_OWNERS = 1_000

interface Share {
  ms: number
  at: number
}

export class FairShares {
  readonly #shares = new Map<string, Share>()

  /** Adds to the time that an owner has used the resource. Work without an owner is not counted. */
  note(owner: string, ms: number): void {
    if (owner === '') return
    const now = performance.now()
    this.#shares.set(owner, { ms: this.#used(owner, now) + ms, at: now })
    if (this.#shares.size > MAX_OWNERS) this.#forget(now)
  }

  /** The first waiting entry of the owner with the least use; undefined if no owner may be served now. */
  leastServed<T extends { readonly owner: string }>(
    waiting: Iterable<T>,
    mayBeServed: (owner: string) => boolean,
  ): T | undefined {
    const now = performance.now()
    let found: T | undefined
    let least = Number.POSITIVE_INFINITY
    for (const each of waiting) {
      const used = this.#used(each.owner, now)
      if (used >= least || !mayBeServed(each.owner)) continue
      found = each
      least = used
      if (used === 0) break
    }
    return found
  }

  #used(owner: string, now: number): number {
    const share = this.#shares.get(owner)
    return share === undefined ? 0 : share.ms * 0.5 ** ((now - share.at) / HALF_LIFE_MS)
  }

  #forget(now: number): void {
    const owners = [...this.#shares.keys()].toSorted((a, b) => this.#used(a, now) - this.#used(b, now))
    for (const owner of owners.slice(0, MAX_OWNERS / 2)) this.#shares.delete(owner)
  }
}
