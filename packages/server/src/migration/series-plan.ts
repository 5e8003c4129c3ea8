/** Series of v2 with their exceptions, in the form of v3. Pure. */
import type { When } from '@waypost/contract'
import { parseDate } from '../formats/dates.ts'
import { parseInstanceId, slotKey, slotOf, slotOfKey } from '../formats/instance-ids.ts'
import type { Series } from '../formats/series.ts'
import { startOf } from '../providers/event-input.ts'
import { needSeries } from '../providers/virtual/series.ts'
import { attempt } from './event-fields.ts'
import type { Parsed, V2Event } from './v2-objects.ts'

/** Which occurrences a series lost, and which have events of their own. */
export interface Exceptions {
  cancelled: readonly string[]
  changed: readonly string[]
}

const utcDate = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

/** The slot of a changed occurrence in its series, from its original start, or else from the form of its id. */
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

/**
 * The series that the lines and the exceptions make. A cancelled occurrence becomes EXDATE. A changed one is a slot of
 * the series, also where v2 had taken it out of the rule.
 */
export function planSeries(when: When, lines: readonly string[], exceptions: Exceptions): Parsed<Series> {
  return attempt(() => {
    const series = needSeries(when, lines)
    const { kind } = series.start
    const taken = new Set(series.recurrence.exdates.map((key) => slotOfKey(kind, key)))
    const before = taken.size
    const back = exceptions.changed.filter((slot) => taken.delete(slot)).length
    for (const slot of exceptions.cancelled) taken.add(slot)
    if (back === 0 && taken.size === before) return series
    const rest = series.recurrence.lines.filter((line) => !line.startsWith('EXDATE'))
    const name = kind === 'timed' ? 'EXDATE:' : 'EXDATE;VALUE=DATE:'
    return needSeries(when, taken.size === 0 ? rest : [...rest, `${name}${[...taken].join(',')}`])
  })
}
