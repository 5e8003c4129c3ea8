/** How a series of events repeats, and until when. */
import {
  choice,
  date,
  enumeration,
  integer,
  required,
  requiredInline,
  type Scalar,
  sequence,
  type ValueOf,
  words,
} from '../soap/description.ts'

export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
/** Weekdays, or any day, working day or weekend day of a month. */
export const dayNames = [...weekdays, 'Day', 'Weekday', 'WeekendDay'] as const
export type DayName = (typeof dayNames)[number]
export const weekIndexes = ['First', 'Second', 'Third', 'Fourth', 'Last'] as const
export const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

const interval = { Interval: required(integer) }
/** One name; servers other than Exchange write several. */
const relative = { DaysOfWeek: required(words(dayNames)), DayOfWeekIndex: required(enumeration(weekIndexes)) }
const month = { Month: required(enumeration(monthNames)) }

export const recurrencePattern = choice({
  RelativeYearlyRecurrence: sequence({ ...relative, ...month }),
  AbsoluteYearlyRecurrence: sequence({ DayOfMonth: required(integer), ...month }),
  RelativeMonthlyRecurrence: sequence({ ...interval, ...relative }),
  AbsoluteMonthlyRecurrence: sequence({ ...interval, DayOfMonth: required(integer) }),
  WeeklyRecurrence: sequence({
    ...interval,
    DaysOfWeek: required(words(dayNames)),
    FirstDayOfWeek: enumeration(weekdays),
  }),
  DailyRecurrence: sequence(interval),
})
export type RecurrencePattern = ValueOf<typeof recurrencePattern>

/** xs:date; servers other than Exchange write xs:dateTime, of which only the day counts. */
const day: Scalar<string> = {
  ...date,
  parse: (value) => date.parse(value.trim().slice(0, 10)),
  read: (element) => date.parse(element.text.trim().slice(0, 10)),
}

const begin = { StartDate: required(day) }
export const recurrenceRange = choice({
  NoEndRecurrence: sequence(begin),
  EndDateRecurrence: sequence({ ...begin, EndDate: required(day) }),
  NumberedRecurrence: sequence({ ...begin, NumberOfOccurrences: required(integer) }),
})
export type RecurrenceRange = ValueOf<typeof recurrenceRange>

export const recurrence = sequence({
  Pattern: requiredInline(recurrencePattern),
  Range: requiredInline(recurrenceRange),
})
export type Recurrence = ValueOf<typeof recurrence>
