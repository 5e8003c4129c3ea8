// A moment, and the time zone it was written in.
import type { Zone } from './zones.ts'

export interface EventTime {
  /** Milliseconds; for an all-day event, midnight in its zone. */
  readonly ms: number
  readonly zone: Zone
}

const timestamp = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i

/** Milliseconds of a timestamp. Without an offset, it is read as wall time in `zone`. Undefined for invalid text. */
export function parseTimestamp(text: string, zone: Zone): number | undefined {
  const match = timestamp.exec(text.trim())
  if (match === null) return undefined
  const [, date, clock = '00:00:00', offset] = match
  try {
    if (offset !== undefined) return Temporal.Instant.from(`${date}T${clock}${offset}`).epochMilliseconds
    return Temporal.PlainDateTime.from(`${date}T${clock}`).toZonedDateTime(zone.iana).epochMilliseconds
  } catch {
    return undefined
  }
}

export function wallTime(ms: number, zone: Zone): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone.iana).toPlainDateTime()
}

export function isMidnight({ ms, zone }: EventTime): boolean {
  return wallTime(ms, zone).toPlainTime().equals(Temporal.PlainTime.from('00:00'))
}
