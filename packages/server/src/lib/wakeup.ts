import { sleep } from './clock.ts'

/** The rest of a loop between two looks, which ends early when there is something to do. */
export class Wakeup {
  #isWoken = false
  #endRest: (() => void) | undefined

  /** Whether it was woken since the last `reset`. */
  get isWoken(): boolean {
    return this.#isWoken
  }

  /** There is something to do. Bound, because it is handed on as a function. */
  readonly wake = (): void => {
    this.#isWoken = true
    this.#endRest?.()
  }

  /** A look begins that sees whatever it was woken for. */
  reset(): void {
    this.#isWoken = false
  }

  /** Rests until it is woken, the time is over or the signal aborts; not at all where it was woken since the last `reset`. */
  async rest(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (this.#isWoken) return
    const pause = new AbortController()
    this.#endRest = () => pause.abort()
    await sleep(milliseconds, AbortSignal.any([signal, pause.signal]))
    this.#endRest = undefined
  }
}
