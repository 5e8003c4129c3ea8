/** Series that we expand ourselves: what clients write, checked, and their occurrences as events. Pure. */
import type { Event, EventChange, When } from '@waypost/contract'
import { dayOf, SECONDS_PER_DAY } from '../../formats/dates.ts'
import type { Moment } from '../../formats/icalendar.ts'
import { instanceId, slotKey } from '../../formats/instance-ids.ts'
import { type Occurrence, occurrencesBetween } from '../../formats/recurrence.ts'
import { moveRecurrence, replaceRecurrence } from '../../formats/recurrence-move.ts'
import { normaliseRecurrence } from '../../formats/recurrence-rule.ts'
import { RecurrenceTooLarge, type Series } from '../../formats/series.ts'
import { whenOfOccurrence } from '../../formats/when.ts'
import { invalidField } from '../../lib/api-error.ts'
import { seriesZone, startOf } from './event-input.ts'

/** RDATE is taken; a start that the rule does not make is refused, because it would be an occurrence to some and not to others. */
export const rules = { allowRdate: true, startOutsideRule: 'refuse' } as const

/** The series that lines and a start make, or the error that names the offending part. */
export function needSeries(when: When, lines: readonly string[]): Series {
  const start = startOf(when)
  const result = normaliseRecurrence(lines, start, rules)
  if (!result.ok) throw invalidField('recurrence', result.problem)
  return notTooDense({ start, recurrence: result.value })
}

const maxOverlapping = 1000

/** Refuses a series whose occurrences are so long that very many go on at once: no list could hold them. */
export function notTooDense(series: Series): Series {
  const { start } = series
  const from = start.kind === 'timed' ? start.at : dayOf(start.date) * SECONDS_PER_DAY
  const to = from + (start.kind === 'timed' ? start.seconds : start.days * SECONDS_PER_DAY)
  if (isOverlapped(series, { from, to })) {
    throw invalidField('when', `is so long that more than ${maxOverlapping} occurrences of the series would overlap`)
  }
  return series
}

function isOverlapped(series: Series, window: { from: number; to: number }): boolean {
  try {
    const limit = maxOverlapping + 1
    return occurrencesBetween(series, window, { allDayZone: 'UTC', limit }).length === limit
  } catch (error) {
    if (error instanceof RecurrenceTooLarge) return true
    throw error
  }
}

/** One occurrence as an event of its own. */
export function instanceOf(master: Event, occurrence: Occurrence): Event {
  const { recurrence: _, ...rest } = master
  return {
    ...rest,
    id: instanceId(master.id, occurrence.slot),
    master_event_id: master.id,
    when: whenOfOccurrence(master.when, occurrence),
  }
}

/** The series after a change of its lines, its time, or both: its exceptions move with its start. */
export function seriesAfter(
  series: Series | undefined,
  { before, after, change }: { before: { when: When }; after: { when: When }; change: EventChange },
): Series | undefined {
  const lines = change.recurrence === undefined ? undefined : (change.recurrence ?? [])
  if (lines?.length === 0) return undefined
  if (!series) return lines && needSeries(after.when, lines)
  if (isSame(before.when, after.when)) return lines ? needSeries(after.when, lines) : series
  const start = startOf(after.when)
  if (!lines && start.kind !== series.start.kind) {
    throw invalidField('when', 'a series cannot change between whole days and times: give its recurrence too')
  }
  const moved = lines ? replaceRecurrence(lines, { from: series, start }, rules) : moveRecurrence(series, start, rules)
  if (!moved.ok) throw invalidField('recurrence', moved.problem)
  return notTooDense({ start, recurrence: moved.value })
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The original start of an occurrence, in the form and zone of its series. */
export function momentOf(master: When, slot: string): Moment {
  const { kind, key } = slotKey(slot) ?? { kind: 'timed', key: 0 }
  if (kind === 'timed') return { time: key, timezone: seriesZone(master) }
  return { date: `${slot.slice(0, 4)}-${slot.slice(4, 6)}-${slot.slice(6, 8)}` }
}
