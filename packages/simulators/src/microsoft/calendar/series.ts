// The occurrences of a series, and where one of them is found.
import { type Slot, slotsOf } from './recurrence.ts'
import type { EventItem, StoredCalendar, StoredEvent } from './state.ts'

export interface Range {
  readonly from: number
  readonly to: number
}

/** A stored event as a reader meets it. */
export function itemOf(event: StoredEvent): EventItem {
  return { ...event, kind: event.recurrence === null ? 'singleInstance' : 'seriesMaster' }
}

export function occurrenceKey(masterKey: string, date: string): string {
  return `${masterKey}.${date}`
}

function occurrenceOf(master: StoredEvent, slot: Slot): EventItem {
  const exception = master.exceptions.get(slot.date)
  const { created = master.created, modified = master.modified, version = master.version } = exception ?? {}
  return {
    ...master,
    start: { ...master.start, ms: slot.start },
    end: { ...master.end, ms: slot.end },
    ...exception?.changes,
    created,
    modified,
    version,
    key: occurrenceKey(master.key, slot.date),
    recurrence: null,
    exceptions: new Map(),
    cancelled: [],
    kind: exception === undefined ? 'occurrence' : 'exception',
    masterKey: master.key,
    date: slot.date,
    originalStart: slot.start,
  }
}

/** The slots of a series; none of an event that is no series. */
export function* masterSlots({ start, end, recurrence }: StoredEvent): Generator<Slot> {
  if (recurrence !== null) yield* slotsOf({ start, end, recurrence })
}

/** The occurrences that touch the range, in the order of the series. */
export function* occurrencesIn(master: StoredEvent, range: Range): Generator<EventItem> {
  let exceptions = master.exceptions.size
  for (const slot of masterSlots(master)) {
    const isException = master.exceptions.has(slot.date)
    if (isException) exceptions--
    // An exception may have been moved into the range from behind it.
    if (slot.start >= range.to && exceptions <= 0 && !isException) return
    if (master.cancelled.includes(slot.date)) continue
    const item = occurrenceOf(master, slot)
    if (touches(item, range)) yield item
  }
}

export function touches(item: EventItem, { from, to }: Range): boolean {
  const start = item.start.ms
  const end = item.end.ms
  return start < to && (end > from || (start === end && start >= from))
}

/** The occurrence of a day, or undefined where the series has none then. */
export function occurrenceOn(master: StoredEvent, date: string): EventItem | undefined {
  if (master.cancelled.includes(date)) return undefined
  for (const slot of masterSlots(master)) {
    if (slot.date === date) return occurrenceOf(master, slot)
    if (slot.date > date) return undefined
  }
  return undefined
}

/** The days before and after which an occurrence of the series stays: those of its neighbours. */
export function neighbours(master: StoredEvent, date: string): { before?: EventItem; after?: EventItem } {
  let before: EventItem | undefined
  for (const slot of masterSlots(master)) {
    if (master.cancelled.includes(slot.date)) continue
    if (slot.date > date) return { before, after: occurrenceOf(master, slot) }
    if (slot.date < date) before = occurrenceOf(master, slot)
  }
  return { before }
}

export function exceptionItems(master: StoredEvent): EventItem[] {
  return [...master.exceptions.keys()].sort().flatMap((date) => occurrenceOn(master, date) ?? [])
}

/** The event of a key: a stored one, or an occurrence of a stored series. */
export function findItem(calendar: StoredCalendar, key: string): EventItem | undefined {
  const stored = calendar.events.get(key)
  if (stored !== undefined) return itemOf(stored)
  const [masterKey = '', date] = key.split('.')
  const master = calendar.events.get(masterKey)
  return master === undefined || date === undefined ? undefined : occurrenceOn(master, date)
}

/** What a calendar view shows: single events and occurrences in the range, by their starts, and as they were made. */
export function viewOf(calendar: StoredCalendar, range: Range): EventItem[] {
  const items: EventItem[] = []
  for (const event of calendar.events.values()) {
    if (event.recurrence === null) {
      const item = itemOf(event)
      if (touches(item, range)) items.push(item)
    } else items.push(...occurrencesIn(event, range))
  }
  return items.sort((left, right) => left.start.ms - right.start.ms)
}
