// Applies changes of the organizer's event to the copies of attendees. For attendees outside the simulator, only the
// emails that Exchange would send are recorded.

import { copiedExceptions, guestChanges, withoutAnswer } from '../../shared/calendar/meeting-state.ts'
import { sameAddress } from '../../shared/calendar/people.ts'
import { itemOf } from '../../shared/calendar/series.ts'
import { findCopy } from './copies.ts'
import { addEvent, changeOccurrence, changeStored } from './event-store.ts'
import { sendMeetingMail } from './meeting-mails.ts'
import { answerAsRoom } from './room-booking.ts'
import {
  type CalendarState,
  defaultCalendar,
  type EventContent,
  type EventDetails,
  type EventException,
  type EventItem,
  type Mailbox,
  mailboxOf,
  newKey,
  type StoredCalendar,
  type StoredEvent,
} from './state.ts'

export interface MeetingChange {
  readonly calendar: StoredCalendar
  readonly before: StoredEvent | undefined
  readonly after: StoredEvent
  /** The changed occurrence, if the change concerns only one. */
  readonly item?: EventItem
  /** Whether the attendees must respond again. */
  readonly rescheduled: boolean
  /** If true, only added and removed attendees are notified. */
  readonly attendeesOnly: boolean
}

/** Updates the copies of the attendees from the organizer's event. */
export function updateCopies(state: CalendarState, change: MeetingChange): void {
  const { calendar, before, after, rescheduled, attendeesOnly } = change
  if (!after.isOrganizer) return
  const guests = guestChanges(before?.attendees ?? [], after.attendees, calendar.owner.email)
  const invited = [...guests.added, ...guests.kept]
  const mailboxes = invited.flatMap((address) => mailboxOf(state, address) ?? [])
  for (const mailbox of mailboxes) placeCopy(state, mailbox, { event: after, rescheduled })
  const item = change.item ?? itemOf(after)
  sendMeetingMail(state, calendar.owner, { kind: 'request', to: guests.added, item })
  sendMeetingMail(state, calendar.owner, { kind: 'update', to: attendeesOnly ? [] : guests.kept, item })
  withdraw(state, calendar, { event: after, to: guests.gone, comment: '' })
  for (const mailbox of mailboxes) answerAsRoom(state, mailbox, { organizer: calendar, uid: after.uid })
}

/**
 * Notifies the attendees that the meeting is cancelled; their copies stay, marked as cancelled, until they delete
 * them.
 */
export function cancelCopies(state: CalendarState, calendar: StoredCalendar, event: StoredEvent, comment = ''): void {
  if (event.isOrganizer) withdraw(state, calendar, { event, to: guestsOf(event, calendar), comment })
}

function guestsOf({ attendees }: Pick<StoredEvent, 'attendees'>, { owner }: StoredCalendar): string[] {
  return attendees.map(({ address }) => address).filter((address) => !sameAddress(address, owner.email))
}

/** The same for one occurrence. */
export function cancelOccurrenceCopies(
  state: CalendarState,
  calendar: StoredCalendar,
  { item, date, comment = '' }: { item: EventItem; date: string; comment?: string },
): void {
  if (!item.isOrganizer) return
  const to = guestsOf(item, calendar)
  for (const address of to) {
    const mailbox = mailboxOf(state, address)
    const copy = mailbox && findCopy(mailbox, item.uid)
    if (mailbox !== undefined && copy !== undefined && !copy.cancelled.includes(date)) {
      changeOccurrence(state, defaultCalendar(mailbox), { master: copy, date, changes: cancelledContent(copy) })
    }
  }
  sendMeetingMail(state, calendar.owner, { kind: 'cancel', to, item, comment })
}

function withdraw(
  state: CalendarState,
  calendar: StoredCalendar,
  { event, to, comment }: { event: StoredEvent; to: readonly string[]; comment: string },
): void {
  for (const address of to) {
    const mailbox = mailboxOf(state, address)
    const copy = mailbox && findCopy(mailbox, event.uid)
    if (mailbox === undefined || copy === undefined || copy.isCancelled) continue
    changeStored(state, defaultCalendar(mailbox), { event: copy, change: cancelledContent(copy) })
  }
  sendMeetingMail(state, calendar.owner, { kind: 'cancel', to, item: itemOf(event), comment })
}

function cancelledContent({ subject }: Pick<EventDetails, 'subject'>): Partial<EventDetails> {
  return { isCancelled: true, subject: `Canceled: ${subject}`, showAs: 'free', isReminderOn: false }
}

/** Adds or updates the copy on an attendee's default calendar. */
export function placeCopy(
  state: CalendarState,
  mailbox: Mailbox,
  { event, rescheduled }: { event: StoredEvent; rescheduled: boolean },
): void {
  const calendar = defaultCalendar(mailbox)
  const copy = findCopy(mailbox, event.uid)
  const content = contentFor(event, mailbox)
  const { recurrence, cancelled } = event
  if (copy === undefined) {
    const exceptions = exceptionsFor(event, mailbox, new Map())
    addEvent(state, calendar, {
      ...event,
      ...content,
      key: newKey(),
      isOrganizer: false,
      categories: [],
      transactionId: null,
      isReminderOn: true,
      reminderMinutesBeforeStart: 15,
      singleValueExtendedProperties: [],
      showAs: 'tentative',
      response: { response: 'notResponded' },
      exceptions,
    })
    return
  }
  const exceptions = exceptionsFor(event, mailbox, rescheduled ? new Map() : copy.exceptions)
  const requested = rescheduled ? ({ showAs: 'tentative', response: { response: 'notResponded' } } as const) : {}
  changeStored(state, calendar, {
    event: copy,
    change: { ...content, recurrence, cancelled: rescheduled ? cancelled : copy.cancelled, exceptions, ...requested },
  })
}

/**
 * The attendee's view: other attendees without their responses, or only the attendee itself if attendees are hidden.
 */
function contentFor(event: EventDetails, { owner }: Mailbox): EventContent {
  const seen = event.attendees.filter(({ address }) => !event.hideAttendees || sameAddress(address, owner.email))
  return { ...contentOf(event), attendees: seen.map(withoutAnswer) }
}

/** The content that all copies share; an event has more fields. */
function contentOf(event: EventDetails): EventContent {
  const { subject, body, locations, importance, sensitivity, start, end, isAllDay, attendees, attachments } = event
  const { responseRequested, allowNewTimeProposals, hideAttendees, isCancelled } = event
  const { isOnlineMeeting, onlineMeetingProvider, onlineMeeting } = event
  return {
    subject,
    body,
    locations,
    importance,
    sensitivity,
    start,
    end,
    isAllDay,
    attendees,
    attachments,
    responseRequested,
    allowNewTimeProposals,
    hideAttendees,
    isCancelled,
    isOnlineMeeting,
    onlineMeetingProvider,
    onlineMeeting,
  }
}

/** The exceptions of a copy, updated from the organizer's; the copy's own fields are preserved. */
function exceptionsFor(
  event: StoredEvent,
  mailbox: Mailbox,
  known: ReadonlyMap<string, EventException>,
): Map<string, EventException> {
  return copiedExceptions(event, known, (item) => {
    const { subject, body, locations, start, end, isAllDay, attendees } = contentFor(item, mailbox)
    const showAs = known.get(item.date ?? '')?.changes.showAs ?? 'tentative'
    return { showAs, subject, body, locations, start, end, isAllDay, attendees }
  })
}
