/**
 * The start times that a booking page offers. They do not depend on the window that a caller requests, so that a slot
 * that was offered in the view of a month is also one when it is booked.
 *
 * Starts are counted from the beginning of each open period, or from midnight if the period began on an earlier day.
 * Each step is one interval, rounded up on the local clock of the configuration.
 */
import { SECONDS_PER_DAY } from '../../formats/timezones/dates.ts'
import { dayStartOf, zoneOffset } from '../../formats/timezones/timezones.ts'
import type { Interval, Spans } from '../intervals.ts'
import { localDay } from './bookable-window.ts'

export interface Steps {
  readonly zone: string
  /** Seconds. */
  readonly interval: number
  readonly roundTo: number
}

/** The starts in open periods that lie in `within`, ascending. */
export function startTimes(open: Spans, within: Interval, steps: Steps): Float64Array {
  const starts: number[] = []
  for (let i = 0; i < open.length; i += 2) {
    for (const period of daysOf({ start: open[i], end: open[i + 1] }, steps.zone)) addStarts(starts, period, steps)
  }
  return Float64Array.from(starts.filter((start) => start >= within.start && start < within.end))
}

/** A period, cut at every local midnight. */
function* daysOf({ start, end }: Interval, zone: string): Generator<Interval> {
  let from = start
  while (from < end) {
    const midnight = dayStartOf(zone, localDay(zone, from) + 1)
    // A clock that is turned back over midnight shows it twice.
    const to = midnight > from ? Math.min(end, midnight) : end
    yield { start: from, end: to }
    from = to
  }
}

function addStarts(starts: number[], { start, end }: Interval, { zone, interval, roundTo }: Steps): void {
  for (let step = start; step < end; step += interval) {
    const rounded = roundUp(step, zone, roundTo)
    // Steps shorter than the rounding reach the same start several times.
    if (rounded < end && rounded > (starts.at(-1) ?? Number.NEGATIVE_INFINITY)) starts.push(rounded)
  }
}

/** The next moment at which the local clock shows a multiple of `roundTo` since midnight. */
function roundUp(moment: number, zone: string, roundTo: number): number {
  const offset = zoneOffset(zone, moment)
  const rest = timeOfDay(moment + offset) % roundTo
  const rounded = rest === 0 ? moment : moment + roundTo - rest
  if (zoneOffset(zone, rounded) === offset) return rounded
  // The clock changes in between, at a full minute.
  let minute = moment
  while (timeOfDay(minute + zoneOffset(zone, minute)) % roundTo !== 0) minute += 60
  return minute
}

const timeOfDay = (wall: number): number => ((wall % SECONDS_PER_DAY) + SECONDS_PER_DAY) % SECONDS_PER_DAY
