// Converts an RRULE to the elements of a `Recurrence`. Rules without an Exchange pattern are rejected.
import { weekdays, weekIndexes } from '../../shared/calendar/recurrence-days.ts'
import { EwsError } from '../soap/errors.ts'
import type { WrittenBody } from '../written.ts'
import { capitalized, months } from './recurrence-xml.ts'

const unsupported = (): EwsError => new EwsError('ErrorUnsupportedRecurrence', 'The recurrence is not supported.')

export function recurrenceBody(rule: string, startDate: string): WrittenBody {
  const parts = Object.fromEntries(rule.split(';').map((part) => part.split('=', 2) as [string, string]))
  return { ...patternOf(parts, startDate), ...rangeOf(parts, startDate) }
}

type Parts = Readonly<Record<string, string | undefined>>

const nameOf = (day: string): string => {
  const name = weekdays.find((one) => one.slice(0, 2).toUpperCase() === day.slice(-2))
  if (name === undefined) throw unsupported()
  return capitalized(name)
}

function patternOf(parts: Parts, startDate: string): WrittenBody {
  const start = Temporal.PlainDate.from(startDate)
  const Interval = Number(parts.INTERVAL ?? 1)
  const days = (parts.BYDAY ?? '').split(',').filter(Boolean)
  const Month = months[Number(parts.BYMONTH ?? start.month) - 1] ?? 'January'
  const DayOfMonth = Math.abs(Number(parts.BYMONTHDAY ?? start.day)) || start.day
  const last = parts.BYMONTHDAY === '-1' ? 31 : DayOfMonth
  const relative = days.length === 0 ? undefined : relativeOf(parts, days)
  switch (parts.FREQ) {
    case 'DAILY':
      return { DailyRecurrence: { Interval } }
    case 'WEEKLY': {
      const names = days.length === 0 ? [capitalized(weekdays[start.dayOfWeek - 1] ?? 'monday')] : days.map(nameOf)
      const FirstDayOfWeek = nameOf(parts.WKST ?? 'MO')
      return { WeeklyRecurrence: { Interval, DaysOfWeek: names.join(' '), FirstDayOfWeek } }
    }
    case 'MONTHLY':
      if (relative !== undefined) return { RelativeMonthlyRecurrence: { Interval, ...relative } }
      return { AbsoluteMonthlyRecurrence: { Interval, DayOfMonth: last } }
    case 'YEARLY':
      if (Interval !== 1) throw unsupported()
      if (relative !== undefined) return { RelativeYearlyRecurrence: { ...relative, Month } }
      return { AbsoluteYearlyRecurrence: { DayOfMonth: last, Month } }
    default:
      throw unsupported()
  }
}

/** `2MO`, or a day with its position in BYSETPOS. */
function relativeOf({ BYSETPOS }: Parts, days: readonly string[]): { DaysOfWeek: string; DayOfWeekIndex: string } {
  const [day = ''] = days
  const place = Number(BYSETPOS ?? (/^[+-]?\d+/.exec(day)?.[0] || '1'))
  const index = place === -1 ? 'last' : weekIndexes[place - 1]
  if (index === undefined) throw unsupported()
  return { DaysOfWeek: groupOf(days), DayOfWeekIndex: capitalized(index) }
}

function groupOf(days: readonly string[]): string {
  const names = days.map(nameOf)
  const weekend = names.filter((name) => name.startsWith('S')).length
  if (names.length === 7) return 'Day'
  if (names.length === 5 && weekend === 0) return 'Weekday'
  if (names.length === 2 && weekend === 2) return 'WeekendDay'
  const [only] = names
  if (only === undefined || names.length > 1) throw unsupported()
  return only
}

function rangeOf({ COUNT, UNTIL }: Parts, StartDate: string): WrittenBody {
  if (COUNT !== undefined) return { NumberedRecurrence: { StartDate, NumberOfOccurrences: COUNT } }
  if (UNTIL === undefined) return { NoEndRecurrence: { StartDate } }
  const EndDate = UNTIL.slice(0, 8).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
  return { EndDateRecurrence: { StartDate, EndDate } }
}
