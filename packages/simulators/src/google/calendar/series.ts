// The events of a series: instances that follow it, and exceptions, which are stored as separate events.
import { addLength, type EventTime, lengthOf, millisecondsOf, stampOf } from './event-time.ts'
import { occurrences } from './recurrence.ts'
import type { StoredCalendar, StoredEvent } from './state.ts'

/** How many instances of an endless series are expanded if the query has no bound. */
const maxInstances = 730

export interface Range {
  /** Excludes events that end at this time or before. */
  readonly from?: number
  /** Excludes events that start at this time or later. */
  readonly to?: number
}

export function instanceId(seriesId: string, original: EventTime): string {
  return `${seriesId}_${stampOf(original)}`
}

/** The instance of the series at one of its starts. */
export function instanceOf(series: StoredEvent, original: EventTime): StoredEvent {
  const zone = 'zone' in series.end ? series.end.zone : 'UTC'
  return {
    ...series,
    id: instanceId(series.id, original),
    recurringEventId: series.id,
    originalStart: original,
    start: original,
    end: addLength(original, lengthOf(series.start, series.end), zone),
    recurrence: [],
    former: [],
  }
}

export function isSeries(event: StoredEvent): boolean {
  return event.recurrence.length > 0
}

export function exceptionsOf(calendar: StoredCalendar, seriesId: string): StoredEvent[] {
  return [...calendar.events.values()].filter((event) => event.recurringEventId === seriesId)
}

/** The instances in the range that have no exception, ascending. */
export function* plainInstances(calendar: StoredCalendar, series: StoredEvent, range: Range): Generator<StoredEvent> {
  let count = 0
  for (const original of occurrences(series)) {
    if (range.to !== undefined && millisecondsOf(original, calendar.timeZone) >= range.to) return
    if (range.to === undefined && count >= maxInstances) return
    const instance = instanceOf(series, original)
    if (!touches(instance, range, calendar.timeZone)) continue
    count++
    if (!calendar.events.has(instance.id)) yield instance
  }
}

export function touches(event: StoredEvent, { from, to }: Range, zone: string): boolean {
  if (from !== undefined && millisecondsOf(event.end, zone) <= from) return false
  return to === undefined || millisecondsOf(event.start, zone) < to
}

/** Whether any regular instance of the series overlaps the range. */
export function seriesTouches(series: StoredEvent, range: Range, zone: string): boolean {
  for (const original of occurrences(series)) {
    if (range.to !== undefined && millisecondsOf(original, zone) >= range.to) return false
    if (touches(instanceOf(series, original), range, zone)) return true
  }
  return false
}

/** Whether the series has an instance with this original start. */
export function hasOccurrence(series: StoredEvent, original: EventTime): boolean {
  const wanted = stampOf(original)
  for (const time of occurrences(series)) {
    const stamp = stampOf(time)
    if (stamp === wanted) return true
    if (stamp > wanted) return false
  }
  return false
}

/** Finds the event of an id: a stored event, or an instance of a stored series. */
export function findEvent(calendar: StoredCalendar, id: string): StoredEvent | undefined {
  const stored = calendar.events.get(id)
  if (stored !== undefined) return stored
  const match = /^(.+)_(\d{8})(?:T(\d{6})Z)?$/.exec(id)
  const series = match?.[1] === undefined ? undefined : calendar.events.get(match[1])
  if (match === null || series === undefined || !isSeries(series)) return undefined
  for (const time of occurrences(series)) {
    const instance = instanceId(series.id, time)
    if (instance === id) return instanceOf(series, time)
    if (instance > id) return undefined
  }
  return undefined
}

/** The instances that the series lost after version `since`, as cancelled events. */
export function* lostInstances(calendar: StoredCalendar, series: StoredEvent, since: number): Generator<StoredEvent> {
  const seen = new Set<string>()
  for (const former of series.former) {
    if (former.version <= since) continue
    const before: StoredEvent = { ...series, ...former, version: series.version, former: [] }
    const originals = former.recurrence.length === 0 ? [] : occurrences(before)
    let count = 0
    for (const original of originals) {
      if (count++ >= maxInstances) break
      const id = instanceId(series.id, original)
      if (seen.has(id) || calendar.events.has(id) || (isSeries(series) && hasOccurrence(series, original))) continue
      seen.add(id)
      yield { ...instanceOf(before, original), status: 'cancelled' }
    }
  }
}
