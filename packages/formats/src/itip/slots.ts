/** Converts a slot as another calendar writes it: in UTC, in a zone under any name, or as a day. */

import { basicDate, basicUtc, keyOfWall, type SeriesStart, startKey, wallOfKey } from '../recurrence/series.ts'
import { SECONDS_PER_DAY } from '../timezones/dates.ts'
import { resolveTimeZone, wallToInstant } from '../timezones/timezones.ts'
import type { WrittenSlot } from './reading.ts'

export function slotIn(start: SeriesStart, { time, zone }: WrittenSlot): string {
  if (start.kind === 'all-day') return basicDate(time.day)
  if (time.seconds === undefined) return basicUtc(keyOfWall(start, wallOnDay(start, time.day)))
  const wall = time.day * SECONDS_PER_DAY + time.seconds
  if (time.utc) return basicUtc(wall)
  const known = zone === undefined ? undefined : resolveTimeZone(zone)
  return basicUtc(
    known === undefined || known === start.zone ? keyOfWall(start, wall) : wallToInstant(known, wall).instant,
  )
}

/** The local start time of the series on a day. */
const wallOnDay = (start: SeriesStart, day: number): number => {
  const wall = wallOfKey(start, startKey(start))
  return day * SECONDS_PER_DAY + (wall - Math.floor(wall / SECONDS_PER_DAY) * SECONDS_PER_DAY)
}
