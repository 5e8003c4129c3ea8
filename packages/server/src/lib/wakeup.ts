import { sleep } from './clock.ts'

/** What was written lately is worked on by looking often: for so long at least. */
const calmMs = 1_000
/**
 * The rest of a loop between two looks, which ends early when there is something to do. Where the loop hears of what is
 * written and nothing was for a while, it rests as long again as it was quiet, to `longestRest` milliseconds, in case that
 * it did not hear of something; where it does not hear, which is 0, it looks as often as it says.
 */
export class Wakeup {
  readonly #longestRest: () => number
  #isWoken = false
  #endRest: (() => void) | undefined
  #isLong = false
  #stirredAt = performance.now()

  constructor(longestRest: () => number = () => 0) {
    this.#longestRest = longestRest
  }

  /** Whether it was woken since the last `reset`. */
  get isWoken(): boolean {
    return this.#isWoken
  }

  /** Whether the next rest may be long: who knows when there is something to do next says so to `rest`. */
  get isCalm(): boolean {
    return !this.#isWoken && this.#longestRest() > 0 && this.#quietMs >= calmMs
  }

  get #quietMs(): number {
    return performance.now() - this.#stirredAt
  }

  /** There is something to do. Bound, because it is handed on as a function. */
  readonly wake = (): void => {
    this.#isWoken = true
    this.#stirredAt = performance.now()
    this.#endRest?.()
  }

  /** There may be something to do by the next look, which is not put off. */
  readonly stir = (): void => {
    this.#stirredAt = performance.now()
    if (this.#isLong) this.#endRest?.()
  }

  /** A look begins that sees whatever it was woken for. */
  reset(): void {
    this.#isWoken = false
  }

  /**
   * Rests until it is woken, the time is over or the signal aborts; not at all where it was woken since the last `reset`.
   * Where all is calm the time is longer, but not beyond `next`, in milliseconds from now, if that is known.
   */
  async rest(milliseconds: number, signal: AbortSignal, next = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.#isWoken) return
    this.#isLong = this.isCalm
    const pause = new AbortController()
    this.#endRest = () => pause.abort()
    const quiet = Math.min(this.#quietMs, this.#longestRest(), next)
    await sleep(this.#isLong ? Math.max(milliseconds, quiet) : milliseconds, AbortSignal.any([signal, pause.signal]))
    this.#endRest = undefined
    this.#isLong = false
  }
}
