/**
 * Lists of events: first the entries, then the events of the page by id, in one call. Without expansion there are two
 * lists, one after the other: single events and series, and then the changed occurrences, which only a view contains.
 */
import type { Event, EventImportQuery, EventListQuery } from '@waypost/contract'
import type { ApiError } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import type { JsonValue } from '@waypost/platform/json/guard'
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import { z } from 'zod'
import { type EventFilter, type EventWindow, filterOf, windowOf } from '../../calendar/event-queries.ts'
import { isBusy } from '../../calendar/exchange/event.ts'
import { isInside } from '../../calendar/exchange/in-window.ts'
import { noSeries } from '../../calendar/exchange/refusals.ts'
import type { Page } from '../../operations.ts'
import type { Session } from '../session.ts'
import type { AnyFolderId } from '../types/ids.ts'
import { calendarFolder } from './calendar-api.ts'
import { compareEntries, type Entry, entriesWithUid, storedEntries, viewEntries } from './entries.ts'
import { readFound, readNamed, shown } from './event-reader.ts'
import { asMissing, noCalendar } from './known-calendars.ts'
import { showAsOf } from './mapping/event.ts'

/** The list that is read: instances and single events, single events and series, or changed occurrences. */
const Part = z.enum(['view', 'stored', 'exceptions'])
type Part = z.output<typeof Part>

/** The last event of a page, by its start in milliseconds and its id. */
const Last = z.tuple([z.number(), z.string()])
/** A position: the window that the first page resolved, the list, and the last event. */
const Position = z.tuple([z.number(), z.number(), Part, Last.nullable()])

/** Lists have filters, imports do not. */
type ListQuery = Pick<EventListQuery, 'calendar_id' | 'limit'> & Partial<EventListQuery>

interface Listing {
  query: ListQuery
  window: EventWindow
  part: Part
  after: Pick<Entry, 'start' | 'id'> | undefined
}

/** For a filtered list: the events per request, and the requests per page. */
const filteredSize = 100
const maxReads = 10
/** FindItem truncates texts at this length; such an event is read before it is judged. */
const cutLength = 255

/** The candidates for a page, ordered by start. */
function candidates(session: Session, folder: AnyFolderId, { query, window, part, after }: Listing) {
  if (query.ical_uid !== undefined) return entriesWithUid(session, folder, query.ical_uid)
  if (part === 'stored') return storedEntries(session, folder, window, after?.start)
  // The window begins a second early, so that events without a length at its start are included.
  const begin = after ? Math.max(window.from - 1, Math.floor(after.start / 1000) - 1) : window.from - 1
  return viewEntries(session, { folder }, { from: begin, to: Math.max(window.to, window.from + 1) })
}

/** The occurrences of one series, recognized by what they share with it. */
async function ofSeries(session: Session, { query, part }: Listing): Promise<(entry: Entry) => boolean> {
  const { master_event_id: masterId, calendar_id: calendarId } = query
  if (masterId === undefined) return () => true
  const { item } = await readNamed(session, { event_id: masterId, calendar_id: calendarId })
  if (!item.Recurrence) throw noSeries()
  if (part === 'stored') return ({ id }) => id === masterId
  return ({ item: one }) => one.UID === item.UID && one.CalendarItemType !== 'Single'
}

const isWhole = (text: string | undefined): text is string => text !== undefined && text.length < cutLength

/** Whether the entry already excludes its event. */
function mayBeShown(query: ListQuery, { item }: Entry): boolean {
  const { title, location, busy, updated_after: after, updated_before: before } = query
  const updated = item.LastModifiedTime === undefined ? undefined : Math.floor(item.LastModifiedTime / 1000)
  const known = {
    ...(isWhole(item.Subject) && title !== undefined ? { title } : {}),
    ...(isWhole(item.Location) && location !== undefined ? { location } : {}),
    ...(item.LegacyFreeBusyStatus && busy !== undefined ? { busy } : {}),
    ...(updated !== undefined && after !== undefined ? { updated_after: after } : {}),
    ...(updated !== undefined && before !== undefined ? { updated_before: before } : {}),
  }
  const isRetained = filterOf(known)
  const reported: Partial<Event> = {
    title: item.Subject ?? null,
    location: item.Location ?? null,
    busy: isBusy(showAsOf(item.LegacyFreeBusyStatus), query.tentative_as_busy),
    updated_at: updated ?? null,
  }
  // The filter reads only the fields that are set.
  return isRetained?.(reported as Event) ?? true
}

/** Whether an entry belongs to the list. A cancelled event is found only by its UID. */
const isListed = ({ query, part, after }: Listing, entry: Entry): boolean =>
  (!after || compareEntries(entry, after) > 0) &&
  (part !== 'exceptions' || entry.item.CalendarItemType === 'Exception') &&
  (query.ical_uid !== undefined || entry.item.IsCancelled !== true) &&
  mayBeShown(query, entry)

/** The events of entries in their order; undefined for those that were deleted meanwhile. */
async function eventsOf(session: Session, entries: readonly Entry[], query: ListQuery): Promise<(Event | undefined)[]> {
  const found = await readFound(
    session,
    entries.map(({ item }) => item),
  )
  return found.map((read) => read && shown(session, read, query))
}

interface EventPage {
  items: Event[]
  /** The last entry that was read, if there are more. */
  last?: Entry | undefined
}

/** Up to `limit` events. There may be fewer although there are more, if many are skipped. */
async function collect(session: Session, folder: AnyFolderId, listing: Listing): Promise<EventPage> {
  const { query, window } = listing
  const isOfSeries = await ofSeries(session, listing)
  const filter: EventFilter | undefined = filterOf(query)
  const isShown = (event: Event): boolean =>
    event.status !== 'cancelled' || query.ical_uid !== undefined
      ? (query.ical_uid !== undefined || isInside(event, window)) && (filter?.(event) ?? true)
      : false
  const size = filter ? Math.max(filteredSize, query.limit) : query.limit
  const items: Event[] = []
  const othersTurn = yieldBetween()
  let last: Entry | undefined
  let reads = 0
  for await (const entries of candidates(session, folder, listing)) {
    const wanted = entries.filter((entry) => isListed(listing, entry) && isOfSeries(entry))
    for (let first = 0; first < wanted.length; first += size) {
      if (items.length === query.limit || reads === maxReads) return { items, last }
      const chunk = wanted.slice(first, first + size)
      const events = await eventsOf(session, chunk, query)
      reads += 1
      for (const [place, entry] of chunk.entries()) {
        if (items.length === query.limit) return { items, last }
        last = entry
        const event = events[place]
        if (event && isShown(event)) items.push(event)
        await othersTurn()
      }
    }
  }
  return { items }
}

function beginOf(
  session: Session,
  query: { start?: number | undefined; end?: number | undefined },
  position: JsonValue | undefined,
  first: Part,
): Omit<Listing, 'query'> {
  if (position === undefined) {
    return { window: windowOf(query, seconds(session.io.clock.now())), part: first, after: undefined }
  }
  const [from, to, part, after] = Position.parse(position)
  return { window: { from, to }, part, after: after ? { start: after[0], id: after[1] } : undefined }
}

const missingIn = ({ query }: Listing): (() => ApiError) =>
  query.master_event_id === undefined ? noCalendar : noSeries

async function listOf(
  session: Session,
  query: ListQuery,
  position: JsonValue | undefined,
  first: Part,
): Promise<Page<Event>> {
  const listing: Listing = { query, ...beginOf(session, query, position, first) }
  const { window, part } = listing
  const folder = calendarFolder(session, query.calendar_id)
  if (!folder) throw noCalendar()
  try {
    const { items, last } = await collect(session, folder, listing)
    if (last) return { items, next: [window.from, window.to, part, [last.start, last.id]] }
    const goesOn = part === 'stored' && query.ical_uid === undefined
    return goesOn ? { items, next: [window.from, window.to, 'exceptions', null] } : { items }
  } catch (error) {
    throw asMissing(error, missingIn(listing))
  }
}

export const listEvents = (
  session: Session,
  query: EventListQuery,
  position: JsonValue | undefined,
): Promise<Page<Event>> => {
  const isStored = query.ical_uid !== undefined || query.expand_recurring === false
  return listOf(session, query, position, isStored ? 'stored' : 'view')
}

/** Single events, series and changed occurrences, as Exchange stores them. */
export const importEvents = (
  session: Session,
  query: EventImportQuery,
  position: JsonValue | undefined,
): Promise<Page<Event>> => listOf(session, query, position, 'stored')
