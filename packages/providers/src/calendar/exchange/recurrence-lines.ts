/**
 * Converts the recurrence pattern of Exchange to iCalendar lines
 * (https://learn.microsoft.com/graph/api/resources/recurrencepattern). Pure.
 */
import type { When } from '@waypost/contract'
import { dateLine } from '@waypost/formats/recurrence/dates'
import { slotOfKey } from '@waypost/formats/recurrence/instance-ids'
import { keyOfWall, type SeriesStart, startKey, wallOfKey } from '@waypost/formats/recurrence/series'
import { dayOf, SECONDS_PER_DAY } from '@waypost/formats/timezones/dates'
import { startOf } from '../event-input.ts'
import type { ExchangePattern, ExchangeRecurrence } from './event-model.ts'
import { clockZone, exchangeZone } from './zones.ts'

/** Monday first, as in dates.ts. */
export const weekdays: readonly string[] = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
]
const weekdayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
export const weekIndexes: readonly string[] = ['first', 'second', 'third', 'fourth', 'last']

const codeOf = (day: string): string => weekdayCodes[weekdays.indexOf(day.toLowerCase())] ?? 'MO'
const ordinalOf = (index = 'first'): number => {
  const place = weekIndexes.indexOf(index)
  return place === 4 ? -1 : Math.max(place, 0) + 1
}
const longestMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** In a shorter month, Exchange uses the last day, where iCalendar skips the month. */
function dayOfMonth(day: number): string[] {
  if (day <= 28) return [`BYMONTHDAY=${day}`]
  if (day >= 31) return ['BYMONTHDAY=-1']
  return [`BYMONTHDAY=${[28, 29, 30].filter((each) => each <= day).join(',')}`, 'BYSETPOS=-1']
}

/** Only the length of February varies. */
function dayOfYear(month: number, day: number): string {
  const longest = longestMonths[month - 1] ?? 31
  return month === 2 && day >= longest ? 'BYMONTHDAY=-1' : `BYMONTHDAY=${Math.min(day, longest)}`
}

function relativeDays({ daysOfWeek = [], index }: ExchangePattern): string[] {
  const codes = daysOfWeek.map(codeOf)
  if (codes.length === 1) return [`BYDAY=${ordinalOf(index)}${codes[0]}`]
  return [`BYDAY=${codes.join(',')}`, `BYSETPOS=${ordinalOf(index)}`]
}

function partsOf(pattern: ExchangePattern): string[] {
  const { type, interval = 1, month = 1, dayOfMonth: day = 1, daysOfWeek = [], firstDayOfWeek = 'sunday' } = pattern
  const every = interval > 1 ? [`INTERVAL=${interval}`] : []
  switch (type) {
    case 'weekly': {
      // The first day of the week matters only if weeks are skipped.
      const start = interval > 1 && codeOf(firstDayOfWeek) !== 'MO' ? [`WKST=${codeOf(firstDayOfWeek)}`] : []
      return ['FREQ=WEEKLY', ...every, `BYDAY=${daysOfWeek.map(codeOf).join(',')}`, ...start]
    }
    case 'absoluteMonthly':
      return ['FREQ=MONTHLY', ...every, ...dayOfMonth(day)]
    case 'relativeMonthly':
      return ['FREQ=MONTHLY', ...every, ...relativeDays(pattern)]
    case 'absoluteYearly':
      return ['FREQ=YEARLY', ...every, `BYMONTH=${month}`, dayOfYear(month, day)]
    case 'relativeYearly':
      return ['FREQ=YEARLY', ...every, `BYMONTH=${month}`, ...relativeDays(pattern)]
    default:
      return ['FREQ=DAILY', ...every]
  }
}

/**
 * The start of a series, which repeats in local time of its own zone. That is the zone of its time if Exchange names
 * both alike.
 */
export function seriesStartOf(when: When, { range }: ExchangeRecurrence): SeriesStart {
  const start = startOf(when)
  const zone = clockZone(range?.recurrenceTimeZone)
  if (start.kind !== 'timed' || zone === undefined) return start
  const isItsZone = clockZone(exchangeZone(start.zone, start.at)) === zone
  return isItsZone ? start : { ...start, zone }
}

/** The key of a series' occurrence on a date. */
function keyOn(start: SeriesStart, date: string): number {
  if (start.kind === 'all-day') return dayOf(date)
  const wall = wallOfKey(start, startKey(start))
  const timeOfDay = wall - Math.floor(wall / SECONDS_PER_DAY) * SECONDS_PER_DAY
  return keyOfWall(start, dayOf(date) * SECONDS_PER_DAY + timeOfDay)
}

const isDate = (text: string | undefined): text is string => /^\d{4}-\d\d-\d\d$/.test(text ?? '')

/** The keys of deleted occurrences, from ids such as `OID.AAMk….2026-01-02`. */
export const cancelledKeys = (ids: readonly string[], start: SeriesStart): number[] =>
  ids
    .map((id) => id.slice(-10))
    .filter(isDate)
    .map((date) => keyOn(start, date))
    .sort((a, b) => a - b)

/**
 * RRULE, and EXDATE for deleted occurrences. The end of a series is a date in Exchange, so UNTIL is the start on that
 * day.
 */
export function recurrenceLines(
  recurrence: ExchangeRecurrence,
  when: When,
  cancelled: readonly string[] = [],
): [string, ...string[]] {
  const { pattern = {}, range = {} } = recurrence
  const start = seriesStartOf(when, recurrence)
  const parts = partsOf(pattern)
  if (range.type === 'numbered') parts.push(`COUNT=${range.numberOfOccurrences ?? 1}`)
  if (range.type === 'endDate' && isDate(range.endDate)) {
    parts.push(`UNTIL=${slotOfKey(start.kind, keyOn(start, range.endDate))}`)
  }
  const exdates = cancelledKeys(cancelled, start)
  return [`RRULE:${parts.join(';')}`, ...(exdates.length > 0 ? [dateLine('EXDATE', start, exdates)] : [])]
}
