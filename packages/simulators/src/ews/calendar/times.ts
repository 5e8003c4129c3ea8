// Dates and times in EWS form (xs:dateTime, xs:date). A time without an offset is a wall time in the zone of the item
// or request.
import { parseTimestamp } from '../../shared/calendar/event-time.ts'
import type { Zone } from '../../shared/calendar/zones.ts'
import { schemaViolation } from '../soap/errors.ts'

/** Milliseconds; throws if the text is not a time. */
export function timeOf(text: string, zone: Zone): number {
  const ms = parseTimestamp(text, zone)
  if (ms === undefined || !text.includes('T')) {
    throw schemaViolation(`The value '${text}' is invalid according to its datatype 'dateTime'.`)
  }
  return ms
}

/** The day of an xs:date; an offset is ignored, and some clients add a time. */
export function dateOf(text: string): string | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(?:T[\d:.]+)?(?:Z|[+-]\d\d:\d\d)?$/.exec(text.trim())
  try {
    return match?.[1] === undefined ? undefined : Temporal.PlainDate.from(match[1]).toString()
  } catch {
    return undefined
  }
}

/** Midnight at the start of the day that contains a moment in a zone. */
export function midnightBefore(ms: number, { iana }: Zone): number {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(iana).startOfDay().epochMilliseconds
}

/** The moment itself if it is midnight, otherwise the next midnight. */
export function midnightAfter(ms: number, zone: Zone): number {
  const before = midnightBefore(ms, zone)
  if (before === ms) return ms
  const day = Temporal.Instant.fromEpochMilliseconds(before).toZonedDateTimeISO(zone.iana)
  return day.add({ days: 1 }).startOfDay().epochMilliseconds
}
