// An attendee's response: stored on the attendee's copy, and on the organizer's event if it is sent. Declining
// removes the copy.
import { withAnswer } from '../../shared/calendar/meeting-state.ts'
import type { Attendee, ResponseType } from '../../shared/calendar/people.ts'
import { occurrenceOn } from '../../shared/calendar/series.ts'
import type { World } from '../model.ts'
import type { Account } from '../owner.ts'
import { EwsError } from '../soap/errors.ts'
import { type CalendarContent, type CalendarItem, changeContent, type EventDetails, eventOf } from './content.ts'
import { eventByUid } from './event-lookup.ts'
import { sendMeetingMail } from './meeting-mails.ts'
import { cancelOccurrence, changeOccurrence } from './occurrences.ts'

export type Answer = 'accepted' | 'tentativelyAccepted' | 'declined'

export interface MeetingAnswer {
  /** The event, series or occurrence on the attendee's calendar. */
  readonly item: CalendarItem
  readonly response: Answer
  readonly sends: boolean
  readonly savesCopy: boolean
  readonly comment: string
  readonly proposed?: { readonly start: number; readonly end: number }
}

const verbs: Readonly<Record<Answer, string>> = {
  accepted: 'Accept',
  tentativelyAccepted: 'Tentative',
  declined: 'Decline',
}

/** Rejects responses that Exchange does not allow. */
export function checkAnswer({ content }: CalendarItem, response: Answer): void {
  const verb = verbs[response]
  if (content.isOrganizer) {
    throw new EwsError(`ErrorCalendarIsOrganizerFor${verb}`, 'The organizer of a meeting cannot answer it.')
  }
  if (content.isCancelled) {
    throw new EwsError(`ErrorCalendarIsCancelledFor${verb}`, 'The meeting request has been cancelled.')
  }
}

export function answerMeeting(world: World, account: Account, answer: MeetingAnswer): void {
  const { item, response, sends, savesCopy, comment, proposed } = answer
  const { content } = item
  keepAnswer(item, response, world.now())
  if (!sends) return
  tellOrganizer(world, account, answer)
  sendMeetingMail(world, account, {
    kind: 'reply',
    to: [content.organizer.address],
    event: content,
    comment,
    response,
    savesCopy,
    ...(proposed !== undefined && { proposed }),
    about: (organizer) => eventByUid(organizer.mailbox, content.uid),
  })
}

function keepAnswer(item: CalendarItem, response: Answer, time: number): void {
  const { occurrence, intended = 'busy' } = item.content
  const { mailbox } = item
  if (response === 'declined') {
    if (occurrence !== undefined) cancelOccurrence(occurrence.master, occurrence.date)
    else {
      changeContent(item, { response: { response, time }, showAs: 'free' })
      mailbox.move(item, mailbox.folders.standard('deleteditems'))
    }
    return
  }
  const showAs: EventDetails['showAs'] = response === 'accepted' ? intended : 'tentative'
  const changes = { response: { response, time }, showAs }
  if (occurrence !== undefined) {
    changeOccurrence(occurrence.master, occurrence.date, { changes })
    item.changeKey = occurrence.master.changeKey
    return
  }
  changeContent(item, changes)
  mailbox.change(item)
}

function tellOrganizer(world: World, { email }: Account, { item, response, proposed }: MeetingAnswer): void {
  const { organizer, uid, occurrence } = item.content
  const original = world.findAccount(organizer.address) && eventByUid(organizerMailbox(world, item.content), uid)
  if (original === undefined || !original.content.isOrganizer) return
  noteAnswer(original, { from: email, response, date: occurrence?.date, ...(proposed !== undefined && { proposed }) })
}

function organizerMailbox(world: World, { organizer }: CalendarContent): Account['mailbox'] {
  const account = world.findAccount(organizer.address)
  if (account === undefined) throw new Error(`There is no account ${organizer.address}`)
  return account.mailbox
}

export interface NotedAnswer {
  /** The address of the attendee that responded. */
  readonly from: string
  readonly response: ResponseType
  /** The day of the occurrence, for a response to one occurrence. */
  readonly date: string | undefined
  readonly proposed?: { readonly start: number; readonly end: number }
}

/** Records an attendee's response on the organizer's event. */
export function noteAnswer(original: CalendarItem, { from, response, date, proposed }: NotedAnswer): void {
  const { start, end } = original.content
  const status = { response, time: original.mailbox.now() }
  const proposedNewTime = proposed && { start: { ...start, ms: proposed.start }, end: { ...end, ms: proposed.end } }
  const answered = (attendees: readonly Attendee[]) =>
    withAnswer(attendees, from, { status, ...(proposedNewTime !== undefined && { proposedNewTime }) })
  if (date === undefined || original.content.recurrence === null) {
    changeContent(original, { attendees: answered(original.content.attendees) })
    original.mailbox.change(original)
    return
  }
  const occurrence = occurrenceOn(eventOf(original), date)
  if (occurrence === undefined) return
  changeOccurrence(original, date, { changes: { attendees: answered(occurrence.attendees) } })
}
