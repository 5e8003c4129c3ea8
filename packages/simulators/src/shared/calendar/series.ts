// Expands a series and finds single occurrences. A series is stored as one event. Its exceptions are stored with it,
// keyed by their original day in the pattern.
import { type EventTime, wallTime } from './event-time.ts'
import { daysOf, type Recurrence, type SeriesTimes, type Slot, slotOn, slotsOf } from './recurrence.ts'

/** An occurrence that differs from its series. */
export interface OccurrenceException<Details> {
  readonly created: number
  readonly modified: number
  readonly version: number
  readonly changes: Partial<Details>
}

/** The fields of a stored event that this module needs; the simulators store more. */
export interface SeriesEvent {
  readonly key: string
  readonly created: number
  readonly modified: number
  readonly version: number
  readonly start: EventTime
  readonly end: EventTime
  readonly recurrence: Recurrence | null
  /** Keyed by their original day in the series. */
  readonly exceptions: ReadonlyMap<string, OccurrenceException<object>>
  /** The days whose occurrences were deleted. */
  readonly cancelled: readonly string[]
}

/** The type of an event in responses, and its place in a series. */
export interface OccurrenceFacet {
  readonly kind: 'singleInstance' | 'seriesMaster' | 'occurrence' | 'exception'
  /** Only for an occurrence. */
  readonly masterKey?: string
  /** Only for an occurrence: its original day in the series. */
  readonly date?: string
  /** Only for an occurrence: its original start in the series. */
  readonly originalStart?: number
}

/** An event as clients read it; an occurrence includes everything it inherits from its series. */
export type ItemOf<Event extends SeriesEvent> = Event & OccurrenceFacet

export interface Range {
  readonly from: number
  readonly to: number
}

/** A stored event as clients read it. */
export function itemOf<Event extends SeriesEvent>(event: Event): ItemOf<Event> {
  return { ...event, kind: event.recurrence === null ? 'singleInstance' : 'seriesMaster' }
}

export function occurrenceKey(masterKey: string, date: string): string {
  return `${masterKey}.${date}`
}

function occurrenceOf<Event extends SeriesEvent>(master: Event, slot: Slot): ItemOf<Event> {
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

/** The times of a series; undefined for a single event. */
function timesOf({ start, end, recurrence }: SeriesEvent): SeriesTimes | undefined {
  return recurrence === null ? undefined : { start, end, recurrence }
}

/** The slots of a series; none for a single event. */
export function* masterSlots(master: SeriesEvent): Generator<Slot> {
  const times = timesOf(master)
  if (times !== undefined) yield* slotsOf(times)
}

/** The occurrences that overlap the range, in the order of the series. */
export function* occurrencesIn<Event extends SeriesEvent>(master: Event, range: Range): Generator<ItemOf<Event>> {
  const times = timesOf(master)
  if (times === undefined) return
  const slotOf = slotOn(times)
  // Skip days far from the range: the zone calculations are slow.
  const length = master.end.ms - master.start.ms
  const [first, last] = [dayOf(range.from - length - 2 * DAY), dayOf(range.to + 2 * DAY)]
  let exceptions = master.exceptions.size
  for (const date of daysOf(times)) {
    const isException = master.exceptions.has(date)
    if (isException) exceptions--
    // A later exception may have been moved into the range.
    if (date > last && exceptions <= 0 && !isException) return
    if ((!isException && (date < first || date > last)) || master.cancelled.includes(date)) continue
    const item = occurrenceOf(master, slotOf(date))
    if (touches(item, range)) yield item
  }
}

const DAY = 86_400_000
/** The UTC day, limited to years that have at most four digits. */
const dayOf = (ms: number): string => new Date(Math.min(Math.max(ms, firstDay), lastDay)).toISOString().slice(0, 10)
const firstDay = Date.UTC(1, 0, 1)
const lastDay = Date.UTC(9999, 11, 31)

export function touches(item: Pick<SeriesEvent, 'start' | 'end'>, { from, to }: Range): boolean {
  const start = item.start.ms
  const end = item.end.ms
  return start < to && (end > from || (start === end && start >= from))
}

/** The occurrence of a day, or undefined if the series has none on that day. */
export function occurrenceOn<Event extends SeriesEvent>(master: Event, date: string): ItemOf<Event> | undefined {
  const times = timesOf(master)
  if (times === undefined || master.cancelled.includes(date)) return undefined
  for (const day of daysOf(times)) {
    if (day === date) return occurrenceOf(master, slotOn(times)(date))
    if (day > date) return undefined
  }
  return undefined
}

/** The occurrences before and after a day. An occurrence cannot be moved past them. */
export function neighbours<Event extends SeriesEvent>(
  master: Event,
  date: string,
): { before?: ItemOf<Event>; after?: ItemOf<Event> } {
  let before: ItemOf<Event> | undefined
  for (const slot of masterSlots(master)) {
    if (master.cancelled.includes(slot.date)) continue
    if (slot.date > date) return { before, after: occurrenceOf(master, slot) }
    if (slot.date < date) before = occurrenceOf(master, slot)
  }
  return { before }
}

export function exceptionItems<Event extends SeriesEvent>(master: Event): ItemOf<Event>[] {
  return [...master.exceptions.keys()].sort().flatMap((date) => occurrenceOn(master, date) ?? [])
}

/** A calendar. */
export interface EventsHolder<Event> {
  readonly events: ReadonlyMap<string, Event>
}

/** Finds the event of a key: a stored event, or an occurrence of a stored series. */
export function findItem<Event extends SeriesEvent>(
  { events }: EventsHolder<Event>,
  key: string,
): ItemOf<Event> | undefined {
  const stored = events.get(key)
  if (stored !== undefined) return itemOf(stored)
  const [masterKey = '', date] = key.split('.')
  const master = events.get(masterKey)
  return master === undefined || date === undefined ? undefined : occurrenceOn(master, date)
}

/** The calendar view: single events and occurrences in the range, by start, then in order of creation. */
export function viewOf<Event extends SeriesEvent>({ events }: EventsHolder<Event>, range: Range): ItemOf<Event>[] {
  const items: ItemOf<Event>[] = []
  for (const event of events.values()) {
    if (event.recurrence === null) {
      const item = itemOf(event)
      if (touches(item, range)) items.push(item)
    } else items.push(...occurrencesIn(event, range))
  }
  return items.sort((left, right) => left.start.ms - right.start.ms)
}

/** Whether the occurrence of `date`, moved to these times, would be on the day of a neighbor or beyond it. */
export function crossesNeighbours(
  master: SeriesEvent,
  date: string,
  { start, end }: Pick<SeriesEvent, 'start' | 'end'>,
): boolean {
  const { before, after } = neighbours(master, date)
  const zone = master.recurrence?.range.zone ?? start.zone
  const dayOf = (ms: number) => wallTime(ms, zone).toPlainDate().toString()
  return (
    (before !== undefined && dayOf(start.ms) <= dayOf(before.start.ms)) ||
    (after !== undefined && (dayOf(start.ms) >= dayOf(after.start.ms) || end.ms > after.start.ms))
  )
}
