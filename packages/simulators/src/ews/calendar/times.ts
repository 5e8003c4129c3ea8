// Dates and times as EWS writes them (xs:dateTime, xs:date). A time without an offset is on the clock of the zone that the item
// or the request names.
import { parseTimestamp } from '../../shared/calendar/event-time.ts'
import type { Zone } from '../../shared/calendar/zones.ts'
import { schemaViolation } from '../soap/errors.ts'

/** Milliseconds; throws where it is no time. */
export function timeOf(text: string, zone: Zone): number {
  const ms = parseTimestamp(text, zone)
  if (ms === undefined || !text.includes('T')) {
    throw schemaViolation(`The value '${text}' is invalid according to its datatype 'dateTime'.`)
  }
  return ms
}

/** The day of an xs:date, whatever offset stands behind it; some clients write a time too. */
export function dateOf(text: string): string | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(?:T[\d:.]+)?(?:Z|[+-]\d\d:\d\d)?$/.exec(text.trim())
  try {
    return match?.[1] === undefined ? undefined : Temporal.PlainDate.from(match[1]).toString()
  } catch {
    return undefined
  }
}

/** Midnight of the day that a moment is on in a zone. */
export function midnightBefore(ms: number, { iana }: Zone): number {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(iana).startOfDay().epochMilliseconds
}

/** The same, or the next one where the moment is none itself. */
export function midnightAfter(ms: number, zone: Zone): number {
  const before = midnightBefore(ms, zone)
  if (before === ms) return ms
  const day = Temporal.Instant.fromEpochMilliseconds(before).toZonedDateTimeISO(zone.iana)
  return day.add({ days: 1 }).startOfDay().epochMilliseconds
}
