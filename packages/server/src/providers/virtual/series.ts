/** A series of a virtual calendar: its stored form, and its occurrences as events. Pure. */
import type { Event, When } from '@waypost/contract'
import { instanceId } from '../../formats/instance-ids.ts'
import type { Occurrence } from '../../formats/recurrence.ts'
import { normaliseRecurrence } from '../../formats/recurrence-rule.ts'
import type { Series } from '../../formats/series.ts'
import { invalidField } from '../../lib/api-error.ts'
import { startOf } from '../event-input.ts'
import type { StoredEvent } from './tables.ts'

/** A series without end lasts until here in the store. */
export const forever = 9_000_000_000_000

/** Parsed series by their stored text: the same ones are asked for again and again. */
const parsed = new Map<string, Series>()

export function parseSeries(text: string): Series {
  let series = parsed.get(text)
  if (!series) {
    series = JSON.parse(text) as Series
    if (parsed.size > 20_000) parsed.clear()
    parsed.set(text, series)
  }
  return series
}

/** RDATE is taken; a start that the rule does not make is refused, because it would be an occurrence to some and not to others. */
export const rules = { allowRdate: true, startOutsideRule: 'refuse' } as const

/** The series that lines and a start make, or the error that names the offending part. */
export function needSeries(when: When, lines: readonly string[]): Series {
  const start = startOf(when)
  const result = normaliseRecurrence(lines, start, rules)
  if (!result.ok) throw invalidField('recurrence', result.problem)
  return { start, recurrence: result.value }
}

/** The time of one occurrence, in the form of its series. */
export function whenOf(master: When, occurrence: Occurrence): When {
  switch (master.object) {
    case 'time':
      return { ...master, time: occurrence.start }
    case 'timespan':
      return { ...master, start_time: occurrence.start, end_time: occurrence.end }
    default: {
      const first = occurrence.startDate ?? ''
      const last = occurrence.endDate ?? ''
      return first === last
        ? { object: 'date', date: first }
        : { object: 'datespan', start_date: first, end_date: last }
    }
  }
}

/** One occurrence as an event of its own. */
export function instanceOf(master: Event, occurrence: Occurrence): Event {
  const { recurrence: _, ...rest } = master
  return {
    ...rest,
    id: instanceId(master.id, occurrence.slot),
    master_event_id: master.id,
    when: whenOf(master.when, occurrence),
  }
}

/** An override as a whole event: what it changed on top of its series. */
export function overriddenOf(master: Event, override: StoredEvent): Event {
  const { recurrence: _, ...rest } = master
  return { ...rest, master_event_id: master.id, ...override }
}

/** The event of a row that stores all of it: a single event or a master. */
export const wholeOf = (row: { event: StoredEvent }): Event => row.event as Event
