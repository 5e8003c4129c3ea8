// Event writes of the API and of tests. The organizer's calendar may change everything. A guest's copy accepts only
// the response and fields that belong to the copy.
import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../../shared/http.ts'
import { GoogleError } from '../errors.ts'
import { withConference } from './conference.ts'
import { type Draft, invalid, parseDraft } from './event-body.ts'
import { isCalendar } from './event-json.ts'
import { addEvent, changeStored } from './event-store.ts'
import { sameTime } from './event-time.ts'
import { checkEventType } from './event-types.ts'
import { changeAsGuest, removeAsGuest } from './guest-write.ts'
import { noteMails, passOn } from './guests.ts'
import { changeAsOrganizer, type Write, type WriteOptions } from './organizer-write.ts'
import { exceptionsOf } from './series.ts'
import { type CalendarState, newEventId, type Participant, type StoredCalendar, type StoredEvent } from './state.ts'

export function insertEvent(state: CalendarState, write: Write, body: JsonObject): StoredEvent {
  const { calendar, actor, options } = write
  const draft = parseDraft(body, calendar.timeZone)
  checkEventType(draft, calendar)
  const id = body.id === undefined || body.id === null ? newEventId() : String(body.id)
  if (!/^[a-v0-9]{5,1024}$/.test(id)) throw invalid('Invalid resource id value.')
  if (calendar.events.has(id)) throw new GoogleError(409, 'duplicate', 'The requested identifier already exists.')
  const event = addEvent(state, calendar, {
    id,
    iCalUID: typeof body.iCalUID === 'string' && body.iCalUID !== '' ? body.iCalUID : `${id}@google.com`,
    creator: { email: actor.email },
    organizer: organizerOf(calendar),
    status: draft.status,
    sequence: draft.sequence ?? 0,
    start: draft.start,
    end: draft.end,
    recurrence: draft.recurrence,
    attendees: draft.attendees,
    fields: writtenFields(draft, {}, options),
  })
  passOn(state, calendar, event)
  noteMails(state, { calendar, before: undefined, after: event, sendUpdates: options.sendUpdates })
  return event
}

function organizerOf(calendar: StoredCalendar): Participant {
  return calendar.primary ? { email: calendar.id } : { email: calendar.id, displayName: calendar.summary }
}

function writtenFields(draft: Draft, before: JsonObject, options: WriteOptions): JsonObject {
  const fields = withConference(draft.fields, before, options.conferenceVersion)
  if (options.supportsAttachments) return fields
  const { attachments: _, ...rest } = fields
  return before.attachments === undefined ? rest : { ...rest, attachments: before.attachments }
}

/** Replaces an existing event. */
export function changeEvent(
  state: CalendarState,
  write: Write,
  target: { event: StoredEvent; body: JsonObject },
): StoredEvent {
  const { calendar, options } = write
  const { event } = target
  const draft = parseDraft(target.body, calendar.timeZone)
  if (draft.sequence !== undefined && draft.sequence < event.sequence) {
    throw invalid(
      'Invalid sequence value. The specified sequence number is below the current sequence number of the resource. Re-fetch the resource and use its sequence number on the following request.',
    )
  }
  if (event.recurringEventId !== undefined && draft.recurrence.length > 0) throw invalid('Invalid recurrence rule.')
  if ((draft.fields.eventType ?? 'default') !== (event.fields.eventType ?? 'default')) {
    throw new GoogleError(400, 'eventTypeRestriction', 'Event type cannot be changed.', { domain: 'calendar' })
  }
  if (event.recurringEventId === undefined && draft.status !== 'cancelled') checkEventType(draft, calendar)
  if (draft.status === 'cancelled' && event.status !== 'cancelled') {
    removeEvent(state, write, event)
    return calendar.events.get(event.id) ?? event
  }
  const fields = writtenFields(draft, event.fields, options)
  if (!isCalendar(event.organizer.email, calendar) && !event.privateCopy) {
    return changeAsGuest(state, write, { event, draft: { ...draft, fields } })
  }
  const { status, start, end, recurrence } = draft
  const attendees = draft.attendeesOmitted ? event.attendees : keepResources(draft, event)
  const change = { status, start, end, recurrence, attendees, fields, sequence: nextSequence(event, draft) }
  return changeAsOrganizer(state, write, { event, change })
}

/** Whether an attendee is a room is decided when the attendee is added, and later writes cannot change it. */
function keepResources(draft: Draft, event: StoredEvent): Draft['attendees'] {
  return draft.attendees.map((attendee) => {
    const known = event.attendees.find(({ email }) => email.toLowerCase() === attendee.email.toLowerCase())
    if (known === undefined) return attendee
    const { resource: _, ...rest } = attendee
    return known.resource ? { ...rest, resource: true } : rest
  })
}

function nextSequence(event: StoredEvent, draft: Draft): number {
  const moved =
    !sameTime(event.start, draft.start) ||
    !sameTime(event.end, draft.end) ||
    !isDeepStrictEqual(event.recurrence, draft.recurrence)
  return Math.max(draft.sequence ?? 0, moved ? event.sequence + 1 : event.sequence)
}

/** Deletes an event; a deleted instance remains as a cancelled exception. */
export function removeEvent(state: CalendarState, write: Write, event: StoredEvent): void {
  const { calendar } = write
  if (event.status === 'cancelled') throw new GoogleError(410, 'deleted', 'Resource has been deleted')
  if (isCalendar(event.organizer.email, calendar) || event.privateCopy) {
    changeAsOrganizer(state, write, { event, change: { status: 'cancelled' } })
  } else {
    removeAsGuest(state, write, event)
  }
}

/** Adds or updates a private copy of an event that is organized elsewhere. */
export function importEvent(state: CalendarState, write: Write, body: JsonObject): StoredEvent {
  const { calendar, actor, options } = write
  const { iCalUID, organizer } = body
  if (typeof iCalUID !== 'string' || iCalUID === '') throw new GoogleError(400, 'required', 'Missing iCalUID.')
  const draft = parseDraft({ ...body, eventType: 'default' }, calendar.timeZone)
  const known = [...calendar.events.values()].find((event) => event.iCalUID === iCalUID && !event.recurringEventId)
  const { status, start, end, recurrence, attendees } = draft
  const fields = writtenFields(draft, known?.fields ?? {}, options)
  const sequence = draft.sequence ?? known?.sequence ?? 0
  if (known !== undefined) {
    return changeStored(state, calendar, {
      event: known,
      change: { status, start, end, recurrence, attendees, fields, sequence },
    })
  }
  const given = typeof organizer === 'object' && organizer !== null && 'email' in organizer ? organizer : undefined
  const name = given !== undefined && 'displayName' in given ? { displayName: String(given.displayName) } : {}
  return addEvent(state, calendar, {
    id: typeof body.id === 'string' ? body.id : `_${Buffer.from(iCalUID).toString('hex')}`,
    iCalUID,
    creator: { email: actor.email },
    organizer: given === undefined ? organizerOf(calendar) : { email: String(given.email), ...name },
    status,
    sequence,
    start,
    end,
    recurrence,
    attendees,
    fields,
    privateCopy: true,
  })
}

/** Moves an event and its exceptions to another calendar, which becomes the organizer. */
export function moveEvent(
  state: CalendarState,
  write: Write,
  target: { event: StoredEvent; to: StoredCalendar },
): StoredEvent {
  const { calendar } = write
  const { event, to } = target
  if (event.recurringEventId !== undefined) {
    throw new GoogleError(400, 'cannotChangeOrganizerOfInstance', 'Cannot change the organizer of an instance.', {
      domain: 'calendar',
    })
  }
  if (!isCalendar(event.organizer.email, calendar)) {
    throw new GoogleError(403, 'cannotChangeOrganizer', 'Cannot change the organizer of this event.', {
      domain: 'calendar',
    })
  }
  if ((event.fields.eventType ?? 'default') !== 'default') {
    throw new GoogleError(400, 'eventTypeRestriction', 'Only default events can be moved.', { domain: 'calendar' })
  }
  if (to.events.get(event.id) !== undefined && to.events.get(event.id)?.status !== 'cancelled') {
    throw new GoogleError(409, 'duplicate', 'The requested identifier already exists.')
  }
  const organizer = organizerOf(to)
  const exceptions = exceptionsOf(calendar, event.id).filter(({ orphan }) => !orphan)
  const moved = addEvent(state, to, { ...event, organizer })
  for (const exception of exceptions) addEvent(state, to, { ...exception, organizer })
  changeStored(state, calendar, { event, change: { status: 'cancelled' } })
  for (const guest of state.calendars.values()) {
    if (guest === to || guest === calendar) continue
    for (const id of [event.id, ...exceptions.map((exception) => exception.id)]) {
      const copy = guest.events.get(id)
      if (copy?.iCalUID === event.iCalUID) guest.events.set(id, { ...copy, organizer })
    }
  }
  passOn(state, to, moved)
  return moved
}
