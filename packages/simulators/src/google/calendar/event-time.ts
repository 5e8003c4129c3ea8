// The time of an event: a day, or an instant with its original time zone. A day becomes an instant only in the time
// zone of the calendar that contains it.

import { isObject } from '../../shared/http.ts'
import { GoogleError } from '../errors.ts'

export type EventTime = DayTime | InstantTime

export interface DayTime {
  readonly date: string
}

export interface InstantTime {
  readonly ms: number
  readonly zone: string
}

export function isDay(time: EventTime): time is DayTime {
  return 'date' in time
}

/** Milliseconds of a time; a day begins at midnight in `zone`. */
export function millisecondsOf(time: EventTime, zone: string): number {
  if (!isDay(time)) return time.ms
  return Temporal.PlainDate.from(time.date).toZonedDateTime(zone).epochMilliseconds
}

export function sameTime(left: EventTime, right: EventTime): boolean {
  if (isDay(left) || isDay(right)) return isDay(left) && isDay(right) && left.date === right.date
  return left.ms === right.ms && left.zone === right.zone
}

/** The length of an event, in days or in milliseconds. */
export function lengthOf(start: EventTime, end: EventTime): number {
  if (isDay(start) && isDay(end)) return Temporal.PlainDate.from(start.date).until(end.date).days
  if (isDay(start) || isDay(end)) return 0
  return end.ms - start.ms
}

export function addLength(start: EventTime, length: number, zone: string): EventTime {
  if (isDay(start)) return { date: Temporal.PlainDate.from(start.date).add({ days: length }).toString() }
  return { ms: start.ms + length, zone }
}

/** The part of an instance's id after the series id and `_`. */
export function stampOf(time: EventTime): string {
  if (isDay(time)) return time.date.replaceAll('-', '')
  return `${new Date(time.ms).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
}

/** An instant as RFC 3339 with the offset of the zone. */
export function formatInstant(ms: number, zone: string): string {
  const time = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)
  return time.toString({ timeZoneName: 'never', smallestUnit: 'second' }).replace('+00:00', 'Z')
}

/** The API form: instants in the time zone of the response, with their original zone. */
export function formatTime(time: EventTime, zone: string): { date: string } | { dateTime: string; timeZone: string } {
  if (isDay(time)) return { date: time.date }
  return { dateTime: formatInstant(time.ms, zone), timeZone: time.zone }
}

export function isZone(zone: string): boolean {
  try {
    Temporal.Now.zonedDateTimeISO(zone)
    return !/^[+-]/.test(zone)
  } catch {
    return false
  }
}

/** Reads `start` or `end` of a body. */
export function parseTime(value: unknown, which: 'start' | 'end', calendarZone: string): EventTime {
  if (!isObject(value)) throw new GoogleError(400, 'required', `Missing ${which} time.`)
  const { date, dateTime, timeZone } = value
  if (typeof timeZone === 'string' && !isZone(timeZone)) {
    throw new GoogleError(400, 'invalid', `Invalid time zone definition for ${which} time.`)
  }
  const zone = typeof timeZone === 'string' ? timeZone : undefined
  if (isGiven(date) === isGiven(dateTime)) {
    if (!isGiven(date)) throw new GoogleError(400, 'required', `Missing ${which} time.`)
    throw new GoogleError(400, 'invalid', `Invalid ${which} time.`)
  }
  return isGiven(date) ? { date: parseDay(date, which) } : parseDateTime(dateTime, which, { zone, calendarZone })
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

function parseDay(date: unknown, which: string): string {
  try {
    if (typeof date === 'string' && /^\d{4}-\d\d-\d\d$/.test(date)) return Temporal.PlainDate.from(date).toString()
  } catch {
    // Falls through to the error below.
  }
  throw new GoogleError(400, 'invalid', `Invalid ${which} time.`)
}

interface Zones {
  readonly zone: string | undefined
  readonly calendarZone: string
}

function parseDateTime(dateTime: unknown, which: string, { zone, calendarZone }: Zones): InstantTime {
  const match = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(?::\d\d(?:\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)?$/.exec(String(dateTime))
  if (match === null) throw new GoogleError(400, 'badRequest', 'Bad Request')
  if (match[1] === undefined && zone === undefined) {
    throw new GoogleError(400, 'required', `Missing time zone definition for ${which} time.`)
  }
  try {
    const ms =
      match[1] === undefined
        ? Temporal.PlainDateTime.from(match[0]).toZonedDateTime(zone ?? calendarZone).epochMilliseconds
        : Temporal.Instant.from(match[0]).epochMilliseconds
    return { ms: Math.floor(ms / 1000) * 1000, zone: zone ?? calendarZone }
  } catch {
    throw new GoogleError(400, 'invalid', `Invalid ${which} time.`)
  }
}

/** A bound of a query: RFC 3339 with an offset. */
export function parseBound(text: string | null, name: string): number | undefined {
  if (text === null || text === '') return undefined
  if (/^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?([Zz]|[+-]\d\d:?\d\d)$/.test(text)) {
    const ms = Date.parse(text)
    if (!Number.isNaN(ms)) return ms
  }
  throw new GoogleError(400, 'badRequest', 'Bad Request', { location: name, locationType: 'parameter' })
}
