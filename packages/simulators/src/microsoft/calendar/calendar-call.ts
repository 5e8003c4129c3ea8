// Helpers shared by the calendar routes: the mailbox, the calendar, and the client's preferences for events.

import { parseTimestamp } from '../../shared/calendar/event-time.ts'
import type { Range } from '../../shared/calendar/series.ts'
import { UTC } from '../../shared/calendar/zones.ts'
import type { JsonObject } from '../../shared/http.ts'
import { GraphError } from '../errors.ts'
import type { GraphCall } from '../http.ts'
import { optionOf } from '../odata/query.ts'
import type { AccountOwner } from '../owner.ts'
import type { World } from '../world.ts'
import type { EventView } from './event-json.ts'
import { maxViewDays, viewLimit } from './event-times.ts'
import { calendarId, calendarOf, eventId, eventOf, type FoundEvent, groupOf } from './ids.ts'
import { calendarState, defaultCalendar, type Mailbox, type StoredCalendar } from './state.ts'
import { requireZone } from './zones.ts'

export const READ = ['Calendars.Read', 'Calendars.ReadBasic', 'Calendars.ReadWrite']
export const WRITE = ['Calendars.ReadWrite']
/** The paths under which a calendar's events are found. */
export const calendarPaths = [
  '',
  '/calendar',
  '/calendars/:calendarId',
  '/calendarGroups/:groupId/calendars/:calendarId',
] as const

export function mailboxFor(world: World, owner: AccountOwner): Mailbox {
  const mailbox = calendarState(world).mailboxes.get(owner.id)
  if (mailbox !== undefined) return mailbox
  throw new GraphError(
    404,
    'MailboxNotEnabledForRESTAPI',
    'The mailbox is either inactive, soft-deleted, or is hosted on-premise.',
  )
}

export function mailboxOfCall({ world, owner }: GraphCall): Mailbox {
  return mailboxFor(world, owner)
}

/** The calendar that a path names, or the default calendar. */
export function calendarOfCall(call: GraphCall): StoredCalendar {
  const mailbox = mailboxOfCall(call)
  const { calendarId: id, groupId } = call.params
  if (id === undefined) return defaultCalendar(mailbox)
  const calendar = calendarOf(mailbox, id)
  if (groupId !== undefined && groupOf(mailbox, groupId).key !== calendar.groupKey) {
    throw new GraphError(404, 'ErrorItemNotFound', 'The specified object was not found in the store.')
  }
  return calendar
}

/** The event that a path names, on the calendar that it names. */
export function eventOfCall(call: GraphCall): FoundEvent {
  const within = call.params.calendarId === undefined ? undefined : calendarOfCall(call)
  return eventOf(mailboxOfCall(call), call.params.eventId ?? '', within)
}

export function viewOfCall({ prefer }: GraphCall, calendar: StoredCalendar): EventView {
  return {
    idOf: (key) => eventId(calendar, key, prefer.immutableIds),
    zone: prefer.timeZone === undefined ? UTC : requireZone(prefer.timeZone),
    prefersText: prefer.bodyType === 'text',
  }
}

export function contextOf({ owner }: GraphCall, path: string): string {
  return `users('${encodeURIComponent(owner.id)}')/${path}`
}

export function calendarContext(call: GraphCall, calendar: StoredCalendar, path: string): string {
  if (call.params.calendarId === undefined) return contextOf(call, path)
  return contextOf(call, `calendars('${encodeURIComponent(calendarId(calendar))}')/${path}`)
}

/** A query parameter; its name ignores case. */
export function parameterOf(query: URLSearchParams, name: string): string | undefined {
  return optionOf(query, name.toLowerCase())
}

/** The required window of a calendar view. A time without an offset is UTC, whatever time zone the client prefers. */
export function rangeOf(query: URLSearchParams): Range {
  const start = parameterOf(query, 'startDateTime')
  const end = parameterOf(query, 'endDateTime')
  if (!start || !end) {
    throw new GraphError(
      400,
      'ErrorInvalidParameter',
      'This request requires a time window specified by the query string parameters StartDateTime and EndDateTime.',
    )
  }
  const range = { from: boundOf(start, 'StartDateTime'), to: boundOf(end, 'EndDateTime') }
  if (range.to < range.from) {
    throw new GraphError(400, 'ErrorInvalidParameter', 'The start of the time window is after its end.')
  }
  if (range.to - range.from > viewLimit) {
    throw new GraphError(
      400,
      'ErrorInvalidRequest',
      `Your request can't be completed. The range between the start and end dates is greater than the allowed range. Maximum number of days: ${maxViewDays}`,
    )
  }
  return range
}

function boundOf(text: string, name: string): number {
  // An unescaped `+` was decoded to a space.
  const ms = parseTimestamp(text.replace(' ', '+'), UTC)
  if (ms !== undefined) return ms
  throw new GraphError(400, 'ErrorInvalidParameter', `The value '${text}' of parameter '${name}' is invalid.`)
}

/** The parameters of an action; their names may begin with a capital. */
export function actionParameters(body: JsonObject): Map<string, unknown> {
  return new Map(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]))
}
