/** A series of a virtual calendar: its stored form, and its changed occurrences as events. Pure. */
import type { Event } from '@waypost/contract'
import type { Series } from '@waypost/formats/recurrence/series'
import { omittedFields, type StoredEvent } from './tables.ts'

/** The stored end of a series without an end. */
export const forever = 9_000_000_000_000

/** A cache of parsed series by stored text, because the same ones are requested repeatedly. */
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

/** An override as a complete event: its changed fields on top of its series. */
export function overriddenOf(master: Event, override: StoredEvent): Event {
  const { recurrence: _, ...rest } = master
  const merged = Object.entries({ ...rest, master_event_id: master.id, ...override })
  const event = Object.fromEntries(merged.filter(([name, value]) => value !== null || !isOmitted(name))) as Event
  // The override follows its series in all other fields, so a change of the series also counts.
  return {
    ...event,
    sequence: latest(master.sequence, override.sequence),
    updated_at: latest(master.updated_at, override.updated_at),
  }
}

const isOmitted = (name: string): boolean => omittedFields.some((field) => field === name)

/** Null for the named fields without a value, so that the occurrence does not follow its series there. */
export const clearedFields = (event: Partial<Event>, named: ReadonlySet<string>): Partial<StoredEvent> =>
  Object.fromEntries(omittedFields.filter((name) => named.has(name) && !(name in event)).map((name) => [name, null]))

const latest = (a: number | null | undefined, b: number | null | undefined): number => Math.max(a ?? 0, b ?? 0)

/** The event of a row that stores all fields: a single event or a master. */
export const wholeOf = (row: { event: StoredEvent }): Event => row.event as Event
