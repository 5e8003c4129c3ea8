// `patternedRecurrence`: parsed, validated and rendered.
// https://learn.microsoft.com/graph/api/resources/patternedrecurrence

import { type EventTime, wallTime } from '../../shared/calendar/event-time.ts'
import { alignedSeries, type Recurrence, type SeriesTimes } from '../../shared/calendar/recurrence.ts'
import {
  type Pattern,
  type PatternType,
  type Weekday,
  type WeekIndex,
  weekdays,
  weekIndexes,
} from '../../shared/calendar/recurrence-days.ts'
import { isObject, type JsonObject } from '../../shared/http.ts'
import { GraphError } from '../errors.ts'
import { requireZone } from './zones.ts'

const needs: Readonly<Record<PatternType, readonly string[]>> = {
  daily: [],
  weekly: ['daysOfWeek'],
  absoluteMonthly: ['dayOfMonth'],
  relativeMonthly: ['daysOfWeek'],
  absoluteYearly: ['dayOfMonth', 'month'],
  relativeYearly: ['daysOfWeek', 'month'],
}

export function invalidProperty(detail?: string): GraphError {
  const message = 'At least one property failed validation.'
  return new GraphError(400, 'ErrorPropertyValidationFailure', detail === undefined ? message : `${message} ${detail}`)
}

/** Parses `recurrence` of a body; `start` supplies the zone if the range has none. */
export function parseRecurrence(value: unknown, start: EventTime): Recurrence {
  if (!isObject(value) || !isObject(value.pattern) || !isObject(value.range)) {
    throw invalidProperty('A recurrence has a pattern and a range.')
  }
  return { pattern: parsePattern(value.pattern), range: parseRange(value.range, start) }
}

function parsePattern(body: JsonObject): Pattern {
  const { type } = body
  if (!isPatternType(type)) throw invalidProperty('pattern.type')
  const daysOfWeek = body.daysOfWeek ?? []
  if (!Array.isArray(daysOfWeek)) throw invalidProperty('pattern.daysOfWeek')
  const pattern: Pattern = {
    type,
    interval: integer(body.interval, 'pattern.interval', { min: 1, max: 999 }),
    month: integer(body.month ?? 0, 'pattern.month', { min: 0, max: 12 }),
    dayOfMonth: integer(body.dayOfMonth ?? 0, 'pattern.dayOfMonth', { min: 0, max: 31 }),
    daysOfWeek: daysOfWeek.map((day) => weekday(day, 'pattern.daysOfWeek')),
    firstDayOfWeek: weekday(body.firstDayOfWeek ?? 'sunday', 'pattern.firstDayOfWeek'),
    index: weekIndex(body.index ?? 'first'),
  }
  const given: Record<string, boolean> = {
    daysOfWeek: pattern.daysOfWeek.length > 0,
    dayOfMonth: pattern.dayOfMonth > 0,
    month: pattern.month > 0,
  }
  for (const name of needs[type]) if (!given[name]) throw invalidProperty(`pattern.${name}`)
  return onlyNeeded(pattern)
}

/** Drops properties that the pattern type does not use. */
function onlyNeeded(pattern: Pattern): Pattern {
  const needed = needs[pattern.type]
  return {
    ...pattern,
    month: needed.includes('month') ? pattern.month : 0,
    dayOfMonth: needed.includes('dayOfMonth') ? pattern.dayOfMonth : 0,
    daysOfWeek: needed.includes('daysOfWeek') ? pattern.daysOfWeek : [],
    index: pattern.type.startsWith('relative') ? pattern.index : 'first',
  }
}

function parseRange(body: JsonObject, start: EventTime): Recurrence['range'] {
  const { type, recurrenceTimeZone } = body
  if (type !== 'endDate' && type !== 'noEnd' && type !== 'numbered') throw invalidProperty('range.type')
  const zone =
    typeof recurrenceTimeZone === 'string' && recurrenceTimeZone !== '' ? requireZone(recurrenceTimeZone) : start.zone
  const startDate = date(body.startDate, 'range.startDate')
  // "Must be the same value as the start property of the recurring event."
  if (startDate !== wallTime(start.ms, zone).toPlainDate().toString()) throw invalidProperty('range.startDate')
  if (type === 'noEnd') return { type, startDate, zone }
  if (type === 'numbered') {
    const numberOfOccurrences = integer(body.numberOfOccurrences, 'range.numberOfOccurrences', { min: 1, max: 999 })
    return { type, startDate, numberOfOccurrences, zone }
  }
  const endDate = date(body.endDate, 'range.endDate')
  if (endDate < startDate) {
    throw new GraphError(400, 'ErrorRecurrenceHasNoOccurrence', 'The recurrence has no occurrences in the given range.')
  }
  if (endDate >= '4500-09-01') {
    const message = 'Recurrence end date can not exceed Sep 1, 4500 00:00:00.'
    throw new GraphError(400, 'ErrorRecurrenceEndDateTooBig', message)
  }
  return { type, startDate, endDate, zone }
}

function integer(value: unknown, name: string, { min, max }: { min: number; max: number }): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
  throw invalidProperty(name)
}

function date(value: unknown, name: string): string {
  try {
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)) return Temporal.PlainDate.from(value).toString()
  } catch {
    // Told below.
  }
  throw invalidProperty(name)
}

function isPatternType(value: unknown): value is PatternType {
  return typeof value === 'string' && Object.hasOwn(needs, value)
}

function weekday(value: unknown, name: string): Weekday {
  const day = weekdays.find((one) => one === String(value).toLowerCase())
  if (day === undefined) throw invalidProperty(name)
  return day
}

function weekIndex(value: unknown): WeekIndex {
  const index = weekIndexes.find((one) => one === value)
  if (index === undefined) throw invalidProperty('pattern.index')
  return index
}

/** Graph's form: every property, including those that the type does not use. */
export function recurrenceJson({ pattern, range }: Recurrence): JsonObject {
  const { type, startDate, endDate = '0001-01-01', numberOfOccurrences = 0, zone } = range
  const { type: patternType, interval, month, dayOfMonth, daysOfWeek, firstDayOfWeek, index } = pattern
  const days = daysOfWeek.length > 0 ? { daysOfWeek } : {}
  return {
    pattern: { type: patternType, interval, month, dayOfMonth, ...days, firstDayOfWeek, index },
    range: { type, startDate, endDate, recurrenceTimeZone: zone.name, numberOfOccurrences },
  }
}

/** The series moved to its first occurrence. */
export function alignSeries(times: SeriesTimes): SeriesTimes {
  const aligned = alignedSeries(times)
  if (aligned !== undefined) return aligned
  throw new GraphError(400, 'ErrorRecurrenceHasNoOccurrence', 'The recurrence has no occurrences in the given range.')
}
