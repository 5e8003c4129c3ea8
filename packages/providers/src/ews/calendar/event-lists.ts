/** Lists of events: first the entries, then the events of the page by id, in one call. */
import type { Event } from '@waypost/contract'
import type { ApiError } from '@waypost/platform/api-error'
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import { z } from 'zod'
import { type EventFilter, filterOf } from '../../calendar/event-queries.ts'
import { isBusy } from '../../calendar/exchange/event.ts'
import { eventLists, isInside, type Listing, type ListQuery } from '../../calendar/exchange/event-pages.ts'
import { noCalendar, noSeries } from '../../calendar/exchange/refusals.ts'
import type { Session } from '../session.ts'
import type { AnyFolderId } from '../types/ids.ts'
import { calendarFolder } from './calendar-api.ts'
import { compareEntries, type Entry, entriesWithUid, storedEntries, viewEntries } from './entries.ts'
import { readFound, readNamed, shown } from './event-reader.ts'
import { asMissing } from './known-calendars.ts'
import { showAsOf } from './mapping/event.ts'

/** The last event of a page, by its start in milliseconds and its id. */
const Last = z.tuple([z.number(), z.string()])
type Last = z.output<typeof Last>
type EventListing = Listing<Last>

/** For a filtered list: the events per request, and the requests per page. */
const filteredSize = 100
const maxReads = 10
/** FindItem truncates texts at this length; such an event is read before it is judged. */
const cutLength = 255

/** The candidates for a page, ordered by start. */
function candidates(session: Session, folder: AnyFolderId, { query, window, part, place }: EventListing) {
  if (query.ical_uid !== undefined) return entriesWithUid(session, folder, query.ical_uid)
  if (part === 'stored') return storedEntries(session, folder, window, place?.[0])
  // The window begins a second early, so that events without a length at its start are included.
  const begin = place ? Math.max(window.from - 1, Math.floor(place[0] / 1000) - 1) : window.from - 1
  return viewEntries(session, { folder }, { from: begin, to: Math.max(window.to, window.from + 1) })
}

/** The occurrences of one series, recognized by what they share with it. */
async function ofSeries(session: Session, { query, part }: EventListing): Promise<(entry: Entry) => boolean> {
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
const isListed = ({ query, part, place }: EventListing, entry: Entry): boolean =>
  (!place || compareEntries(entry, { start: place[0], id: place[1] }) > 0) &&
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

interface ReadEvents {
  items: Event[]
  /** The last entry that was read, if there are more. */
  last?: Entry | undefined
}

/** Up to `limit` events. There may be fewer although there are more, if many are skipped. */
async function collect(session: Session, folder: AnyFolderId, listing: EventListing): Promise<ReadEvents> {
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

const missingIn = ({ query }: EventListing): (() => ApiError) =>
  query.master_event_id === undefined ? noCalendar : noSeries

export const { list: listEvents, import: importEvents } = eventLists<Session, Last>(Last, async (session, listing) => {
  const folder = calendarFolder(session, listing.query.calendar_id)
  if (!folder) throw noCalendar()
  try {
    const { items, last } = await collect(session, folder, listing)
    return last ? { items, next: [last.start, last.id] } : { items }
  } catch (error) {
    throw asMissing(error, missingIn(listing))
  }
})
