/**
 * Generates the days of a rule by integer arithmetic on day numbers. For every period (a day, week, month or year,
 * every INTERVAL-th from the start) it yields the days that match the BY parts (the table of RFC 5545 §3.3.10). A
 * walk begins at the period in which the range begins, so an old series costs no more than a new one.
 *
 * Where the RFC leaves room: YEARLY with BYMONTHDAY but without BYMONTH means every month. BYWEEKNO without a part
 * that names days means the weekday of the start. Combined parts of YEARLY must all match.
 */
import { civilDate, dayNumber, daysInMonth, LAST_DAY, weekdayOf } from '../timezones/dates.ts'
import type { RecurrenceRule, WeekdayRef } from './series.ts'
import type { Steps } from './steps.ts'

export interface DayRange {
  readonly from: number
  readonly to: number
}
/**
 * Visits every period that touches the range, ascending, with all its days, ascending. `visit` returns whether to
 * continue.
 */
export type PeriodWalk = (range: DayRange, visit: (days: readonly number[]) => boolean) => void

const NONE: readonly number[] = []
const EVERY_WEEKDAY: readonly WeekdayRef[] = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, ordinal: 0 }))

/** A rule that starts on `startDay`. Every period and every day that is examined counts, also those without a match. */
interface CountedDays {
  readonly rule: RecurrenceRule
  readonly startDay: number
  readonly steps: Steps
}

/** The walk over the periods of a rule. */
export function periodsOf(days: CountedDays): PeriodWalk {
  switch (days.rule.freq) {
    case 'DAILY':
      return daily(days)
    case 'WEEKLY':
      return weekly(days)
    case 'MONTHLY':
      return monthly(days)
    case 'YEARLY':
      return days.rule.byWeekNo.length > 0 ? weekYearly(days) : yearly(days)
  }
}

function daily({ rule, startDay, steps }: CountedDays): PeriodWalk {
  const { interval } = rule
  const weekdays = weekdayMask(rule.byDay)
  const inMonth = monthFilter(rule)
  return ({ from, to }, visit) => {
    const end = Math.min(to, LAST_DAY)
    for (let day = startDay + stepsTo(from - startDay, interval) * interval; day <= end; day += interval) {
      steps.take(1)
      const wanted = ((weekdays >> weekdayOf(day)) & 1) === 1 && (inMonth === undefined || inMonth(day))
      if (!visit(wanted ? [day] : NONE)) return
    }
  }
}

function weekly({ rule, startDay, steps }: CountedDays): PeriodWalk {
  const firstWeek = weekOf(startDay, rule.weekStart)
  const places = placesInWeek(rule, startDay)
  const inMonth = monthFilter(rule)
  const period = rule.interval * 7
  return ({ from, to }, visit) => {
    const end = Math.min(to, LAST_DAY)
    for (let week = firstWeek + stepsTo(from - 6 - firstWeek, period) * period; week <= end; week += period) {
      steps.take(1 + places.length)
      const days = places.map((place) => week + place)
      if (!visit(inMonth === undefined ? days : days.filter(inMonth))) return
    }
  }
}

function monthly(counted: CountedDays): PeriodWalk {
  const { rule, startDay, steps } = counted
  const { interval } = rule
  const start = civilDate(startDay)
  const first = start.year * 12 + start.month - 1
  return ({ from, to }, visit) => {
    const end = Math.min(to, LAST_DAY)
    const { year, month } = civilDate(from)
    let index = first + stepsTo(year * 12 + month - 1 - first, interval) * interval
    for (; dayNumber(0, index + 1, 1) <= end; index += interval) {
      steps.take(1)
      const month = (index % 12) + 1
      const wanted = rule.byMonth.length === 0 || rule.byMonth.includes(month)
      if (!visit(wanted ? daysOfMonth(counted, { year: Math.floor(index / 12), month }, start.day) : NONE)) return
    }
  }
}

function yearly(counted: CountedDays): PeriodWalk {
  const { rule, startDay, steps } = counted
  const { interval } = rule
  const start = civilDate(startDay)
  return ({ from, to }, visit) => {
    const end = Math.min(to, LAST_DAY)
    let year = start.year + stepsTo(civilDate(from).year - start.year, interval) * interval
    for (; dayNumber(year, 1, 1) <= end; year += interval) {
      steps.take(1)
      if (!visit(daysOfYear(counted, year, start))) return
    }
  }
}

/** BYWEEKNO: the periods are years of whole weeks; the first week contains January 4 (RFC 5545 §3.3.10, ISO 8601). */
function weekYearly({ rule, startDay, steps }: CountedDays): PeriodWalk {
  const { interval, byWeekNo, weekStart } = rule
  const dated = rule.byMonthDay.length > 0 || rule.byYearDay.length > 0
  const places = placesInWeek(dated && rule.byDay.length === 0 ? { ...rule, byDay: EVERY_WEEKDAY } : rule, startDay)
  const inMonth = monthFilter(rule)
  const weekOne = (year: number): number => weekOf(dayNumber(year, 1, 4), weekStart)
  const weekYear = (day: number): number => {
    const { year } = civilDate(day)
    if (day < weekOne(year)) return year - 1
    return day < weekOne(year + 1) ? year : year + 1
  }
  const firstYear = weekYear(startDay)
  return ({ from, to }, visit) => {
    const end = Math.min(to, LAST_DAY)
    let year = firstYear + stepsTo(weekYear(from) - firstYear, interval) * interval
    for (; weekOne(year) <= end; year += interval) {
      const weeks = positions(byWeekNo, (weekOne(year + 1) - weekOne(year)) / 7)
      steps.take(1 + byWeekNo.length + weeks.length * places.length)
      const days = weeks.flatMap((week) => places.map((place) => weekOne(year) + (week - 1) * 7 + place))
      if (!visit(days.filter((day) => (inMonth?.(day) ?? true) && isYearDay(rule, day)))) return
    }
  }
}

interface MonthRef {
  readonly year: number
  readonly month: number
}

function daysOfMonth(counted: CountedDays, { year, month }: MonthRef, startDayOfMonth: number): number[] {
  const { byDay, byMonthDay } = counted.rule
  counted.steps.take(byMonthDay.length)
  const before = dayNumber(year, month, 1) - 1
  const length = daysInMonth(year, month)
  if (byDay.length === 0) {
    return positions(byMonthDay.length === 0 ? [startDayOfMonth] : byMonthDay, length).map((day) => before + day)
  }
  const days = weekdaysIn(counted, before + 1, length)
  if (byMonthDay.length === 0) return days
  const wanted = new Set(positions(byMonthDay, length))
  return days.filter((day) => wanted.has(day - before))
}

function daysOfYear(counted: CountedDays, year: number, start: { month: number; day: number }): number[] {
  const { rule, steps } = counted
  const { byMonth, byYearDay, byMonthDay, byDay } = rule
  const first = dayNumber(year, 1, 1)
  const length = dayNumber(year + 1, 1, 1) - first
  if (byYearDay.length === 0 && byMonthDay.length === 0 && byDay.length === 0) {
    const months = byMonth.length === 0 ? [start.month] : positions(byMonth, 12)
    return months.flatMap((month) => daysOfMonth(counted, { year, month }, start.day))
  }
  if (byYearDay.length === 0 && byMonth.length > 0) {
    return positions(byMonth, 12).flatMap((month) => daysOfMonth(counted, { year, month }, start.day))
  }
  const inMonth = monthFilter(rule)
  const weekdays = byDay.length === 0 ? undefined : weekdaysOfYear(counted, { year, first, length })
  if (byYearDay.length === 0) {
    const days = weekdays ?? Array.from({ length }, (_, n) => first + n)
    steps.take(days.length)
    return inMonth === undefined ? days : days.filter(inMonth)
  }
  steps.take(byYearDay.length)
  const days = positions(byYearDay, length).map((day) => first + day - 1)
  const wanted = weekdays && new Set(weekdays)
  return days.filter((day) => (inMonth?.(day) ?? true) && (wanted?.has(day) ?? true))
}

/** The days of BYDAY. A numbered weekday counts within the months of BYMONTH, or within the year if there is none. */
function weekdaysOfYear(
  counted: CountedDays,
  { year, first, length }: { year: number; first: number; length: number },
): number[] {
  const { byMonth } = counted.rule
  if (byMonth.length === 0) return weekdaysIn(counted, first, length)
  return positions(byMonth, 12).flatMap((month) =>
    weekdaysIn(counted, dayNumber(year, month, 1), daysInMonth(year, month)),
  )
}

/** The days of BYDAY in the `length` days from `first` on, ascending. */
function weekdaysIn({ rule, steps }: CountedDays, first: number, length: number): number[] {
  const firstWeekday = weekdayOf(first)
  const each = Math.ceil(length / 7)
  steps.take(rule.byDay.reduce((sum, { ordinal }) => sum + (ordinal === 0 ? each : 1), 0))
  return ascending(
    rule.byDay.flatMap(({ weekday, ordinal }) => {
      const offset = (weekday - firstWeekday + 7) % 7
      const total = Math.floor((length - 1 - offset) / 7) + 1
      if (ordinal === 0) return Array.from({ length: total }, (_, n) => first + offset + n * 7)
      const n = ordinal > 0 ? ordinal - 1 : total + ordinal
      return n >= 0 && n < total ? [first + offset + n * 7] : []
    }),
  )
}

/**
 * Converts numbers that may count from the end to positions from 1 to `length`, ascending. Positions that do not
 * exist are omitted.
 */
function positions(numbers: readonly number[], length: number): number[] {
  const [only] = numbers
  if (numbers.length === 1 && only !== undefined && only > 0) return only <= length ? [only] : []
  return ascending(numbers.map((number) => (number < 0 ? length + 1 + number : number))).filter(
    (place) => place >= 1 && place <= length,
  )
}

/** BYMONTH and BYMONTHDAY as a filter of days, or undefined if neither is given. */
function monthFilter({ byMonth, byMonthDay }: RecurrenceRule): ((day: number) => boolean) | undefined {
  if (byMonth.length === 0 && byMonthDay.length === 0) return undefined
  return (number) => {
    const { year, month, day } = civilDate(number)
    if (byMonth.length > 0 && !byMonth.includes(month)) return false
    if (byMonthDay.length === 0 || byMonthDay.includes(day)) return true
    return byMonthDay.includes(day - daysInMonth(year, month) - 1)
  }
}

function isYearDay({ byYearDay }: RecurrenceRule, day: number): boolean {
  if (byYearDay.length === 0) return true
  const { year } = civilDate(day)
  const dayOfYear = day - dayNumber(year, 1, 1) + 1
  return byYearDay.includes(dayOfYear) || byYearDay.includes(day - dayNumber(year + 1, 1, 1))
}

/** The first day of the week. */
const weekOf = (day: number, weekStart: number): number => day - ((weekdayOf(day) - weekStart + 7) % 7)

/** The days of the rule as offsets in a week: those of BYDAY, or the weekday of the start. */
function placesInWeek({ byDay, weekStart }: RecurrenceRule, startDay: number): number[] {
  const weekdays = byDay.length === 0 ? [weekdayOf(startDay)] : byDay.map(({ weekday }) => weekday)
  return ascending(weekdays.map((weekday) => (weekday - weekStart + 7) % 7))
}

const weekdayMask = (byDay: readonly WeekdayRef[]): number =>
  byDay.length === 0 ? 0b111_1111 : byDay.reduce((mask, { weekday }) => mask | (1 << weekday), 0)

const ascending = (numbers: readonly number[]): number[] => [...new Set(numbers)].sort((a, b) => a - b)

/** The number of whole periods to skip to cover the distance; never negative. */
const stepsTo = (distance: number, period: number): number => Math.max(0, Math.ceil(distance / period))
