/**
 * How long readers of the stream wait between two looks. Where the store signals new notifications, they look at once, a
 * few times more, because PostgreSQL shows a notification when every older transaction has ended, and rarely otherwise.
 * Where it does not, they look often.
 */
import type { WorkSignals } from '@waypost/store/engine/work-signals'

const oftenMs = 250
/** After a signal, until `settlingMs` have passed. */
const settlingPollMs = 150
const settlingMs = 2_000
/** For signals that were lost, and for nodes of a version that sends none. */
const rarelyMs = 2_000
/** The shortest time between two looks, however many signals arrive. */
const leastMs = 20

export class StreamWakes {
  readonly #signals: Pick<WorkSignals, 'on' | 'listen' | 'maxRest'> | undefined
  readonly #waiting = new Set<() => void>()
  #wokenAt = Number.NEGATIVE_INFINITY
  #isListening = false

  constructor(signals?: Pick<WorkSignals, 'on' | 'listen' | 'maxRest'>) {
    this.#signals = signals
    signals?.on({ stream: () => this.#wake() })
  }

  /** Whether an answer of the store from this time may miss what was signalled since, or is too old. */
  isOld(requestedAt: number): boolean {
    const age = performance.now() - requestedAt
    return age >= oftenMs / 2 || (requestedAt <= this.#wokenAt && age >= leastMs)
  }

  /** Resolves when it is time to look, at the latest after `maxMs`. `since` is when the caller looked before. */
  async rest(since: number, maxMs: number, signal: AbortSignal): Promise<void> {
    // A node that only answers requests hears of other nodes from the first reader on.
    if (!this.#isListening) {
      this.#isListening = true
      this.#signals?.listen()
    }
    const isMissed = this.#wokenAt >= since
    const restMs = isMissed ? leastMs : this.#restMs()
    await new Promise<void>((resolve) => {
      const go = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', go)
        this.#waiting.delete(go)
        resolve()
      }
      const timer = setTimeout(go, Math.min(restMs, maxMs))
      if (!isMissed) this.#waiting.add(go)
      signal.addEventListener('abort', go, { once: true })
      if (signal.aborted) go()
    })
  }

  #restMs(): number {
    if (!this.#signals || this.#signals.maxRest() === 0) return oftenMs
    return performance.now() - this.#wokenAt < settlingMs ? settlingPollMs : rarelyMs
  }

  #wake(): void {
    this.#wokenAt = performance.now()
    for (const go of [...this.#waiting]) go()
  }
}
