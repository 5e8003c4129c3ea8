/** Maps Google's events to the API. Pure. */
import type { Event, Participant, ParticipantStatus, Reminders, Resource } from '@waypost/contract'
import type { GoogleAttendee, GoogleEvent, GooglePerson } from '../calendar-api.ts'
import { conferencingOf } from './conference.ts'
import { fromTimes, originalStart } from './when.ts'

/** Facts about an event that only its calendar contains. */
export interface EventPlace {
  grantId: string
  calendarId: string
  /** The zone of the calendar. */
  timeZone?: string | undefined
  /** The access role of the account in the calendar. */
  accessRole?: string | undefined
}

/** Private property for a field that Google does not have. */
export const capacityProperty = 'waypost-capacity'

const statuses: Record<string, Event['status']> = { confirmed: 'confirmed', tentative: 'maybe', cancelled: 'cancelled' }
const answers: Record<string, ParticipantStatus> = { accepted: 'yes', declined: 'no', tentative: 'maybe' }

export const isCancelled = ({ status }: GoogleEvent): boolean => status === 'cancelled'

export const isReadOnly = (accessRole: string | undefined): boolean =>
  accessRole === 'reader' || accessRole === 'freeBusyReader' || accessRole === 'none'

/** null if the text is absent or not a time. */
function secondsOf(text: string | undefined): number | null {
  const at = Math.floor(Date.parse(text ?? '') / 1000)
  return Number.isNaN(at) ? null : at
}

const personOf = (person: GooglePerson | undefined): Event['organizer'] =>
  person?.email === undefined ? null : { name: person.displayName ?? null, email: person.email }

export const participantOf = (guest: GoogleAttendee): Participant => ({
  ...(guest.email === undefined ? {} : { email: guest.email }),
  name: guest.displayName ?? null,
  comment: guest.comment ?? null,
  phone_number: null,
  status: answers[guest.responseStatus ?? ''] ?? 'noreply',
})

const resourceOf = ({ email = '', displayName }: GoogleAttendee): Resource => ({ email, name: displayName ?? null })

function remindersOf({ reminders }: GoogleEvent): Reminders | null {
  if (!reminders) return null
  return {
    use_default: reminders.useDefault ?? false,
    overrides: (reminders.overrides ?? []).map(({ method, minutes = 0 }) => ({
      reminder_minutes: minutes,
      reminder_method: method === 'email' ? 'email' : 'popup',
    })),
  }
}

function visibilityOf({ visibility = 'default' }: GoogleEvent): Event['visibility'] {
  if (visibility === 'public' || visibility === 'default') return visibility
  return 'private'
}

/** The series that an event belongs to, or is. */
function seriesOf(event: GoogleEvent, timeZone: string | undefined): Partial<Event> {
  const { recurrence, recurringEventId, originalStartTime } = event
  return {
    ...(recurrence && recurrence.length > 0 ? { recurrence } : {}),
    ...(recurringEventId === undefined ? {} : { master_event_id: recurringEventId }),
    ...(recurringEventId !== undefined && originalStartTime
      ? { original_start_time: originalStart(originalStartTime, timeZone) }
      : {}),
  }
}

/** Optional fields. */
function extrasOf(event: GoogleEvent): Partial<Event> {
  const conferencing = conferencingOf(event)
  const capacity = Number(event.extendedProperties?.private?.[capacityProperty])
  return {
    ...(conferencing ? { conferencing } : {}),
    ...(Number.isInteger(capacity) && capacity > 0 ? { capacity } : {}),
    ...(event.htmlLink === undefined ? {} : { html_link: event.htmlLink }),
  }
}

/** A cancelled instance may contain only its place in the series. */
export function fromEvent(event: GoogleEvent, place: EventPlace): Event {
  const guests = event.attendees ?? []
  const start = event.start ?? event.originalStartTime ?? { date: '1970-01-01' }
  return {
    id: event.id,
    object: 'event',
    grant_id: place.grantId,
    calendar_id: place.calendarId,
    title: event.summary ?? null,
    description: event.description ?? null,
    location: event.location ?? null,
    when: fromTimes(start, event.endTimeUnspecified ? start : event.end),
    busy: event.transparency !== 'transparent',
    status: statuses[event.status ?? 'confirmed'] ?? 'confirmed',
    visibility: visibilityOf(event),
    hide_participants: event.guestsCanSeeOtherGuests === false,
    participants: guests.filter(({ resource }) => !resource).map(participantOf),
    resources: guests.filter(({ resource }) => resource).map(resourceOf),
    organizer: personOf(event.organizer),
    creator: personOf(event.creator),
    ...seriesOf(event, place.timeZone),
    ical_uid: event.iCalUID ?? null,
    ...(event.sequence === undefined ? {} : { sequence: event.sequence }),
    reminders: remindersOf(event),
    color_id: event.colorId ?? null,
    ...extrasOf(event),
    read_only: isReadOnly(place.accessRole) || event.locked === true,
    metadata: {},
    created_at: secondsOf(event.created),
    updated_at: secondsOf(event.updated),
  }
}
