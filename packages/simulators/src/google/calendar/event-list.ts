// `events.list` and `events.instances`: finds, sorts and pages the events of a calendar.
import { isObject, type JsonObject } from '../../shared/http.ts'
import { cancelledJson, type EventView, eventJson } from './event-json.ts'
import type { Cursor, EventQuery } from './event-query.ts'
import { millisecondsOf } from './event-time.ts'
import { isSeries, lostInstances, plainInstances, type Range, seriesTouches, touches } from './series.ts'
import type { StoredCalendar, StoredEvent } from './state.ts'
import { encodeToken } from './tokens.ts'

export interface Page {
  readonly items: readonly JsonObject[]
  readonly nextPageToken?: string
  readonly nextSyncToken?: string
}

/** A page of a list. The last page has a sync token if the query supports sync. */
export function listEvents(query: EventQuery, view: EventView): Page {
  const { calendar } = view
  const found = [...findEvents(calendar, query)].filter((event) => matches(event, query))
  const { page, next } = takePage(found, query, calendar.timeZone)
  const details = query.since === undefined || query.showDeleted
  const items = page.map((event) => {
    const stub = event.status === 'cancelled' && (!details || event.recurringEventId !== undefined)
    return stub ? cancelledJson(event, view.zone) : eventJson(event, view)
  })
  const { singleEvents, timeMin, timeMax, asOf, since } = query
  const remembered = { singleEvents, timeMin, timeMax }
  if (next !== undefined) {
    return { items, nextPageToken: encodeToken({ page: calendar.key, ...remembered, asOf, since, after: next }) }
  }
  if (!query.synchronizable) return { items }
  return { items, nextSyncToken: encodeToken({ sync: calendar.key, ...remembered, version: asOf }) }
}

/** The page after the cursor, and the cursor of the next page. */
export function takePage(
  events: readonly StoredEvent[],
  query: Pick<EventQuery, 'orderBy' | 'after' | 'maxResults'>,
  zone: string,
): { page: StoredEvent[]; next: Cursor | undefined } {
  const { orderBy, after, maxResults } = query
  const keyed = events
    .map((event) => ({ event, key: keyOf(event, orderBy, zone) }))
    .filter(({ key }) => after === undefined || compare(key, after) > 0)
    .sort((left, right) => compare(left.key, right.key))
  const page = keyed.slice(0, maxResults)
  const next = keyed.length > maxResults ? page.at(-1)?.key : undefined
  return { page: page.map(({ event }) => event), next }
}

function keyOf(event: StoredEvent, orderBy: EventQuery['orderBy'], zone: string): Cursor {
  const start = millisecondsOf(event.start, zone)
  if (orderBy === 'startTime') return [start, event.serial, event.id]
  if (orderBy === 'updated') return [event.updated, event.serial, event.id]
  return [event.serial, start, event.id]
}

function compare(left: Cursor, right: Cursor): number {
  return left[0] - right[0] || left[1] - right[1] || (left[2] < right[2] ? -1 : Number(left[2] !== right[2]))
}

function* findEvents(calendar: StoredCalendar, query: EventQuery): Generator<StoredEvent> {
  const range: Range = { from: query.timeMin, to: query.timeMax }
  for (const event of calendar.events.values()) {
    if (query.since !== undefined && event.version <= query.since) continue
    if (query.updatedMin !== undefined && event.updated < query.updatedMin) continue
    if (isSeries(event) && query.singleEvents) yield* expand(calendar, event, { query, range })
    else if (isShown(calendar, event, query) && isInside(calendar, event, { query, range })) yield event
  }
  if (!query.singleEvents || query.since === undefined) return
  for (const event of calendar.events.values()) {
    if (event.version > query.since && !isSeries(event)) yield* lostInstances(calendar, event, query.since)
  }
}

interface Within {
  readonly query: EventQuery
  readonly range: Range
}

function* expand(calendar: StoredCalendar, series: StoredEvent, { query, range }: Within): Generator<StoredEvent> {
  if (series.status === 'cancelled' && !showsDeleted(query)) return
  yield* plainInstances(calendar, series, range)
  const { since } = query
  if (since === undefined) return
  yield* lostInstances(calendar, series, since)
  const wasSingle = series.former.some(({ version, recurrence }) => version > since && recurrence.length === 0)
  if (wasSingle) yield { ...series, status: 'cancelled', recurrence: [] }
}

function showsDeleted({ showDeleted, since, updatedMin }: EventQuery): boolean {
  return showDeleted || since !== undefined || updatedMin !== undefined
}

/** If series are not expanded, cancelled instances of an active series are always included. */
function isShown(calendar: StoredCalendar, event: StoredEvent, query: EventQuery): boolean {
  if (event.status !== 'cancelled' || showsDeleted(query)) return true
  if (query.singleEvents || event.recurringEventId === undefined || event.orphan) return false
  return calendar.events.get(event.recurringEventId)?.status !== 'cancelled'
}

/** A changed event that left the range is included too: the client still has its earlier state. */
function isInside(calendar: StoredCalendar, event: StoredEvent, { query, range }: Within): boolean {
  const zone = calendar.timeZone
  const isAt = (one: StoredEvent) => (isSeries(one) ? seriesTouches(one, range, zone) : touches(one, range, zone))
  if (isAt(event)) return true
  const { since } = query
  if (since === undefined) return false
  const { originalStart } = event
  if (originalStart !== undefined && isAt({ ...event, start: originalStart, end: originalStart })) return true
  return event.former.some((former) => former.version > since && isAt({ ...event, ...former }))
}

function matches(event: StoredEvent, query: EventQuery): boolean {
  if (query.iCalUID !== undefined && event.iCalUID !== query.iCalUID) return false
  if (query.eventTypes.length > 0 && !query.eventTypes.includes(String(event.fields.eventType ?? 'default')))
    return false
  const properties = isObject(event.fields.extendedProperties) ? event.fields.extendedProperties : {}
  if (!hasProperties(properties.private, query.privateProperties)) return false
  if (!hasProperties(properties.shared, query.sharedProperties)) return false
  if (query.words.length === 0) return true
  const text = searchable(event).toLowerCase()
  return query.words.every((word) => text.includes(word))
}

function hasProperties(properties: unknown, wanted: readonly string[]): boolean {
  return wanted.every((constraint) => {
    const at = constraint.indexOf('=')
    return isObject(properties) && properties[constraint.slice(0, at)] === constraint.slice(at + 1)
  })
}

function searchable({ fields, attendees, organizer }: StoredEvent): string {
  const people = [...attendees, organizer].flatMap(({ email, displayName = '' }) => [email, displayName])
  return [fields.summary, fields.description, fields.location, ...people].filter(Boolean).join('\n')
}
