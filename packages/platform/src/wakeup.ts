import { sleep } from './clock.ts'

/** After a write, a loop polls at its short interval for at least this long. */
const calmMs = 1_000
/**
 * The pause of a polling loop, which ends early when there is work. If the loop is notified of writes and has seen
 * none for a while, its pauses grow with the quiet time up to `maxRest` milliseconds, in case a signal was lost.
 * If `maxRest` is 0, the loop gets no signals and always polls at its normal interval.
 */
export class Wakeup {
  readonly #maxRest: () => number
  #isWoken = false
  #endRest: (() => void) | undefined
  #isLong = false
  #stirredAt = performance.now()

  constructor(maxRest: () => number = () => 0) {
    this.#maxRest = maxRest
  }

  /** Whether `wake` was called since the last `reset`. */
  get isWoken(): boolean {
    return this.#isWoken
  }

  /** Whether the next pause may be long. A caller that knows when work is due next passes that to `rest`. */
  get isCalm(): boolean {
    return !this.#isWoken && this.#maxRest() > 0 && this.#quietMs >= calmMs
  }

  get #quietMs(): number {
    return performance.now() - this.#stirredAt
  }

  /** There is work. Bound, because it is passed around as a function. */
  readonly wake = (): void => {
    this.#isWoken = true
    this.#stirredAt = performance.now()
    this.#endRest?.()
  }

  /** There may be work at the next poll, which must not be delayed. */
  readonly stir = (): void => {
    this.#stirredAt = performance.now()
    if (this.#isLong) this.#endRest?.()
  }

  /** Call at the start of a poll, which will see everything that it was woken for. */
  reset(): void {
    this.#isWoken = false
  }

  /**
   * Waits until `wake`, the time, or the signal; not at all if `wake` was called since the last `reset`. In quiet
   * times the wait is longer, but at most `next` milliseconds, if that is known.
   */
  async rest(milliseconds: number, signal: AbortSignal, next = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.#isWoken) return
    this.#isLong = this.isCalm
    const pause = new AbortController()
    this.#endRest = () => pause.abort()
    const quiet = Math.min(this.#quietMs, this.#maxRest(), next)
    await sleep(this.#isLong ? Math.max(milliseconds, quiet) : milliseconds, AbortSignal.any([signal, pause.signal]))
    this.#endRest = undefined
    this.#isLong = false
  }
}
