/**
 * Reads the dates and times of a VEVENT as other calendars write them, and calculates the time of the event.
 *
 * A time without a zone is floating (RFC 5545 §3.3.5). It is read in the zone that the caller names: the calendar's,
 * or else the user's. The same applies to a time with an unknown zone. Mixed DATE and DATE-TIME values are converted:
 * a time to the day in its own zone, a date to the beginning of the day.
 */
import type { When } from '@waypost/contract'
import { type BasicTime, parseBasic, type SeriesStart } from '../recurrence/series.ts'
import { formatDate, SECONDS_PER_DAY } from '../timezones/dates.ts'
import { dayStartOf, instantToWall, openingInstant, type ReadZone } from '../timezones/timezones.ts'
import type { ComponentNode, ContentLine } from './content-lines.ts'
import type { ZoneReader } from './zones-reading.ts'

export interface TimeContext {
  readonly zones: ZoneReader
  /** The zone of floating times: an IANA id. */
  readonly floating: string
}

/** How a time is written. */
export type TimeForm = 'utc' | 'zoned' | 'floating'

export type ReadTime =
  | { readonly kind: 'date'; readonly day: number }
  | { readonly kind: 'time'; readonly at: number; readonly zone: ReadZone; readonly form: TimeForm }

const UTC: ReadZone = { id: 'UTC', name: 'UTC' }

/** The time of a line such as DTSTART, or undefined if it has none. */
export function readTime(line: ContentLine, context: TimeContext): ReadTime | undefined {
  return readValue(line.value, line, context)
}

/** The times of a list such as EXDATE, and the starts of periods. Other values are skipped. */
export const readTimes = (line: ContentLine, context: TimeContext): ReadTime[] =>
  line.value.split(',').flatMap((value) => readValue(value.split('/', 1)[0] ?? '', line, context) ?? [])

function readValue(value: string, line: ContentLine, context: TimeContext): ReadTime | undefined {
  const basic = parseBasic(value) ?? parseLoosely(value)
  if (basic === undefined) return undefined
  if (basic.seconds === undefined || line.parameter('VALUE')?.toUpperCase() === 'DATE') {
    return { kind: 'date', day: basic.day }
  }
  const wall = basic.day * SECONDS_PER_DAY + basic.seconds
  if (basic.utc) return { kind: 'time', at: wall, zone: UTC, form: 'utc' }
  const tzid = line.parameter('TZID')
  const zone = tzid === undefined || tzid === '' ? undefined : context.zones(tzid)
  if (zone === undefined) {
    const floating = { id: context.floating, name: context.floating }
    return { kind: 'time', at: openingInstant(floating.id, wall), zone: floating, form: 'floating' }
  }
  return { kind: 'time', at: openingInstant(zone.id, wall), zone, form: 'zoned' }
}

/**
 * Accepts lower case, surrounding blanks, ISO 8601 separators, missing seconds, midnight as 24:00, and a leap second.
 */
function parseLoosely(text: string): BasicTime | undefined {
  const found = /^(\d{4})-?(\d{2})-?(\d{2})(?:T(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?(Z?))?$/.exec(
    text.trim().toUpperCase(),
  )
  if (found === null) return undefined
  const [, year, month, day, hour, minute = '00', second = '00', mark = ''] = found
  const date = parseBasic(`${year}${month}${day}`)
  if (date === undefined || hour === undefined) return date
  if (hour === '24') return { day: date.day + 1, seconds: 0, utc: mark === 'Z' }
  return parseBasic(`${year}${month}${day}T${hour}${minute}${second === '60' ? '59' : second}${mark}`)
}

/** Unix seconds of an instant in UTC, such as DTSTAMP, or null if the line has none. */
export function instantIn(line: ContentLine | undefined): number | null {
  const time = line && (parseBasic(line.value) ?? parseLoosely(line.value))
  return time ? time.day * SECONDS_PER_DAY + (time.seconds ?? 0) : null
}

export interface Duration {
  /** Calendar days, which may have 23 or 25 hours. */
  readonly days: number
  readonly seconds: number
}

/** Parses a duration (RFC 5545 §3.3.6), or returns undefined. */
export function readDuration(text: string): Duration | undefined {
  const found = /^([+-]?)P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/i.exec(
    text.trim(),
  )
  if (found === null) return undefined
  const [weeks, days, hours, minutes, seconds] = found.slice(2).map((part = '0') => Number(part))
  const sign = found[1] === '-' ? -1 : 1
  return {
    days: sign * ((weeks ?? 0) * 7 + (days ?? 0)),
    seconds: sign * ((hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0)),
  }
}

/** Adds a duration to an instant: days in local time of the zone, the rest exactly. */
function addDuration(at: number, zone: string, { days, seconds }: Duration): number {
  const day = days === 0 ? at : openingInstant(zone, instantToWall(zone, at) + days * SECONDS_PER_DAY)
  return day + seconds
}

/** Start and end of an event, in the form used for calculation. */
export type Span = { readonly kind: 'all-day'; readonly day: number; readonly days: number } | TimedSpan

interface TimedSpan {
  readonly kind: 'timed'
  readonly start: number
  readonly end: number
  readonly startZone: ReadZone
  readonly endZone: ReadZone
  readonly form: TimeForm
}

/**
 * The time of a VEVENT, or undefined if it has no start. DTEND takes precedence over DURATION. An end that is not
 * after the start is ignored: the event is then one day or a point in time.
 */
export function spanOf(event: ComponentNode, context: TimeContext, otherStart?: ReadTime): Span | undefined {
  const startLine = event.line('DTSTART')
  const start = (startLine && readTime(startLine, context)) ?? otherStart
  if (start === undefined) return undefined
  const endLine = event.line('DTEND')
  const end = endLine && readTime(endLine, context)
  const duration = end === undefined ? readDuration(event.line('DURATION')?.value ?? '') : undefined
  if (start.kind === 'date') return daysOf(start.day, end, duration)
  const span = hoursOf(start, end, duration)
  return event.line(POINT) && span.end - span.start <= 1 ? { ...span, end: span.start } : span
}

/** Marks a duration of one second that represents a point in time, for servers that accept none. */
export const POINT = 'X-WAYPOST-POINT'

function daysOf(day: number, end: ReadTime | undefined, duration: Duration | undefined): Span {
  const until = end === undefined ? day + (duration ? lengthInDays(duration) : 1) : dayAfterEnd(end)
  return { kind: 'all-day', day, days: Math.max(1, until - day) }
}

const lengthInDays = ({ days, seconds }: Duration): number => days + Math.ceil(seconds / SECONDS_PER_DAY)

/** The first day after the event. A day that has begun belongs to the event. */
function dayAfterEnd(end: ReadTime): number {
  return end.kind === 'date' ? end.day : Math.ceil(instantToWall(end.zone.id, end.at) / SECONDS_PER_DAY)
}

function hoursOf(
  { at, zone, form }: Extract<ReadTime, { kind: 'time' }>,
  end: ReadTime | undefined,
  duration: Duration | undefined,
): TimedSpan {
  const endZone = end?.kind === 'time' ? end.zone : zone
  const until =
    end === undefined
      ? addDuration(at, zone.id, duration ?? { days: 0, seconds: 0 })
      : end.kind === 'time'
        ? end.at
        : dayStartOf(zone.id, end.day)
  return { kind: 'timed', start: at, end: Math.max(at, until), startZone: zone, endZone, form }
}

/** The time in the API's form. */
export function whenOfSpan(span: Span): When {
  if (span.kind === 'all-day') {
    const [first, last] = [formatDate(span.day), formatDate(span.day + span.days - 1)]
    return first === last ? { object: 'date', date: first } : { object: 'datespan', start_date: first, end_date: last }
  }
  const { start, end, startZone, endZone } = span
  if (end === start) return { object: 'time', time: start, timezone: startZone.name }
  const isNamed = startZone.name !== null && endZone.name !== null
  return {
    object: 'timespan',
    start_time: start,
    end_time: end,
    start_timezone: isNamed ? startZone.name : null,
    end_timezone: isNamed ? endZone.name : null,
  }
}

/** The start of a series with this time. */
export const seriesStart = (span: Span): SeriesStart =>
  span.kind === 'all-day'
    ? { kind: 'all-day', date: formatDate(span.day), days: span.days }
    : { kind: 'timed', at: span.start, zone: span.startZone.id, seconds: span.end - span.start }

/** The local day of a time. For UTC, the day in the zone of floating times. */
export function dayOfTime(time: ReadTime, floating: string): number {
  if (time.kind === 'date') return time.day
  const zone = time.form === 'utc' ? floating : time.zone.id
  return Math.floor(instantToWall(zone, time.at) / SECONDS_PER_DAY)
}
