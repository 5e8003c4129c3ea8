// The calendars of an account as tests reach them: what is done here, another client of the user might have done, and it
// appears in sync and on channels as such. Times, ids and errors are those of the API.

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
import { QUIETLY } from './organizer-write.ts'
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
  /** Whom Google would have mailed about what this account did. */
  readonly invitations: readonly Invitation[]
  /** The channels this account has open. */
  readonly channels: readonly Channel[]
  addCalendar(seed: CalendarSeed): { id: string }
  changeCalendar(id: string, change: Partial<CalendarSeed>): void
  deleteCalendar(id: string): void
  /** Lets another account use a calendar and puts it into its list. */
  share(id: string, withEmail: string, role: AccessRole): void
  /** Adds an event with a body as for `events.insert`, to the primary calendar unless another one is named. */
  addEvent(body: JsonObject, calendarId?: string): { id: string; iCalUID: string }
  /** Adds an event that somebody outside the simulator organizes and this account is invited to. */
  receiveInvitation(organizer: Participant, body: JsonObject): { id: string; iCalUID: string }
  /** Patches an event, an exception or an instance. */
  changeEvent(id: string, patch: JsonObject, calendarId?: string): void
  deleteEvent(id: string, calendarId?: string): void
  /** Answers an invitation. */
  respond(id: string, responseStatus: ResponseStatus, calendarId?: string): void
  /** As `events.get` shows it; undefined when there is none. */
  event(id: string, calendarId?: string): JsonObject | undefined
  /** All that is stored on a calendar: events, series and exceptions, the deleted ones too. */
  events(calendarId?: string): JsonObject[]
  /** From now on, sync tokens given so far are answered with 410. */
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
  const writeOn = (calendar: StoredCalendar) => ({ calendar, actor: owner, options: QUIETLY })

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
