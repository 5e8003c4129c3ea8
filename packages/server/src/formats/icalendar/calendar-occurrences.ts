// When the events of a calendar object take place: the occurrences of its series (`recurrence.ts`) with the overrides of
// the same text laid over them.
//
// - An override takes the place of the occurrence at its slot. One whose slot the series does not make, or has taken out
//   (EXDATE), takes place all the same: it says so itself.
// - After an override with RANGE=THISANDFUTURE, occurrences are like it: moved by as much, as long, with its words (RFC
//   5545 §3.8.4.4).
// - The periods of RDATE are as long as the other occurrences.
import type { When } from '@waypost/contract'
import {
  type Occurrence,
  occurrenceAt,
  occurrenceOf,
  occurrencesBetween,
  type TimeWindow,
} from '../recurrence/recurrence.ts'
import type { Series } from '../recurrence/series.ts'
import { SECONDS_PER_DAY } from '../timezones/dates.ts'
import { instantsOf, whenOfOccurrence } from '../timezones/when.ts'
import type { EventFields, PlainEvents, PlainOverride, ReadingOptions } from './calendar-object.ts'
import { slotKey } from './instance-ids.ts'

/** One event that takes place. */
export interface TakesPlace {
  /** Of an occurrence of a series; absent where the event stands alone. */
  readonly slot?: string
  /** Unix seconds; whole days begin in the zone of the calendar. */
  readonly start: number
  readonly end: number
  /** Its own time, and no lines of the series. */
  readonly fields: EventFields
}

/**
 * What shares time with the window, by start; what is cancelled only where it is wanted. A rule that makes more than a
 * request may cost is `RecurrenceTooLarge`.
 */
export function occurrencesIn(
  read: PlainEvents,
  window: TimeWindow,
  { zone, cancelled = false }: ReadingOptions & { readonly cancelled?: boolean },
): TakesPlace[] {
  const alone = read.overrides.map((override) => placed(override, zone))
  const found = [...fromSeries(read, window, zone), ...alone].filter(
    ({ start, end, fields }) =>
      (cancelled || fields.status !== 'cancelled') &&
      start < window.to &&
      (end > window.from || (start === end && start >= window.from)),
  )
  return found.sort((a, b) => a.start - b.start)
}

/** The occurrence at a slot, also one that is cancelled; undefined where there is none. */
export function occurrenceAtSlot(read: PlainEvents, slot: string, { zone }: ReadingOptions): TakesPlace | undefined {
  const override = read.overrides.find((one) => one.slot === slot)
  if (override) return placed(override, zone)
  if (!read.main || !read.series) return undefined
  const occurrence = occurrenceAt(read.series, slot, { allDayZone: zone })
  return occurrence && instance(read.main, { models: modelsOf(read), series: read.series, occurrence, zone })
}

function fromSeries(read: PlainEvents, { from, to }: TimeWindow, zone: string): TakesPlace[] {
  const { main, series } = read
  if (!main) return []
  if (!series) return [{ ...instantsOf(main.when, zone), fields: main }]
  const reach = furthest(read.overrides)
  const wide = { from: from - reach, to: to + reach }
  const { first, last } = series.recurrence
  if (first >= wide.to || (last !== null && last <= wide.from)) return []
  const taken = new Set(read.overrides.map(({ slot }) => slot))
  const models = modelsOf(read)
  return occurrencesBetween(series, wide, { allDayZone: zone })
    .filter(({ slot }) => !taken.has(slot))
    .map((occurrence) => instance(main, { models, series, occurrence, zone }))
}

/** The overrides that speak for what comes after them, by slot, ascending. */
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

/** The last of them before a slot, found by halving. */
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

/** The occurrence at a slot that an earlier override speaks for. */
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

/** How far an override lies from its slot: in days or in seconds, as its slot is counted. */
function shiftOf({ slot, span }: Pick<PlainOverride, 'slot' | 'span'>): number {
  const place = slotKey(slot)
  if (place === undefined || place.kind !== span.kind) return 0
  return (span.kind === 'all-day' ? span.day : span.start) - place.key
}

/** How far beyond a window an occurrence may stand in its series that takes place within it. */
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
