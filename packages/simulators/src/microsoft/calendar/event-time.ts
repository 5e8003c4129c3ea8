// `dateTimeTimeZone`: a wall time and its zone. Graph returns seven fraction digits and no offset.

import { type EventTime, parseTimestamp, wallTime } from '../../shared/calendar/event-time.ts'
import { UTC, type Zone } from '../../shared/calendar/zones.ts'
import { isObject, type JsonObject } from '../../shared/http.ts'
import { GraphError } from '../errors.ts'
import { requireZone } from './zones.ts'

export function badDateTime(value: unknown): GraphError {
  return new GraphError(
    400,
    'ErrorInvalidParameter',
    `The value '${String(value)}' of parameter 'DateTimeTimeZone.DateTime' is invalid.`,
  )
}

/** Parses `{ dateTime, timeZone }`; an offset in the time takes precedence over the zone. */
export function parseEventTime(value: unknown): EventTime {
  if (!isObject(value) || typeof value.dateTime !== 'string')
    throw badDateTime(isObject(value) ? value.dateTime : value)
  const { dateTime, timeZone } = value
  const zone = typeof timeZone === 'string' && timeZone !== '' ? requireZone(timeZone) : UTC
  const ms = parseTimestamp(dateTime, zone)
  if (ms === undefined) throw badDateTime(dateTime)
  return { ms, zone }
}

/** `2026-01-02T09:00:00.0000000` */
export function formatWall(time: Temporal.PlainDateTime): string {
  return time.toString({ fractionalSecondDigits: 7 })
}

export function formatEventTime(ms: number, zone: Zone): JsonObject {
  return { dateTime: formatWall(wallTime(ms, zone)), timeZone: zone.name }
}

/** The time of an all-day event: midnight, in any zone of the response. */
export function formatDay(time: EventTime, zone: Zone): JsonObject {
  return { dateTime: formatWall(wallTime(time.ms, time.zone)), timeZone: zone.name }
}

/** `2026-01-02T09:00:00Z`, with a fraction if there is one. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString().replace(/\.?0*Z$/, 'Z')
}
