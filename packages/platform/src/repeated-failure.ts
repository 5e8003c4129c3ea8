/** Retries and log entries of a repeated failure become less and less frequent. */
export class RepeatedFailure {
  readonly #first: number
  readonly #max: number
  #count = 0

  /** The delay starts at `first` milliseconds and doubles with each consecutive failure, up to `max`. */
  constructor({ first, max }: { first: number; max: number }) {
    this.#first = first
    this.#max = max
  }

  /** Number of consecutive failures. */
  get count(): number {
    return this.#count
  }

  /** Records a failure. Returns whether to report it: the first, second, fourth, eighth and so on. */
  failed(): boolean {
    this.#count++
    return Number.isInteger(Math.log2(this.#count))
  }

  succeeded(): void {
    this.#count = 0
  }

  /** Runs work that may fail, and reports a failure if it is due. */
  async attempt(work: () => Promise<void>, tell: (error: unknown) => void): Promise<void> {
    try {
      await work()
      this.succeeded()
    } catch (error) {
      if (this.failed()) tell(error)
    }
  }

  /** Milliseconds until the next attempt. 0 after a success. */
  get rest(): number {
    return this.#count === 0 ? 0 : Math.min(this.#first * 2 ** (this.#count - 1), this.#max)
  }
}
