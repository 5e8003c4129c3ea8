// `patternedRecurrence`: read, checked, shown and expanded. A series runs on the wall clock of its recurrence time zone: every
// occurrence begins and ends at the same hours, whatever the clock change does to its length.
// https://learn.microsoft.com/graph/api/resources/patternedrecurrence

import { isObject, type JsonObject } from '../../shared/http.ts'
import { GraphError } from '../errors.ts'
import { type EventTime, wallTime } from './event-time.ts'
import {
  type Pattern,
  type PatternType,
  patternDays,
  WEEK_INDEXES,
  WEEKDAYS,
  type Weekday,
  type WeekIndex,
} from './recurrence-days.ts'
import { requireZone, type Zone } from './zones.ts'

export interface Recurrence {
  readonly pattern: Pattern
  readonly range: {
    readonly type: 'endDate' | 'noEnd' | 'numbered'
    readonly startDate: string
    /** The last day on which an occurrence may begin, in the recurrence time zone. */
    readonly endDate?: string
    readonly numberOfOccurrences?: number
    readonly zone: Zone
  }
}

/** When one occurrence is, and on which day the series has it. */
export interface Slot {
  /** `2026-01-02`, in the recurrence time zone. */
  readonly date: string
  readonly start: number
  readonly end: number
}

export interface SeriesTimes {
  readonly start: EventTime
  readonly end: EventTime
  readonly recurrence: Recurrence
}

const NEEDS: Readonly<Record<PatternType, readonly string[]>> = {
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

/** Reads `recurrence` of a body; `start` gives the zone where the range has none. */
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
  for (const name of NEEDS[type]) if (!given[name]) throw invalidProperty(`pattern.${name}`)
  return onlyNeeded(pattern)
}

/** What a type has no use for is not kept. */
function onlyNeeded(pattern: Pattern): Pattern {
  const needed = NEEDS[pattern.type]
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
  return typeof value === 'string' && Object.hasOwn(NEEDS, value)
}

function weekday(value: unknown, name: string): Weekday {
  const day = WEEKDAYS.find((one) => one === String(value).toLowerCase())
  if (day === undefined) throw invalidProperty(name)
  return day
}

function weekIndex(value: unknown): WeekIndex {
  const index = WEEK_INDEXES.find((one) => one === value)
  if (index === undefined) throw invalidProperty('pattern.index')
  return index
}

/** As Graph shows it: every property, those without a meaning too. */
export function recurrenceJson({ pattern, range }: Recurrence): JsonObject {
  const { type, startDate, endDate = '0001-01-01', numberOfOccurrences = 0, zone } = range
  const { type: patternType, interval, month, dayOfMonth, daysOfWeek, firstDayOfWeek, index } = pattern
  const days = daysOfWeek.length > 0 ? { daysOfWeek } : {}
  return {
    pattern: { type: patternType, interval, month, dayOfMonth, ...days, firstDayOfWeek, index },
    range: { type, startDate, endDate, recurrenceTimeZone: zone.name, numberOfOccurrences },
  }
}

/** The occurrences of a series, ascending; without end where the range has none. */
export function* slotsOf({ start, end, recurrence }: SeriesTimes): Generator<Slot> {
  const { pattern, range } = recurrence
  const first = wallTime(start.ms, range.zone)
  const last = wallTime(end.ms, range.zone)
  const length = first.toPlainDate().until(last.toPlainDate()).days
  let count = 0
  for (const day of patternDays(pattern, Temporal.PlainDate.from(range.startDate))) {
    const date = day.toString()
    if (range.endDate !== undefined && date > range.endDate) return
    if (range.numberOfOccurrences !== undefined && count >= range.numberOfOccurrences) return
    count++
    yield {
      date,
      start: instantOf(day, first.toPlainTime(), range.zone),
      end: instantOf(day.add({ days: length }), last.toPlainTime(), range.zone),
    }
  }
}

function instantOf(day: Temporal.PlainDate, clock: Temporal.PlainTime, zone: Zone): number {
  return day.toPlainDateTime(clock).toZonedDateTime(zone.iana).epochMilliseconds
}

/** The series moved to its first occurrence: where a start does not fit its pattern, Exchange takes the next that does. */
export function alignSeries(times: SeriesTimes): SeriesTimes {
  const first = slotsOf(times).next()
  if (first.done) {
    throw new GraphError(400, 'ErrorRecurrenceHasNoOccurrence', 'The recurrence has no occurrences in the given range.')
  }
  const { date: startDate, start, end } = first.value
  return {
    start: { ...times.start, ms: start },
    end: { ...times.end, ms: end },
    recurrence: { ...times.recurrence, range: { ...times.recurrence.range, startDate } },
  }
}
