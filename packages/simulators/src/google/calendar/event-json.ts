// An event as the API returns it to one account.
import type { JsonObject } from '../../shared/http.ts'
import { formatTime } from './event-time.ts'
import {
  type AccessRole,
  type Attendee,
  atLeast,
  etagOf,
  type Participant,
  type StoredCalendar,
  type StoredEvent,
} from './state.ts'

export interface EventView {
  readonly calendar: StoredCalendar
  readonly role: AccessRole
  /** The time zone of the response. */
  readonly zone: string
  readonly maxAttendees?: number
}

/** The stub of a deleted event, for lists without details. */
export function cancelledJson(event: StoredEvent, zone: string): JsonObject {
  return {
    kind: 'calendar#event',
    etag: etagOf(event.version),
    id: event.id,
    status: 'cancelled',
    ...(event.originalStart !== undefined && {
      recurringEventId: event.recurringEventId,
      originalStartTime: formatTime(event.originalStart, zone),
    }),
  }
}

export function eventJson(event: StoredEvent, view: EventView): JsonObject {
  const { calendar, role, zone } = view
  const hidden = role === 'freeBusyReader' || (role === 'reader' && isPrivate(event))
  return {
    kind: 'calendar#event',
    etag: etagOf(event.version),
    id: event.id,
    status: event.status,
    htmlLink: `https://www.google.com/calendar/event?eid=${Buffer.from(`${event.id} ${calendar.id}`).toString('base64url')}`,
    created: new Date(event.created).toISOString(),
    updated: new Date(event.updated).toISOString(),
    ...(hidden ? { visibility: 'private' } : event.fields),
    ...(!hidden && { creator: participantJson(event.creator, calendar) }),
    ...(!hidden && { organizer: participantJson(event.organizer, calendar) }),
    start: formatTime(event.start, zone),
    end: formatTime(event.end, zone),
    ...(event.recurrence.length > 0 && { recurrence: event.recurrence }),
    ...(event.recurringEventId !== undefined && { recurringEventId: event.recurringEventId }),
    ...(event.originalStart !== undefined && { originalStartTime: formatTime(event.originalStart, zone) }),
    iCalUID: event.iCalUID,
    sequence: event.sequence,
    ...(!hidden && attendeesJson(event, view)),
    ...(event.privateCopy && { privateCopy: true }),
    ...(hidden && typeof event.fields.transparency === 'string' && { transparency: event.fields.transparency }),
    ...(!atLeast(role, 'writer') && { reminders: { useDefault: true } }),
    eventType: event.fields.eventType ?? 'default',
  }
}

export function isPrivate(event: StoredEvent): boolean {
  return event.fields.visibility === 'private' || event.fields.visibility === 'confidential'
}

function participantJson(person: Participant, calendar: StoredCalendar): JsonObject {
  return { ...person, ...(isCalendar(person.email, calendar) && { self: true }) }
}

/** Whether an address belongs to the calendar: its id, or for a primary calendar an alias of its owner. */
export function isCalendar(email: string, calendar: StoredCalendar): boolean {
  const address = email.toLowerCase()
  if (address === calendar.id.toLowerCase() || address === calendar.firstId.toLowerCase()) return true
  return calendar.primary && calendar.owner.aliases.some((alias) => alias.toLowerCase() === address)
}

export function selfAttendee(event: StoredEvent, calendar: StoredCalendar): Attendee | undefined {
  return event.attendees.find(({ email }) => isCalendar(email, calendar))
}

function attendeesJson(event: StoredEvent, { calendar, maxAttendees }: EventView): JsonObject {
  if (event.attendees.length === 0) return {}
  const own = isCalendar(event.organizer.email, calendar)
  const omitted =
    (maxAttendees !== undefined && event.attendees.length > maxAttendees) ||
    (event.fields.guestsCanSeeOtherGuests === false && !own)
  const shown = omitted ? event.attendees.filter(({ email }) => isCalendar(email, calendar)) : event.attendees
  return {
    attendees: shown.map((attendee) => ({
      ...attendee,
      ...(attendee.email.toLowerCase() === event.organizer.email.toLowerCase() && { organizer: true }),
      ...(isCalendar(attendee.email, calendar) && { self: true }),
    })),
    ...(omitted && { attendeesOmitted: true }),
  }
}
