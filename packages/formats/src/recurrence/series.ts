/**
 * The data of a recurring event. Everything here is plain data that can be stored as JSON.
 *
 * A slot is a position in the series, identified by its original start. Inside the recurrence modules a slot is a
 * number, its key: Unix seconds in a timed series, a day number (dates.ts) in an all-day series. Outside it is the
 * text that ends an instance id (instance-ids.ts).
 */
import { civilDate, dayOf, digits2, digits4, existingDay, LAST_DAY, SECONDS_PER_DAY } from '../timezones/dates.ts'
import { instantToWall, openingInstant } from '../timezones/timezones.ts'

export type SeriesStart =
  | {
      readonly kind: 'timed'
      /** Unix seconds. */
      readonly at: number
      /** An IANA id as returned by `resolveTimeZone`. */
      readonly zone: string
      /** The exact length of every occurrence. */
      readonly seconds: number
    }
  | { readonly kind: 'all-day'; readonly date: string; readonly days: number }

export type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'

export interface WeekdayRef {
  /** 0 is Monday. */
  readonly weekday: number
  /** 2 is the second of the month or year, -1 the last; 0 means every one. */
  readonly ordinal: number
}

/** A parsed RRULE. A list that the rule does not have is empty. */
export interface RecurrenceRule {
  readonly freq: Frequency
  readonly interval: number
  readonly count: number | null
  /** The last key at which a slot may occur. */
  readonly until: number | null
  readonly byMonth: readonly number[]
  readonly byWeekNo: readonly number[]
  readonly byYearDay: readonly number[]
  readonly byMonthDay: readonly number[]
  readonly byDay: readonly WeekdayRef[]
  readonly byHour: readonly number[]
  readonly byMinute: readonly number[]
  readonly bySecond: readonly number[]
  readonly bySetPos: readonly number[]
  /** 0 is Monday. */
  readonly weekStart: number
}

export interface Recurrence {
  /**
   * The lines for responses: upper case, no blanks, dates in one form. Normalizing them again does not change them.
   */
  readonly lines: readonly string[]
  /** Null if the series consists only of its start and RDATE. */
  readonly rule: RecurrenceRule | null
  /** Keys, ascending. */
  readonly exdates: readonly number[]
  /** Keys, ascending. */
  readonly rdates: readonly number[]
  /**
   * The key after which the rule generates no slot: UNTIL, or the slot at which COUNT ends; null if it never ends.
   */
  readonly lastSlot: number | null
  /** Unix seconds: no part of the series is earlier. For all-day series, valid in every zone. */
  readonly first: number
  /**
   * Unix seconds: no part of the series is at or after this time; null if it never ends. A window [from, to) can
   * contain a part of the series only if `first < to` and `last > from`.
   */
  readonly last: number | null
}

export interface Series {
  readonly start: SeriesStart
  readonly recurrence: Recurrence
}

/** 9999-12-31T23:59:59Z. */
export const LAST_INSTANT = LAST_DAY * SECONDS_PER_DAY + SECONDS_PER_DAY - 1

/** The key of the series' own start. */
export const startKey = (start: SeriesStart): number => (start.kind === 'timed' ? start.at : dayOf(start.date))

/** The greatest valid key: its occurrence still ends in the year 9999. */
export const greatestKey = (start: SeriesStart): number =>
  start.kind === 'timed' ? LAST_INSTANT - start.seconds : LAST_DAY - start.days + 1

/** The wall time of a slot in the zone of its series; midnight in an all-day series. */
export const wallOfKey = (start: SeriesStart, key: number): number =>
  start.kind === 'timed' ? instantToWall(start.zone, key) : key * SECONDS_PER_DAY

/**
 * The key of the slot at a wall time. If a series starts in the second pass of an overlap, its first slot has that
 * instant; all other slots use the first pass.
 */
export function keyOfWall(start: SeriesStart, wall: number): number {
  if (start.kind === 'all-day') return Math.floor(wall / SECONDS_PER_DAY)
  return wall === instantToWall(start.zone, start.at) ? start.at : openingInstant(start.zone, wall)
}

/** The seconds of the day at which occurrences can start, ascending: from the rule, or else from the start. */
export function timesOfDay(start: SeriesStart, rule: RecurrenceRule | null): number[] {
  if (start.kind === 'all-day') return [0]
  const wall = wallOfKey(start, start.at)
  const second = wall - Math.floor(wall / SECONDS_PER_DAY) * SECONDS_PER_DAY
  if (rule === null || rule.byHour.length + rule.byMinute.length + rule.bySecond.length === 0) return [second]
  const or = (list: readonly number[], otherwise: number): readonly number[] => (list.length === 0 ? [otherwise] : list)
  return or(rule.byHour, Math.floor(second / 3600))
    .flatMap((hour) => or(rule.byMinute, Math.floor(second / 60) % 60).map((minute) => hour * 3600 + minute * 60))
    .flatMap((time) => or(rule.bySecond, second % 60).map((rest) => time + rest))
    .sort((a, b) => a - b)
}

/** Unix seconds as `YYYYMMDDTHHMMSSZ`, the form of iCalendar and of instance ids. */
export function basicUtc(instant: number): string {
  const day = Math.floor(instant / SECONDS_PER_DAY)
  const seconds = instant - day * SECONDS_PER_DAY
  const hour = Math.floor(seconds / 3600)
  const minute = Math.floor(seconds / 60) % 60
  return `${basicDate(day)}T${digits2(hour)}${digits2(minute)}${digits2(seconds % 60)}Z`
}

/** A day number as `YYYYMMDD`. */
export function basicDate(number: number): string {
  const { year, month, day } = civilDate(number)
  return `${digits4(year)}${digits2(month)}${digits2(day)}`
}

export interface BasicTime {
  readonly day: number
  /** Seconds since midnight; undefined when the text is a date. */
  readonly seconds: number | undefined
  readonly utc: boolean
}

/**
 * Parses `YYYYMMDD`, `YYYYMMDDTHHMMSS` or `YYYYMMDDTHHMMSSZ`, or returns undefined if the text is not a real time.
 */
export function parseBasic(text: string): BasicTime | undefined {
  const { length } = text
  const isTime = length === 15 || length === 16
  if (!isTime && length !== 8) return undefined
  const day = existingDay(digitsAt(text, 0, 4), digitsAt(text, 4, 6), digitsAt(text, 6, 8))
  if (day === undefined) return undefined
  if (!isTime) return { day, seconds: undefined, utc: false }
  if (text[8] !== 'T' || (length === 16 && text[15] !== 'Z')) return undefined
  const [hour, minute, second] = [digitsAt(text, 9, 11), digitsAt(text, 11, 13), digitsAt(text, 13, 15)]
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return undefined
  return { day, seconds: hour * 3600 + minute * 60 + second, utc: length === 16 }
}

/** The value of digits; NaN if a character is not a digit. */
function digitsAt(text: string, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : Number.NaN
  }
  return value
}

/** Whether an ascending list contains the key. */
export function holdsKey(keys: readonly number[], key: number): boolean {
  const at = firstAtOrAfter(keys, key)
  return at < keys.length && keys[at] === key
}

/** The index of the first entry of an ascending list that is not below the key. */
export function firstAtOrAfter(keys: readonly number[], key: number): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((keys[middle] ?? 0) < key) low = middle + 1
    else high = middle
  }
  return low
}
