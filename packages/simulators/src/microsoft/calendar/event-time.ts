// `dateTimeTimeZone`: a wall clock time and the zone it is in. Graph answers with seven digits of fraction and no offset.

import { isObject, type JsonObject } from '../../shared/http.ts'
import { GraphError } from '../errors.ts'
import { requireZone, UTC, type Zone } from './zones.ts'

export interface EventTime {
  /** Milliseconds; of an all-day event midnight in its zone. */
  readonly ms: number
  readonly zone: Zone
}

const TIMESTAMP = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i

export function badDateTime(value: unknown): GraphError {
  return new GraphError(
    400,
    'ErrorInvalidParameter',
    `The value '${String(value)}' of parameter 'DateTimeTimeZone.DateTime' is invalid.`,
  )
}

/** Reads `{ dateTime, timeZone }`; an offset in the time counts before the zone. */
export function parseEventTime(value: unknown): EventTime {
  if (!isObject(value) || typeof value.dateTime !== 'string')
    throw badDateTime(isObject(value) ? value.dateTime : value)
  const { dateTime, timeZone } = value
  const zone = typeof timeZone === 'string' && timeZone !== '' ? requireZone(timeZone) : UTC
  const ms = parseTimestamp(dateTime, zone)
  if (ms === undefined) throw badDateTime(dateTime)
  return { ms, zone }
}

/** Milliseconds of a time on the clock of `zone`, or of its own offset; undefined where it is no time. */
export function parseTimestamp(text: string, zone: Zone): number | undefined {
  const match = TIMESTAMP.exec(text.trim())
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

/** `2026-01-02T09:00:00.0000000` */
export function formatWall(time: Temporal.PlainDateTime): string {
  return time.toString({ fractionalSecondDigits: 7 })
}

export function formatEventTime(ms: number, zone: Zone): JsonObject {
  return { dateTime: formatWall(wallTime(ms, zone)), timeZone: zone.name }
}

/** The time of an all-day event: its midnight, in whatever zone the answer is. */
export function formatDay(time: EventTime, zone: Zone): JsonObject {
  return { dateTime: formatWall(wallTime(time.ms, time.zone)), timeZone: zone.name }
}

export function isMidnight({ ms, zone }: EventTime): boolean {
  return wallTime(ms, zone).toPlainTime().equals(Temporal.PlainTime.from('00:00'))
}

/** `2026-01-02T09:00:00Z`, with a fraction where there is one. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString().replace(/\.?0*Z$/, 'Z')
}
