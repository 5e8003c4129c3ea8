/**
 * How many requests to one destination may be under way. More, as long as each is answered about as fast as a single one
 * would be; fewer when answers take longer because there are so many, here or there; few when they fail. Where answers
 * take long because the way is long, the width grows to its limit; where they come at once, a handful is enough.
 *
 * How fast a single one would be answered is found out anew once in a while, with next to nothing else under way.
 */
export class ConcurrencyLimit {
  readonly #most: number
  #width = 4
  /** The latency of a request that waits for no other. */
  #best = Number.POSITIVE_INFINITY
  #usual = 0
  #answers = 0
  /** While finding out: the best so far. */
  #found: number | undefined

  constructor(most: number) {
    this.#most = most
  }

  get now(): number {
    return this.#found === undefined ? Math.floor(this.#width) : Math.min(narrow, Math.floor(this.#width))
  }

  answered(latencyMs: number): void {
    const latency = Math.max(latencyMs, 0.1)
    const turn = this.#answers++ % everyAnswers
    if (turn === everyAnswers - probes) this.#found = Number.POSITIVE_INFINITY
    if (this.#found !== undefined) {
      this.#found = Math.min(this.#found, latency)
      if (turn < everyAnswers - 1) return
      this.#best = this.#found
      this.#found = undefined
      return
    }
    this.#best = Math.min(this.#best, latency)
    this.#usual = this.#usual === 0 ? latency : this.#usual * 0.9 + latency * 0.1
    // How many of those under way are waiting for the others.
    const queued = this.#width * (1 - this.#best / this.#usual)
    const step = queued < 3 ? 1 : queued > 6 ? -1 : 0
    this.#width = Math.min(this.#most, Math.max(narrow, this.#width + step / this.#width))
  }

  failed(): void {
    this.#width = Math.max(1, this.#width / 2)
  }
}

const narrow = 2
const everyAnswers = 1_000
/** The first of them still find others under way. */
const probes = 50
