// The calendars of an account, for tests. Changes made here look like those of another client of the user: they
// appear in sync and on channels. Times, ids and errors are those of the API.

import type { JsonObject } from '../../shared/http.ts'
import { GoogleError } from '../errors.ts'
import type { ApiRoute } from '../http.ts'
import type { AccountOwner } from '../owner.ts'
import type { World } from '../world.ts'
import {
  addCalendar,
  addPrimary,
  type CalendarSeed,
  changeCalendar,
  deleteCalendar,
  putInList,
} from './calendar-store.ts'
import { calendarsRoutes } from './calendars-routes.ts'
import { bodyOf, mergePatch, parseDraft } from './event-body.ts'
import { eventJson, selfAttendee } from './event-json.ts'
import { addEvent as storeEvent } from './event-store.ts'
import { changeEvent, insertEvent, removeEvent } from './event-write.ts'
import { eventsRoutes } from './events-routes.ts'
import { answerInvitation } from './guests.ts'
import { quietly } from './organizer-write.ts'
import { findEvent } from './series.ts'
import { settingsRoutes } from './settings-routes.ts'
import {
  type AccessRole,
  type Channel,
  calendarState,
  findCalendar,
  type Invitation,
  newEventId,
  nextVersion,
  type Participant,
  type ResponseStatus,
  type StoredCalendar,
  type StoredEvent,
} from './state.ts'

export interface SimulatedCalendar {
  readonly owner: AccountOwner
  /** The emails that Google would have sent about changes by this account. */
  readonly invitations: readonly Invitation[]
  /** The open channels of this account. */
  readonly channels: readonly Channel[]
  addCalendar(seed: CalendarSeed): { id: string }
  changeCalendar(id: string, change: Partial<CalendarSeed>): void
  deleteCalendar(id: string): void
  /** Shares a calendar with another account and adds it to that account's list. */
  share(id: string, withEmail: string, role: AccessRole): void
  /** Adds an event with a body as for `events.insert`; default: to the primary calendar. */
  addEvent(body: JsonObject, calendarId?: string): { id: string; iCalUID: string }
  /** Adds an event organized by somebody outside the simulator, with this account as a guest. */
  receiveInvitation(organizer: Participant, body: JsonObject): { id: string; iCalUID: string }
  /** Patches an event, an exception or an instance. */
  changeEvent(id: string, patch: JsonObject, calendarId?: string): void
  deleteEvent(id: string, calendarId?: string): void
  /** Responds to an invitation. */
  respond(id: string, responseStatus: ResponseStatus, calendarId?: string): void
  /** The event as `events.get` returns it; undefined if it does not exist. */
  event(id: string, calendarId?: string): JsonObject | undefined
  /** Everything stored on a calendar: events, series and exceptions, including deleted ones. */
  events(calendarId?: string): JsonObject[]
  /** All sync tokens issued so far get a 410 from now on. */
  expireSyncTokens(): void
}

export function openCalendar(owner: AccountOwner, world: World): SimulatedCalendar {
  const state = calendarState(world)
  addPrimary(state, owner)

  function calendarOf(id = 'primary'): StoredCalendar {
    const calendar = findCalendar(state, owner, id)
    if (calendar === undefined) throw new GoogleError(404, 'notFound', `${owner.email} has no calendar ${id}`)
    return calendar
  }
  function eventOf(id: string, calendar: StoredCalendar): StoredEvent {
    const event = findEvent(calendar, id)
    if (event === undefined) throw new GoogleError(404, 'notFound', `${calendar.id} has no event ${id}`)
    return event
  }
  function show(event: StoredEvent, calendar: StoredCalendar): JsonObject {
    return eventJson(event, { calendar, role: 'owner', zone: calendar.timeZone })
  }
  const writeOn = (calendar: StoredCalendar) => ({ calendar, actor: owner, options: quietly })

  return {
    owner,
    get invitations() {
      return state.invitations.get(owner.sub) ?? []
    },
    get channels() {
      return [...state.channels.values()].filter(({ account }) => account === owner.sub)
    },
    addCalendar(seed) {
      return { id: addCalendar(state, owner, seed).id }
    },
    changeCalendar(id, change) {
      changeCalendar(state, calendarOf(id), change)
    },
    deleteCalendar(id) {
      deleteCalendar(state, calendarOf(id))
    },
    share(id, withEmail, role) {
      const calendar = calendarOf(id)
      calendar.acl.set(`user:${withEmail.toLowerCase()}`, role)
      const account = world.findAccount(withEmail)
      if (account !== undefined) putInList(state, account.sub, calendar, {})
    },
    addEvent(body, calendarId) {
      const { id, iCalUID } = insertEvent(state, writeOn(calendarOf(calendarId)), body)
      return { id, iCalUID }
    },
    receiveInvitation(organizer, body) {
      const calendar = calendarOf()
      const { sequence, attendeesOmitted: _, ...draft } = parseDraft(body, calendar.timeZone)
      const id = newEventId()
      const invited = draft.attendees.some(({ email }) => email === owner.email)
      const self = { email: owner.email, responseStatus: 'needsAction' } as const
      const { iCalUID } = storeEvent(state, calendar, {
        ...draft,
        id,
        iCalUID: typeof body.iCalUID === 'string' ? body.iCalUID : `${id}@invitations.example`,
        sequence: sequence ?? 0,
        attendees: invited ? draft.attendees : [...draft.attendees, self],
        creator: organizer,
        organizer,
      })
      return { id, iCalUID }
    },
    changeEvent(id, patch, calendarId) {
      const calendar = calendarOf(calendarId)
      const event = eventOf(id, calendar)
      changeEvent(state, writeOn(calendar), { event, body: mergePatch(bodyOf(event), patch) })
    },
    deleteEvent(id, calendarId) {
      const calendar = calendarOf(calendarId)
      removeEvent(state, writeOn(calendar), eventOf(id, calendar))
    },
    respond(id, responseStatus, calendarId) {
      const calendar = calendarOf(calendarId)
      const event = eventOf(id, calendar)
      const self = selfAttendee(event, calendar)
      if (self === undefined) throw new GoogleError(400, 'invalid', `${owner.email} is not invited to ${id}`)
      answerInvitation(state, { calendar, event, attendee: { ...self, responseStatus }, sendUpdates: 'none' })
    },
    event(id, calendarId) {
      const calendar = calendarOf(calendarId)
      const event = findEvent(calendar, id)
      return event === undefined ? undefined : show(event, calendar)
    },
    events(calendarId) {
      const calendar = calendarOf(calendarId)
      return [...calendar.events.values()].map((event) => show(event, calendar))
    },
    expireSyncTokens() {
      state.validFrom.set(owner.sub, nextVersion(state))
    },
  }
}

export const calendarRoutes: readonly ApiRoute[] = [...calendarsRoutes, ...eventsRoutes, ...settingsRoutes]
