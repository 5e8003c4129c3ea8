/**
 * Expands a series on read: occurrences in a window, at a slot, before and after an instant. The cost depends on the
 * window, not on the age of the series (`slots.ts`). Overrides are applied by the caller.
 */

import type { When } from '@waypost/contract'
import { formatDate, SECONDS_PER_DAY } from '../timezones/dates.ts'
import { dayStartOf, instantToWall } from '../timezones/timezones.ts'
import { slotKey } from './instance-ids.ts'
import { basicDate, basicUtc, firstAtOrAfter, greatestKey, holdsKey, type Series, startKey } from './series.ts'
import { type KeyRange, type Visit, walkRule } from './slots.ts'
import { RecurrenceTooLarge, type Steps } from './steps.ts'

export interface Occurrence {
  /** The end of its instance id: `YYYYMMDDTHHMMSSZ`, or `YYYYMMDD` in an all-day series. */
  readonly slot: string
  /** Unix seconds. */
  readonly start: number
  readonly end: number
  /** All-day series only. */
  readonly startDate?: string
  /** All-day series only: the last day, inclusive. */
  readonly endDate?: string
}

/** Unix seconds; `to` is exclusive. */
export interface TimeWindow {
  readonly from: number
  readonly to: number
}

export interface ExpandOptions {
  /** The zone in which the days of all-day series begin: the calendar's zone. */
  readonly allDayZone: string
  /** The budget of the text or request. */
  readonly steps: Steps
}

/** The limit of one call; more throws `RecurrenceTooLarge`. */
export const MAX_OCCURRENCES = 10_000

/** The occurrences that overlap the window, ascending. With a limit, only the first ones. */
export function occurrencesBetween(
  series: Series,
  window: TimeWindow,
  { allDayZone, steps, limit = Number.POSITIVE_INFINITY }: ExpandOptions & { readonly limit?: number },
): Occurrence[] {
  const found: Occurrence[] = []
  if (window.from >= window.to || limit < 1) return found
  walkSeries({ series, steps }, overlapRange(series, window, allDayZone), (key) => {
    const occurrence = occurrenceOf(series, key, allDayZone)
    if (!overlaps(occurrence, window)) return true
    if (found.length === MAX_OCCURRENCES) throw tooLarge()
    found.push(occurrence)
    return found.length < limit
  })
  return found
}

/** Visits the slots of the occurrences that start in the window, ascending, by key and start. */
export function walkStarts(
  series: Series,
  { from, to }: TimeWindow,
  { allDayZone, steps, visit }: ExpandOptions & { readonly visit: (key: number, start: number) => void },
): void {
  if (from >= to) return
  const timed = series.start.kind === 'timed'
  const range = timed ? { from, to: to - 1 } : { from: dayAt(allDayZone, from) - 1, to: dayAt(allDayZone, to) + 1 }
  let count = 0
  walkSeries({ series, steps }, range, (key) => {
    const start = timed ? key : dayStartOf(allDayZone, key)
    if (start < from || start >= to) return true
    count += 1
    if (count > MAX_OCCURRENCES) throw tooLarge()
    visit(key, start)
    return true
  })
}

const tooLarge = (): RecurrenceTooLarge =>
  new RecurrenceTooLarge(`the series has more than ${MAX_OCCURRENCES} occurrences in the window; narrow it`)

/** The occurrence at a slot, or undefined if the series does not generate that slot or EXDATE removes it. */
export function occurrenceAt(
  series: Series,
  slot: string,
  { allDayZone, steps }: ExpandOptions,
): Occurrence | undefined {
  const place = slotKey(slot)
  if (place === undefined || place.kind !== series.start.kind) return undefined
  const { key } = place
  if (holdsKey(series.recurrence.exdates, key) || !makesSlot(series, key, steps)) return undefined
  return occurrenceOf(series, key, allDayZone)
}

/** The first occurrence that starts after the instant. */
export function nextOccurrence(
  series: Series,
  after: number,
  { allDayZone, steps }: ExpandOptions,
): Occurrence | undefined {
  let found: Occurrence | undefined
  const from = series.start.kind === 'timed' ? Math.floor(after) + 1 : dayAt(allDayZone, after) - 1
  walkSeries({ series, steps }, { from, to: greatestKey(series.start) }, (key) => {
    const occurrence = occurrenceOf(series, key, allDayZone)
    if (occurrence.start <= after) return true
    found = occurrence
    return false
  })
  return found
}

/** The slots of the last `limit` occurrences that start before the instant, ascending. */
export function previousSlots(
  series: Series,
  before: number,
  { allDayZone, steps, limit }: ExpandOptions & { readonly limit: number },
): string[] {
  const timed = series.start.kind === 'timed'
  const first = Math.min(startKey(series.start), series.recurrence.rdates[0] ?? Number.POSITIVE_INFINITY)
  let to = Math.min(timed ? Math.ceil(before) - 1 : dayAt(allDayZone, before) + 1, lastKey(series))
  let span = (timed ? SECONDS_PER_DAY : 1) * 64
  let found: string[] = []
  while (to >= first && found.length < limit) {
    const chunk: string[] = []
    walkSeries({ series, steps }, { from: to - span + 1, to }, (key) => {
      const { slot, start } = occurrenceOf(series, key, allDayZone)
      if (start < before) chunk.push(slot)
      return true
    })
    found = [...chunk, ...found]
    to -= span
    span *= 2
  }
  return limit < 1 ? [] : found.slice(-limit)
}

/** Whether the rule or RDATE generates the slot, ignoring EXDATE. */
export function makesSlot({ start, recurrence }: Series, key: number, steps: Steps): boolean {
  steps.take(1)
  if (holdsKey(recurrence.rdates, key)) return true
  if (recurrence.rule === null) return key === startKey(start)
  if (recurrence.lastSlot !== null && key > recurrence.lastSlot) return false
  let found = false
  walkRule({ start, rule: recurrence.rule, steps }, { from: key, to: key }, () => {
    found = true
    return false
  })
  return found
}

interface CountedSeries {
  readonly series: Series
  readonly steps: Steps
}

/** Visits the keys of all occurrences in the range, ascending: the rule and RDATE together, without EXDATE. */
function walkSeries({ series, steps }: CountedSeries, range: KeyRange, visit: Visit): void {
  const { start, recurrence } = series
  const { rule, exdates, rdates, lastSlot } = recurrence
  const offer: Visit = exdates.length === 0 ? visit : (key) => holdsKey(exdates, key) || visit(key)
  let next = firstAtOrAfter(rdates, range.from)
  const offerRdatesUntil = (end: number): boolean => {
    for (let key = rdates[next]; key !== undefined && key <= end; key = rdates[next]) {
      next += 1
      steps.take(1)
      if (!offer(key)) return false
    }
    return true
  }
  let open = true
  const fromRule: Visit = (key) => {
    open = offerRdatesUntil(key - 1) && offer(key)
    if (rdates[next] === key) next += 1
    return open
  }
  const ruleRange = { from: range.from, to: Math.min(range.to, lastSlot ?? Number.POSITIVE_INFINITY) }
  if (rule !== null) walkRule({ start, rule, steps }, ruleRange, rdates.length === 0 ? offer : fromRule)
  else if (startKey(start) >= ruleRange.from && startKey(start) <= ruleRange.to) fromRule(startKey(start))
  if (open) offerRdatesUntil(range.to)
}

/** The last key at which the series can have an occurrence. */
const lastKey = ({ start, recurrence }: Series): number =>
  Math.max(recurrence.lastSlot ?? greatestKey(start), recurrence.rdates.at(-1) ?? Number.NEGATIVE_INFINITY)

/** The local date of an instant as a day number. */
const dayAt = (zone: string, instant: number): number => Math.floor(instantToWall(zone, instant) / SECONDS_PER_DAY)

/** The slots whose occurrences can overlap the window: exact for timed series, slightly wider for all-day ones. */
function overlapRange({ start }: Series, { from, to }: TimeWindow, allDayZone: string): KeyRange {
  if (start.kind === 'all-day') {
    return { from: dayAt(allDayZone, from) - start.days - 1, to: dayAt(allDayZone, to) + 1 }
  }
  return { from: start.seconds === 0 ? from : from - start.seconds + 1, to: to - 1 }
}

/** A period overlaps if it shares time with the window; a point in time if it is within the window. */
const overlaps = ({ start, end }: Occurrence, { from, to }: TimeWindow): boolean =>
  start < to && (end > from || (start === end && start >= from))

/** The occurrence at the key of an existing slot. */
export function occurrenceOf({ start }: Series, key: number, allDayZone: string): Occurrence {
  if (start.kind === 'timed') return { slot: basicUtc(key), start: key, end: key + start.seconds }
  const after = key + start.days
  return {
    slot: basicDate(key),
    start: dayStartOf(allDayZone, key),
    end: dayStartOf(allDayZone, after),
    startDate: formatDate(key),
    endDate: formatDate(after - 1),
  }
}

/** The time of one occurrence, in the form of its series. */
export function whenOfOccurrence(series: When, occurrence: Occurrence): When {
  switch (series.object) {
    case 'time':
      return { ...series, time: occurrence.start }
    case 'timespan':
      return { ...series, start_time: occurrence.start, end_time: occurrence.end }
    default: {
      const first = occurrence.startDate ?? ''
      const last = occurrence.endDate ?? ''
      return first === last
        ? { object: 'date', date: first }
        : { object: 'datespan', start_date: first, end_date: last }
    }
  }
}
