/** How long the supervisor waits before it replaces a process that crashed. */
import { randomInt } from 'node:crypto'

/** A process that lived this long was healthy: the next crash counts as the first. */
const healthyMs = 60_000
const firstMs = 1_000
const maxMs = 30_000
/** From this many crashes in a row on, the log says that it does not go away by itself. */
const loudFrom = 5

export interface Restart {
  /** Consecutive crashes, this one included. */
  crashes: number
  delayMs: number
  /** Whether the crashes have become a pattern that a person has to look at. */
  isLoud: boolean
}

/**
 * The crashes of one place. The first one is replaced at once. Then the delay doubles from one second to half a
 * minute, with jitter, so that processes that crash for one reason do not start at the same moment.
 */
export class Crashes {
  #count = 0
  readonly #random: () => number

  constructor(random: () => number = () => randomInt(1_000) / 1_000) {
    this.#random = random
  }

  /** Records a crash of a process that lived this long. */
  record(livedMs: number): Restart {
    this.#count = livedMs >= healthyMs ? 1 : this.#count + 1
    const wait = this.#count === 1 ? 0 : Math.min(firstMs * 2 ** (this.#count - 2), maxMs)
    return {
      crashes: this.#count,
      delayMs: Math.round(wait * (0.5 + this.#random() / 2)),
      isLoud: this.#count >= loudFrom,
    }
  }
}
