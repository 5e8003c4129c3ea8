/**
 * The clock behind all decisions: leases, due times, expiries. It advances with the machine's monotonic clock from a
 * time read from the store, so changing the machine's clock has no effect between two heartbeats, and with PostgreSQL
 * none at all. Every heartbeat compares it with the store's clock, which on SQLite is that of the machine. If it is
 * behind, it jumps forward. If it is ahead, it runs at half speed. It never goes backwards.
 */
import { type Clock, systemClock } from './clock.ts'

/** Sources of time, in milliseconds. */
export interface TimeSources {
  /** Advances evenly, whatever the clock is set to. It may stop while the machine sleeps. */
  monotonic(): number
  /** The machine's clock, which can be set to anything. */
  wall(): number
}

export const machineTime: TimeSources = { monotonic: () => performance.now(), wall: () => systemClock.now() }

export interface ServiceClockOptions {
  sources?: TimeSources
  /** The clock to follow. The answer may take a while. */
  reference(): Promise<number>
  /** Called once for each difference of more than a second. */
  onCorrection?(milliseconds: number): void
}

/** A larger difference is not drift: a clock was set, or the machine slept. */
const stepMs = 1_000
const samples = 3
/** A comparison with the store that takes at most this long is accurate enough to stop comparing. */
const quickMs = 2

export class ServiceClock implements Clock {
  readonly #sources: TimeSources
  readonly #options: ServiceClockOptions
  /** The time is the monotonic clock plus this offset. */
  #offset: number
  #last = 0
  /** The monotonic time of the last comparison. */
  #comparedAt: number
  #isOff = false

  /** Starts with the machine's clock. Call `begin` before any decision. */
  constructor(options: ServiceClockOptions) {
    this.#options = options
    this.#sources = options.sources ?? machineTime
    this.#comparedAt = this.#sources.monotonic()
    this.#offset = this.#sources.wall() - this.#comparedAt
  }

  now(): number {
    this.#last = Math.max(this.#last, Math.floor(this.#sources.monotonic() + this.#offset))
    return this.#last
  }

  /** How far the machine's clock is ahead of this one. */
  get machineAhead(): number {
    return this.#sources.wall() - this.now()
  }

  /** Sets the clock to the reference before it is first read. */
  async begin(): Promise<void> {
    this.#offset += await this.#difference()
  }

  /** Compares the clock with the reference. */
  async follow(): Promise<void> {
    const difference = await this.#difference()
    const now = this.#sources.monotonic()
    this.#offset += Math.max(difference, (this.#comparedAt - now) / 2)
    this.#comparedAt = now
    const isOff = Math.abs(difference) > stepMs
    if (isOff && !this.#isOff) this.#options.onCorrection?.(Math.round(difference))
    this.#isOff = isOff
  }

  /** How far the reference is ahead, from the fastest of several queries; 0 if their duration explains it. */
  async #difference(): Promise<number> {
    let best = { difference: 0, doubt: Number.POSITIVE_INFINITY }
    for (let sample = 0; sample < samples && best.doubt > quickMs; sample++) {
      const before = this.#sources.monotonic()
      const reported = await this.#options.reference()
      const after = this.#sources.monotonic()
      // The reference was read between the query and its answer, in whole milliseconds.
      const doubt = (after - before) / 2 + 1
      if (doubt < best.doubt) best = { difference: reported - this.#offset - (before + after) / 2, doubt }
    }
    return Math.abs(best.difference) <= best.doubt ? 0 : best.difference
  }
}
