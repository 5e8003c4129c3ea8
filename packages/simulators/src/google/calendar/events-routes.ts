// `events` of the Calendar API.

import type { JsonObject } from '../../shared/http.ts'
import { GoogleError } from '../errors.ts'
import type { ApiAnswer, ApiCall, ApiRoute } from '../http.ts'
import { booleanOf, integerOf } from '../http.ts'
import { openChannel } from './channels.ts'
import { bodyOf, mergePatch } from './event-body.ts'
import { type EventView, eventJson } from './event-json.ts'
import { listEvents, takePage } from './event-list.ts'
import { cursorOf, parseEventQuery, type QueryContext, zoneOf } from './event-query.ts'
import { millisecondsOf, parseBound } from './event-time.ts'
import { changeEvent, importEvent, insertEvent, moveEvent, removeEvent } from './event-write.ts'
import type { SendUpdates } from './guests.ts'
import type { Write } from './organizer-write.ts'
import { exceptionsOf, findEvent, isSeries, plainInstances, touches } from './series.ts'
import {
  type AccessRole,
  type CalendarState,
  calendarState,
  etagOf,
  listOf,
  requireCalendar,
  roleOf,
  type StoredCalendar,
  type StoredEvent,
} from './state.ts'
import { encodeToken, readPageToken } from './tokens.ts'

const READ = [
  'calendar',
  'calendar.app.created',
  'calendar.events',
  'calendar.events.freebusy',
  'calendar.events.owned',
  'calendar.events.owned.readonly',
  'calendar.events.public.readonly',
  'calendar.events.readonly',
  'calendar.readonly',
]
const WRITE = ['calendar', 'calendar.app.created', 'calendar.events', 'calendar.events.owned']
const listQuery = [
  'alwaysIncludeEmail',
  'eventTypes',
  'iCalUID',
  'maxAttendees',
  'maxResults',
  'orderBy',
  'pageToken',
  'privateExtendedProperty',
  'q',
  'sharedExtendedProperty',
  'showDeleted',
  'showHiddenInvitations',
  'singleEvents',
  'syncToken',
  'timeMax',
  'timeMin',
  'timeZone',
  'updatedMin',
]
const instancesQuery = [
  'alwaysIncludeEmail',
  'maxAttendees',
  'maxResults',
  'originalStart',
  'pageToken',
  'showDeleted',
  'timeMax',
  'timeMin',
  'timeZone',
]
const sendQuery = ['sendNotifications', 'sendUpdates']
const writeQuery = [
  ...sendQuery,
  'alwaysIncludeEmail',
  'conferenceDataVersion',
  'eventLabelVersion',
  'maxAttendees',
  'supportsAttachments',
]

interface Opened {
  readonly state: CalendarState
  readonly calendar: StoredCalendar
  readonly view: EventView
  readonly write: Write
}

function open(call: ApiCall, needed: AccessRole): Opened {
  const state = calendarState(call.world)
  const calendar = requireCalendar(state, call.account, { id: call.params.calendarId ?? '', needed })
  const max = call.query.has('maxAttendees')
    ? integerOf(call.query, 'maxAttendees', { fallback: 1, max: 10_000 })
    : undefined
  const role = roleOf(call.account, calendar)
  const view = { calendar, role, zone: zoneOf(call.query) ?? calendar.timeZone, maxAttendees: max }
  const options = {
    sendUpdates: sendUpdatesOf(call.query),
    conferenceVersion: versionOf(call.query, 'conferenceDataVersion'),
    supportsAttachments: booleanOf(call.query, 'supportsAttachments'),
  }
  return { state, calendar, view, write: { calendar, actor: call.account, options } }
}

/** Google rejects unknown versions. */
function versionOf(query: URLSearchParams, name: string): number {
  const version = integerOf(query, name, { fallback: 0, max: 1000 })
  if (version <= 1) return version
  throw new GoogleError(
    400,
    'invalidParameter',
    `Invalid value '${version}'. Values must be within the range: [0, 1]`,
    {
      location: name,
      locationType: 'parameter',
    },
  )
}

function sendUpdatesOf(query: URLSearchParams): SendUpdates {
  const value = query.get('sendUpdates')
  if (value === 'all' || value === 'externalOnly' || value === 'none') return value
  if (value !== null) throw new GoogleError(400, 'invalidParameter', `Invalid value '${value}'.`)
  return booleanOf(query, 'sendNotifications') ? 'all' : 'none'
}

function requireEvent(call: ApiCall, calendar: StoredCalendar): StoredEvent {
  const event = findEvent(calendar, call.params.eventId ?? '')
  if (event === undefined) throw new GoogleError(404, 'notFound', 'Not Found')
  return event
}

function checkEtag(call: ApiCall, event: StoredEvent): void {
  const wanted = call.headers.get('if-match')
  if (wanted === null || wanted === '*' || wanted.split(',').some((etag) => etag.trim() === etagOf(event.version)))
    return
  throw new GoogleError(412, 'conditionNotMet', 'Precondition Failed', { location: 'If-Match', locationType: 'header' })
}

function answer(event: StoredEvent, view: EventView): ApiAnswer {
  return { json: eventJson(event, view), headers: { etag: etagOf(event.version) } }
}

function collection(opened: Opened, sub: string): JsonObject {
  const { calendar, view } = opened
  let latest = calendar.version
  let updated = calendar.created
  for (const event of calendar.events.values()) {
    latest = Math.max(latest, event.version)
    updated = Math.max(updated, event.updated)
  }
  return {
    kind: 'calendar#events',
    etag: etagOf(latest),
    summary: calendar.summary,
    ...(calendar.description !== undefined && { description: calendar.description }),
    updated: new Date(updated).toISOString(),
    timeZone: view.zone,
    accessRole: view.role,
    defaultReminders: listOf(opened.state, sub).get(calendar.key)?.defaultReminders ?? [],
  }
}

function contextOf(call: ApiCall, { state, calendar }: Opened): QueryContext {
  const validFrom = state.validFrom.get(call.account.sub) ?? 0
  return { calendarKey: calendar.key, version: state.version, validFrom, now: call.now }
}

function list(call: ApiCall): ApiAnswer {
  const opened = open(call, 'freeBusyReader')
  const page = listEvents(parseEventQuery(call.query, contextOf(call, opened)), opened.view)
  const { items, ...tokens } = page
  return { json: { ...collection(opened, call.account.sub), ...tokens, items } }
}

function instances(call: ApiCall): ApiAnswer {
  const opened = open(call, 'freeBusyReader')
  const { calendar, view } = opened
  const series = requireEvent(call, calendar)
  const range = {
    from: parseBound(call.query.get('timeMin'), 'timeMin'),
    to: parseBound(call.query.get('timeMax'), 'timeMax'),
  }
  const showDeleted = booleanOf(call.query, 'showDeleted')
  const original = parseBound(normalizeOriginal(call.query.get('originalStart')), 'originalStart')
  const stored = exceptionsOf(calendar, series.id).filter(
    (event) => !event.orphan && touches(event, range, calendar.timeZone),
  )
  const all = [...(isSeries(series) ? plainInstances(calendar, series, range) : []), ...stored]
  const wanted = all.filter((event) => {
    if (event.status === 'cancelled' && !showDeleted) return false
    if (original === undefined || event.originalStart === undefined) return true
    const zone = 'date' in event.originalStart ? 'UTC' : calendar.timeZone
    return millisecondsOf(event.originalStart, zone) === original
  })
  const token = call.query.get('pageToken')
  const after = token === null ? undefined : cursorOf(readPageToken(token, series.id).after)
  const maxResults = Math.max(1, integerOf(call.query, 'maxResults', { fallback: 250, max: 2500 }))
  const { page, next } = takePage(wanted, { orderBy: 'startTime', after, maxResults }, calendar.timeZone)
  return {
    json: {
      ...collection(opened, call.account.sub),
      ...(next !== undefined && { nextPageToken: encodeToken({ page: series.id, after: next }) }),
      items: page.map((event) => eventJson(event, view)),
    },
  }
}

/** The original start of an all-day event is a day. */
function normalizeOriginal(text: string | null): string | null {
  return text !== null && /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text
}

function get(call: ApiCall): ApiAnswer {
  const { calendar, view } = open(call, 'freeBusyReader')
  const event = requireEvent(call, calendar)
  if (call.headers.get('if-none-match') === etagOf(event.version)) return { status: 304 }
  return answer(event, view)
}

function write(call: ApiCall, body: (event: StoredEvent) => JsonObject): ApiAnswer {
  const opened = open(call, 'writer')
  const event = requireEvent(call, opened.calendar)
  checkEtag(call, event)
  return answer(changeEvent(opened.state, opened.write, { event, body: body(event) }), opened.view)
}

function remove(call: ApiCall): ApiAnswer {
  const { state, calendar, write } = open(call, 'writer')
  const event = requireEvent(call, calendar)
  checkEtag(call, event)
  removeEvent(state, write, event)
  return {}
}

function move(call: ApiCall): ApiAnswer {
  const { state, calendar, write, view } = open(call, 'writer')
  const id = call.query.get('destination')
  if (id === null) throw new GoogleError(400, 'required', 'Required parameter: destination')
  const to = requireCalendar(state, call.account, { id, needed: 'writer' })
  const event = requireEvent(call, calendar)
  return answer(moveEvent(state, write, { event, to }), { ...view, calendar: to })
}

function watch(call: ApiCall): ApiAnswer {
  const { calendar } = open(call, 'freeBusyReader')
  const id = encodeURIComponent(call.params.calendarId ?? '')
  const uri = `${call.world.url}/calendar/v3/calendars/${id}/events?alt=json`
  return openChannel(call, `events:${calendar.key}`, uri)
}

const EVENTS = '/calendar/v3/calendars/:calendarId/events'
const EVENT = `${EVENTS}/:eventId`

export const eventsRoutes: readonly ApiRoute[] = [
  { method: 'GET', path: EVENTS, scopes: READ, query: listQuery, handle: list },
  {
    method: 'POST',
    path: EVENTS,
    scopes: WRITE,
    query: writeQuery,
    handle(call) {
      const { state, write, view } = open(call, 'writer')
      return answer(insertEvent(state, write, call.json()), view)
    },
  },
  {
    method: 'POST',
    path: `${EVENTS}/import`,
    scopes: WRITE,
    query: ['conferenceDataVersion', 'eventLabelVersion', 'supportsAttachments'],
    handle(call) {
      const { state, write, view } = open(call, 'writer')
      return answer(importEvent(state, write, call.json()), view)
    },
  },
  { method: 'POST', path: `${EVENTS}/watch`, scopes: READ, query: listQuery, handle: watch },
  { method: 'GET', path: EVENT, scopes: READ, query: ['alwaysIncludeEmail', 'maxAttendees', 'timeZone'], handle: get },
  { method: 'PUT', path: EVENT, scopes: WRITE, query: writeQuery, handle: (call) => write(call, () => call.json()) },
  {
    method: 'PATCH',
    path: EVENT,
    scopes: WRITE,
    query: writeQuery,
    handle: (call) => write(call, (event) => mergePatch(bodyOf(event), call.json())),
  },
  { method: 'DELETE', path: EVENT, scopes: WRITE, query: sendQuery, handle: remove },
  {
    method: 'POST',
    path: `${EVENT}/move`,
    scopes: ['calendar', 'calendar.events', 'calendar.events.owned'],
    query: [...sendQuery, 'destination'],
    handle: move,
  },
  { method: 'GET', path: `${EVENT}/instances`, scopes: READ, query: instancesQuery, handle: instances },
]
