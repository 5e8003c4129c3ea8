// The rest of the Calendar API: free/busy, colors, settings, channels and access rules.

import type { JsonObject } from '../../shared/http.ts'
import { isObject } from '../../shared/http.ts'
import { GoogleError } from '../errors.ts'
import type { ApiAnswer, ApiCall, ApiRoute } from '../http.ts'
import { removeFromList } from './calendar-store.ts'
import { stopChannel } from './channels.ts'
import { calendarColors, eventColors } from './colors.ts'
import { queryFreeBusy } from './free-busy.ts'
import {
  type AccessRole,
  calendarState,
  etagOf,
  nextVersion,
  requireCalendar,
  roleOf,
  type StoredCalendar,
} from './state.ts'

const settingsRead = ['calendar', 'calendar.readonly', 'calendar.settings.readonly']
const aclRead = ['calendar', 'calendar.acls', 'calendar.acls.readonly', 'calendar.readonly']
const aclWrite = ['calendar', 'calendar.acls']
const any = [
  ...settingsRead,
  ...aclRead,
  'calendar.app.created',
  'calendar.calendarlist',
  'calendar.calendarlist.readonly',
  'calendar.events',
  'calendar.events.freebusy',
  'calendar.events.owned',
  'calendar.events.owned.readonly',
  'calendar.events.public.readonly',
  'calendar.events.readonly',
]

function settingsOf(call: ApiCall): Readonly<Record<string, string>> {
  return {
    autoAddHangouts: 'true',
    dateFieldOrder: 'DMY',
    defaultEventLength: '60',
    format24HourTime: 'true',
    hideInvitations: 'false',
    hideWeekends: 'false',
    locale: 'en',
    remindOnRespondedEventsOnly: 'false',
    showDeclinedEvents: 'true',
    timezone: call.account.timezone,
    useKeyboardShortcuts: 'true',
    weekStart: '1',
  }
}

function settingJson(id: string, value: string): JsonObject {
  return { kind: 'calendar#setting', etag: '"0"', id, value }
}

function getSetting(call: ApiCall): ApiAnswer {
  const id = call.params.setting ?? ''
  const value = settingsOf(call)[id]
  if (value === undefined) throw new GoogleError(404, 'notFound', 'Not Found')
  return { json: settingJson(id, value) }
}

function listSettings(call: ApiCall): ApiAnswer {
  const items = Object.entries(settingsOf(call)).map(([id, value]) => settingJson(id, value))
  return { json: { kind: 'calendar#settings', etag: '"0"', items } }
}

function getColors(): ApiAnswer {
  const updated = '2012-02-14T00:00:00.000Z'
  return { json: { kind: 'calendar#colors', updated, calendar: calendarColors, event: eventColors } }
}

function owned(call: ApiCall): StoredCalendar {
  const id = call.params.calendarId ?? ''
  return requireCalendar(calendarState(call.world), call.account, { id, needed: 'owner' })
}

function ruleJson(calendar: StoredCalendar, id: string): JsonObject {
  const role = calendar.acl.get(id)
  if (role === undefined) throw new GoogleError(404, 'notFound', 'Not Found')
  const [type = '', value] = id.split(':')
  const scope = { type, ...(value !== undefined && { value }) }
  return { kind: 'calendar#aclRule', etag: etagOf(calendar.version), id, scope, role }
}

function isRole(role: unknown): role is AccessRole {
  return role === 'none' || role === 'freeBusyReader' || role === 'reader' || role === 'writer' || role === 'owner'
}

/** Sets an access rule; the sync tokens of the affected account expire, as at Google. */
function setRule(call: ApiCall, calendar: StoredCalendar, id: string): ApiAnswer {
  const { role } = call.json()
  if (!isRole(role)) throw new GoogleError(400, 'invalid', 'Invalid role value.')
  const state = calendarState(call.world)
  calendar.acl.set(id, role)
  calendar.version = nextVersion(state)
  const account = id.startsWith('user:') ? state.world.findAccount(id.slice(5)) : undefined
  if (account !== undefined) {
    state.validFrom.set(account.sub, nextVersion(state))
    if (roleOf(account, calendar) === 'none') removeFromList(state, account.sub, calendar)
  }
  return { json: ruleJson(calendar, id) }
}

function insertRule(call: ApiCall): ApiAnswer {
  const { scope } = call.json()
  if (!isObject(scope) || typeof scope.type !== 'string') throw new GoogleError(400, 'required', 'Missing scope.')
  const value = typeof scope.value === 'string' ? `:${scope.value.toLowerCase()}` : ''
  return setRule(call, owned(call), `${scope.type}${value}`)
}

function changeRule(call: ApiCall): ApiAnswer {
  const calendar = owned(call)
  ruleJson(calendar, call.params.ruleId ?? '')
  return setRule(call, calendar, call.params.ruleId ?? '')
}

function removeRule(call: ApiCall): ApiAnswer {
  const calendar = owned(call)
  const id = call.params.ruleId ?? ''
  ruleJson(calendar, id)
  calendar.acl.delete(id)
  const state = calendarState(call.world)
  calendar.version = nextVersion(state)
  const account = id.startsWith('user:') ? state.world.findAccount(id.slice(5)) : undefined
  if (account !== undefined) removeFromList(state, account.sub, calendar)
  return {}
}

function listRules(call: ApiCall): ApiAnswer {
  const calendar = owned(call)
  const items = [...calendar.acl.keys()].map((id) => ruleJson(calendar, id))
  return { json: { kind: 'calendar#acl', etag: etagOf(calendar.version), items } }
}

const base = '/calendar/v3'
const ACL = `${base}/calendars/:calendarId/acl`

export const settingsRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: `${base}/freeBusy`,
    scopes: ['calendar', 'calendar.events.freebusy', 'calendar.freebusy', 'calendar.readonly'],
    handle: queryFreeBusy,
  },
  { method: 'GET', path: `${base}/colors`, scopes: any, handle: getColors },
  {
    method: 'GET',
    path: `${base}/users/me/settings`,
    scopes: settingsRead,
    query: ['maxResults', 'pageToken', 'syncToken'],
    handle: listSettings,
  },
  { method: 'GET', path: `${base}/users/me/settings/:setting`, scopes: settingsRead, handle: getSetting },
  { method: 'POST', path: `${base}/channels/stop`, scopes: any, handle: stopChannel },
  {
    method: 'GET',
    path: ACL,
    scopes: aclRead,
    query: ['maxResults', 'pageToken', 'showDeleted', 'syncToken'],
    handle: listRules,
  },
  { method: 'POST', path: ACL, scopes: aclWrite, query: ['sendNotifications'], handle: insertRule },
  {
    method: 'GET',
    path: `${ACL}/:ruleId`,
    scopes: aclRead,
    handle: (call) => ({ json: ruleJson(owned(call), call.params.ruleId ?? '') }),
  },
  { method: 'PUT', path: `${ACL}/:ruleId`, scopes: aclWrite, query: ['sendNotifications'], handle: changeRule },
  { method: 'PATCH', path: `${ACL}/:ruleId`, scopes: aclWrite, query: ['sendNotifications'], handle: changeRule },
  { method: 'DELETE', path: `${ACL}/:ruleId`, scopes: aclWrite, handle: removeRule },
]
