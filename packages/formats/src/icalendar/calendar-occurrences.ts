/**
 * Calculates when the events of a calendar object take place: the occurrences of the series (`recurrence.ts`),
 * replaced by the overrides of the same text.
 *
 * - An override replaces the occurrence at its slot. It also takes place if the series does not generate the slot or
 *   excludes it (EXDATE).
 * - After an override with RANGE=THISANDFUTURE, later occurrences copy its shift, length and texts (RFC 5545
 *   §3.8.4.4).
 * - RDATE periods have the length of the other occurrences.
 */
import type { When } from '@waypost/contract'
import { slotKey } from '../recurrence/instance-ids.ts'
import {
  type Occurrence,
  occurrenceAt,
  occurrenceOf,
  occurrencesBetween,
  type TimeWindow,
  whenOfOccurrence,
} from '../recurrence/recurrence.ts'
import type { Series } from '../recurrence/series.ts'
import type { Steps } from '../recurrence/steps.ts'
import { SECONDS_PER_DAY } from '../timezones/dates.ts'
import { instantsOf } from '../timezones/when.ts'
import type { EventFields, PlainEvents, PlainOverride, ReadingOptions } from './calendar-object.ts'

/** An event or occurrence with its calculated time. */
export interface TakesPlace {
  /** The slot of an occurrence; absent for a single event. */
  readonly slot?: string
  /** Unix seconds. Whole days begin in the zone of the calendar. */
  readonly start: number
  readonly end: number
  /** The fields with the occurrence's own time and without recurrence lines. */
  readonly fields: EventFields
}

/** Options of reading, with the budget of the text or request. */
export interface PlacingOptions extends ReadingOptions {
  readonly steps: Steps
}

/**
 * The events that overlap the window, sorted by start. Cancelled ones are included only on request. A rule that
 * exceeds the cost of a request throws `RecurrenceTooLarge`.
 */
export function occurrencesIn(
  read: PlainEvents,
  window: TimeWindow,
  { zone, steps, cancelled = false }: PlacingOptions & { readonly cancelled?: boolean },
): TakesPlace[] {
  const alone = read.overrides.map((override) => placed(override, zone))
  const found = [...fromSeries(read, window, { zone, steps }), ...alone].filter(
    ({ start, end, fields }) =>
      (cancelled || fields.status !== 'cancelled') &&
      start < window.to &&
      (end > window.from || (start === end && start >= window.from)),
  )
  return found.sort((a, b) => a.start - b.start)
}

/** The occurrence at a slot, including a cancelled one, or undefined if there is none. */
export function occurrenceAtSlot(
  read: PlainEvents,
  slot: string,
  { zone, steps }: PlacingOptions,
): TakesPlace | undefined {
  const override = read.overrides.find((one) => one.slot === slot)
  if (override) return placed(override, zone)
  if (!read.main || !read.series) return undefined
  const occurrence = occurrenceAt(read.series, slot, { allDayZone: zone, steps })
  return occurrence && instance(read.main, { models: modelsOf(read), series: read.series, occurrence, zone })
}

function fromSeries(read: PlainEvents, { from, to }: TimeWindow, { zone, steps }: PlacingOptions): TakesPlace[] {
  const { main, series } = read
  if (!main) return []
  if (!series) return [{ ...instantsOf(main.when, zone), fields: main }]
  const reach = furthest(read.overrides)
  const wide = { from: from - reach, to: to + reach }
  const { first, last } = series.recurrence
  if (first >= wide.to || (last !== null && last <= wide.from)) return []
  const taken = new Set(read.overrides.map(({ slot }) => slot))
  const models = modelsOf(read)
  return occurrencesBetween(series, wide, { allDayZone: zone, steps })
    .filter(({ slot }) => !taken.has(slot))
    .map((occurrence) => instance(main, { models, series, occurrence, zone }))
}

/** The THISANDFUTURE overrides, sorted by slot, ascending. */
const modelsOf = ({ overrides }: PlainEvents): readonly PlainOverride[] =>
  overrides.filter(({ thisAndFuture }) => thisAndFuture)

interface InstanceOf {
  readonly models: readonly PlainOverride[]
  readonly series: Series
  readonly occurrence: Occurrence
  readonly zone: string
}

function instance(main: EventFields, { models, series, occurrence, zone }: InstanceOf): TakesPlace {
  const model = modelFor(occurrence.slot, models)
  if (model) return like(model, { series, slot: occurrence.slot, zone })
  const { recurrence: _, ...rest } = main
  const { slot, start, end } = occurrence
  return { slot, start, end, fields: { ...rest, when: whenOfOccurrence(main.when, occurrence) } }
}

/** The last model before a slot, by binary search. */
function modelFor(slot: string, models: readonly PlainOverride[]): PlainOverride | undefined {
  let low = 0
  let high = models.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((models[middle]?.slot ?? '') < slot) low = middle + 1
    else high = middle
  }
  return models[low - 1]
}

/** The occurrence at a slot that copies an earlier THISANDFUTURE override. */
function like(
  model: PlainOverride,
  { series, slot, zone }: { series: Series; slot: string; zone: string },
): TakesPlace {
  const shift = shiftOf(model)
  const key = (slotKey(slot)?.key ?? 0) + shift
  const { span } = model
  const start: Series['start'] =
    span.kind === 'all-day'
      ? { kind: 'all-day', date: '1970-01-01', days: span.days }
      : { kind: 'timed', at: key, zone: span.startZone.id, seconds: span.end - span.start }
  const occurrence = occurrenceOf({ ...series, start }, key, zone)
  const when: When = whenOfOccurrence(model.fields.when, occurrence)
  return { slot, start: occurrence.start, end: occurrence.end, fields: { ...model.fields, when } }
}

/** The distance of an override from its slot, in days or seconds like the slot. */
function shiftOf({ slot, span }: Pick<PlainOverride, 'slot' | 'span'>): number {
  const place = slotKey(slot)
  if (place === undefined || place.kind !== span.kind) return 0
  return (span.kind === 'all-day' ? span.day : span.start) - place.key
}

/** How far outside a window the slot of an occurrence can be that takes place within the window. */
function furthest(overrides: readonly PlainOverride[]): number {
  const reaches = overrides
    .filter(({ thisAndFuture }) => thisAndFuture)
    .map(({ slot, span }) => {
      const isDays = span.kind === 'all-day'
      const length = isDays ? span.days * SECONDS_PER_DAY : span.end - span.start
      return length + Math.abs(shiftOf({ slot, span })) * (isDays ? SECONDS_PER_DAY : 1)
    })
  return Math.max(0, ...reaches)
}

function placed({ slot, fields }: PlainOverride, zone: string): TakesPlace {
  return { slot, ...instantsOf(fields.when, zone), fields }
}
