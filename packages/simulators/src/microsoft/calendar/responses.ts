// An attendee's response: stored on the attendee's copy, and on the organizer's event if it is sent. Declining
// removes the copy.

import { withAnswer } from '../../shared/calendar/meeting-state.ts'
import type { Attendee } from '../../shared/calendar/people.ts'
import { occurrenceOn } from '../../shared/calendar/series.ts'
import { GraphError } from '../errors.ts'
import { findOriginal } from './copies.ts'
import { cancelOccurrence, changeOccurrence, changeStored, removeStored } from './event-store.ts'
import { sendMeetingMail } from './meeting-mails.ts'
import type { CalendarState, EventItem, EventOwnings, Mailbox, StoredCalendar } from './state.ts'

export interface MeetingAnswer {
  readonly calendar: StoredCalendar
  readonly item: EventItem
  readonly response: 'accepted' | 'tentativelyAccepted' | 'declined'
  readonly sendResponse: boolean
  readonly comment: string
  readonly proposedNewTime?: Attendee['proposedNewTime']
}

/** Rejects responses that Exchange does not allow. */
export function checkAnswer({ item, response, sendResponse, proposedNewTime }: MeetingAnswer): void {
  if (item.isOrganizer) {
    throw invalidRequest("You can't respond to this meeting because you're the meeting organizer.")
  }
  if (item.isCancelled) {
    const verb = { accepted: 'Accept', tentativelyAccepted: 'Tentative', declined: 'Decline' }[response]
    throw new GraphError(400, `ErrorCalendarIsCancelledFor${verb}`, 'The meeting request has been cancelled.')
  }
  if (sendResponse && !item.responseRequested) {
    throw invalidRequest("You can't send a response because the meeting organizer hasn't requested one.")
  }
  if (proposedNewTime === undefined) return
  if (!sendResponse || !item.allowNewTimeProposals) {
    throw new GraphError(400, 'ErrorInvalidParameter', 'A new time cannot be proposed for this meeting.')
  }
}

function invalidRequest(message: string): GraphError {
  return new GraphError(400, 'ErrorInvalidRequest', `Your request can't be completed. ${message}`)
}

export function answerMeeting(state: CalendarState, mailbox: Mailbox, answer: MeetingAnswer): void {
  const { item, response, sendResponse, comment } = answer
  answerOwn(state, answer)
  if (!sendResponse) return
  tellOrganizer(state, mailbox, answer)
  sendMeetingMail(state, mailbox.owner, { kind: 'reply', to: [item.organizer.address], item, comment, response })
}

function answerOwn(state: CalendarState, { calendar, item, response }: MeetingAnswer): void {
  const master = item.masterKey === undefined ? undefined : calendar.events.get(item.masterKey)
  const stored = calendar.events.get(item.key)
  const change: Partial<EventOwnings> = {
    response: { response, time: state.world.now() },
    showAs: response === 'accepted' ? 'busy' : 'tentative',
  }
  if (master !== undefined && item.date !== undefined) {
    if (response === 'declined') cancelOccurrence(state, calendar, { master, date: item.date })
    else changeOccurrence(state, calendar, { master, date: item.date, changes: change })
  } else if (stored !== undefined) {
    if (response === 'declined') removeStored(state, calendar, stored)
    else changeStored(state, calendar, { event: stored, change })
  }
}

function tellOrganizer(state: CalendarState, { owner }: Mailbox, answer: MeetingAnswer): void {
  const { item, response, proposedNewTime } = answer
  const original = findOriginal(state, item)
  if (original === undefined) return
  const { calendar, event } = original
  const status = { response, time: state.world.now() }
  const answered = (attendees: readonly Attendee[]) => withAnswer(attendees, owner.email, { status, proposedNewTime })
  if (item.date === undefined) {
    changeStored(state, calendar, { event, change: { attendees: answered(event.attendees) } })
    return
  }
  const occurrence = occurrenceOn(event, item.date)
  if (occurrence === undefined) return
  const changes = { attendees: answered(occurrence.attendees) }
  changeOccurrence(state, calendar, { master: event, date: item.date, changes })
}
