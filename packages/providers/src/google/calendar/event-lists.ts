/** Lists of events: the query for Google, and the filters that Google does not have. */
import type { Event, EventImportQuery, EventListQuery } from '@waypost/contract'
import { resolveTimeZone } from '@waypost/formats/timezones/timezones'
import { instantsOf } from '@waypost/formats/timezones/when'
import { ApiError } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import type { JsonValue } from '@waypost/platform/json/guard'
import { z } from 'zod'
import { type EventFilter, type EventWindow, filterOf, windowOf } from '../../calendar/event-queries.ts'
import type { Page, WholeCalendar } from '../../operations.ts'
import { collect, Place } from '../../shared/paging.ts'
import type { Query, Session } from '../session.ts'
import { calendarIdOf, calendarPath, eventFields, eventPath, googleEvent, googleEvents } from './calendar-api.ts'
import { fromEvent } from './mapping/event.ts'
import { timeText } from './mapping/when.ts'

/**
 * A position: the window that the first page resolved, whether instances were expanded, and the place in the list.
 */
const Position = z.tuple([z.number(), z.number(), z.boolean(), Place])

const bytesOfList = 32 * 1024 * 1024

const typesOf = ({ event_type: types }: EventListQuery): readonly string[] =>
  types && types.length > 0 ? types : ['default']

interface ListRequest {
  path: string
  query: Query
}

/** The query for Google. */
function requestedOf(session: Session, query: EventListQuery, window: Query, expand: boolean): ListRequest {
  const path = `${calendarPath(session, query.calendar_id)}/events`
  if (query.ical_uid !== undefined) return { path, query: { iCalUID: query.ical_uid } }
  const showDeleted = query.show_cancelled ? true : undefined
  if (query.master_event_id !== undefined && expand) {
    const series = eventPath(session, query.calendar_id, query.master_event_id)
    return { path: `${series}/instances`, query: { ...window, showDeleted } }
  }
  const order: Query = expand ? { singleEvents: true, orderBy: 'startTime' } : {}
  return { path, query: { ...window, ...order, showDeleted, eventTypes: typesOf(query) } }
}

/** The filters that are applied here. Google also returns cancelled instances of series that were not requested. */
function shownOf(query: EventListQuery, expand: boolean): { always: EventFilter; filter: EventFilter | undefined } {
  const ofFields = filterOf(query)
  const masterId = expand ? undefined : query.master_event_id
  const filter: EventFilter | undefined =
    ofFields || masterId !== undefined
      ? (event) =>
          (!ofFields || ofFields(event)) &&
          (masterId === undefined || event.id === masterId || event.master_event_id === masterId)
      : undefined
  return { always: (event) => query.show_cancelled === true || event.status !== 'cancelled', filter }
}

interface Listing {
  calendarId: string
  requested: ListRequest
  limit: number
  place: Place | undefined
  /** Absent if events of all times are listed. */
  window: EventWindow | undefined
  always: EventFilter
  filter: EventFilter | undefined
}

async function read(session: Session, listing: Listing) {
  const { requested, always, filter, window } = listing
  const fields = `nextPageToken,timeZone,accessRole,items(${eventFields})`
  const grantId = session.grant.id
  const calendarId = calendarIdOf(session, listing.calendarId)
  return collect<Event>({
    place: listing.place,
    limit: listing.limit,
    keep: filter,
    page: async (token, size) => {
      const query = { ...requested.query, maxResults: size, pageToken: token, fields }
      const options = { query, maxBytes: bytesOfList, read: googleEvents }
      const answer = await session.call('calendar', 'GET', requested.path, options)
      const place = { grantId, calendarId, timeZone: answer.timeZone, accessRole: answer.accessRole }
      const items = (answer.items ?? [])
        .map((event) => fromEvent(event, place))
        .filter((event) => always(event) && (!window || isInside(event, window, answer.timeZone)))
      return { items, next: answer.nextPageToken }
    },
  })
}

/**
 * A window as Google accepts it: events that end after its start and begin before its end. It begins a second early,
 * so that events without a length at its start are included.
 */
const windowQuery = ({ from, to }: EventWindow): Query => ({
  timeMin: timeText(from - 1),
  timeMax: timeText(Math.max(to, from)),
})

/**
 * Whether an event is in the window. An event that only touches it is not, unless it has no length. Google decides
 * for series.
 */
function isInside({ when, recurrence }: Event, { from, to }: EventWindow, zone: string | undefined): boolean {
  if (recurrence) return true
  const { start, end } = instantsOf(when, resolveTimeZone(zone ?? '') ?? 'UTC')
  return end > from || (start === end && start === from && from < to)
}

function beginOf(
  session: Session,
  query: { start?: number | undefined; end?: number | undefined },
  position: JsonValue | undefined,
) {
  if (position === undefined) return { window: windowOf(query, seconds(session.io.clock.now())) }
  const [from, to, expand, place] = Position.parse(position)
  return { window: { from, to }, expand, place }
}

export async function listEvents(
  session: Session,
  query: EventListQuery,
  position: JsonValue | undefined,
): Promise<Page<Event>> {
  const { window, place, expand = query.expand_recurring ?? true } = beginOf(session, query, position)
  const requested = requestedOf(session, query, windowQuery(window), expand)
  const { items, next } = await read(session, {
    calendarId: query.calendar_id,
    requested,
    limit: query.limit,
    place,
    window: query.ical_uid === undefined ? window : undefined,
    ...shownOf(query, expand),
  })
  if (items.length === 0 && position === undefined && query.master_event_id !== undefined) {
    await needSeries(session, query.calendar_id, query.master_event_id)
  }
  return next ? { items, next: [window.from, window.to, expand, next] } : { items }
}

/**
 * Google returns an empty list for an event that is not a series; that must not look like a series without instances.
 */
async function needSeries(session: Session, calendarId: string, id: string): Promise<void> {
  const options = { query: { fields: 'id,recurrence' }, read: googleEvent }
  const { recurrence = [] } = await session.call('calendar', 'GET', eventPath(session, calendarId, id), options)
  if (recurrence.length === 0) throw new ApiError('not_found', 'no series with this id')
}

/** Google may return a deleted instance without a UID. Its own events have the UID `<id>@google.com`. */
const namedBySeries = (event: Event): Event =>
  event.ical_uid === null && event.master_event_id
    ? { ...event, ical_uid: `${event.master_event_id}@google.com` }
    : event

/** Single events, masters and changed instances, as Google stores them. */
export async function importEvents(
  session: Session,
  query: EventImportQuery & WholeCalendar,
  position: JsonValue | undefined,
): Promise<Page<Event>> {
  const { window, place } = beginOf(session, query, position)
  const { items: found, next } = await read(session, {
    calendarId: query.calendar_id,
    requested: { path: `${calendarPath(session, query.calendar_id)}/events`, query: windowQuery(window) },
    limit: query.limit,
    place,
    window,
    always: ({ status, master_event_id }) => status !== 'cancelled' || (query.whole === true && !!master_event_id),
    filter: undefined,
  })
  const items = found.map(namedBySeries)
  return next ? { items, next: [window.from, window.to, false, next] } : { items }
}
