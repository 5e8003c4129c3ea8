/** Time that advances only to the next event, and random numbers that are the same for the same seed. */
import { setImmediate as drained } from 'node:timers/promises'

/** Random numbers from 0 to 1 (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Event {
  at: number
  number: number
  work(): void
}

export class VirtualTime {
  now = 1_760_000_000_000
  #events: Event[] = []
  #number = 0

  /** Runs work after a number of milliseconds; work for the same time runs in the order of the calls. */
  after(milliseconds: number, work: () => void): void {
    this.#push({ at: this.now + milliseconds, number: this.#number++, work })
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.after(milliseconds, resolve))
  }

  /** Advances time to a moment. */
  async runUntil(end: number): Promise<void> {
    for (let next = this.#events[0]; next && next.at <= end; next = this.#events[0]) {
      this.#pop()
      this.now = next.at
      next.work()
      // Promises that wait for this moment continue before anything else happens.
      await drained()
    }
    this.now = end
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#events[one], this.#events[other]]
    if (!a || !b) return a !== undefined
    return a.at < b.at || (a.at === b.at && a.number < b.number)
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#events[one], this.#events[other]]
    if (!a || !b) return
    this.#events[one] = b
    this.#events[other] = a
  }

  #push(event: Event): void {
    let at = this.#events.push(event) - 1
    for (let above = (at - 1) >> 1; at > 0 && this.#isBefore(at, above); above = (at - 1) >> 1) {
      this.#swap(at, above)
      at = above
    }
  }

  #pop(): void {
    this.#swap(0, this.#events.length - 1)
    this.#events.pop()
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const least = this.#isBefore(right, left) ? right : left
      if (least >= this.#events.length || !this.#isBefore(least, at)) return
      this.#swap(at, least)
      at = least
    }
  }
}
