/**
 * The start times that a booking page offers. They do not depend on the window that a caller requests, so that a slot
 * that was offered in the view of a month is also one when it is booked.
 *
 * Starts are counted from the beginning of each open period, or from midnight if the period began on an earlier day.
 * Each step is one interval, rounded up on the local clock of the configuration.
 */

import type { Configuration } from '@waypost/contract'
import { SECONDS_PER_DAY } from '@waypost/formats/timezones/dates'
import { dayStartOf, instantToWall, zoneOffset } from '@waypost/formats/timezones/timezones'
import type { Interval, Spans } from '../intervals.ts'
import { zoneOfConfiguration } from './effective-hours.ts'

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

// Which starts a configuration allows: not too soon, not too late, and inside the window that the caller requests.

const defaultNoticeMinutes = 60
const defaultDays = 30

/** The number of the local day of a moment. */
export const localDay = (zone: string, moment: number): number =>
  Math.floor(instantToWall(zone, moment) / SECONDS_PER_DAY)

/**
 * The moments at which a meeting may start, as seen at `now` (all in Unix seconds). The last day counts completely: it
 * ends at midnight in the zone of the configuration. With 30 days, that is the end of the thirtieth day after today.
 */
export function allowedStarts(
  { scheduler, event_booking }: Pick<Configuration, 'scheduler' | 'event_booking'>,
  now: number,
): Interval {
  const zone = zoneOfConfiguration({ event_booking })
  const days = scheduler.available_days_in_future ?? defaultDays
  return {
    start: now + (scheduler.min_booking_notice ?? defaultNoticeMinutes) * 60,
    end: dayStartOf(zone, localDay(zone, now) + days + 1),
  }
}

/** The part that two intervals share; undefined if there is none. */
export function sharedPart(a: Interval, b: Interval): Interval | undefined {
  const start = Math.max(a.start, b.start)
  const end = Math.min(a.end, b.end)
  return start < end ? { start, end } : undefined
}

/** The whole local days that an interval touches. */
export const wholeDays = ({ start, end }: Interval, zone: string): Interval => ({
  start: dayStartOf(zone, localDay(zone, start)),
  end: dayStartOf(zone, localDay(zone, end - 1) + 1),
})
