/** Lists of events. Instances come from the calendar view, one call per page. */
import type { Event } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import { type EventFilter, type EventWindow, filterOf } from '../../calendar/event-queries.ts'
import { fromEvent } from '../../calendar/exchange/event.ts'
import { eventLists, isInside, type Listing, type ListQuery, type Part } from '../../calendar/exchange/event-pages.ts'
import { noCalendar, noSeries } from '../../calendar/exchange/refusals.ts'
import { timeText } from '../../calendar/exchange/when.ts'
import { collect, Place } from '../../shared/paging.ts'
import { providerStatus } from '../../shared/refusal.ts'
import { listPage } from '../graph-pages.ts'
import type { Query, Session } from '../session.ts'
import { calendarPath, eventFields, eventPath, type GraphEvent, graphEvent, withOwnProperty } from './calendar-api.ts'
import { asMissing, calendarOf } from './known-calendars.ts'

const bytesOfList = 32 * 1024 * 1024
const filteredSize = 100

interface ListRequest {
  path: string
  query: Query
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
const clock = (at: number): string => quoted(timeText(at).replace('Z', ''))

/** The window of a view. It begins a second early, so that events without a length at its start are included. */
const viewWindow = ({ from, to }: EventWindow): Query => ({
  startDateTime: timeText(from - 1),
  endDateTime: timeText(Math.max(to, from)),
})

/** The query for Graph. */
function requestedOf(session: Session, query: ListQuery, window: EventWindow, part: Part): ListRequest {
  const calendar = calendarPath(session, query.calendar_id)
  if (query.ical_uid !== undefined) {
    return { path: `${calendar}/events`, query: { $filter: `iCalUId eq ${quoted(query.ical_uid)}` } }
  }
  if (query.master_event_id !== undefined && part !== 'stored') {
    const series = eventPath(session, query.calendar_id, query.master_event_id)
    return { path: `${series}/instances`, query: viewWindow(window) }
  }
  if (part !== 'stored') {
    return { path: `${calendar}/calendarView`, query: { ...viewWindow(window), $orderby: 'start/dateTime' } }
  }
  const ends = `(type eq 'seriesMaster' or end/dateTime ge ${clock(window.from)})`
  const $filter = `start/dateTime lt ${clock(Math.max(window.to, window.from + 1))} and ${ends}`
  return { path: `${calendar}/events`, query: { $filter, $orderby: 'start/dateTime' } }
}

/** The filters that are applied here. */
function shownOf(query: ListQuery, part: Part): EventFilter | undefined {
  const ofFields = filterOf(query)
  const { master_event_id: master } = query
  const tests: EventFilter[] = [
    ...(ofFields ? [ofFields] : []),
    ...(master !== undefined && part === 'stored' ? [(event: Event) => event.id === master] : []),
  ]
  return tests.length > 0 ? (event) => tests.every((test) => test(event)) : undefined
}

/** Series with their deleted occurrences, which Graph returns only for single events. */
async function withCancelled(session: Session, calendarId: string, events: GraphEvent[]): Promise<GraphEvent[]> {
  const masters = events.filter(({ recurrence }) => recurrence !== undefined)
  if (masters.length === 0) return events
  const calls = masters.map(({ id }) => ({
    path: eventPath(session, calendarId, id),
    query: { $select: 'id,cancelledOccurrences' },
  }))
  const cancelled = new Map<string, string[]>()
  for (const [place, answer] of (await session.batch(calls, graphEvent)).entries()) {
    if (answer instanceof ApiError) {
      if (answer.code !== 'not_found') throw answer
    } else cancelled.set(masters[place]?.id ?? '', answer.cancelledOccurrences ?? [])
  }
  return events.map((event) => {
    const ids = cancelled.get(event.id)
    return ids ? { ...event, cancelledOccurrences: ids } : event
  })
}

async function read(session: Session, { query, window, part, place }: Listing<Place>) {
  const requested = requestedOf(session, query, window, part)
  const known = calendarOf(session, query.calendar_id)
  // Awaited below. Without this handler an earlier failure would leave its rejection unhandled.
  known.catch(() => undefined)
  const keep = shownOf(query, part)
  const showsCancelled = query.show_cancelled === true || query.ical_uid !== undefined
  const isListed = part === 'exceptions' ? ({ type }: GraphEvent) => type === 'exception' : () => true
  return collect<Event>({
    place,
    limit: query.limit,
    filteredSize,
    // If most events are skipped, more are requested at once.
    keep: keep ?? (part === 'exceptions' ? () => true : undefined),
    page: async (token, size) => {
      const { path } = requested
      // A view does not support $select for the dates of an event, so all fields are requested.
      const select = { ...(part === 'stored' ? { $select: eventFields } : {}), $expand: withOwnProperty, $top: size }
      const list = { path, query: { ...requested.query, ...select }, read: graphEvent, maxBytes: bytesOfList }
      const page = await listPage(session, list, token)
      const calendar = await known
      const wanted = page.items.filter((event) => isListed(event) && (showsCancelled || !event.isCancelled))
      const whole = part === 'stored' ? await withCancelled(session, query.calendar_id, wanted) : wanted
      const of = { grant: session.grant, calendar, tentativeAsBusy: query.tentative_as_busy }
      const items: Event[] = []
      const othersTurn = yieldBetween()
      for (const found of whole) {
        const event = fromEvent(found, of)
        if (query.ical_uid !== undefined || isInside(event, window)) items.push(event)
        await othersTurn()
      }
      return { items, next: page.next }
    },
  })
}

/** Graph reports only by its text that an event is not a series. */
const isNoMaster = (error: unknown): boolean =>
  error instanceof ApiError &&
  providerStatus(error) === 400 &&
  /series master/i.test(String(error.details.providerError?.message ?? ''))

export const { list: listEvents, import: importEvents } = eventLists<Session, Place>(
  Place,
  async (session, listing) => {
    try {
      return await read(session, listing)
    } catch (error) {
      const isOfSeries = listing.query.master_event_id !== undefined && listing.part !== 'stored'
      if (isOfSeries && isNoMaster(error)) throw noSeries()
      throw asMissing(error, isOfSeries ? noSeries : noCalendar)
    }
  },
)
