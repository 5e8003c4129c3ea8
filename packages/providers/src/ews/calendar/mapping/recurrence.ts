/** Maps Exchange's recurrence pattern and range (calendar/exchange) to EWS elements, and back. Pure. */
import { civilDate, dayOf } from '@waypost/formats/timezones/dates'
import { invalidField } from '@waypost/platform/api-error'
import type { ExchangePattern, ExchangeRange, ExchangeRecurrence } from '../../../calendar/exchange/event-model.ts'
import {
  type DayName,
  monthNames,
  type Recurrence,
  type RecurrencePattern,
  type RecurrenceRange,
  weekdays,
  weekIndexes,
} from '../../types/recurrence.ts'

function refuse(part: string, why: string): never {
  throw invalidField('recurrence', `${part}: Exchange has no such series: ${why}`)
}

/** The maxIntervals intervals that Exchange accepts. */
const maxIntervals = { daily: 999, weekly: 99, monthly: 99 } as const

function intervalOf({ interval = 1 }: ExchangePattern, max: number): number {
  if (interval > max) refuse('INTERVAL', `it is at most ${max}`)
  return interval
}

const dayNameOf = (day: string): (typeof weekdays)[number] =>
  weekdays.find((name) => name.toLowerCase() === day.toLowerCase()) ?? refuse('BYDAY', 'a day has no name')

const weekend = ['Saturday', 'Sunday']
/** Days that have a common name. */
const together: readonly (readonly [DayName, readonly string[]])[] = [
  ['Day', weekdays],
  ['Weekday', weekdays.filter((day) => !weekend.includes(day))],
  ['WeekendDay', weekend],
]

/** The one day name for a relative day of a month. */
function relativeDay(days: readonly string[]): DayName {
  const names = days.map(dayNameOf)
  const [only] = names
  if (names.length === 1 && only !== undefined) return only
  const all = together.find(([, group]) => group.length === names.length && names.every((day) => group.includes(day)))
  return all?.[0] ?? refuse('BYDAY', 'with a place it is one day, all days, Monday to Friday, or Saturday and Sunday')
}

const daysOf = (names: readonly DayName[]): string[] =>
  names
    .flatMap((name): readonly string[] => together.find(([group]) => group === name)?.[1] ?? [name])
    .map((day) => day.toLowerCase())

const monthNameOf = (month = 1): (typeof monthNames)[number] => monthNames[month - 1] ?? 'January'
const monthOf = (name: (typeof monthNames)[number]): number => monthNames.indexOf(name) + 1
const placeOf = (index = 'first'): (typeof weekIndexes)[number] =>
  weekIndexes.find((name) => name.toLowerCase() === index) ?? 'First'

/** A yearly pattern has no interval in EWS: every second year is written as every 24th month from the same month. */
function yearsAsMonths(pattern: ExchangePattern, { startDate = '' }: ExchangeRange): ExchangePattern {
  const { interval = 1, month, ...rest } = pattern
  if (!pattern.type?.endsWith('Yearly') || interval === 1) return pattern
  if (interval * 12 > maxIntervals.monthly)
    refuse('INTERVAL', `it is at most ${Math.floor(maxIntervals.monthly / 12)} years`)
  if (month !== civilDate(dayOf(startDate)).month) {
    refuse('INTERVAL', 'with years between, the series begins in the month that it repeats in')
  }
  return { ...rest, type: pattern.type.replace('Yearly', 'Monthly'), interval: interval * 12 }
}

function toPattern(given: ExchangePattern, range: ExchangeRange): RecurrencePattern {
  const pattern = yearsAsMonths(given, range)
  const { daysOfWeek = [], dayOfMonth = 1, index, month, firstDayOfWeek = 'monday' } = pattern
  const relative = () => ({ DaysOfWeek: [relativeDay(daysOfWeek)], DayOfWeekIndex: placeOf(index) })
  switch (pattern.type) {
    case 'weekly':
      return {
        kind: 'WeeklyRecurrence',
        Interval: intervalOf(pattern, maxIntervals.weekly),
        DaysOfWeek: daysOfWeek.map(dayNameOf),
        FirstDayOfWeek: dayNameOf(firstDayOfWeek),
      }
    case 'absoluteMonthly':
      return {
        kind: 'AbsoluteMonthlyRecurrence',
        Interval: intervalOf(pattern, maxIntervals.monthly),
        DayOfMonth: dayOfMonth,
      }
    case 'relativeMonthly':
      return { kind: 'RelativeMonthlyRecurrence', Interval: intervalOf(pattern, maxIntervals.monthly), ...relative() }
    case 'absoluteYearly':
      return { kind: 'AbsoluteYearlyRecurrence', DayOfMonth: dayOfMonth, Month: monthNameOf(month) }
    case 'relativeYearly':
      return { kind: 'RelativeYearlyRecurrence', ...relative(), Month: monthNameOf(month) }
    default:
      return { kind: 'DailyRecurrence', Interval: intervalOf(pattern, maxIntervals.daily) }
  }
}

function toRange({
  type,
  startDate = '',
  endDate = startDate,
  numberOfOccurrences = 1,
}: ExchangeRange): RecurrenceRange {
  const begin = { StartDate: startDate }
  if (type === 'endDate') return { kind: 'EndDateRecurrence', ...begin, EndDate: endDate }
  if (type === 'numbered') return { kind: 'NumberedRecurrence', ...begin, NumberOfOccurrences: numberOfOccurrences }
  return { kind: 'NoEndRecurrence', ...begin }
}

/** A recurrence for EWS. A rule that EWS cannot express is refused. */
export const toRecurrence = ({ pattern = {}, range = {} }: ExchangeRecurrence): Recurrence => ({
  Pattern: toPattern(pattern, range),
  Range: toRange(range),
})

function fromPattern(pattern: RecurrencePattern): ExchangePattern {
  const relative = ({ DaysOfWeek, DayOfWeekIndex }: { DaysOfWeek: DayName[]; DayOfWeekIndex: string }) => ({
    daysOfWeek: daysOf(DaysOfWeek),
    index: DayOfWeekIndex.toLowerCase(),
  })
  switch (pattern.kind) {
    case 'DailyRecurrence':
      return { type: 'daily', interval: pattern.Interval }
    case 'WeeklyRecurrence':
      return {
        type: 'weekly',
        interval: pattern.Interval,
        daysOfWeek: daysOf(pattern.DaysOfWeek),
        ...(pattern.FirstDayOfWeek ? { firstDayOfWeek: pattern.FirstDayOfWeek.toLowerCase() } : {}),
      }
    case 'AbsoluteMonthlyRecurrence':
      return { type: 'absoluteMonthly', interval: pattern.Interval, dayOfMonth: pattern.DayOfMonth }
    case 'RelativeMonthlyRecurrence':
      return { type: 'relativeMonthly', interval: pattern.Interval, ...relative(pattern) }
    case 'AbsoluteYearlyRecurrence':
      return { type: 'absoluteYearly', interval: 1, month: monthOf(pattern.Month), dayOfMonth: pattern.DayOfMonth }
    case 'RelativeYearlyRecurrence':
      return { type: 'relativeYearly', interval: 1, month: monthOf(pattern.Month), ...relative(pattern) }
  }
}

/** Months that are whole years, as `yearsAsMonths` writes them. */
function monthsAsYears(pattern: ExchangePattern, startDate: string): ExchangePattern {
  const { type = '', interval = 1 } = pattern
  if (!type.endsWith('Monthly') || interval % 12 !== 0) return pattern
  const { month } = civilDate(dayOf(startDate))
  return { ...pattern, type: type.replace('Monthly', 'Yearly'), interval: interval / 12, month }
}

function fromRange(range: RecurrenceRange): ExchangeRange {
  const begin = { startDate: range.StartDate }
  switch (range.kind) {
    case 'EndDateRecurrence':
      return { type: 'endDate', ...begin, endDate: range.EndDate }
    case 'NumberedRecurrence':
      return { type: 'numbered', ...begin, numberOfOccurrences: range.NumberOfOccurrences }
    case 'NoEndRecurrence':
      return { type: 'noEnd', ...begin }
  }
}

/** A recurrence of EWS; its zone is that of its start. */
export const fromRecurrence = ({ Pattern, Range }: Recurrence, zone: string | undefined): ExchangeRecurrence => ({
  pattern: monthsAsYears(fromPattern(Pattern), Range.StartDate),
  range: { ...fromRange(Range), ...(zone === undefined ? {} : { recurrenceTimeZone: zone }) },
})
