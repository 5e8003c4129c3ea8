/**
 * Moves the occurrences of a series when its start moves. EXDATE, RDATE and overrides are stored by slot, and a slot
 * is an instant. If a series moved from 09:00 to 10:00 without them, deleted occurrences would reappear.
 *
 * - `dragSeries`: the user drags the series, so its rule and all its exceptions move along (`shift.ts`).
 * - `keepDays`: the rule itself stays, so exceptions keep their dates and follow only the time of day.
 */

import { civilDate, dayNumber, daysInMonth, SECONDS_PER_DAY } from '../timezones/dates.ts'
import { dateLine } from './dates.ts'
import { readForeignRule } from './foreign.ts'
import { slotKey, slotOfKey } from './instance-ids.ts'
import { makesSlot, previousSlots } from './recurrence.ts'
import {
  holdsKey,
  keyOfWall,
  type Recurrence,
  type RecurrenceRule,
  type Series,
  type SeriesStart,
  startKey,
  wallOfKey,
} from './series.ts'
import { type ShiftedRule, shiftRule, shiftTimeOfDay, withParts } from './shift.ts'
import { type CountedRule, walkRule } from './slots.ts'
import type { Steps } from './steps.ts'

/** The new key for an old one, or undefined if the moved series has no such slot. */
export type Placement = (key: number) => number | undefined

/** The lines of a moved series, not yet normalized, and the new places of its exceptions. */
export interface MovedSeries {
  readonly lines: readonly string[]
  readonly place: Placement
}

/** The series with its rule and exceptions at a new start, or undefined if the rule cannot be moved automatically. */
export function dragSeries(from: Series, start: SeriesStart, steps: Steps): MovedSeries | undefined {
  const { rdates, exdates } = from.recurrence
  const line = ruleLine(from)
  const rule = from.recurrence.rule ?? readLine(line, from.start)
  const days = startDay(start) - startDay(from.start)
  if (rule === null && line !== undefined && days !== 0) return undefined
  const time = shiftTimeOfDay(rule, from.start, start)
  const shifted: ShiftedRule | undefined = rule
    ? shiftRule(rule, startDay(from.start), startDay(start))
    : { parts: {}, by: 'days' }
  if (!time || !shifted) return undefined
  const byDays = (key: number): number =>
    keyOfWall(start, wallOfKey(from.start, key) + days * SECONDS_PER_DAY + time.seconds)
  const moved = line && withParts(line, { ...shifted.parts, ...time.parts })
  const isByPeriod = rule !== null && shifted.by !== 'days'
  const place = isByPeriod ? placeByPeriod(from, { start, rule, shifted, byDays, steps }) : byDays
  const until =
    rule?.until == null ? undefined : movedUntil(from, rule.until, { place, otherwise: byDays, isByPeriod, steps })
  return {
    lines: [
      ...(moved ? [withUntil(moved, start, until)] : []),
      ...dateLines('RDATE', start, rdates.map(byDays)),
      ...dateLines(
        'EXDATE',
        start,
        exdates.flatMap((key) => place(key) ?? []),
      ),
    ],
    place,
  }
}

/** The series with the same rule from a new start on. */
export function keepDays(from: Series, start: SeriesStart, steps: Steps): MovedSeries {
  const { rdates, exdates, rule } = from.recurrence
  const movedRdates = rdates.map((key) => onSameDate(key, from.start, start))
  const to = endless({ start, recurrence: { ...from.recurrence, rdates: [...movedRdates].sort(ascending) } })
  const place = placeKeepingDate(from.start, to, steps)
  const otherwise = (key: number): number => onSameDate(key, from.start, start)
  const until =
    rule?.until == null ? undefined : movedUntil(from, rule.until, { place, otherwise, isByPeriod: false, steps })
  const line = ruleLine(from)
  return {
    lines: [
      ...(line ? [withUntil(line, start, until)] : []),
      ...dateLines('RDATE', start, movedRdates),
      ...dateLines('EXDATE', start, exdates.map(place)),
    ],
    place,
  }
}

/**
 * Places exceptions in a series with another rule: at the same date, or moved by the same distance as the start. `to`
 * should have no end, because COUNT and UNTIL must not affect whether a slot exists.
 */
export function placeKeepingDate(from: SeriesStart, to: Series, steps: Steps): (key: number) => number {
  return (key) => {
    const wall = wallOfKey(from, key)
    const sameDate = onSameDate(key, from, to.start)
    if (makesSlot(to, sameDate, steps)) return sameDate
    const others = [wall + startWall(to.start) - startWall(from), wall].map((other) => keyOfWall(to.start, other))
    return others.find((other) => makesSlot(to, other, steps)) ?? sameDate
  }
}

/** The series without COUNT and UNTIL. */
export const endless = ({ start, recurrence }: Series): Series => ({
  start,
  recurrence: {
    ...recurrence,
    rule: recurrence.rule && { ...recurrence.rule, count: null, until: null },
    lastSlot: null,
  },
})

/** The day of a key in the zone of its series. */
export const dayOfKey = (start: SeriesStart, key: number): number => Math.floor(wallOfKey(start, key) / SECONDS_PER_DAY)

const startDay = (start: SeriesStart): number => dayOfKey(start, startKey(start))
const startWall = (start: SeriesStart): number => wallOfKey(start, startKey(start))
const timeOfDay = (wall: number): number => wall - Math.floor(wall / SECONDS_PER_DAY) * SECONDS_PER_DAY
const ascending = (a: number, b: number): number => a - b

const onSameDate = (key: number, from: SeriesStart, to: SeriesStart): number =>
  keyOfWall(to, wallOfKey(from, key) + timeOfDay(startWall(to)) - timeOfDay(startWall(from)))

const ruleLine = ({ recurrence }: Series): string | undefined =>
  recurrence.lines.find((line) => line.startsWith('RRULE'))

/** A rule that is not expanded, because it generates too many occurrences, may still be readable. */
const readLine = (line: string | undefined, start: SeriesStart): RecurrenceRule | null =>
  (line && readForeignRule(line.slice(line.indexOf(':') + 1), start)) || null

const dateLines = (name: string, start: SeriesStart, keys: readonly number[]): string[] =>
  keys.length === 0 ? [] : [dateLine(name, start, keys)]

const withUntil = (line: string, start: SeriesStart, until: number | undefined): string =>
  until === undefined ? line : withParts(line, { UNTIL: slotOfKey(start.kind, until) })

interface UntilMove {
  readonly place: Placement
  /** For times that are not occurrences. */
  readonly otherwise: (key: number) => number
  /** Months differ in length, so only the last occurrence determines where the series ends. */
  readonly isByPeriod: boolean
  readonly steps: Steps
}

/** Moves UNTIL like the other dates, or further if the last occurrence would be lost otherwise. */
function movedUntil(from: Series, until: number, { place, otherwise, isByPeriod, steps }: UntilMove): number {
  const last = lastOfRule(from, until, steps)
  const moved = last === undefined ? undefined : place(last)
  if (moved === undefined) return otherwise(until)
  return isByPeriod ? moved : Math.max(moved, otherwise(until))
}

function lastOfRule({ start, recurrence }: Series, until: number, steps: Steps): number | undefined {
  const bare: Recurrence = { ...recurrence, rdates: [], exdates: [] }
  const after = start.kind === 'timed' ? until + 1 : (until + 1) * SECONDS_PER_DAY
  const [slot] = previousSlots({ start, recurrence: bare }, after, { allDayZone: 'UTC', limit: 1, steps })
  return slot === undefined ? undefined : slotKey(slot)?.key
}

interface PeriodMove {
  readonly start: SeriesStart
  readonly rule: RecurrenceRule
  readonly shifted: ShiftedRule
  /** For dates that the rule does not generate. */
  readonly byDays: (key: number) => number
  readonly steps: Steps
}

/** Moves the n-th occurrence of a month or year to the n-th of the corresponding month or year. */
function placeByPeriod(from: Series, { start, rule, shifted, byDays, steps }: PeriodMove): Placement {
  const { rdates } = from.recurrence
  const moved = shiftedRule(rule, shifted)
  const isYearly = shifted.by === 'years'
  const distance = periodOf(startDay(start), isYearly) - periodOf(startDay(from.start), isYearly)
  return (key) => {
    if (holdsKey(rdates, key)) return byDays(key)
    const period = periodOf(dayOfKey(from.start, key), isYearly)
    const index = slotsOfPeriod({ start: from.start, rule, steps }, { period, isYearly }).indexOf(key)
    return slotsOfPeriod({ start, rule: moved, steps }, { period: period + distance, isYearly })[index]
  }
}

/** The parsed rule with the parts that a shift by period changes. */
function shiftedRule(rule: RecurrenceRule, { parts }: ShiftedRule): RecurrenceRule {
  const numbers = (name: string, before: readonly number[]): readonly number[] => {
    const text = parts[name]
    if (text === undefined) return before
    return text === null ? [] : text.split(',').map(Number)
  }
  const { BYDAY: days } = parts
  const code = days?.slice(-2) ?? ''
  return {
    ...rule,
    byMonth: numbers('BYMONTH', rule.byMonth),
    byMonthDay: numbers('BYMONTHDAY', rule.byMonthDay),
    bySetPos: numbers('BYSETPOS', rule.bySetPos),
    byDay: days ? [{ weekday: weekdayCodes.indexOf(code), ordinal: Number(days.slice(0, -2) || 0) }] : rule.byDay,
  }
}

const weekdayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

function periodOf(day: number, isYearly: boolean): number {
  const { year, month } = civilDate(day)
  return isYearly ? year : year * 12 + month - 1
}

function slotsOfPeriod(counted: CountedRule, { period, isYearly }: { period: number; isYearly: boolean }): number[] {
  const { start } = counted
  const [year, firstMonth] = isYearly ? [period, 1] : [Math.floor(period / 12), (period % 12) + 1]
  const lastMonth = isYearly ? 12 : firstMonth
  const first = dayNumber(year, firstMonth, 1) * SECONDS_PER_DAY
  const after = (dayNumber(year, lastMonth, daysInMonth(year, lastMonth)) + 1) * SECONDS_PER_DAY
  const keys: number[] = []
  walkRule(counted, { from: keyOfWall(start, first), to: keyOfWall(start, after) - 1 }, (key) => {
    keys.push(key)
    return true
  })
  return keys
}
