/**
 * Lists events. A window is read with one REPORT, or with several in sequence if it is long. So memory use depends on
 * the page and not on the size of the calendar.
 */

import type { Event, EventImportQuery, EventListQuery } from '@waypost/contract'
import { STEPS_OF_REQUEST, Steps } from '@waypost/formats/recurrence/steps'
import { ApiError } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import type { JsonValue } from '@waypost/platform/json/guard'
import { z } from 'zod'
import { type EventWindow, filterOf, inOrder, type ListPosition, windowOf } from '../../calendar/event-queries.ts'
import type { Page, WholeCalendar } from '../../operations.ts'
import { isTooLarge } from '../../shared/exchange.ts'
import { isNotFound, orNotFound } from '../../shared/named-objects.ts'
import type { DavObject } from '../client.ts'
import { resourceUrl } from '../ids.ts'
import type { DavSession } from '../session.ts'
import { calendarUrl, placeAt, serviceOf } from './known-calendars.ts'
import { groupReader, type ReadPart, readPartsOf } from './object-reading.ts'
import { groupsIn, type Searched } from './series-search.ts'
import { type Entry, type EventGroup, entriesOf, type TimelineQuery } from './timeline.ts'
import type { CalDavTraits } from './traits.ts'

/** The start of a page: the window of the first page, whether it expanded series, and the last event returned. */
const Place = z.tuple([z.number(), z.number(), z.boolean(), z.number(), z.string()])

const day = 86_400
/** The length of the first part; each part that does not fill a page makes the next one four times as long. */
const firstPart = 93 * day
const shortestPart = day

interface Listing extends Omit<TimelineQuery, 'part' | 'zone' | 'after' | 'steps'> {
  after: ListPosition | undefined
  limit: number
}

/** The date a number of months later, on the last day of a shorter month. */
function monthsAfter(time: number, months: number): number {
  const moment = Temporal.Instant.fromEpochMilliseconds(time * 1000).toZonedDateTimeISO('UTC')
  return Math.floor(moment.add({ months }).epochMilliseconds / 1000)
}

/** The window of a query; some services limit its length. */
function limitedWindow(
  query: { start?: number | undefined; end?: number | undefined } & WholeCalendar,
  now: number,
  traits: CalDavTraits,
) {
  const window = windowOf(query, now)
  const { window: longest } = traits
  if (longest && !query.whole && window.to > monthsAfter(window.from, longest.months)) {
    throw new ApiError('invalid_request', longest.problem, { validationErrors: { end: longest.problem } })
  }
  return window
}

interface Begin {
  window: EventWindow
  expand: boolean | undefined
  after: ListPosition | undefined
}

function beginOf(position: JsonValue | undefined, fresh: () => EventWindow): Begin {
  if (position === undefined) return { window: fresh(), expand: undefined, after: undefined }
  const [from, to, expand, startAt, id] = Place.parse(position)
  return { window: { from, to }, expand, after: { startAt, id } }
}

/** A page of up to `limit` entries. One entry more means that there is a next page. */
function pageOf(entries: readonly Entry[], { window, expand, limit }: Listing): Page<Event> {
  const shown = entries.slice(0, limit)
  const items = shown.map((entry) => entry.event())
  const last = shown.at(-1)
  if (entries.length <= limit || !last) return { items }
  return { items, next: [window.from, window.to, expand, last.startAt, last.id] }
}

/** The next part: from the previous page's cache, or from the server, in smaller parts if the answer is too large. */
async function nextPart(searched: Searched, wanted: EventWindow, goesOn: boolean): Promise<ReadPart> {
  const before = goesOn ? readPartsOf(searched.session).find(searched.name, wanted.from) : undefined
  if (before) return before
  try {
    return { range: wanted, groups: await groupsIn(searched, wanted) }
  } catch (error) {
    const length = wanted.to - wanted.from
    // The server's answer exceeds the limit of one read.
    if (!isTooLarge(error) || length <= shortestPart) throw error
    const shorter = Math.max(shortestPart, Math.floor(length / 4))
    return nextPart(searched, { from: wanted.from, to: wanted.from + shorter }, false)
  }
}

/** The entries of the window after the position: one more than a page holds, if there are enough. */
export async function entriesFrom(searched: Searched, listing: Listing): Promise<Entry[]> {
  const { window, after, limit } = listing
  const steps = new Steps(STEPS_OF_REQUEST)
  const found: Entry[] = []
  let length = firstPart
  let growth = 4
  let last: ReadPart
  let from = Math.max(window.from, Math.min(after?.startAt ?? window.from, window.to))
  do {
    const wanted = { from, to: Math.min(window.to, from + length) }
    last = await nextPart(searched, wanted, after !== undefined && found.length === 0)
    const { range, groups } = last
    const part = { from, to: Math.min(range.to, window.to) }
    const { zone } = await searched.place
    for (const entry of await entriesOf(groups, { ...listing, part, zone, steps })) found.push(entry)
    // The next part is four times as long, unless this part was already too large.
    if (range.from === wanted.from && range.to < wanted.to) growth = 1
    length = growth === 1 ? range.to - range.from : length * growth
    from = part.to
  } while (from < window.to && found.length <= limit)
  // There is a next page, which is usually requested soon.
  if (found.length > limit) readPartsOf(searched.session).keep(searched.name, last)
  return found
}

/** The event or series, and the changed occurrences. */
const storedEvents = ({ read: { main, overrides }, event }: EventGroup): Event[] => [
  ...(main ? [event(main)] : []),
  ...overrides.map(({ slot, fields }) => event(fields, slot)),
]

/** Lists have filters; imports have none. */
type ListQuery = Pick<EventListQuery, 'calendar_id' | 'limit'> & Partial<EventListQuery>

const listingOf = (query: ListQuery, { window, after }: Begin, expand: boolean): Listing => ({
  window,
  after,
  expand,
  limit: query.limit,
  filter: filterOf(query),
  showCancelled: query.show_cancelled === true,
})

export function eventLists<S extends DavSession>(traits: CalDavTraits<S>) {
  async function searchedIn(session: S, query: ListQuery): Promise<Searched> {
    const url = await calendarUrl(session, traits, query.calendar_id)
    const place = placeAt(session, url)
    // It is awaited later; this prevents an unhandled rejection if another error comes first.
    place.catch(() => undefined)
    const tentativeAsBusy = query.tentative_as_busy
    return { session, place, url, name: `${url} ${tentativeAsBusy}`, read: groupReader(session, { tentativeAsBusy }) }
  }

  async function listWindow(session: S, query: ListQuery, begin: Begin, expand: boolean): Promise<Page<Event>> {
    const listing = listingOf(query, begin, expand)
    const searched = await searchedIn(session, query)
    return pageOf(await orNotFound('calendar', () => entriesFrom(searched, listing), isNotFound), listing)
  }

  /** The occurrences of one series, or the series and its changed occurrences. */
  async function listSeries(session: S, query: ListQuery, begin: Begin, expand: boolean): Promise<Page<Event>> {
    const listing = listingOf(query, begin, expand)
    const { url, place, read } = await searchedIn(session, query)
    const calendar = await place
    const address = resourceUrl(url, query.master_event_id ?? '', '.ics')
    const objects = address === undefined ? [] : await serviceOf(session).client.multiget(url, [address])
    const groups = (await read(objects, calendar)).filter(
      (group) => group.read.series ?? group.read.overrides.length > 0,
    )
    if (groups.length === 0) throw new ApiError('not_found', 'no series with this id')
    const whole = { part: listing.window, zone: calendar.zone, steps: new Steps(STEPS_OF_REQUEST) }
    return pageOf(await entriesOf(groups, { ...listing, ...whole }), listing)
  }

  /** If a server finds no object by UID, there may be one with that name. */
  async function objectsOfUid(session: S, url: string, uid: string): Promise<DavObject[]> {
    const { client } = serviceOf(session)
    const found = await client.query(url, { uid })
    const named = found.length === 0 ? resourceUrl(url, uid, '.ics') : undefined
    return named === undefined ? found : client.multiget(url, [named])
  }

  /** Stored events with a UID, at any time. */
  async function listByUid(session: S, query: ListQuery, begin: Begin): Promise<Page<Event>> {
    const listing = listingOf({ limit: query.limit, calendar_id: query.calendar_id }, begin, false)
    const uid = query.ical_uid ?? ''
    const { url, place, read } = await searchedIn(session, query)
    const calendar = await place
    const entries = (await read(await objectsOfUid(session, url, uid), calendar))
      .filter((group) => group.read.uid === uid)
      .flatMap(storedEvents)
      .map((event): Entry => ({ startAt: 0, id: event.id, event: () => event }))
      .filter((entry) => !begin.after || inOrder(entry, begin.after) > 0)
      .sort(inOrder)
    return pageOf(entries, listing)
  }

  async function listEvents(session: S, query: EventListQuery, position: JsonValue | undefined): Promise<Page<Event>> {
    const now = seconds(session.io.clock.now())
    if (query.ical_uid !== undefined) {
      return listByUid(
        session,
        query,
        beginOf(position, () => ({ from: 0, to: 0 })),
      )
    }
    const begin = beginOf(position, () => limitedWindow(query, now, traits))
    const expand = begin.expand ?? query.expand_recurring ?? true
    return (query.master_event_id === undefined ? listWindow : listSeries)(session, query, begin, expand)
  }

  /** Single events, series and changed occurrences, as stored. */
  async function importEvents(session: S, query: EventImportQuery & WholeCalendar, position: JsonValue | undefined) {
    const begin = beginOf(position, () => limitedWindow(query, seconds(session.io.clock.now()), traits))
    return listWindow(session, query, begin, false)
  }

  return { list: listEvents, import: importEvents }
}
