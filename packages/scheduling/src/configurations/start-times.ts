/**
 * The start times that a booking page offers. They do not depend on the window that a caller requests, so that a slot
 * that was offered in the view of a month is also one when it is booked.
 *
 * Starts are counted from the beginning of each open period, or from midnight if the period began on an earlier day.
 * Each step is one interval, rounded up on the local clock of the configuration.
 */
import { SECONDS_PER_DAY } from '@waypost/formats/timezones/dates'
import { dayStartOf, zoneOffset } from '@waypost/formats/timezones/timezones'
import type { Interval, Spans } from '../intervals.ts'
import { localDay } from './bookable-window.ts'

export interface Steps {
  readonly zone: string
  /** Seconds. */
  readonly interval: number
  readonly roundTo: number
}

/** Starts, ascending, and the number of the local day of each. */
export interface Grid {
  readonly starts: Float64Array
  readonly days: Int32Array
}

/** The starts in open periods that lie in `within`. */
export function startTimes(open: Spans, within: Interval, steps: Steps): Grid {
  const starts: number[] = []
  const days: number[] = []
  for (let i = 0; i < open.length; i += 2) {
    for (const period of daysOf({ start: open[i], end: open[i + 1] }, steps.zone)) {
      addStarts(starts, { ...period, within }, steps)
      while (days.length < starts.length) days.push(period.day)
    }
  }
  return { starts: new Float64Array(starts), days: new Int32Array(days) }
}

/** A period, cut at every local midnight. */
function* daysOf({ start, end }: Interval, zone: string): Generator<Interval & { day: number }> {
  let from = start
  while (from < end) {
    const day = localDay(zone, from)
    const midnight = dayStartOf(zone, day + 1)
    // A clock that is turned back over midnight shows it twice.
    const to = midnight > from ? Math.min(end, midnight) : end
    yield { start: from, end: to, day }
    from = to
  }
}

function addStarts(
  starts: number[],
  { start, end, within }: Interval & { within: Interval },
  { zone, interval, roundTo }: Steps,
): void {
  const offset = zoneOffset(zone, start)
  const isSteady = zoneOffset(zone, end) === offset
  // Small numbers, because the remainder of large ones is slow.
  const opening = timeOfDay(start + offset)
  const length = Math.min(end, within.end) - start
  let last = -1
  for (let step = 0; step < length; step += interval) {
    const rest = (opening + step) % roundTo
    const rounded = isSteady ? step + (rest === 0 ? 0 : roundTo - rest) : roundedUp(zone, start + step, roundTo) - start
    if (rounded >= length) return
    // Steps shorter than the rounding reach the same start several times.
    if (rounded > last && start + rounded >= within.start) starts.push(start + rounded)
    last = rounded
  }
}

const timeOfDay = (wall: number): number => ((wall % SECONDS_PER_DAY) + SECONDS_PER_DAY) % SECONDS_PER_DAY

/** The next moment at which the local clock shows a multiple of `roundTo` since midnight. It changes at full minutes. */
function roundedUp(zone: string, moment: number, roundTo: number): number {
  let minute = moment
  while (timeOfDay(minute + zoneOffset(zone, minute)) % roundTo !== 0) minute += 60
  return minute
}
