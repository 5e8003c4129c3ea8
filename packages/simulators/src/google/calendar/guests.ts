// Applies changes by the organizer to the calendars of guests, and responses of guests to the organizer's calendar.
// For guests outside the simulator, only the emails that Google would send are recorded.

import { isObject, type JsonObject } from '../../shared/http.ts'
import { sharedFields } from './event-body.ts'
import { isCalendar, selfAttendee } from './event-json.ts'
import { addEvent, changeStored } from './event-store.ts'
import { exceptionsOf, findEvent, isSeries } from './series.ts'
import {
  type Attendee,
  type CalendarState,
  findCalendar,
  type Invitation,
  primaryOf,
  type StoredCalendar,
  type StoredEvent,
} from './state.ts'

export type SendUpdates = 'all' | 'externalOnly' | 'none'

/** Updates the guests' copies of an event and of its exceptions from the organizer's event. */
export function passOn(state: CalendarState, calendar: StoredCalendar, event: StoredEvent): void {
  if (event.privateCopy || !isCalendar(event.organizer.email, calendar)) return
  const mayHaveExceptions = isSeries(event) || event.former.length > 0
  for (const one of [event, ...(mayHaveExceptions ? exceptionsOf(calendar, event.id) : [])]) {
    const invited = new Set<StoredCalendar>()
    for (const { email } of one.attendees) {
      const guest = primaryOf(state, email)
      if (guest !== undefined && guest !== calendar) invited.add(guest)
    }
    for (const guest of state.calendars.values()) {
      if (guest === calendar || guest.deleted) continue
      if (invited.has(guest)) placeCopy(state, guest, one)
      else withdrawCopy(state, guest, one)
    }
  }
}

function isCopy(copy: StoredEvent | undefined, event: StoredEvent): copy is StoredEvent {
  return copy?.iCalUID === event.iCalUID && copy.organizer.email === event.organizer.email
}

function placeCopy(state: CalendarState, guest: StoredCalendar, event: StoredEvent): void {
  const copy = findEvent(guest, event.id)
  if (!isCopy(copy, event)) {
    if (event.status === 'cancelled' || copy !== undefined) return
    addEvent(state, guest, { ...event, fields: guestFields(event.fields, { reminders: { useDefault: true } }) })
    return
  }
  const { status, sequence, start, end, recurrence, attendees, orphan } = event
  const removed =
    copy.status === 'cancelled' && !copy.orphan && selfAttendee(event, guest)?.responseStatus === 'declined'
  changeStored(state, guest, {
    event: copy,
    change: {
      status: removed ? 'cancelled' : status,
      sequence,
      start,
      end,
      recurrence,
      attendees,
      ...(orphan && { orphan }),
      fields: guestFields(event.fields, copy.fields),
    },
  })
}

/** Cancels the copy of a guest that is not or no longer invited. */
function withdrawCopy(state: CalendarState, guest: StoredCalendar, event: StoredEvent): void {
  const copy = findEvent(guest, event.id)
  if (!isCopy(copy, event) || copy.status === 'cancelled') return
  changeStored(state, guest, { event: copy, change: { status: 'cancelled', attendees: event.attendees } })
}

/**
 * The organizer's shared fields with the guest's own fields. A new copy also takes its transparency and visibility
 * from the organizer.
 */
function guestFields(organizer: JsonObject, own: JsonObject): JsonObject {
  const isNew = own.eventType === undefined && Object.keys(own).length === 1
  const fields: JsonObject = isNew
    ? { ...pick(organizer, ['transparency', 'visibility', 'eventType']), ...own }
    : { ...own }
  for (const name of sharedFields) {
    if (organizer[name] === undefined) delete fields[name]
    else fields[name] = organizer[name]
  }
  const shared = isObject(organizer.extendedProperties) ? organizer.extendedProperties.shared : undefined
  const privately = isObject(own.extendedProperties) ? own.extendedProperties.private : undefined
  delete fields.extendedProperties
  if (shared !== undefined || privately !== undefined) {
    fields.extendedProperties = {
      ...(privately !== undefined && { private: privately }),
      ...(shared !== undefined && { shared }),
    }
  }
  return fields
}

function pick(from: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]))
}

export interface Answer {
  readonly calendar: StoredCalendar
  readonly event: StoredEvent
  /** The guest's new attendee entry. */
  readonly attendee: Attendee
  readonly sendUpdates: SendUpdates
}

/** Records a guest's response on the organizer's copy, which passes it on to all other copies. */
export function answerInvitation(state: CalendarState, { calendar, event, attendee, sendUpdates }: Answer): void {
  const organizer = findCalendar(state, calendar.owner, event.organizer.email)
  const original = organizer === undefined ? undefined : findEvent(organizer, event.id)
  const replace = (attendees: readonly Attendee[]) =>
    attendees.map((one) => (isCalendar(one.email, calendar) ? { ...attendee, email: one.email } : one))
  const isOrganizers = organizer !== undefined && original !== undefined && isCopy(original, event)
  if (isOrganizers && !event.privateCopy) {
    const change = { attendees: replace(original.attendees) }
    passOn(state, organizer, changeStored(state, organizer, { event: original, change }))
  } else {
    changeStored(state, calendar, { event, change: { attendees: replace(event.attendees) } })
  }
  if (sendUpdates === 'none' || (sendUpdates === 'externalOnly' && organizer !== undefined)) return
  const { responseStatus } = attendee
  invitationsOf(state, calendar).push({
    ...mailOf(calendar, event, event.organizer.email),
    kind: 'reply',
    responseStatus,
  })
}

export function invitationsOf(state: CalendarState, { owner }: StoredCalendar): Invitation[] {
  const invitations = state.invitations.get(owner.sub) ?? []
  state.invitations.set(owner.sub, invitations)
  return invitations
}

function mailOf(calendar: StoredCalendar, event: StoredEvent, to: string): Omit<Invitation, 'kind'> {
  const { id, iCalUID, fields } = event
  return {
    to,
    calendarId: calendar.id,
    eventId: id,
    iCalUID,
    ...(typeof fields.summary === 'string' && { summary: fields.summary }),
  }
}

export interface Mailing {
  readonly calendar: StoredCalendar
  readonly before: StoredEvent | undefined
  readonly after: StoredEvent
  readonly sendUpdates: SendUpdates
}

/** Records the emails that Google would send about a change by the organizer. */
export function noteMails(state: CalendarState, { calendar, before, after, sendUpdates }: Mailing): void {
  if (sendUpdates === 'none' || after.privateCopy) return
  const invitations = invitationsOf(state, calendar)
  const had = new Set((before?.attendees ?? []).map(({ email }) => email.toLowerCase()))
  const has = new Set(after.status === 'cancelled' ? [] : after.attendees.map(({ email }) => email.toLowerCase()))
  for (const to of new Set([...had, ...has])) {
    if (isCalendar(to, calendar) || to === calendar.owner.email.toLowerCase()) continue
    if (sendUpdates === 'externalOnly' && state.world.findAccount(to) !== undefined) continue
    const kind = !has.has(to) ? 'cancel' : had.has(to) ? 'update' : 'request'
    invitations.push({ kind, ...mailOf(calendar, after, to) })
  }
}
