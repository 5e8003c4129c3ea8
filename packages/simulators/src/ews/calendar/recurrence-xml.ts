// `Recurrence`: a pattern and a range in EWS form, converted to the model that all Exchange simulators share.
import { type EventTime, wallTime } from '../../shared/calendar/event-time.ts'
import type { Recurrence } from '../../shared/calendar/recurrence.ts'
import {
  type Pattern,
  type PatternType,
  type Weekday,
  weekdays,
  weekIndexes,
} from '../../shared/calendar/recurrence-days.ts'
import type { Zone } from '../../shared/calendar/zones.ts'
import { EwsError, schemaViolation } from '../soap/errors.ts'
import { textOf, type XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'
import { dateOf } from './times.ts'

export const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
] as const

/** Names for groups of weekdays. */
const groups: Readonly<Record<string, readonly Weekday[]>> = {
  Day: weekdays,
  Weekday: weekdays.slice(0, 5),
  WeekendDay: weekdays.slice(5),
}

const types: Readonly<Record<string, PatternType>> = {
  DailyRecurrence: 'daily',
  WeeklyRecurrence: 'weekly',
  AbsoluteMonthlyRecurrence: 'absoluteMonthly',
  RelativeMonthlyRecurrence: 'relativeMonthly',
  AbsoluteYearlyRecurrence: 'absoluteYearly',
  RelativeYearlyRecurrence: 'relativeYearly',
}
const maxInterval: Partial<Record<PatternType, number>> = {
  daily: 999,
  weekly: 99,
  absoluteMonthly: 99,
  relativeMonthly: 99,
}
const maxOccurrences = 999
const lastDate = '4500-08-31'

function invalidValue(name: string): EwsError {
  return new EwsError('ErrorCalendarInvalidRecurrence', `The recurrence pattern is not valid: ${name}.`)
}

/** Parses a `Recurrence`; it uses the zone of the start. */
export function readRecurrence(node: XmlNode, start: EventTime): Recurrence {
  const patternNode = node.children.find(({ name }) => Object.hasOwn(types, name))
  const rangeNode = node.children.find(({ name }) => /^(NoEnd|EndDate|Numbered)Recurrence$/.test(name))
  if (patternNode === undefined || rangeNode === undefined) {
    throw schemaViolation("The element 'Recurrence' has incomplete content.")
  }
  return { pattern: readPattern(patternNode), range: readRange(rangeNode, start.zone) }
}

function readPattern(node: XmlNode): Pattern {
  const type = types[node.name] ?? 'daily'
  const isWeekly = type === 'weekly'
  const days = type.startsWith('relative') || isWeekly ? readDays(textOf(node, 'DaysOfWeek') ?? '', isWeekly) : []
  return {
    type,
    interval: maxInterval[type] === undefined ? 1 : integer(node, 'Interval', maxInterval[type]),
    month: type.endsWith('Yearly') ? months.indexOf(requiredOf(node, 'Month', months)) + 1 : 0,
    dayOfMonth: type.startsWith('absolute') ? integer(node, 'DayOfMonth', 31) : 0,
    daysOfWeek: days,
    firstDayOfWeek: weekday(textOf(node, 'FirstDayOfWeek') ?? 'Sunday'),
    index: type.startsWith('relative') ? indexOf(node) : 'first',
  }
}

function readDays(text: string, isWeekly: boolean): Weekday[] {
  const names = text.split(/\s+/).filter(Boolean)
  // Only a weekly pattern has a list of days.
  if (names.length === 0 || (!isWeekly && names.length > 1))
    throw schemaViolation("The 'DaysOfWeek' element is invalid.")
  const days = names.flatMap((name) => groups[name] ?? [weekday(name)])
  return weekdays.filter((day) => days.includes(day))
}

function weekday(name: string): Weekday {
  const day = weekdays.find((one) => capitalized(one) === name)
  if (day === undefined)
    throw schemaViolation(`The value '${name}' is invalid according to its datatype 'DayOfWeekType'.`)
  return day
}

function indexOf(node: XmlNode): Pattern['index'] {
  const names = weekIndexes.map(capitalized)
  return weekIndexes[names.indexOf(requiredOf(node, 'DayOfWeekIndex', names))] ?? 'first'
}

function requiredOf<T extends string>(node: XmlNode, name: string, values: readonly T[]): T {
  const text = textOf(node, name)
  const value = values.find((one) => one === text)
  if (value === undefined) throw schemaViolation(`The '${name}' element is invalid: '${text ?? ''}'.`)
  return value
}

function integer(node: XmlNode, name: string, max: number): number {
  const text = textOf(node, name) ?? ''
  if (!/^-?\d+$/.test(text)) throw schemaViolation(`The '${name}' element is invalid: '${text}'.`)
  const value = Number(text)
  if (value < 1 || value > max) throw invalidValue(name)
  return value
}

function readRange(node: XmlNode, zone: Zone): Recurrence['range'] {
  const startDate = requiredDate(node, 'StartDate')
  if (node.name === 'NoEndRecurrence') return { type: 'noEnd', startDate, zone }
  if (node.name === 'NumberedRecurrence') {
    return {
      type: 'numbered',
      startDate,
      numberOfOccurrences: integer(node, 'NumberOfOccurrences', maxOccurrences),
      zone,
    }
  }
  const endDate = requiredDate(node, 'EndDate')
  if (endDate > lastDate) {
    throw new EwsError('ErrorRecurrenceEndDateTooBig', 'Recurrence end date can not exceed Sep 1, 4500 00:00:00.')
  }
  if (endDate < startDate) {
    throw new EwsError('ErrorCalendarEndDateIsEarlierThanStartDate', 'EndDate is earlier than StartDate')
  }
  return { type: 'endDate', startDate, endDate, zone }
}

function requiredDate(node: XmlNode, name: string): string {
  const date = dateOf(textOf(node, name) ?? '')
  if (date === undefined) throw schemaViolation(`The '${name}' element is invalid: '${textOf(node, name) ?? ''}'.`)
  return date
}

export function noOccurrence(): EwsError {
  return new EwsError('ErrorRecurrenceHasNoOccurrence', 'The recurrence has no occurrences in the given range.')
}

/** Exchange's form: dates with the offset of their zone. */
export function recurrenceXml({ pattern, range }: Recurrence): Xml {
  const { startDate, endDate, numberOfOccurrences, zone } = range
  const start = element('t:StartDate', zonedDate(startDate, zone))
  const rangeXml =
    numberOfOccurrences !== undefined
      ? element('t:NumberedRecurrence', [start, element('t:NumberOfOccurrences', numberOfOccurrences)])
      : endDate !== undefined
        ? element('t:EndDateRecurrence', [start, element('t:EndDate', zonedDate(endDate, zone))])
        : element('t:NoEndRecurrence', [start])
  return element('t:Recurrence', [patternXml(pattern), rangeXml])
}

function patternXml({ type, interval, month, dayOfMonth, daysOfWeek, firstDayOfWeek, index }: Pattern): Xml {
  const every = element('t:Interval', interval)
  const day = element('t:DayOfMonth', dayOfMonth)
  const inMonth = element('t:Month', months[month - 1] ?? 'January')
  const group = Object.entries(groups).find(
    ([, days]) => days.length === daysOfWeek.length && days.every((one) => daysOfWeek.includes(one)),
  )
  const relative = [
    element('t:DaysOfWeek', group?.[0] ?? capitalized(daysOfWeek[0] ?? 'monday')),
    element('t:DayOfWeekIndex', capitalized(index)),
  ]
  switch (type) {
    case 'daily':
      return element('t:DailyRecurrence', [every])
    case 'weekly':
      return element('t:WeeklyRecurrence', [
        every,
        element('t:DaysOfWeek', daysOfWeek.map(capitalized).join(' ')),
        element('t:FirstDayOfWeek', capitalized(firstDayOfWeek)),
      ])
    case 'absoluteMonthly':
      return element('t:AbsoluteMonthlyRecurrence', [every, day])
    case 'relativeMonthly':
      return element('t:RelativeMonthlyRecurrence', [every, ...relative])
    case 'absoluteYearly':
      return element('t:AbsoluteYearlyRecurrence', [day, inMonth])
    case 'relativeYearly':
      return element('t:RelativeYearlyRecurrence', [...relative, inMonth])
  }
}

export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** `2026-01-02+01:00`; `Z` if the zone is UTC. */
function zonedDate(date: string, { iana }: Zone): string {
  const { offset } = Temporal.PlainDate.from(date).toZonedDateTime(iana)
  return date + (offset === '+00:00' ? 'Z' : offset)
}

/** The same pattern from another start. */
export function movedRecurrence(recurrence: Recurrence, start: EventTime): Recurrence {
  const startDate = wallTime(start.ms, start.zone).toPlainDate().toString()
  return { ...recurrence, range: { ...recurrence.range, startDate, zone: start.zone } }
}
