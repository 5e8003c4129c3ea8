// Writes on a guest's copy of an event.
import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '../../shared/http.ts'
import { GoogleError } from '../errors.ts'
import { type Draft, sharedFields } from './event-body.ts'
import { isCalendar, selfAttendee } from './event-json.ts'
import { changeStored } from './event-store.ts'
import { sameTime } from './event-time.ts'
import { answerInvitation } from './guests.ts'
import { changeAsOrganizer, type Write } from './organizer-write.ts'
import { findEvent } from './series.ts'
import { type CalendarState, findCalendar, type StoredCalendar, type StoredEvent } from './state.ts'

interface Change {
  readonly event: StoredEvent
  readonly draft: Draft
}

export function changeAsGuest(state: CalendarState, write: Write, { event, draft }: Change): StoredEvent {
  const { calendar, options } = write
  if (changesShared(event, draft)) {
    if (event.fields.guestsCanModify !== true) {
      throw new GoogleError(
        403,
        'forbiddenForNonOrganizer',
        'Shared properties can only be changed by the organizer of the event.',
        { domain: 'calendar' },
      )
    }
    const { start, end, recurrence } = draft
    changeOriginal(state, write, event, (original) => ({
      start,
      end,
      recurrence,
      fields: sharedOver(original.fields, draft.fields),
    }))
  }
  inviteOthers(state, write, { event, draft })
  const before = selfAttendee(event, calendar)
  const after = draft.attendees.find(({ email }) => isCalendar(email, calendar))
  if (before !== undefined && after !== undefined && !isDeepStrictEqual(before, after)) {
    const present = findEvent(calendar, event.id) ?? event
    answerInvitation(state, { calendar, event: present, attendee: after, sendUpdates: options.sendUpdates })
  }
  const present = findEvent(calendar, event.id) ?? event
  return changeStored(state, calendar, { event: present, change: { fields: ownOver(present.fields, draft.fields) } })
}

function changesShared(event: StoredEvent, draft: Draft): boolean {
  if (!sameTime(event.start, draft.start) || !sameTime(event.end, draft.end)) return true
  if (!isDeepStrictEqual(event.recurrence, draft.recurrence)) return true
  return sharedFields.some((name) => !isDeepStrictEqual(event.fields[name], draft.fields[name]))
}

type Changes = Parameters<typeof changeStored>[2]['change']

function changeOriginal(
  state: CalendarState,
  write: Write,
  event: StoredEvent,
  change: (original: StoredEvent) => Changes,
): void {
  const organizer = findCalendar(state, write.calendar.owner, event.organizer.email)
  const original = organizer === undefined ? undefined : findEvent(organizer, event.id)
  if (organizer === undefined || original === undefined) return
  changeAsOrganizer(state, { ...write, calendar: organizer }, { event: original, change: change(original) })
}

/** Guests may add guests unless the organizer forbids it; they cannot remove any. */
function inviteOthers(state: CalendarState, write: Write, { event, draft }: Change): void {
  if (event.fields.guestsCanInviteOthers === false || draft.attendeesOmitted) return
  const known = new Set(event.attendees.map(({ email }) => email.toLowerCase()))
  const added = draft.attendees.filter(({ email }) => !known.has(email.toLowerCase()))
  if (added.length === 0) return
  changeOriginal(state, write, event, ({ attendees }) => ({ attendees: [...attendees, ...added] }))
}

function sharedOver(present: JsonObject, given: JsonObject): JsonObject {
  const fields = { ...present }
  for (const name of sharedFields) {
    if (given[name] === undefined) delete fields[name]
    else fields[name] = given[name]
  }
  return fields
}

/** Takes the copy's own fields from the body, and the shared fields from the current copy. */
function ownOver(present: JsonObject, given: JsonObject): JsonObject {
  const fields = sharedOver(given, present)
  const shared = isObject(present.extendedProperties) ? present.extendedProperties.shared : undefined
  const own = isObject(given.extendedProperties) ? given.extendedProperties.private : undefined
  delete fields.extendedProperties
  if (shared === undefined && own === undefined) return fields
  fields.extendedProperties = { ...(own !== undefined && { private: own }), ...(shared !== undefined && { shared }) }
  return fields
}

/** If a guest deletes the event, the guest declines it. */
export function removeAsGuest(state: CalendarState, { calendar, options }: Write, event: StoredEvent): void {
  const self = selfAttendee(event, calendar)
  changeStored(state, calendar, { event, change: { status: 'cancelled' } })
  if (self === undefined) return
  const removed = findOwn(calendar, event)
  const attendee = { ...self, responseStatus: 'declined' as const }
  answerInvitation(state, { calendar, event: removed, attendee, sendUpdates: options.sendUpdates })
}

function findOwn(calendar: StoredCalendar, event: StoredEvent): StoredEvent {
  return calendar.events.get(event.id) ?? event
}
