/**
 * Converts iCalendar lines to a pattern and a range of Exchange
 * (https://learn.microsoft.com/graph/api/resources/patternedrecurrence). Rules that Exchange cannot express are
 * rejected with the name of the part. Pure.
 */

import { normaliseRecurrence } from '@waypost/formats/recurrence/rule'
import { type RecurrenceRule, type SeriesStart, startKey, wallOfKey } from '@waypost/formats/recurrence/series'
import { Steps } from '@waypost/formats/recurrence/steps'
import { civilDate, formatDate, SECONDS_PER_DAY, weekdayOf } from '@waypost/formats/timezones/dates'
import { invalidField } from '@waypost/platform/api-error'
import type { ExchangePattern, ExchangeRecurrence } from './event-model.ts'
import { weekdays, weekIndexes } from './recurrence-lines.ts'
import { exchangeZone } from './zones.ts'

/** A series to write: the recurrence, and the occurrences to delete afterwards. */
export interface WrittenSeries {
  recurrence: ExchangeRecurrence
  /** Keys (formats/recurrence/series.ts), ascending. */
  exdates: readonly number[]
}

const maxOccurrences = 999

function refuse(part: string, why: string): never {
  throw invalidField('recurrence', `${part}: Exchange has no such series: ${why}`)
}

/** Rejects parts that no pattern supports, and those that one kind of rule does not support. */
function refuseParts(rule: RecurrenceRule, parts: Partial<Record<keyof RecurrenceRule, string>>): void {
  for (const [name, part] of Object.entries(parts)) {
    const value: unknown = Reflect.get(rule, name)
    if (Array.isArray(value) && value.length > 0) refuse(part, 'write a rule without it')
  }
}

const never = {
  byHour: 'BYHOUR',
  byMinute: 'BYMINUTE',
  bySecond: 'BYSECOND',
  byWeekNo: 'BYWEEKNO',
  byYearDay: 'BYYEARDAY',
} as const

const dayNames = (days: readonly { weekday: number }[]): string[] => days.map(({ weekday }) => weekdays[weekday] ?? '')

/** The day of the month on which a series repeats. */
function monthDayOf(rule: RecurrenceRule, day: number): number {
  const days = rule.byMonthDay.length > 0 ? [...rule.byMonthDay].sort((a, b) => a - b) : [day]
  const text = days.join(',')
  if (rule.bySetPos.join() === '-1') {
    // The last of several days: the form in which a day that short months lack is read from Exchange.
    if (text === '28,29') return 29
    if (text === '28,29,30') return 30
    if (text === '28,29,30,31') return 31
  }
  if (rule.bySetPos.length > 0) refuse('BYSETPOS', 'it stands with days of the week only')
  const [only = day] = days
  if (days.length > 1) refuse('BYMONTHDAY', 'it is one day')
  if (only === -1) return 31
  if (only < 0) refuse('BYMONTHDAY', 'of the days that are counted from the end it has the last alone')
  return only
}

/** In a shorter month, Exchange uses the last day; iCalendar skips the month. */
function refuseShortMonths(rule: RecurrenceRule, day: number, longest: number): void {
  const isPlain = rule.bySetPos.length === 0 && !rule.byMonthDay.includes(-1)
  if (!isPlain || day <= longest) return
  refuse('BYMONTHDAY', `a month without a day ${day} would have it on its last day; BYMONTHDAY=-1 is the last of each`)
}

/** The position of a weekday in a month. */
function relativeOf({ byDay, bySetPos, byMonthDay }: RecurrenceRule): Pick<ExchangePattern, 'daysOfWeek' | 'index'> {
  if (byMonthDay.length > 0) refuse('BYMONTHDAY', 'it does not stand with BYDAY')
  const [first] = byDay
  const isOne = byDay.length === 1 && first !== undefined && first.ordinal !== 0
  if (!isOne && byDay.some(({ ordinal }) => ordinal !== 0)) refuse('BYDAY', 'several days have one place, by BYSETPOS')
  if (isOne && bySetPos.length > 0) refuse('BYSETPOS', 'the place stands in BYDAY already')
  const places = isOne ? [first.ordinal] : bySetPos
  const [place] = places
  if (place === undefined) refuse('BYDAY', 'it needs a place in the month, such as 2TU or -1FR')
  if (places.length > 1) refuse('BYSETPOS', 'it is one place')
  const index = place === -1 ? 'last' : weekIndexes[place - 1]
  if (index === undefined || place === 5) refuse(isOne ? 'BYDAY' : 'BYSETPOS', 'places are 1 to 4, and -1')
  return { daysOfWeek: dayNames(byDay), index }
}

/** The first day of a series in its zone. */
const firstDay = (start: SeriesStart): number => Math.floor(wallOfKey(start, startKey(start)) / SECONDS_PER_DAY)

function patternOf(rule: RecurrenceRule, start: SeriesStart): ExchangePattern {
  const { interval } = rule
  const day = firstDay(start)
  const date = civilDate(day)
  refuseParts(rule, never)
  switch (rule.freq) {
    case 'DAILY': {
      refuseParts(rule, { byMonth: 'BYMONTH', byMonthDay: 'BYMONTHDAY', bySetPos: 'BYSETPOS' })
      if (rule.byDay.length === 0) return { type: 'daily', interval }
      if (interval > 1) refuse('BYDAY', 'days of the week do not stand with an INTERVAL of days')
      return { type: 'weekly', interval, daysOfWeek: dayNames(rule.byDay), firstDayOfWeek: 'monday' }
    }
    case 'WEEKLY': {
      refuseParts(rule, { byMonth: 'BYMONTH', bySetPos: 'BYSETPOS' })
      const days = rule.byDay.length > 0 ? rule.byDay : [{ weekday: weekdayOf(day) }]
      const firstDayOfWeek = weekdays[rule.weekStart] ?? 'monday'
      return { type: 'weekly', interval, daysOfWeek: dayNames(days), firstDayOfWeek }
    }
    case 'MONTHLY': {
      refuseParts(rule, { byMonth: 'BYMONTH' })
      if (rule.byDay.length > 0) return { type: 'relativeMonthly', interval, ...relativeOf(rule) }
      const dayOfMonth = monthDayOf(rule, date.day)
      refuseShortMonths(rule, dayOfMonth, 28)
      return { type: 'absoluteMonthly', interval, dayOfMonth }
    }
    case 'YEARLY': {
      if (rule.byMonth.length > 1) refuse('BYMONTH', 'it is one month')
      const [month = date.month] = rule.byMonth
      if (rule.byDay.length > 0) {
        if (rule.byMonth.length === 0) refuse('BYDAY', 'it is counted in a month: add BYMONTH')
        return { type: 'relativeYearly', interval, month, ...relativeOf(rule) }
      }
      if (rule.byMonth.length === 0 && rule.byMonthDay.length > 0) refuse('BYMONTHDAY', 'add BYMONTH')
      const dayOfMonth = monthDayOf(rule, date.day)
      refuseShortMonths(rule, dayOfMonth, month === 2 ? 28 : 31)
      return { type: 'absoluteYearly', interval, month, dayOfMonth }
    }
  }
}

/** The last day on which an occurrence may begin. */
function lastDay(until: number, start: SeriesStart): number {
  if (start.kind === 'all-day') return until
  const wall = wallOfKey(start, until)
  const day = Math.floor(wall / SECONDS_PER_DAY)
  const first = wallOfKey(start, startKey(start))
  const timeOfDay = first - firstDay(start) * SECONDS_PER_DAY
  return wall - day * SECONDS_PER_DAY < timeOfDay ? day - 1 : day
}

function rangeOf({ count, until }: RecurrenceRule, start: SeriesStart): NonNullable<ExchangeRecurrence['range']> {
  const startDate = formatDate(firstDay(start))
  const recurrenceTimeZone = start.kind === 'timed' ? exchangeZone(start.zone, start.at) : 'UTC'
  if (until !== null) {
    return { type: 'endDate', startDate, endDate: formatDate(lastDay(until, start)), recurrenceTimeZone }
  }
  if (count === null) return { type: 'noEnd', startDate, recurrenceTimeZone }
  if (count > maxOccurrences) refuse('COUNT', `it is at most ${maxOccurrences}`)
  return { type: 'numbered', startDate, numberOfOccurrences: count, recurrenceTimeZone }
}

/**
 * The lines of a series in the form of Exchange. Exchange would move a start outside the rule to the next matching
 * day. So such a start is rejected, unless the series already has it.
 */
export function writtenSeries(
  lines: readonly string[],
  start: SeriesStart,
  startOutsideRule: 'refuse' | 'follow-rule' = 'refuse',
): WrittenSeries {
  const result = normaliseRecurrence(lines, start, { allowRdate: false, startOutsideRule, steps: new Steps() })
  if (!result.ok) throw invalidField('recurrence', result.problem)
  const { rule, exdates } = result.value
  if (rule === null) throw invalidField('recurrence', 'RRULE: is required')
  return { recurrence: { pattern: patternOf(rule, start), range: rangeOf(rule, start) }, exdates }
}
