/** Which starts a configuration allows: not too soon, not too late, and inside the window that the caller requests. */
import type { Configuration } from '@waypost/contract'
import { SECONDS_PER_DAY } from '@waypost/formats/timezones/dates'
import { dayStartOf, instantToWall } from '@waypost/formats/timezones/timezones'
import type { Interval } from '../intervals.ts'
import { zoneOfConfiguration } from './effective-hours.ts'

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
