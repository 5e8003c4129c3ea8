/**
 * Who used a shared resource how much of late, so that whoever used it least is served next. A stranger's server whose
 * answers take seconds to read is then served after everybody else, however many requests it gets made.
 */

/** What somebody used counts half after this time. */
const HALF_LIFE_MS = 10_000
/** More owners than this are not remembered: those that used least are forgotten. */
const MAX_OWNERS = 1_000

interface Share {
  ms: number
  at: number
}

export class FairShares {
  readonly #shares = new Map<string, Share>()

  /** Somebody has used it for so long. Nobody in particular is not counted. */
  note(owner: string, ms: number): void {
    if (owner === '') return
    const now = performance.now()
    this.#shares.set(owner, { ms: this.#used(owner, now) + ms, at: now })
    if (this.#shares.size > MAX_OWNERS) this.#forget(now)
  }

  /** Of those that wait, in order, the first of whoever used least; undefined where none may be served now. */
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
