/**
 * The clock that decides everything: leases, due times, expiries. It counts with the monotonic clock of the machine, from
 * a time that the store told, so that a step of the machine's clock changes nothing. It never goes backwards.
 *
 * With every heartbeat it is compared with the store's clock. The difference is known but for half of what the question
 * took, and within that nothing is changed. Where it is behind, it goes forward at once; where it is ahead, it runs at half
 * its pace until the store's clock has caught up.
 *
 * Where the store has no clock but the machine's (SQLite), a step of more than a second is followed only when it has stood
 * for ten minutes: an operator's correction lasts, an accident mostly does not. A machine that slept is another matter: the
 * monotonic clock stands still meanwhile, and the time since the machine started does not.
 */
import { uptime } from 'node:os'
import { type Clock, systemClock } from './clock.ts'

/** Where time comes from, in milliseconds. */
export interface TimeSources {
  /** Goes forward at an even pace whatever is set; it may stand still while the machine sleeps. */
  monotonic(): number
  /** What the machine's clock shows, which may be set to anything. */
  wall(): number
  /** Since the machine started, its sleep included. */
  uptime(): number
}

export const machineTime: TimeSources = {
  monotonic: () => performance.now(),
  wall: () => systemClock.now(),
  uptime: () => uptime() * 1000,
}

export type Correction =
  /** The clock went forward at once, or goes slower until it is right. */
  | { what: 'corrected'; milliseconds: number }
  /** The machine's clock was set, and is not followed for now. */
  | { what: 'held'; milliseconds: number }
  /** The machine slept. */
  | { what: 'slept'; milliseconds: number }

export interface ServiceClockOptions {
  sources?: TimeSources
  /** What the clock follows; it may take a while to answer. */
  reference(): Promise<number>
  /** How long a difference of more than a second must stand before it is followed. */
  settleMs: number
  /** Hears of differences of more than a second, once each. */
  onCorrection?(correction: Correction): void
}

/** More than this is no drift: somebody set a clock, or a machine slept. */
const stepMs = 1_000
const samples = 3
/** A comparison with the store that took no longer is exact enough: no other is made. */
const quickMs = 2

export class ServiceClock implements Clock {
  readonly #sources: TimeSources
  readonly #options: ServiceClockOptions
  /** The right time is the monotonic clock's plus this; it shows that, and what is left of being ahead. */
  #offset: number
  #ahead = { from: 0, by: 0 }
  #last = 0
  /** How the other clocks of the machine stood to the monotonic one when that was looked at last. */
  #wallOffset: number
  #uptimeOffset: number
  #held: { by: number; since: number } | undefined

  /** Begins with the machine's clock; `follow` before anything is decided. */
  constructor(options: ServiceClockOptions) {
    this.#options = options
    this.#sources = options.sources ?? machineTime
    const monotonic = this.#sources.monotonic()
    this.#offset = this.#wallOffset = this.#sources.wall() - monotonic
    this.#uptimeOffset = this.#sources.uptime() - monotonic
  }

  now(): number {
    const monotonic = this.#sources.monotonic()
    // Asking for the time since the start of the machine costs more, and is needed only then.
    if (Math.abs(this.#sources.wall() - monotonic - this.#wallOffset) > stepMs) this.#countSleep(monotonic)
    this.#last = Math.max(this.#last, Math.floor(this.#at(monotonic)))
    return this.#last
  }

  /** How far the machine's own clock is ahead of this one. */
  get machineAhead(): number {
    return this.#sources.wall() - this.now()
  }

  /** Takes over what the reference shows, before the clock has told anybody the time. */
  async begin(): Promise<void> {
    const { difference } = await this.#compare()
    this.#offset += difference
  }

  /** Compares the clock with the reference anew. */
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

  /** How far the reference is ahead, by the question that took the least, and by how much that may be wrong. */
  async #compare(): Promise<{ difference: number; doubt: number }> {
    let best = { difference: 0, doubt: Number.POSITIVE_INFINITY }
    for (let sample = 0; sample < samples && best.doubt > quickMs; sample++) {
      const before = this.#sources.monotonic()
      const told = await this.#options.reference()
      const after = this.#sources.monotonic()
      // It was told somewhere between the question and the answer, in whole milliseconds.
      const doubt = (after - before) / 2 + 1
      if (doubt < best.doubt) best = { difference: told - this.#offset - (before + after) / 2, doubt }
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
