// Event writes: the organizer's event is authoritative; an attendee's changes stay on the attendee's own copy.

import { newGlobalId } from '../../shared/calendar/global-id.ts'
import { unanswered, withKnownAnswers } from '../../shared/calendar/meeting-state.ts'
import { findItem, itemOf } from '../../shared/calendar/series.ts'
import type { JsonObject } from '../../shared/http.ts'
import { GraphError } from '../errors.ts'
import { emptyBody } from './body.ts'
import { type EventDraft, parseEvent } from './event-body.ts'
import { addEvent, cancelOccurrence, changeOccurrence, changeStored, removeStored } from './event-store.ts'
import { checkNeighbours, checkTimes, isRescheduled, withRecurrence } from './event-times.ts'
import { cancelCopies, cancelOccurrenceCopies, updateCopies } from './meetings.ts'
import { withOnline } from './online-meeting.ts'
import { invalidProperty } from './recurrence.ts'
import {
  type CalendarState,
  type EventDetails,
  type EventItem,
  newKey,
  type StoredCalendar,
  type StoredEvent,
} from './state.ts'

const defaults = {
  subject: '',
  body: emptyBody,
  locations: [],
  importance: 'normal',
  sensitivity: 'normal',
  responseRequested: true,
  allowNewTimeProposals: true,
  hideAttendees: false,
  isOnlineMeeting: false,
  onlineMeetingProvider: 'unknown',
  onlineMeeting: null,
  isAllDay: false,
  attendees: [],
  attachments: [],
  isCancelled: false,
  singleValueExtendedProperties: [],
  showAs: 'busy',
  categories: [],
  isReminderOn: true,
  reminderMinutesBeforeStart: 15,
} as const satisfies Partial<EventDetails>

export function denyReadOnly({ readOnly }: StoredCalendar): void {
  if (readOnly) throw new GraphError(403, 'ErrorAccessDenied', 'Access is denied. Check credentials and try again.')
}

export interface NewDetails {
  readonly body: JsonObject
  readonly attachments?: EventDetails['attachments']
  /** For a meeting organized by somebody outside the simulator. */
  readonly uid?: string
}

/** Creates an event that the owner of the calendar organizes, and invites its attendees. */
export function createEvent(
  state: CalendarState,
  calendar: StoredCalendar,
  { body, attachments = [], uid }: NewDetails,
) {
  denyReadOnly(calendar)
  const event = draftEvent(state, calendar, body)
  const stored = addEvent(state, calendar, { ...event, attachments, uid: uid ?? event.uid })
  updateCopies(state, { calendar, before: undefined, after: stored, rescheduled: true, attendeesOnly: false })
  return itemOf(calendar.events.get(stored.key) ?? stored)
}

/** Builds an event from a body, not yet on a calendar. */
export function draftEvent(state: CalendarState, { owner }: StoredCalendar, body: JsonObject) {
  const draft = parseEvent(body)
  const { start, end } = draft.details
  if (start === undefined || end === undefined) throw invalidProperty(start === undefined ? 'start' : 'end')
  const details = { ...defaults, ...draft.details, start, end }
  checkTimes(details)
  const attendees = withKnownAnswers(details.attendees, { known: [], organizer: owner.email })
  const event = {
    ...details,
    ...withRecurrence(undefined, details, draft.recurrence),
    attendees,
    key: newKey(),
    uid: newGlobalId(state.world.now()),
    transactionId: typeof body.transactionId === 'string' ? body.transactionId : null,
    organizer: { name: owner.name, address: owner.email },
    isOrganizer: true,
    response: { response: 'organizer' as const },
  }
  return withOnline(event, draft.online, owner)
}

/** Applies a request to an event, a series or one occurrence. */
export function changeEvent(
  state: CalendarState,
  { calendar, item, body }: { calendar: StoredCalendar; item: EventItem; body: JsonObject },
): EventItem {
  denyReadOnly(calendar)
  if (body.transactionId !== undefined && body.transactionId !== item.transactionId) {
    throw new GraphError(400, 'ErrorInvalidPropertySet', "Property 'TransactionId' is read-only and cannot be set.")
  }
  const draft = parseEvent(body)
  const attendeesOnly = Object.keys(body).every((name) => name === 'attendees')
  if (item.masterKey === undefined) changeWhole(state, calendar, { item, draft, attendeesOnly })
  else changeOne(state, calendar, { item, draft, attendeesOnly })
  return findItem(calendar, item.key) ?? item
}

interface Change {
  readonly item: EventItem
  readonly draft: EventDraft
  readonly attendeesOnly: boolean
}

function changeWhole(state: CalendarState, calendar: StoredCalendar, { item, draft, attendeesOnly }: Change): void {
  const event = calendar.events.get(item.key)
  if (event === undefined) return
  const details = withStatuses(event, draft.details, calendar)
  const next = { ...event, ...details }
  checkTimes(next)
  const times = withRecurrence(event, next, draft.recurrence)
  const rescheduled = isRescheduled(event, times)
  const change = {
    ...withOnline(next, draft.online, calendar.owner),
    ...times,
    ...(rescheduled && {
      exceptions: new Map(),
      cancelled: [],
      ...(event.isOrganizer && { attendees: unanswered(next.attendees) }),
    }),
  }
  const after = changeStored(state, calendar, { event, change })
  updateCopies(state, { calendar, before: event, after, rescheduled, attendeesOnly })
}

function changeOne(state: CalendarState, calendar: StoredCalendar, { item, draft, attendeesOnly }: Change): void {
  const master = calendar.events.get(item.masterKey ?? '')
  if (master === undefined || item.date === undefined) return
  if (draft.recurrence !== undefined && draft.recurrence !== null) {
    throw new GraphError(400, 'ErrorInvalidRequest', 'An occurrence of a series cannot recur.')
  }
  const details = withStatuses(item, draft.details, calendar)
  const next = { ...item, ...details }
  checkTimes(next)
  if (details.start !== undefined || details.end !== undefined) checkNeighbours(master, item.date, next)
  const after = changeOccurrence(state, calendar, { master, date: item.date, changes: details })
  const changed = findItem(calendar, item.key)
  updateCopies(state, { calendar, before: master, after, item: changed, rescheduled: false, attendeesOnly })
}

function withStatuses(
  event: StoredEvent,
  written: Partial<EventDetails>,
  { owner }: StoredCalendar,
): Partial<EventDetails> {
  const details = withProperties(event, written)
  if (details.attendees === undefined) return details
  const attendees = withKnownAnswers(details.attendees, { known: event.attendees, organizer: owner.email })
  return { ...details, attendees }
}

/** Properties that a request omits stay unchanged. */
function withProperties(event: StoredEvent, details: Partial<EventDetails>): Partial<EventDetails> {
  const { singleValueExtendedProperties: given } = details
  if (given === undefined) return details
  const others = event.singleValueExtendedProperties.filter(({ id }) => !given.some((one) => one.id === id))
  return { ...details, singleValueExtendedProperties: [...others, ...given] }
}

/** Deletes an event or an occurrence; if the organizer does so, the attendees are notified. */
export function deleteEvent(
  state: CalendarState,
  { calendar, item, comment = '' }: { calendar: StoredCalendar; item: EventItem; comment?: string },
): void {
  denyReadOnly(calendar)
  const master = item.masterKey === undefined ? undefined : calendar.events.get(item.masterKey)
  if (master !== undefined && item.date !== undefined) {
    cancelOccurrence(state, calendar, { master, date: item.date })
    cancelOccurrenceCopies(state, calendar, { item, date: item.date, comment })
    return
  }
  const event = calendar.events.get(item.key)
  if (event === undefined) return
  removeStored(state, calendar, event)
  cancelCopies(state, calendar, event, comment)
}
