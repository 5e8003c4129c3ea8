// The days of a recurrence pattern, ascending. If a month lacks the day, its last day is used, as in Outlook.
// https://learn.microsoft.com/graph/api/resources/recurrencepattern

export type PatternType =
  | 'daily'
  | 'weekly'
  | 'absoluteMonthly'
  | 'relativeMonthly'
  | 'absoluteYearly'
  | 'relativeYearly'

export type WeekIndex = 'first' | 'second' | 'third' | 'fourth' | 'last'

export interface Pattern {
  readonly type: PatternType
  readonly interval: number
  readonly month: number
  readonly dayOfMonth: number
  readonly daysOfWeek: readonly Weekday[]
  readonly firstDayOfWeek: Weekday
  readonly index: WeekIndex
}

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof weekdays)[number]
export const weekIndexes: readonly WeekIndex[] = ['first', 'second', 'third', 'fourth', 'last']

/** The last year of Exchange's calendar. */
const lastYear = 4500

/** The days of a pattern from `start` on. */
export function* patternDays(pattern: Pattern, start: Temporal.PlainDate): Generator<Temporal.PlainDate> {
  for (let period = 0; ; period++) {
    const days = daysOf(pattern, start, period * pattern.interval)
    if ((days[0]?.year ?? 0) > lastYear) return
    for (const day of days) if (Temporal.PlainDate.compare(day, start) >= 0) yield day
  }
}

function daysOf(pattern: Pattern, start: Temporal.PlainDate, step: number): readonly Temporal.PlainDate[] {
  switch (pattern.type) {
    case 'daily':
      return [start.add({ days: step })]
    case 'weekly':
      return weekDays(pattern, start, step)
    case 'absoluteMonthly':
      return [clampedDay(start.toPlainYearMonth().add({ months: step }), pattern.dayOfMonth)]
    case 'relativeMonthly':
      return relativeDay(pattern, start.toPlainYearMonth().add({ months: step }))
    case 'absoluteYearly':
      return [clampedDay(yearMonth(start.year + step, pattern.month), pattern.dayOfMonth)]
    case 'relativeYearly':
      return relativeDay(pattern, yearMonth(start.year + step, pattern.month))
  }
}

function yearMonth(year: number, month: number): Temporal.PlainYearMonth {
  return Temporal.PlainYearMonth.from({ year, month })
}

function weekDays({ daysOfWeek, firstDayOfWeek }: Pattern, start: Temporal.PlainDate, weeks: number) {
  const intoWeek = (start.dayOfWeek - 1 - weekdays.indexOf(firstDayOfWeek) + 7) % 7
  const first = start.subtract({ days: intoWeek }).add({ weeks })
  return Array.from({ length: 7 }, (_, days) => first.add({ days })).filter((day) => isOn(daysOfWeek, day))
}

function isOn(daysOfWeek: readonly Weekday[], day: Temporal.PlainDate): boolean {
  return daysOfWeek.some((name) => weekdays.indexOf(name) === day.dayOfWeek - 1)
}

function clampedDay(month: Temporal.PlainYearMonth, day: number): Temporal.PlainDate {
  return month.toPlainDate({ day: Math.min(day, month.daysInMonth) })
}

/** With several days of the week, the index counts all of them together. */
function relativeDay({ daysOfWeek, index }: Pattern, month: Temporal.PlainYearMonth): Temporal.PlainDate[] {
  const days = Array.from({ length: month.daysInMonth }, (_, day) => month.toPlainDate({ day: day + 1 }))
  const matching = days.filter((day) => isOn(daysOfWeek, day))
  const day = index === 'last' ? matching.at(-1) : matching[weekIndexes.indexOf(index)]
  return day === undefined ? [] : [day]
}
