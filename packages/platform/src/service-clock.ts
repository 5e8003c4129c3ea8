/**
 * The clock behind all decisions: leases, due times, expiries. It advances with the machine's monotonic clock from a
 * time read from the store, so changing the machine's clock has no effect. It never goes backwards.
 *
 * Every heartbeat compares it with the store's clock. The difference is only known to within half the duration of the
 * query, and smaller differences are ignored. If the clock is behind, it jumps forward. If it is ahead, it runs at
 * half speed until the store's clock has caught up.
 *
 * If the store has no clock of its own (SQLite), a change of the machine's clock by more than a second is followed
 * only after it has lasted ten minutes: corrections by an operator last, accidents usually do not. Sleep is
 * different: the monotonic clock stops while the machine sleeps, but its uptime does not.
 */
import { uptime } from 'node:os'
import { type Clock, systemClock } from './clock.ts'

/** Sources of time, in milliseconds. */
export interface TimeSources {
  /** Advances evenly, whatever the clock is set to. It may stop while the machine sleeps. */
  monotonic(): number
  /** The machine's clock, which can be set to anything. */
  wall(): number
  /** Time since the machine started, including sleep. */
  uptime(): number
}

export const machineTime: TimeSources = {
  monotonic: () => performance.now(),
  wall: () => systemClock.now(),
  uptime: () => uptime() * 1000,
}

export type Correction =
  /** The clock jumped forward, or runs slower until it is right. */
  | { what: 'corrected'; milliseconds: number }
  /** The machine's clock was changed, and the change is not followed for now. */
  | { what: 'held'; milliseconds: number }
  /** The machine slept. */
  | { what: 'slept'; milliseconds: number }

export interface ServiceClockOptions {
  sources?: TimeSources
  /** The clock to follow. The answer may take a while. */
  reference(): Promise<number>
  /** How long a difference of more than a second must last before it is followed. */
  settleMs: number
  /** Called once for each difference of more than a second. */
  onCorrection?(correction: Correction): void
}

/** A larger difference is not drift: the clock was set, or the machine slept. */
const stepMs = 1_000
const samples = 3
/** A comparison with the store that takes at most this long is accurate enough to stop comparing. */
const quickMs = 2

export class ServiceClock implements Clock {
  readonly #sources: TimeSources
  readonly #options: ServiceClockOptions
  /** The correct time is the monotonic clock plus this offset. The clock shows that plus the remaining lead. */
  #offset: number
  #ahead = { from: 0, by: 0 }
  #last = 0
  /** Offsets of the machine's other clocks to the monotonic one at the last reading. */
  #wallOffset: number
  #uptimeOffset: number
  #held: { by: number; since: number } | undefined

  /** Starts with the machine's clock. Call `begin` before any decision. */
  constructor(options: ServiceClockOptions) {
    this.#options = options
    this.#sources = options.sources ?? machineTime
    const monotonic = this.#sources.monotonic()
    this.#offset = this.#wallOffset = this.#sources.wall() - monotonic
    this.#uptimeOffset = this.#sources.uptime() - monotonic
  }

  now(): number {
    const monotonic = this.#sources.monotonic()
    // Reading the uptime is slower and needed only in this case.
    if (Math.abs(this.#sources.wall() - monotonic - this.#wallOffset) > stepMs) this.#countSleep(monotonic)
    this.#last = Math.max(this.#last, Math.floor(this.#at(monotonic)))
    return this.#last
  }

  /** How far the machine's clock is ahead of this one. */
  get machineAhead(): number {
    return this.#sources.wall() - this.now()
  }

  /** Sets the clock to the reference before it is first read. */
  async begin(): Promise<void> {
    const { difference } = await this.#compare()
    this.#offset += difference
  }

  /** Compares the clock with the reference. */
  async follow(): Promise<void> {
    const { difference, doubt } = await this.#compare()
    if (Math.abs(difference) <= doubt) {
      this.#held = undefined
      return
    }
    if (Math.abs(difference) > stepMs && !this.#hasSettled(difference)) return
    this.#held = undefined
    this.#correct(difference)
    if (Math.abs(difference) > stepMs) this.#tell('corrected', difference)
  }

  #at(monotonic: number): number {
    const left = Math.max(0, this.#ahead.by - (monotonic - this.#ahead.from) / 2)
    return monotonic + this.#offset + left
  }

  /** How far the reference is ahead, from the fastest of several queries, and the uncertainty. */
  async #compare(): Promise<{ difference: number; doubt: number }> {
    let best = { difference: 0, doubt: Number.POSITIVE_INFINITY }
    for (let sample = 0; sample < samples && best.doubt > quickMs; sample++) {
      const before = this.#sources.monotonic()
      const reported = await this.#options.reference()
      const after = this.#sources.monotonic()
      // The reference was read between the query and its answer, in whole milliseconds.
      const doubt = (after - before) / 2 + 1
      if (doubt < best.doubt) best = { difference: reported - this.#offset - (before + after) / 2, doubt }
    }
    return best
  }

  #hasSettled(difference: number): boolean {
    const now = this.#sources.monotonic()
    if (this.#options.settleMs === 0) return true
    if (!this.#held || Math.abs(difference - this.#held.by) > stepMs) {
      this.#held = { by: difference, since: now }
      this.#tell('held', difference)
    }
    return now - this.#held.since >= this.#options.settleMs
  }

  #correct(difference: number): void {
    const monotonic = this.#sources.monotonic()
    const shown = this.#at(monotonic)
    this.#offset += difference
    this.#ahead = { from: monotonic, by: Math.max(0, shown - monotonic - this.#offset) }
  }

  #countSleep(monotonic: number): void {
    this.#wallOffset = this.#sources.wall() - monotonic
    const offset = this.#sources.uptime() - monotonic
    const slept = offset - this.#uptimeOffset
    this.#uptimeOffset = offset
    if (slept <= stepMs) return
    this.#offset += slept
    this.#tell('slept', slept)
  }

  #tell(what: Correction['what'], milliseconds: number): void {
    this.#options.onCorrection?.({ what, milliseconds: Math.round(milliseconds) })
  }
}
