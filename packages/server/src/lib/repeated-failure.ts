/** A failure that comes again and again: what failed is tried more and more rarely, and so is it told of. */
export class RepeatedFailure {
  readonly #first: number
  readonly #most: number
  #count = 0

  /** Rests of `first` milliseconds, doubled with each failure in a row up to `most`. */
  constructor({ first, most }: { first: number; most: number }) {
    this.#first = first
    this.#most = most
  }

  /** Failures in a row. */
  get count(): number {
    return this.#count
  }

  /** Notes a failure; answers whether to tell of it: the first, the second, the fourth, the eighth … */
  failed(): boolean {
    this.#count++
    return Number.isInteger(Math.log2(this.#count))
  }

  succeeded(): void {
    this.#count = 0
  }

  /** Runs what may fail again and again; tells of a failure where it is time to. */
  async attempt(work: () => Promise<void>, tell: (error: unknown) => void): Promise<void> {
    try {
      await work()
      this.succeeded()
    } catch (error) {
      if (this.failed()) tell(error)
    }
  }

  /** Milliseconds until the next try; 0 where the last one did not fail. */
  get rest(): number {
    return this.#count === 0 ? 0 : Math.min(this.#first * 2 ** (this.#count - 1), this.#most)
  }
}
