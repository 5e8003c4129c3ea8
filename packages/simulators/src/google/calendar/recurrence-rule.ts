// Parses one RRULE and expands it to days, ascending, without times. RFC 5545 §3.3.10.
import { GoogleError } from '../errors.ts'

type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'

interface WeekdayRule {
  /** 1 is Monday. */
  readonly day: number
  /** The position in the month or year, counted from the end if negative; 0 means every one. */
  readonly nth: number
}

export interface RecurrenceRule {
  readonly frequency: Frequency
  readonly interval: number
  readonly count: number | undefined
  /** As written: `YYYYMMDD`, or `YYYYMMDDTHHMMSS` with or without `Z`. */
  readonly until: string | undefined
  readonly weekStart: number
  readonly byDay: readonly WeekdayRule[]
  readonly byMonth: readonly number[]
  readonly byMonthDay: readonly number[]
  readonly byYearDay: readonly number[]
  readonly bySetPosition: readonly number[]
}

const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const PARTS = /^(FREQ|INTERVAL|COUNT|UNTIL|WKST|BYDAY|BYMONTH|BYMONTHDAY|BYYEARDAY|BYSETPOS)$/
/** The expansion stops after this many empty periods, for rules that never match (30 February). */
const maxEmptyPeriods = 2000

export function invalidRecurrence(): GoogleError {
  return new GoogleError(400, 'invalid', 'Invalid recurrence rule.')
}

export function parseRule(text: string): RecurrenceRule {
  const parts = new Map<string, string>()
  for (const part of text.toUpperCase().split(';').filter(Boolean)) {
    const [name = '', value = ''] = part.split('=')
    if (!PARTS.test(name) || value === '' || parts.has(name)) throw invalidRecurrence()
    parts.set(name, value)
  }
  const frequency = parts.get('FREQ')
  if (frequency !== 'DAILY' && frequency !== 'WEEKLY' && frequency !== 'MONTHLY' && frequency !== 'YEARLY') {
    throw invalidRecurrence()
  }
  const until = parts.get('UNTIL')
  if (until !== undefined && !/^\d{8}(T\d{6}Z?)?$/.test(until)) throw invalidRecurrence()
  if (until !== undefined && parts.has('COUNT')) throw invalidRecurrence()
  return {
    frequency,
    interval: positive(parts.get('INTERVAL') ?? '1'),
    count: parts.has('COUNT') ? positive(parts.get('COUNT') ?? '') : undefined,
    until,
    weekStart: weekday(parts.get('WKST') ?? 'MO'),
    byDay: (parts.get('BYDAY')?.split(',') ?? []).map(parseWeekday),
    byMonth: numbers(parts.get('BYMONTH'), 12),
    byMonthDay: numbers(parts.get('BYMONTHDAY'), 31),
    byYearDay: numbers(parts.get('BYYEARDAY'), 366),
    bySetPosition: numbers(parts.get('BYSETPOS'), 366),
  }
}

function positive(text: string): number {
  if (!/^\d{1,6}$/.test(text) || Number(text) === 0) throw invalidRecurrence()
  return Number(text)
}

function weekday(text: string): number {
  const index = DAYS.indexOf(text)
  if (index === -1) throw invalidRecurrence()
  return index + 1
}

function parseWeekday(text: string): WeekdayRule {
  const match = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text)
  if (match === null) throw invalidRecurrence()
  return { day: weekday(match[2] ?? ''), nth: Number(match[1] ?? 0) }
}

function numbers(text: string | undefined, max: number): number[] {
  return (text?.split(',') ?? []).map((item) => {
    const number = Number(item)
    if (!/^[+-]?\d{1,3}$/.test(item) || number === 0 || Math.abs(number) > max) throw invalidRecurrence()
    return number
  })
}

/** The days of the rule from `start` on, ascending; the caller applies COUNT and UNTIL. */
export function* ruleDays(rule: RecurrenceRule, start: Temporal.PlainDate): Generator<Temporal.PlainDate> {
  let empty = 0
  for (let period = 0; empty < maxEmptyPeriods; period++) {
    const days = pick(periodDays(rule, start, period * rule.interval), rule.bySetPosition)
    empty = days.length === 0 ? empty + 1 : 0
    for (const day of days) if (Temporal.PlainDate.compare(day, start) >= 0) yield day
  }
}

function pick(days: readonly Temporal.PlainDate[], positions: readonly number[]): readonly Temporal.PlainDate[] {
  if (positions.length === 0) return days
  return days.filter((_, index) => positions.includes(index + 1) || positions.includes(index - days.length))
}

function periodDays(rule: RecurrenceRule, start: Temporal.PlainDate, step: number): Temporal.PlainDate[] {
  switch (rule.frequency) {
    case 'DAILY':
      return [start.add({ days: step })].filter(
        (day) => inMonth(rule, day) && inMonthDay(rule, day) && onDay(rule, day),
      )
    case 'WEEKLY':
      return weekDays(rule, start, step)
    case 'MONTHLY': {
      const month = start.toPlainYearMonth().add({ months: step })
      if (rule.byMonth.length > 0 && !rule.byMonth.includes(month.month)) return []
      return monthDays(rule, month, start.day)
    }
    case 'YEARLY':
      return yearDays(rule, start, start.year + step)
  }
}

function weekDays(rule: RecurrenceRule, start: Temporal.PlainDate, step: number): Temporal.PlainDate[] {
  const first = start.subtract({ days: (start.dayOfWeek - rule.weekStart + 7) % 7 }).add({ weeks: step })
  const wanted = rule.byDay.length === 0 ? [start.dayOfWeek] : rule.byDay.map(({ day }) => day)
  return [0, 1, 2, 3, 4, 5, 6]
    .map((days) => first.add({ days }))
    .filter((day) => wanted.includes(day.dayOfWeek) && inMonth(rule, day))
}

function monthDays(rule: RecurrenceRule, month: Temporal.PlainYearMonth, startDay: number): Temporal.PlainDate[] {
  const days = Array.from({ length: month.daysInMonth }, (_, index) => month.toPlainDate({ day: index + 1 }))
  if (rule.byMonthDay.length === 0 && rule.byDay.length === 0) return days.filter((day) => day.day === startDay)
  return days.filter((day) => inMonthDay(rule, day) && onNthDay(rule, day, day.day, month.daysInMonth))
}

function yearDays(rule: RecurrenceRule, start: Temporal.PlainDate, year: number): Temporal.PlainDate[] {
  if (rule.byYearDay.length > 0) {
    return wholeYear(year).filter((day) => has(rule.byYearDay, day.dayOfYear, day.daysInYear) && inMonth(rule, day))
  }
  if (rule.byMonth.length === 0 && rule.byMonthDay.length === 0 && rule.byDay.length > 0) {
    return wholeYear(year).filter((day) => onNthDay(rule, day, day.dayOfYear, day.daysInYear))
  }
  const every = rule.byMonthDay.length > 0 ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] : [start.month]
  const months = rule.byMonth.length > 0 ? [...rule.byMonth].sort((left, right) => left - right) : every
  return months.flatMap((month) => monthDays(rule, Temporal.PlainYearMonth.from({ year, month }), start.day))
}

function wholeYear(year: number): Temporal.PlainDate[] {
  const first = Temporal.PlainDate.from({ year, month: 1, day: 1 })
  return Array.from({ length: first.daysInYear }, (_, days) => first.add({ days }))
}

function inMonth({ byMonth }: RecurrenceRule, day: Temporal.PlainDate): boolean {
  return byMonth.length === 0 || byMonth.includes(day.month)
}

function inMonthDay({ byMonthDay }: RecurrenceRule, day: Temporal.PlainDate): boolean {
  return byMonthDay.length === 0 || has(byMonthDay, day.day, day.daysInMonth)
}

function onDay({ byDay }: RecurrenceRule, day: Temporal.PlainDate): boolean {
  return byDay.length === 0 || byDay.some((rule) => rule.day === day.dayOfWeek)
}

function onNthDay({ byDay }: RecurrenceRule, day: Temporal.PlainDate, position: number, length: number): boolean {
  if (byDay.length === 0) return true
  const nth = Math.ceil(position / 7)
  const nthLast = -Math.ceil((length - position + 1) / 7)
  return byDay.some(
    (rule) => rule.day === day.dayOfWeek && (rule.nth === 0 || rule.nth === nth || rule.nth === nthLast),
  )
}

function has(wanted: readonly number[], position: number, length: number): boolean {
  return wanted.includes(position) || wanted.includes(position - length - 1)
}
