/**
 * Limits the number of concurrent requests to one destination. The limit grows as long as each request is answered
 * about as fast as a single one would be. It shrinks when responses take longer because of the concurrency, and
 * becomes small on failures. Over a slow network it reaches its maximum. For fast responses, a handful is enough.
 *
 * The latency of a single request is measured again from time to time, with almost nothing else in flight.
 */
export class ConcurrencyLimit {
  readonly #max: number
  #width = 4
  /** The latency of a request that waits for no other. */
  #best = Number.POSITIVE_INFINITY
  #usual = 0
  #answers = 0
  /** The best latency of the current measurement. */
  #found: number | undefined

  constructor(max: number) {
    this.#max = max
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
    // The estimated number of requests that wait for others.
    const queued = this.#width * (1 - this.#best / this.#usual)
    const step = queued < 3 ? 1 : queued > 6 ? -1 : 0
    this.#width = Math.min(this.#max, Math.max(narrow, this.#width + step / this.#width))
  }

  failed(): void {
    this.#width = Math.max(1, this.#width / 2)
  }
}

const narrow = 2
const everyAnswers = 1_000
/** The first of them still run concurrently with earlier requests. */
const probes = 50
