/** A series of a virtual calendar: its stored form, and its occurrences as events. Pure. */
import type { Event, When } from '@waypost/contract'
import { dayOf, SECONDS_PER_DAY } from '../../formats/dates.ts'
import { instanceId } from '../../formats/instance-ids.ts'
import { type Occurrence, occurrencesBetween } from '../../formats/recurrence.ts'
import { normaliseRecurrence } from '../../formats/recurrence-rule.ts'
import { RecurrenceTooLarge, type Series } from '../../formats/series.ts'
import { invalidField } from '../../lib/api-error.ts'
import { startOf } from '../calendar/event-input.ts'
import { omittedFields, type StoredEvent } from './tables.ts'

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
  const merged = Object.entries({ ...rest, master_event_id: master.id, ...override })
  const event = Object.fromEntries(merged.filter(([name, value]) => value !== null || !isOmitted(name))) as Event
  // It follows its series in the rest, and so it has changed when the series has.
  return {
    ...event,
    sequence: latest(master.sequence, override.sequence),
    updated_at: latest(master.updated_at, override.updated_at),
  }
}

const isOmitted = (name: string): boolean => omittedFields.some((field) => field === name)

/** Null for those of the named fields that an occurrence has no value in, so that it does not follow its series there. */
export const clearedFields = (event: Partial<Event>, named: ReadonlySet<string>): Partial<StoredEvent> =>
  Object.fromEntries(omittedFields.filter((name) => named.has(name) && !(name in event)).map((name) => [name, null]))

const latest = (a: number | null | undefined, b: number | null | undefined): number => Math.max(a ?? 0, b ?? 0)

/** The event of a row that stores all of it: a single event or a master. */
export const wholeOf = (row: { event: StoredEvent }): Event => row.event as Event
