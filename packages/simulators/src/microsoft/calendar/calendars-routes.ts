// Calendars, calendar groups and free/busy.
import { accessDenied, GraphError } from '../errors.ts'
import type { GraphAnswer, GraphCall, GraphRoute } from '../http.ts'
import { itemAnswer, listAnswer } from '../odata/collection.ts'
import type { EntityType } from '../odata/entity.ts'
import { isPersonal } from '../owner.ts'
import { mailboxRoutes } from '../part.ts'
import { calendarOfCall, contextOf, mailboxOfCall, READ, WRITE } from './calendar-call.ts'
import { addCalendar, addGroup, calendarJson, changeCalendar, deleteCalendar, groupJson } from './calendar-store.ts'
import { calendarId, groupId, groupOf } from './ids.ts'
import { parseScheduleRequest, scheduleOf } from './schedule.ts'
import { calendarState, nextVersion, type StoredCalendar, type StoredGroup } from './state.ts'
import { requireZone } from './zones.ts'

const CALENDAR: EntityType = {
  name: 'calendar',
  properties: [
    'id',
    'name',
    'color',
    'hexColor',
    'isDefaultCalendar',
    'changeKey',
    'canShare',
    'canViewPrivateItems',
    'canEdit',
    'allowedOnlineMeetingProviders',
    'defaultOnlineMeetingProvider',
    'isTallyingResponses',
    'isRemovable',
    'owner',
  ],
}
const GROUP: EntityType = { name: 'calendarGroup', properties: ['id', 'name', 'classId', 'changeKey'] }

function calendarOptions(call: GraphCall) {
  return {
    type: CALENDAR,
    context: contextOf(call, 'calendars'),
    json: (calendar: StoredCalendar) => calendarJson(calendar, calendarId(calendar)),
  }
}

function groupOptions(call: GraphCall) {
  const mailbox = mailboxOfCall(call)
  return {
    type: GROUP,
    context: contextOf(call, 'calendarGroups'),
    json: (group: StoredGroup) => groupJson(group, groupId(mailbox, group)),
  }
}

function groupOfCall(call: GraphCall): StoredGroup {
  return groupOf(mailboxOfCall(call), call.params.groupId ?? '')
}

function listCalendars(call: GraphCall): GraphAnswer {
  const group = call.params.groupId === undefined ? undefined : groupOfCall(call)
  const calendars = [...mailboxOfCall(call).calendars.values()]
  const listed = group === undefined ? calendars : calendars.filter(({ groupKey }) => groupKey === group.key)
  return listAnswer(call, listed, calendarOptions(call))
}

function postCalendar(call: GraphCall): GraphAnswer {
  const group = call.params.groupId === undefined ? undefined : groupOfCall(call).key
  const calendar = addCalendar(calendarState(call.world), mailboxOfCall(call), call.json(), group)
  return itemAnswer(call, calendar, calendarOptions(call), 201)
}

function getCalendar(call: GraphCall): GraphAnswer {
  return itemAnswer(call, calendarOfCall(call), calendarOptions(call))
}

function patchCalendar(call: GraphCall): GraphAnswer {
  const calendar = calendarOfCall(call)
  changeCalendar(calendarState(call.world), mailboxOfCall(call), { calendar, body: call.json() })
  return itemAnswer(call, calendar, calendarOptions(call))
}

function removeCalendar(call: GraphCall): GraphAnswer {
  deleteCalendar(mailboxOfCall(call), calendarOfCall(call))
  return {}
}

function nameOf(call: GraphCall): string {
  const { name } = call.json()
  if (typeof name === 'string' && name.trim() !== '') return name
  throw new GraphError(400, 'ErrorInvalidParameter', "The value of parameter 'Name' is invalid.")
}

function listGroups(call: GraphCall): GraphAnswer {
  return listAnswer(call, mailboxOfCall(call).groups.values(), groupOptions(call))
}

function postGroup(call: GraphCall): GraphAnswer {
  const mailbox = mailboxOfCall(call)
  const name = nameOf(call)
  if (mailbox.groups.values().some((group) => group.name.toLowerCase() === name.toLowerCase())) {
    throw new GraphError(409, 'ErrorCalendarGroupExists', 'A calendar group with the specified name already exists.')
  }
  return itemAnswer(call, addGroup(calendarState(call.world), mailbox, { name }), groupOptions(call), 201)
}

function getGroup(call: GraphCall): GraphAnswer {
  return itemAnswer(call, groupOfCall(call), groupOptions(call))
}

function patchGroup(call: GraphCall): GraphAnswer {
  const group = groupOfCall(call)
  group.name = nameOf(call)
  group.version = nextVersion(calendarState(call.world))
  return itemAnswer(call, group, groupOptions(call))
}

function removeGroup(call: GraphCall): GraphAnswer {
  const { groups, calendars } = mailboxOfCall(call)
  const group = groupOfCall(call)
  if (group.fixed || calendars.values().some(({ groupKey }) => groupKey === group.key)) {
    throw new GraphError(400, 'ErrorCannotDeleteCalendarGroup', 'The calendar group is not empty or is a default one.')
  }
  groups.delete(group.key)
  return {}
}

/**
 * Returns the schedules in the requested order; each unavailable one has its own error. Personal accounts get an
 * error.
 */
function getSchedule(call: GraphCall): GraphAnswer {
  if (isPersonal(call.owner)) throw accessDenied()
  const request = parseScheduleRequest(call.json())
  const zone = call.prefer.timeZone === undefined ? request.start.zone : requireZone(call.prefer.timeZone)
  const state = calendarState(call.world)
  return {
    json: {
      '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata#Collection(microsoft.graph.scheduleInformation)',
      value: request.schedules.map((id) => scheduleOf(state, id, { request, zone, domain: call.owner.tenant.domain })),
    },
  }
}

const grouped = '/calendarGroups/:groupId/calendars'

export const calendarsRoutes: readonly GraphRoute[] = [
  ...['/calendars', grouped].flatMap((path) => [
    ...mailboxRoutes(`GET ${path}`, READ, listCalendars),
    ...mailboxRoutes(`POST ${path}`, WRITE, postCalendar),
  ]),
  ...['/calendar', '/calendars/:calendarId', `${grouped}/:calendarId`].flatMap((path) => [
    ...mailboxRoutes(`GET ${path}`, READ, getCalendar),
    ...mailboxRoutes(`PATCH ${path}`, WRITE, patchCalendar),
    ...mailboxRoutes(`DELETE ${path}`, WRITE, removeCalendar),
    ...mailboxRoutes(`POST ${path}/getSchedule`, READ, getSchedule),
  ]),
  ...mailboxRoutes('GET /calendarGroups', READ, listGroups),
  ...mailboxRoutes('POST /calendarGroups', WRITE, postGroup),
  ...mailboxRoutes('GET /calendarGroups/:groupId', READ, getGroup),
  ...mailboxRoutes('PATCH /calendarGroups/:groupId', WRITE, patchGroup),
  ...mailboxRoutes('DELETE /calendarGroups/:groupId', WRITE, removeGroup),
]
