/** Converts v2 series with their exceptions to v3. Pure functions. */
import type { When } from '@waypost/contract'
import { parseInstanceId, slotKey, slotOf, slotOfKey } from '@waypost/formats/recurrence/instance-ids'
import { nextOccurrence } from '@waypost/formats/recurrence/recurrence'
import { type Series, type SeriesStart, startKey } from '@waypost/formats/recurrence/series'
import { RecurrenceTooLarge, Steps } from '@waypost/formats/recurrence/steps'
import { parseDate } from '@waypost/formats/timezones/dates'
import { startOf } from '@waypost/providers/calendar/event-input'
import { needSeries } from '@waypost/providers/calendar/series'
import { attempt } from './event-fields.ts'
import type { ParseResult, V2Event } from './v2-objects.ts'

/** Cancelled and changed occurrences of a series. */
export interface Exceptions {
  cancelled: readonly string[]
  changed: readonly string[]
}

const utcDate = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

/** The slot of a changed occurrence in its series, from its original start, or else from its id. */
export function slotIn(series: When, { id, original_start_time: original }: V2Event): string | undefined {
  const { kind } = startOf(series)
  if (typeof original === 'number') {
    if (original < -62_135_596_800 || original > 253_402_300_799) return undefined
    return slotOf(kind === 'timed' ? original : utcDate(original))
  }
  if (typeof original === 'string' && kind === 'all-day') {
    return parseDate(original) === undefined ? undefined : slotOf(original)
  }
  const slot = original === null || original === undefined ? parseInstanceId(id)?.slot : undefined
  return slot !== undefined && slotKey(slot)?.kind === kind ? slot : undefined
}

export interface PlannedSeries {
  series: Series
  /** Parts that could not be converted exactly. */
  altered: string[]
}

/**
 * The series with its exceptions. A cancelled occurrence becomes an EXDATE. A changed one is a slot of the series,
 * even if v2 excluded it from the rule. A start that does not match the rule, which the API refuses, is excluded in
 * the same way.
 */
export function planSeries(when: When, lines: readonly string[], exceptions: Exceptions): ParseResult<PlannedSeries> {
  const planned = withExceptions(when, lines, exceptions)
  if (planned.ok) return { ok: true, value: { series: planned.value, altered: [] } }
  const start = startOf(when)
  const ofStart = slotOfKey(start.kind, startKey(start))
  const without = withExceptions(when, [...lines, `${exdate(start.kind)}${ofStart}`], exceptions)
  if (!without.ok || !occurs(without.value)) return planned
  return { ok: true, value: { series: without.value, altered: [startLeftOut] } }
}

const startLeftOut = 'its start is no occurrence of its rule: the series begins with the first one'

function occurs(series: Series): boolean {
  try {
    return nextOccurrence(series, series.recurrence.first - 1, { allDayZone: 'UTC', steps: new Steps() }) !== undefined
  } catch (error) {
    if (error instanceof RecurrenceTooLarge) return false
    throw error
  }
}

const exdate = (kind: SeriesStart['kind']): string => (kind === 'timed' ? 'EXDATE:' : 'EXDATE;VALUE=DATE:')

function withExceptions(when: When, lines: readonly string[], exceptions: Exceptions): ParseResult<Series> {
  return attempt(() => {
    const series = needSeries(when, lines)
    const { kind } = series.start
    const taken = new Set(series.recurrence.exdates.map((key) => slotOfKey(kind, key)))
    const before = taken.size
    const back = exceptions.changed.filter((slot) => taken.delete(slot)).length
    for (const slot of exceptions.cancelled) taken.add(slot)
    if (back === 0 && taken.size === before) return series
    const rest = series.recurrence.lines.filter((line) => !line.startsWith('EXDATE'))
    return needSeries(when, taken.size === 0 ? rest : [...rest, `${exdate(kind)}${[...taken].join(',')}`])
  })
}
