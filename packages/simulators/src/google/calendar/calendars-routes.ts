// `calendars` and `calendarList` of the Calendar API.

import type { JsonObject } from '../../shared/http.ts'
import { isObject } from '../../shared/http.ts'
import { GoogleError } from '../errors.ts'
import type { ApiAnswer, ApiCall, ApiRoute } from '../http.ts'
import { booleanOf, integerOf } from '../http.ts'
import {
  addCalendar,
  type CalendarChange,
  calendarJson,
  changeCalendar,
  clearCalendar,
  deleteCalendar,
  entryJson,
  putInList,
  removeFromList,
} from './calendar-store.ts'
import { openChannel } from './channels.ts'
import { calendarColors } from './colors.ts'
import {
  type AccessRole,
  atLeast,
  calendarState,
  etagOf,
  type ListEntry,
  listOf,
  requireCalendar,
  roleOf,
  type StoredCalendar,
} from './state.ts'
import { encodeToken, readPageToken, readSyncToken } from './tokens.ts'

const CALENDARS = ['calendar', 'calendar.app.created', 'calendar.calendars']
const calendarsRead = [...CALENDARS, 'calendar.calendars.readonly', 'calendar.readonly']
const listRead = ['calendar', 'calendar.calendarlist', 'calendar.calendarlist.readonly', 'calendar.readonly']
const listWrite = ['calendar', 'calendar.app.created', 'calendar.calendarlist']
const listQuery = [
  'maxResults',
  'minAccessRole',
  'pageToken',
  'showDeleted',
  'showHidden',
  'showOwnOrganizationOnly',
  'syncToken',
]

function required(message: string): GoogleError {
  return new GoogleError(400, 'required', message)
}

function forbidden(reason: string, message: string): GoogleError {
  return new GoogleError(403, reason, message, { domain: 'calendar' })
}

function checkEtag(call: ApiCall, version: number): void {
  const wanted = call.headers.get('if-match')
  if (wanted === null || wanted === '*' || wanted === etagOf(version)) return
  throw new GoogleError(412, 'conditionNotMet', 'Precondition Failed', { location: 'If-Match', locationType: 'header' })
}

function calendarOf(call: ApiCall, needed: AccessRole): StoredCalendar {
  return requireCalendar(calendarState(call.world), call.account, { id: call.params.calendarId ?? '', needed })
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function insert(call: ApiCall): ApiAnswer {
  const { summary, description, location, timeZone } = call.json()
  if (textOf(summary) === undefined) throw required('Missing summary.')
  const seed = {
    summary: String(summary),
    description: textOf(description),
    location: textOf(location),
    timeZone: textOf(timeZone),
  }
  return { json: calendarJson(addCalendar(calendarState(call.world), call.account, seed)) }
}

const changeable = ['summary', 'description', 'location', 'timeZone'] as const

/** `update` clears fields that the body omits; `patch` leaves them unchanged. */
function change(call: ApiCall, isWhole: boolean): ApiAnswer {
  const calendar = calendarOf(call, 'owner')
  checkEtag(call, calendar.version)
  const body = call.json()
  const changes: CalendarChange = {}
  for (const name of changeable) {
    const cleared = body[name] === null || (isWhole && body[name] === undefined)
    if (cleared && (name === 'description' || name === 'location')) changes[name] = undefined
    else if (cleared && name === 'summary' && isWhole) throw required('Missing summary.')
    else if (typeof body[name] === 'string') changes[name] = body[name]
  }
  changeCalendar(calendarState(call.world), calendar, changes)
  return { json: calendarJson(calendar) }
}

function remove(call: ApiCall): ApiAnswer {
  const calendar = calendarOf(call, 'owner')
  if (calendar.primary) throw forbidden('cannotDeletePrimaryCalendar', 'Cannot delete primary calendar.')
  deleteCalendar(calendarState(call.world), calendar)
  return {}
}

function clear(call: ApiCall): ApiAnswer {
  const calendar = calendarOf(call, 'owner')
  // The message is Google's, although only primary calendars can be cleared.
  if (!calendar.primary) throw forbidden('forbidden', 'Cannot clear primary calendar.')
  clearCalendar(calendarState(call.world), calendar)
  return {}
}

interface Listed {
  readonly calendar: StoredCalendar
  readonly entry: ListEntry
}

function entryOf(call: ApiCall): Listed {
  const calendar = calendarOf(call, 'freeBusyReader')
  const entry = listOf(calendarState(call.world), call.account.sub).get(calendar.key)
  if (entry === undefined || entry.deleted) throw new GoogleError(404, 'notFound', 'Not Found')
  return { calendar, entry }
}

function checkSync(query: URLSearchParams): void {
  const refused =
    query.has('minAccessRole') || query.get('showDeleted') === 'false' || query.get('showHidden') === 'false'
  if (!refused) return
  throw new GoogleError(
    400,
    'syncTokenWithRequestRestrictions',
    'Sync token cannot be used with other request restrictions.',
    { domain: 'calendar' },
  )
}

function list(call: ApiCall): ApiAnswer {
  const { account, query } = call
  const state = calendarState(call.world)
  const scope = `list:${account.sub}`
  const syncToken = query.get('syncToken')
  if (syncToken !== null) checkSync(query)
  const sync = syncToken === null ? undefined : readSyncToken(syncToken, scope, state.validFrom.get(account.sub) ?? 0)
  const pageToken = query.get('pageToken')
  const page = pageToken === null ? undefined : readPageToken(pageToken, scope)
  const since = Number(sync?.version ?? page?.since ?? 0)
  const asOf = Number(page?.asOf ?? state.version)
  const offset = Number(page?.offset ?? 0)
  const max = Math.max(1, integerOf(query, 'maxResults', { fallback: 100, max: 250 }))
  const minRole = query.get('minAccessRole')
  const found: Listed[] = []
  for (const entry of listOf(state, account.sub).values()) {
    const calendar = state.calendars.get(entry.key)
    if (calendar === undefined || entry.version <= since) continue
    if (entry.deleted && since === 0 && !booleanOf(query, 'showDeleted')) continue
    if (entry.hidden && since === 0 && !booleanOf(query, 'showHidden')) continue
    if (isRole(minRole) && !atLeast(roleOf(account, calendar), minRole)) continue
    found.push({ calendar, entry })
  }
  const items = found.slice(offset, offset + max).map(({ calendar, entry }) => entryJson(calendar, entry, account))
  const tokens =
    found.length > offset + max
      ? { nextPageToken: encodeToken({ page: scope, since, asOf, offset: offset + max }) }
      : { nextSyncToken: encodeToken({ sync: scope, version: asOf }) }
  return { json: { kind: 'calendar#calendarList', etag: etagOf(state.version), ...tokens, items } }
}

function isRole(role: string | null): role is AccessRole {
  return role === 'freeBusyReader' || role === 'reader' || role === 'writer' || role === 'owner'
}

type EntryChange = Parameters<typeof putInList>[3]

function entryChange(body: JsonObject, rgb: boolean): EntryChange {
  const change: { -readonly [Name in keyof EntryChange]: EntryChange[Name] } = {}
  if (typeof body.hidden === 'boolean') change.hidden = body.hidden
  if (typeof body.selected === 'boolean') change.selected = body.selected
  if (body.summaryOverride !== undefined) change.summaryOverride = textOf(body.summaryOverride)
  if (typeof body.colorId === 'string') {
    if (calendarColors[body.colorId] === undefined) throw new GoogleError(400, 'invalid', 'Invalid color id value.')
    change.colorId = body.colorId
    change.backgroundColor = undefined
    change.foregroundColor = undefined
  }
  if (rgb && typeof body.backgroundColor === 'string') {
    change.backgroundColor = body.backgroundColor
    change.foregroundColor = textOf(body.foregroundColor) ?? '#000000'
  }
  if (Array.isArray(body.defaultReminders)) {
    change.defaultReminders = body.defaultReminders.filter(isObject).map(({ method, minutes }) => {
      return { method: String(method), minutes: Number(minutes) }
    })
  }
  if (isObject(body.notificationSettings)) change.notificationSettings = body.notificationSettings
  return change
}

function insertEntry(call: ApiCall): ApiAnswer {
  const body = call.json()
  if (typeof body.id !== 'string') throw required('Missing calendar id.')
  const state = calendarState(call.world)
  const calendar = requireCalendar(state, call.account, { id: body.id, needed: 'freeBusyReader' })
  const change = entryChange(body, booleanOf(call.query, 'colorRgbFormat'))
  return { json: entryJson(calendar, putInList(state, call.account.sub, calendar, change), call.account) }
}

function changeEntry(call: ApiCall): ApiAnswer {
  const { calendar, entry } = entryOf(call)
  checkEtag(call, entry.version)
  const change = entryChange(call.json(), booleanOf(call.query, 'colorRgbFormat'))
  const changed = putInList(calendarState(call.world), call.account.sub, calendar, change)
  return { json: entryJson(calendar, changed, call.account) }
}

function removeEntry(call: ApiCall): ApiAnswer {
  const { calendar } = entryOf(call)
  if (calendar.primary && calendar.owner.sub === call.account.sub) {
    throw forbidden('cannotChangeOwnPrimarySubscription', 'Cannot change own primary subscription.')
  }
  removeFromList(calendarState(call.world), call.account.sub, calendar)
  return {}
}

const ALL = '/calendar/v3/calendars'
const ONE = `${ALL}/:calendarId`
const LIST = '/calendar/v3/users/me/calendarList'
const ENTRY = `${LIST}/:calendarId`

export const calendarsRoutes: readonly ApiRoute[] = [
  { method: 'POST', path: ALL, scopes: CALENDARS, handle: insert },
  {
    method: 'GET',
    path: ONE,
    scopes: calendarsRead,
    handle: (call) => ({ json: calendarJson(calendarOf(call, 'freeBusyReader')) }),
  },
  { method: 'PUT', path: ONE, scopes: CALENDARS, handle: (call) => change(call, true) },
  { method: 'PATCH', path: ONE, scopes: CALENDARS, handle: (call) => change(call, false) },
  { method: 'DELETE', path: ONE, scopes: CALENDARS, handle: remove },
  { method: 'POST', path: `${ONE}/clear`, scopes: ['calendar', 'calendar.calendars'], handle: clear },
  { method: 'GET', path: LIST, scopes: listRead, query: listQuery, handle: list },
  {
    method: 'POST',
    path: LIST,
    scopes: ['calendar', 'calendar.calendarlist'],
    query: ['colorRgbFormat'],
    handle: insertEntry,
  },
  {
    method: 'POST',
    path: `${LIST}/watch`,
    scopes: listRead,
    query: listQuery,
    handle: (call) => openChannel(call, `list:${call.account.sub}`, `${call.world.url}${LIST}?alt=json`),
  },
  {
    method: 'GET',
    path: ENTRY,
    scopes: [...listRead, 'calendar.app.created'],
    handle(call) {
      const { calendar, entry } = entryOf(call)
      return { json: entryJson(calendar, entry, call.account) }
    },
  },
  { method: 'PUT', path: ENTRY, scopes: listWrite, query: ['colorRgbFormat'], handle: changeEntry },
  { method: 'PATCH', path: ENTRY, scopes: listWrite, query: ['colorRgbFormat'], handle: changeEntry },
  { method: 'DELETE', path: ENTRY, scopes: listWrite, handle: removeEntry },
]
