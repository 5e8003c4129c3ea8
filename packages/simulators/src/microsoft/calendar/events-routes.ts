// Events: lists, single events, instances and the calendar view.
// https://learn.microsoft.com/graph/api/resources/event

import { exceptionItems, itemOf, occurrencesIn, viewOf } from '../../shared/calendar/series.ts'
import { UTC } from '../../shared/calendar/zones.ts'
import type { JsonObject } from '../../shared/http.ts'
import { GraphError } from '../errors.ts'
import type { GraphAnswer, GraphCall, GraphRoute } from '../http.ts'
import { itemAnswer, listAnswer } from '../odata/collection.ts'
import { inOrder, satisfies } from '../odata/evaluate.ts'
import { parseFilter } from '../odata/filter.ts'
import { type Expansion, readQuery } from '../odata/query.ts'
import { mailboxRoutes } from '../part.ts'
import { attachmentJson, parseAttachment } from './attachments.ts'
import {
  calendarContext,
  calendarOfCall,
  calendarPaths,
  eventOfCall,
  mailboxOfCall,
  READ,
  rangeOf,
  viewOfCall,
  WRITE,
} from './calendar-call.ts'
import { calendarJson } from './calendar-store.ts'
import { eventJson, occurrenceId } from './event-json.ts'
import { checkEventQuery, EVENT, invalidQuery, listedEvent } from './event-type.ts'
import { changeEvent, createEvent, deleteEvent } from './event-write.ts'
import { calendarId } from './ids.ts'
import { calendarState, type EventItem, type StoredCalendar } from './state.ts'

function optionsOf(call: GraphCall, calendar: StoredCalendar, path = 'events') {
  const view = viewOfCall(call, calendar)
  return {
    type: listedEvent,
    context: calendarContext(call, calendar, path),
    json: (item: EventItem) => eventJson(item, view),
    expand: (item: EventItem, expansion: Expansion) => expandEvent(call, calendar, { item, expansion }),
  }
}

/** One event; a series also lists its deleted days. */
function answerEvent(call: GraphCall, calendar: StoredCalendar, item: EventItem, status = 200): GraphAnswer {
  const options = optionsOf(call, calendar)
  const id = viewOfCall(call, calendar).idOf(item.key)
  const cancelledOccurrences = item.cancelled.map((date) => occurrenceId(id, date))
  const json = (one: EventItem) => ({
    ...options.json(one),
    ...(item.kind === 'seriesMaster' && { cancelledOccurrences }),
  })
  return itemAnswer(call, item, { ...options, type: EVENT, json }, status)
}

function expandEvent(
  call: GraphCall,
  calendar: StoredCalendar,
  { item, expansion }: { item: EventItem; expansion: Expansion },
): unknown {
  const view = viewOfCall(call, calendar)
  const pick = (json: JsonObject) =>
    expansion.select === undefined
      ? json
      : Object.fromEntries(
          Object.entries(json).filter(([name]) => name === 'id' || name[0] === '@' || expansion.select?.includes(name)),
        )
  switch (expansion.name) {
    case 'attachments':
      return item.attachments.map((attachment) => pick(attachmentJson(attachment)))
    case 'calendar':
      return pick(calendarJson(calendar, calendarId(calendar)))
    case 'singleValueExtendedProperties':
      return propertiesOf(item, expansion)
    case 'exceptionOccurrences':
      return exceptionItems(item).map((one) => pick(eventJson(one, view)))
    default: {
      const range = rangeOf(call.query)
      return [...occurrencesIn(item, range)].map((one) => pick(eventJson(one, view)))
    }
  }
}

/** Only properties that the filter names are returned. */
function propertiesOf({ singleValueExtendedProperties: all }: EventItem, { filter }: Expansion) {
  if (filter === undefined) throw invalidQuery('Expanding extended properties requires a filter on their id.')
  const parsed = parseFilter(filter)
  const shown = all.filter((one) => satisfies(parsed, one))
  return shown.length > 0 ? shown : undefined
}

/** A page of events. Filters and orders use UTC, whatever the time zone of the response. */
function answerEvents(
  call: GraphCall,
  items: Iterable<EventItem>,
  calendar: StoredCalendar,
  path?: string,
): GraphAnswer {
  checkEventQuery(call.query)
  const { filter, orderBy } = readQuery(call.query)
  const view = { ...viewOfCall(call, calendar), zone: UTC }
  const order = inOrder(orderBy)
  const found = [...items]
    .map((item) => ({ item, json: eventJson(item, view) }))
    .filter(({ json }) => filter === undefined || satisfies(filter, json))
    .sort((left, right) => order(left.json, right.json))
  const query = new URLSearchParams([...call.query].filter(([name]) => !/^\$?(?:filter|orderby)$/i.test(name)))
  return listAnswer(
    { ...call, query },
    found.map(({ item }) => item),
    optionsOf(call, calendar, path),
  )
}

/** Single events and series, without occurrences. */
function listEvents(call: GraphCall): GraphAnswer {
  const calendar = calendarOfCall(call)
  return answerEvents(call, [...calendar.events.values()].map(itemOf), calendar)
}

function listView(call: GraphCall): GraphAnswer {
  const calendar = calendarOfCall(call)
  return withoutSelectedDates(call, answerEvents(call, viewOf(calendar, rangeOf(call.query)), calendar, 'calendarView'))
}

const unselectable = ['createdDateTime', 'lastModifiedDateTime']

/** In a view, the dates in `UNSELECTABLE` do not support `$select`: if selected, their value is year 1. */
function withoutSelectedDates({ query }: GraphCall, answer: GraphAnswer): GraphAnswer {
  if (readQuery(query).select === undefined || answer.json === undefined) return answer
  const empty = (event: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(event).map(([name, value]) => [
        name,
        unselectable.includes(name) ? '0001-01-01T00:00:00Z' : value,
      ]),
    )
  const { value = [] } = answer.json as { value?: JsonObject[] }
  return { ...answer, json: { ...answer.json, value: value.map(empty) } }
}

function listInstances(call: GraphCall): GraphAnswer {
  const { calendar, item } = eventOfCall(call)
  const range = rangeOf(call.query)
  if (item.kind !== 'seriesMaster') {
    throw new GraphError(
      400,
      'ErrorInvalidRequest',
      "Your request can't be completed. The event is not a series master.",
    )
  }
  return withoutSelectedDates(
    call,
    answerEvents(call, occurrencesIn(item, range), calendar, `events('${call.params.eventId}')/instances`),
  )
}

/** Creates an event, unless an earlier request with the same transaction id already did. */
function postEvent(call: GraphCall): GraphAnswer {
  const calendar = calendarOfCall(call)
  const { transactions } = mailboxOfCall(call)
  const body = call.json()
  const { transactionId } = body
  const text = JSON.stringify(body)
  const known = typeof transactionId === 'string' ? transactions.get(transactionId) : undefined
  const before = known === undefined ? undefined : calendar.events.get(known.key)
  if (known !== undefined && (known.body !== text || before === undefined)) {
    throw new GraphError(
      409,
      'ErrorDuplicateTransactionId',
      "Your request can't be completed. The TransactionId specified in the request has already been used to create a different event.",
    )
  }
  if (before !== undefined) return answerEvent(call, calendar, itemOf(before), 201)
  const attachments = Array.isArray(body.attachments)
    ? body.attachments.map((one) => parseAttachment(one, call.now))
    : []
  const item = createEvent(calendarState(call.world), calendar, { body, attachments })
  if (typeof transactionId === 'string') transactions.set(transactionId, { body: text, key: item.key })
  return answerEvent(call, calendar, item, 201)
}

function getEvent(call: GraphCall): GraphAnswer {
  const { calendar, item } = eventOfCall(call)
  return answerEvent(call, calendar, item)
}

function patchEvent(call: GraphCall): GraphAnswer {
  const { calendar, item } = eventOfCall(call)
  checkMatch(call, eventJson(item, viewOfCall(call, calendar)))
  return answerEvent(call, calendar, changeEvent(calendarState(call.world), { calendar, item, body: call.json() }))
}

function removeEvent(call: GraphCall): GraphAnswer {
  const { calendar, item } = eventOfCall(call)
  checkMatch(call, eventJson(item, viewOfCall(call, calendar)))
  deleteEvent(calendarState(call.world), { calendar, item })
  return {}
}

/** A request with `If-Match` changes only the version it names. */
export function checkMatch({ headers }: GraphCall, json: JsonObject): void {
  const wanted = headers.get('if-match')
  if (wanted === null || wanted === '*' || wanted === json['@odata.etag']) return
  throw new GraphError(
    412,
    'ErrorIrresolvableConflict',
    'The send or update operation could not be performed because the change key passed in the request does not match the current change key for the item.',
  )
}

export const eventsRoutes: readonly GraphRoute[] = calendarPaths.flatMap((root) => [
  ...mailboxRoutes(`GET ${root}/events`, READ, listEvents),
  ...mailboxRoutes(`POST ${root}/events`, WRITE, postEvent),
  ...mailboxRoutes(`GET ${root}/events/:eventId`, READ, getEvent),
  ...mailboxRoutes(`PATCH ${root}/events/:eventId`, WRITE, patchEvent),
  ...mailboxRoutes(`DELETE ${root}/events/:eventId`, WRITE, removeEvent),
  ...mailboxRoutes(`GET ${root}/events/:eventId/instances`, READ, listInstances),
  ...mailboxRoutes(`GET ${root}/calendarView`, READ, listView),
])
