// The calendars of an account, for tests. Changes made here look like those of another client of the user: they
// appear in delta queries and notifications. Ids and errors are those of the API; ids are mutable ids.

import type { Person } from '../../shared/calendar/people.ts'
import { itemOf } from '../../shared/calendar/series.ts'
import { UTC } from '../../shared/calendar/zones.ts'
import type { JsonObject } from '../../shared/http.ts'
import type { AccountOwner } from '../owner.ts'
import type { World } from '../world.ts'
import { addCalendar, changeCalendar, deleteCalendar, openMailbox, shareCalendar } from './calendar-store.ts'
import { eventJson } from './event-json.ts'
import { addEvent, changeStored } from './event-store.ts'
import { changeEvent, createEvent, deleteEvent, draftEvent } from './event-write.ts'
import { calendarId, calendarOf, eventId, eventOf, type FoundEvent } from './ids.ts'
import { answerMeeting, checkAnswer, type MeetingAnswer } from './responses.ts'
import {
  type CalendarState,
  calendarState,
  defaultCalendar,
  type EventItem,
  type Mailbox,
  type MeetingMail,
  mailboxOf,
  nextVersion,
  type StoredCalendar,
} from './state.ts'
import { customZone } from './zones.ts'

export interface AddedEvent {
  readonly id: string
  readonly iCalUId: string
}

export interface SimulatedCalendar {
  readonly owner: AccountOwner
  /** The emails that Exchange would have sent about changes by this account. */
  readonly mails: readonly MeetingMail[]
  addCalendar(name: string): { id: string }
  /** Takes a body as for `PATCH /calendars/{id}`; also `hexColor`, which Outlook sets but Graph cannot. */
  changeCalendar(id: string, body: JsonObject): void
  deleteCalendar(id: string): void
  /** Shares a calendar with a colleague, for reading or writing; returns its id in the colleague's mailbox. */
  shareCalendar(id: string, withEmail: string, role: 'read' | 'write'): { id: string }
  /** Adds an event with a body as for `POST /events`; default: to the default calendar. */
  addEvent(body: JsonObject, calendarId?: string): AddedEvent
  /** Gives the event a custom time zone from an old Outlook, which Graph cannot name. */
  customizeZone(id: string): void
  /** Adds an event organized by somebody outside the simulator, with this account as an attendee. */
  receiveInvitation(organizer: Person, body: JsonObject): AddedEvent
  /** Patches an event, a series or one occurrence. */
  changeEvent(id: string, body: JsonObject): void
  deleteEvent(id: string): void
  respond(id: string, response: MeetingAnswer['response'], options?: { comment?: string; sendResponse?: boolean }): void
  /** The event as `GET /events/{id}` returns it. */
  event(id: string): JsonObject
  /** The single events and series of a calendar. */
  events(calendarId?: string): JsonObject[]
  /** All delta tokens issued so far get a 410 from now on. */
  expireDeltaTokens(): void
}

export function openCalendar(owner: AccountOwner, world: World): SimulatedCalendar {
  const state = calendarState(world)
  const mailbox = openMailbox(state, owner)
  const calendarNamed = (id?: string) => (id === undefined ? defaultCalendar(mailbox) : calendarOf(mailbox, id))
  const find = (id: string) => eventOf(mailbox, id)

  return {
    owner,
    mails: mailbox.mails,
    addCalendar: (name) => ({ id: calendarId(addCalendar(state, mailbox, { name })) }),
    changeCalendar(id, { hexColor, ...body }) {
      const calendar = calendarNamed(id)
      if (typeof hexColor === 'string') calendar.hexColor = hexColor
      changeCalendar(state, mailbox, { calendar, body })
    },
    deleteCalendar: (id) => deleteCalendar(mailbox, calendarNamed(id)),
    shareCalendar(id, withEmail, role) {
      const other = mailboxOf(state, withEmail)
      if (other === undefined) throw new Error(`There is no account ${withEmail}`)
      return { id: calendarId(shareCalendar(state, other, { calendar: calendarNamed(id), readOnly: role === 'read' })) }
    },
    addEvent(body, id) {
      const calendar = calendarNamed(id)
      return addedOf(calendar, createEvent(state, calendar, { body }))
    },
    customizeZone: (id) => customizeZone(state, find(id)),
    receiveInvitation: (organizer, body) => receiveInvitation(state, mailbox, { organizer, body }),
    changeEvent(id, body) {
      changeEvent(state, { ...find(id), body })
    },
    deleteEvent: (id) => deleteEvent(state, find(id)),
    respond(id, response, { comment = '', sendResponse = true } = {}) {
      const answer = { ...find(id), response, comment, sendResponse }
      checkAnswer(answer)
      answerMeeting(state, mailbox, answer)
    },
    event: (id) => show(find(id)),
    events(id) {
      const calendar = calendarNamed(id)
      return [...calendar.events.values()].map((event) => show({ calendar, item: itemOf(event) }))
    },
    expireDeltaTokens() {
      mailbox.validFrom = nextVersion(state)
    },
  }
}

function show({ calendar, item }: FoundEvent): JsonObject {
  return eventJson(item, { idOf: (key) => eventId(calendar, key, false), zone: UTC, prefersText: false })
}

function addedOf(calendar: StoredCalendar, { key, uid }: Pick<EventItem, 'key' | 'uid'>): AddedEvent {
  return { id: eventId(calendar, key, false), iCalUId: uid }
}

function customizeZone(state: CalendarState, { calendar, item }: FoundEvent): void {
  const event = calendar.events.get(item.key)
  if (event === undefined) return
  const named = (zone: { iana: string }) => ({ ...zone, name: customZone })
  const { start, end, recurrence } = event
  const change = {
    start: { ...start, zone: named(start.zone) },
    end: { ...end, zone: named(end.zone) },
    recurrence: recurrence && { ...recurrence, range: { ...recurrence.range, zone: named(recurrence.range.zone) } },
  }
  changeStored(state, calendar, { event, change })
}

function receiveInvitation(
  state: CalendarState,
  mailbox: Mailbox,
  { organizer, body }: { organizer: Person; body: JsonObject },
): AddedEvent {
  const calendar = defaultCalendar(mailbox)
  const draft = draftEvent(state, calendar, body)
  const { owner } = mailbox
  const self = { name: owner.name, address: owner.email, type: 'required', status: { response: 'none' } } as const
  const invited = draft.attendees.some(({ address }) => address.toLowerCase() === owner.email.toLowerCase())
  const event = addEvent(state, calendar, {
    ...draft,
    uid: typeof body.iCalUId === 'string' ? body.iCalUId : draft.uid,
    organizer,
    isOrganizer: false,
    attendees: (invited ? draft.attendees : [...draft.attendees, self]).map((one) => ({
      ...one,
      status: { response: 'none' },
    })),
    response: { response: 'notResponded' },
    showAs: 'tentative',
  })
  return addedOf(calendar, event)
}

/** The calendar of a room, which has no account. */
export function openRoom(world: World, { id, email, name }: { id: string; email: string; name: string }): void {
  const domain = email.slice(email.indexOf('@') + 1).toLowerCase()
  const tenant = world.findTenant(domain) ?? { id: '', domain }
  const names = { id, oid: id, email, name, tenant, timezone: 'UTC', aliases: [] }
  const owner: AccountOwner = { ...names, isAdministrator: false, renamesSent: false, delegates: new Map() }
  openMailbox(calendarState(world), owner, { isRoom: true })
}
