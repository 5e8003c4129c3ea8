/**
 * Messages that wait for the confirmation of the broker, in the order in which they were sent. If one waits too long,
 * the broker hangs, and the whole connection is given up.
 */
import { EgressError } from '@waypost/platform/egress/egress'

interface Entry<T> {
  readonly waiting: T
  readonly until: number
}

/** How much later than its deadline a hanging broker may be noticed. */
const pollMs = 250

export class Outstanding<T extends { readonly bytes: number }> {
  readonly #entries = new Map<number, Entry<T>>()
  readonly #host: string
  readonly #onLate: (error: EgressError) => void
  #last = 0
  #timer: NodeJS.Timeout | undefined

  constructor(host: string, onLate: (error: EgressError) => void) {
    this.#host = host
    this.#onLate = onLate
  }

  get size(): number {
    return this.#entries.size
  }

  /** The number of the message: 1 for the first one of the connection, then counting. */
  add(waiting: T, until: number): number {
    this.#last += 1
    this.#entries.set(this.#last, { waiting, until })
    this.#timer ??= setInterval(() => this.#poll(), pollMs).unref()
    return this.#last
  }

  *each(): Generator<T> {
    for (const { waiting } of this.#entries.values()) yield waiting
  }

  /** The size of the largest one. */
  get maxBytes(): number {
    return Math.max(0, ...this.#entries.values().map(({ waiting }) => waiting.bytes))
  }

  take(number: number): T | undefined {
    const entry = this.#entries.get(number)
    this.#entries.delete(number)
    return entry?.waiting
  }

  /** All up to and including this number. */
  takeUpTo(number: number): T[] {
    const taken: T[] = []
    for (const [each, { waiting }] of this.#entries) {
      if (each > number) break
      this.#entries.delete(each)
      taken.push(waiting)
    }
    return taken
  }

  takeIf(isWanted: (waiting: T) => boolean): T[] {
    const taken: T[] = []
    for (const [each, { waiting }] of this.#entries) {
      if (!isWanted(waiting)) continue
      this.#entries.delete(each)
      taken.push(waiting)
    }
    return taken
  }

  takeAll(): T[] {
    clearInterval(this.#timer)
    this.#timer = undefined
    return this.takeUpTo(Number.POSITIVE_INFINITY)
  }

  #poll(): void {
    if (this.#entries.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    const now = performance.now()
    for (const { until } of this.#entries.values()) {
      if (until > now) continue
      this.#onLate(new EgressError('timeout', `${this.#host} did not confirm in time; check that it is healthy`))
      return
    }
  }
}
