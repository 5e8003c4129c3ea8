// Response objects of `CreateItem` for meetings: responses of attendees, cancellations by organizers.

import { UTC } from '../../shared/calendar/zones.ts'
import { readBody } from '../mail/body.ts'
import { dispositionOf } from '../mail/creating.ts'
import type { EwsCall } from '../model.ts'
import { bodyAsText } from '../shapes/said-fields.ts'
import { EwsError, itemNotFound, schemaViolation } from '../soap/errors.ts'
import { itemOf } from '../store/lookup.ts'
import type { StoredItem } from '../store/stored.ts'
import { childOf, textOf, type XmlNode } from '../xml/read.ts'
import { type Answer, answerMeeting, checkAnswer } from './answers.ts'
import { discard } from './calendar-type.ts'
import type { CalendarItem } from './content.ts'
import { contextZone } from './draft.ts'
import { associatedItem, isMeetingMail, isOutOfDate, type MeetingMailItem } from './meeting-content.ts'
import { cancelCopies, guestsOf } from './meetings.ts'
import { cancelOccurrence, expandDate, isCalendarItem } from './occurrences.ts'
import { timeOf } from './times.ts'

type Handler = (call: EwsCall, written: XmlNode) => StoredItem[]

function referenced(call: EwsCall, written: XmlNode): StoredItem {
  const id = childOf(written, 'ReferenceItemId')
  if (id === undefined) throw schemaViolation("The element 'ReferenceItemId' is missing.")
  return itemOf(call, { ...id, name: 'ItemId' }, 'write')
}

/** The calendar item that is responded to, and its meeting request. */
function answered(call: EwsCall, written: XmlNode): { item: CalendarItem; request: MeetingMailItem | undefined } {
  const reference = referenced(call, written)
  if (isCalendarItem(reference)) return { item: reference, request: undefined }
  if (!isMeetingMail(reference) || reference.content.meeting.kind === 'response') {
    throw new EwsError('ErrorInvalidReferenceItem', 'The reference item does not support the requested operation.')
  }
  const about = associatedItem(reference)
  if (about === undefined) throw itemNotFound()
  const date = reference.content.meeting.event.occurrence?.date
  const item = date === undefined || about.content.recurrence === null ? about : expandDate(about, date)
  return { item, request: reference }
}

function commentOf(written: XmlNode, name: string): string {
  const body = childOf(written, name)
  return body === undefined ? '' : bodyAsText(readBody(body))
}

/** The proposed new time. */
function proposalOf(call: EwsCall, written: XmlNode): { start: number; end: number } | undefined {
  const [start, end] = ['ProposedStart', 'ProposedEnd'].map((name) => textOf(written, name))
  if (start === undefined || end === undefined) return undefined
  const zone = contextZone(call) ?? UTC
  return { start: timeOf(start, zone), end: timeOf(end, zone) }
}

const answer =
  (response: Answer): Handler =>
  (call, written) => {
    const disposition = dispositionOf(call)
    const { item, request } = answered(call, written)
    checkAnswer(item, response)
    if (request !== undefined && isOutOfDate(request)) {
      throw new EwsError('ErrorCalendarMeetingRequestIsOutOfDate', 'The meeting request is out of date.')
    }
    const account = call.world.findAccountById(item.mailbox.id) ?? call.account
    const proposed = proposalOf(call, written)
    answerMeeting(call.world, account, {
      item,
      response,
      comment: commentOf(written, 'Body'),
      sends: disposition !== 'SaveOnly',
      savesCopy: disposition === 'SendAndSaveCopy',
      ...(proposed !== undefined && { proposed }),
    })
    if (request !== undefined) takeAway(request)
    const isGone = response === 'declined' && item.content.occurrence !== undefined
    return [...(isGone ? [] : [item as StoredItem]), ...(request === undefined ? [] : [request as StoredItem])]
  }

/** A processed request moves to Deleted Items. */
function takeAway(message: MeetingMailItem): void {
  const { content, mailbox } = message
  content.meeting = { ...content.meeting, isProcessed: true }
  mailbox.move(message as StoredItem, mailbox.folders.standard('deleteditems'))
}

const cancel: Handler = (call, written) => {
  const item = referenced(call, written)
  if (!isCalendarItem(item)) {
    throw new EwsError('ErrorInvalidItemForOperationCancelItem', 'The item cannot be cancelled.')
  }
  const { content } = item
  if (!content.isOrganizer) {
    throw new EwsError('ErrorCalendarIsNotOrganizer', 'You must be the organizer to perform this operation.')
  }
  const disposition = dispositionOf(call)
  const account = call.world.findAccountById(item.mailbox.id) ?? call.account
  const reported = { ...content, sequence: content.sequence + 1 }
  if (content.occurrence === undefined) discard(item, 'MoveToDeletedItems')
  else cancelOccurrence(content.occurrence.master, content.occurrence.date)
  const sent = { world: call.world, account, savesCopy: disposition === 'SendAndSaveCopy' }
  cancelCopies(sent, { reported, to: guestsOf(reported), comment: commentOf(written, 'NewBodyContent') })
  return []
}

/** Removes a cancelled meeting from the calendar. */
const removeCancelled: Handler = (call, written) => {
  const { item, request } = answered(call, written)
  if (item.content.isOrganizer) {
    throw new EwsError('ErrorCalendarIsOrganizerForRemove', 'The organizer of a meeting cannot remove it.')
  }
  if (!item.content.isCancelled) {
    throw new EwsError('ErrorInvalidReferenceItem', 'The reference item does not support the requested operation.')
  }
  const { occurrence } = item.content
  if (occurrence === undefined) discard(item, 'MoveToDeletedItems')
  else cancelOccurrence(occurrence.master, occurrence.date)
  if (request !== undefined) takeAway(request)
  return []
}

export const meetingResponses: Readonly<Record<string, Handler>> = {
  AcceptItem: answer('accepted'),
  TentativelyAcceptItem: answer('tentativelyAccepted'),
  DeclineItem: answer('declined'),
  CancelCalendarItem: cancel,
  RemoveItem: removeCancelled,
}
