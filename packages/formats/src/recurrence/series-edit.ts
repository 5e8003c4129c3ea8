/**
 * Calculates a series after a change of its start, its lines, or both. The rules are the same for every kind of
 * calendar.
 *
 * - A new start without lines drags the series: its rule, exceptions and end move along; COUNT stays.
 * - Lines with the same meaning as before are not a change. They keep their days if the new start matches the rule;
 *   otherwise the series is dragged.
 * - Other lines are used as given, and the start must match the new rule. EXDATE lines replace the former ones.
 *   Without any, deleted occurrences stay deleted as far as the new rule still generates them.
 */

import { civilDate, weekdayOf } from '../timezones/dates.ts'
import { dateLine } from './dates.ts'
import { foreignSeries } from './foreign.ts'
import { slotKey, slotOfKey } from './instance-ids.ts'
import { dayOfKey, dragSeries, endless, keepDays, type MovedSeries, placeKeepingDate } from './move.ts'
import { makesSlot, occurrenceAt } from './recurrence.ts'
import { normaliseRecurrence } from './rule.ts'
import { holdsKey, type RecurrenceRule, type Series, type SeriesStart, startKey } from './series.ts'
import { RecurrenceTooLarge, type Steps } from './steps.ts'

export interface SeriesEdit {
  readonly start: SeriesStart
  /** Absent if the client sent none. */
  readonly lines?: readonly string[] | undefined
  /** Whether the calendar accepts RDATE. */
  readonly allowRdate: boolean
  /** The budget of the request. */
  readonly steps: Steps
}

/** The place of an old occurrence in the new series. */
export interface NewPlace {
  readonly slot: string
  /** The number of days by which it moved. */
  readonly days: number
}

export type EditedSeries =
  | {
      readonly ok: true
      readonly series: Series
      /**
       * The new places of changed occurrences, in the same order; undefined for those that no longer exist in the
       * series.
       */
      placesOf(slots: readonly string[]): (NewPlace | undefined)[]
    }
  | { readonly ok: false; readonly problem: string }

const loose = { allowRdate: true, startOutsideRule: 'follow-rule' } as const

/** The series after an edit, or a problem with the event's `recurrence`. */
export function editSeries(from: Series, edit: SeriesEdit): EditedSeries {
  try {
    return edited(from, edit)
  } catch (error) {
    if (error instanceof RecurrenceTooLarge) return { ok: false, problem: `RRULE: ${error.why}` }
    throw error
  }
}

function edited(from: Series, { start, lines, allowRdate, steps }: SeriesEdit): EditedSeries {
  const isSameStart = isSame(from.start, start)
  if (lines !== undefined && !saysTheSame(lines, from, steps)) {
    return replaced(from, { start, lines, allowRdate, steps })
  }
  if (isSameStart) return found({ from, to: from, place: (key) => key, steps })
  const isOnRule = from.recurrence.rule !== null && makesSlot(endless({ ...from, start }), startKey(start), steps)
  const moved =
    (lines === undefined || !isOnRule ? dragSeries(from, start, steps) : undefined) ??
    (isOnRule ? keepDays(from, start, steps) : undefined)
  return moved ? movedTo(from, { start, steps }, moved) : { ok: false, problem: cannotFollow(from) }
}

/** Whether lines have the same meaning as those of the series, in any form. EXDATE may be omitted. */
function saysTheSame(lines: readonly string[], { start, recurrence }: Series, steps: Steps): boolean {
  const given = normaliseRecurrence(lines, start, { ...loose, steps })
  if (!given.ok || recurrence.rule === null) {
    const text = given.ok ? given.value.lines : lines.map((line) => line.trim())
    return isSame(text, recurrence.lines) || isSame(text, withoutExdates(recurrence.lines))
  }
  const { rule, rdates, exdates } = given.value
  return (
    isSame(rule && meaningOf(rule, start), meaningOf(recurrence.rule, start)) &&
    isSame(rdates, recurrence.rdates) &&
    (!lines.some(isExdate) || isSame(exdates, recurrence.exdates))
  )
}

/**
 * A rule with sorted lists and with the days that it derives from its start, because servers write both in different
 * ways.
 */
function meaningOf(rule: RecurrenceRule, start: SeriesStart): object {
  const day = dayOfKey(start, startKey(start))
  const date = civilDate(day)
  const hasDays = rule.byDay.length + rule.byMonthDay.length + rule.byYearDay.length + rule.byWeekNo.length > 0
  const isYearly = rule.freq === 'YEARLY'
  const implied =
    hasDays || rule.freq === 'DAILY'
      ? {}
      : rule.freq === 'WEEKLY'
        ? { byDay: [{ weekday: weekdayOf(day), ordinal: 0 }] }
        : {
            byMonthDay: [date.day],
            ...(isYearly && rule.byMonth.length === 0 ? { byMonth: [date.month] } : {}),
          }
  const whole = { ...rule, ...implied }
  const sorted = Object.entries(whole).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((each) => JSON.stringify(each)).sort() : value,
  ])
  return Object.fromEntries(sorted)
}

const withoutExdates = (lines: readonly string[]): string[] => lines.filter((line) => !isExdate(line))
const isExdate = (line: string): boolean => /^\s*EXDATE/i.test(line)
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const cannotFollow = ({ recurrence }: Series): string =>
  `RRULE: it is not certain which days ${recurrence.lines[0]?.replace('RRULE:', '') ?? 'the rule'} means from the new start on: send recurrence with the rule for the new day`

function movedTo(
  from: Series,
  { start, steps }: { start: SeriesStart; steps: Steps },
  { lines, place }: MovedSeries,
): EditedSeries {
  const result = normaliseRecurrence(lines, start, { ...loose, steps })
  if (result.ok) return found({ from, to: { start, recurrence: result.value }, place, steps })
  const to = readLeniently(lines, start, steps)
  return to ? found({ from, to, place, steps }) : { ok: false, problem: result.problem }
}

/** A rule of another calendar that only the lenient parser can read stays as it is. */
function readLeniently(lines: readonly string[], start: SeriesStart, steps: Steps): Series | undefined {
  const dates = (name: string): string[] =>
    lines.filter((line) => line.startsWith(name)).flatMap((line) => line.slice(line.lastIndexOf(':') + 1).split(','))
  const rules = lines.flatMap((line) => (line.startsWith('RRULE:') ? [line.slice('RRULE:'.length)] : []))
  const series = foreignSeries({ rules, rdates: dates('RDATE'), exdates: dates('EXDATE') }, start, steps)
  return series?.problem === undefined || rules.length > 0 ? series : undefined
}

/** The series with changed lines. */
function replaced(
  from: Series,
  { start, lines, allowRdate, steps }: Required<SeriesEdit> & { lines: readonly string[] },
): EditedSeries {
  const given = normaliseRecurrence(lines, start, { allowRdate, startOutsideRule: 'follow-rule', steps })
  if (!given.ok) return given
  const to = endless({ start, recurrence: given.value })
  const place = placeKeepingDate(from.start, to, steps)
  const exdates = lines.some(isExdate)
    ? givenExdates(from, { to, place, given: given.value.exdates, steps })
    : from.recurrence.exdates.map(place).filter((key) => makesSlot({ start, recurrence: given.value }, key, steps))
  const all = [
    ...withoutExdates(given.value.lines),
    ...(exdates.length === 0 ? [] : [dateLine('EXDATE', start, exdates)]),
  ]
  const result = normaliseRecurrence(all, start, { allowRdate, startOutsideRule: 'refuse', steps })
  return result.ok ? found({ from, to: { start, recurrence: result.value }, place, steps }) : result
}

/**
 * Clients send back the EXDATE that they have read. One that belongs to the old start moves along, so that the
 * occurrence does not reappear.
 */
function givenExdates(
  from: Series,
  { to, place, given, steps }: { to: Series; place: (key: number) => number; given: readonly number[]; steps: Steps },
): number[] {
  if (from.start.kind !== to.start.kind || isSame(from.start, to.start)) return [...given]
  const isStale = (key: number): boolean => !makesSlot(to, key, steps) && holdsKey(from.recurrence.exdates, key)
  return given.map((key) => (isStale(key) ? place(key) : key))
}

interface SlotMove {
  readonly from: Series
  readonly to: Series
  readonly place: (key: number) => number | undefined
  readonly steps: Steps
}

const found = (placed: SlotMove): EditedSeries => ({
  ok: true,
  series: placed.to,
  placesOf: (slots) => placesOf(slots, placed),
})

/** If two occurrences get the same place, the one that kept its date wins, or else the first. */
function placesOf(slots: readonly string[], { from, to, place, steps }: SlotMove): (NewPlace | undefined)[] {
  const places = slots.map((slot): NewPlace | undefined => {
    const old = slotKey(slot)
    if (old?.kind !== from.start.kind) return undefined
    const key = place(old.key)
    if (key === undefined || !occurrenceAt(to, slotOfKey(to.start.kind, key), { allDayZone: 'UTC', steps }))
      return undefined
    return { slot: slotOfKey(to.start.kind, key), days: dayOfKey(to.start, key) - dayOfKey(from.start, old.key) }
  })
  const takers = new Map<string, number>()
  for (const [index, one] of places.entries()) {
    if (one && (one.days === 0 || !takers.has(one.slot))) takers.set(one.slot, index)
  }
  return places.map((one, index) => (one && takers.get(one.slot) === index ? one : undefined))
}
