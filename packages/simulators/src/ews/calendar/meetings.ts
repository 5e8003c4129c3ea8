// Applies the organizer's changes to the copies of attendees.
import { copiedExceptions, guestChanges, withoutAnswer } from '../../shared/calendar/meeting-state.ts'
import { sameAddress } from '../../shared/calendar/people.ts'
import type { World } from '../model.ts'
import type { Account } from '../owner.ts'
import {
  type CalendarContent,
  type CalendarItem,
  changeContent,
  detailsOf,
  type EventDetails,
  type EventException,
  eventOf,
} from './content.ts'
import { eventByUid } from './event-lookup.ts'
import { sendMeetingMail } from './meeting-mails.ts'
import { changeOccurrence } from './occurrences.ts'
import { answerAsRoom } from './room-booking.ts'

export interface Sent {
  readonly world: World
  /** The organizer. */
  readonly account: Account
  readonly savesCopy: boolean
}

export interface MeetingChange {
  /** The series or single event. */
  readonly item: CalendarItem
  /** The content to send: of the item itself, or of one occurrence. */
  readonly reported: CalendarContent
  readonly before: readonly EventDetails['attendees'][number][]
  /** Whether the attendees must respond again. */
  readonly rescheduled: boolean
  /** If true, only added and removed attendees are notified. */
  readonly onlyChanged: boolean
}

/** Notifies the attendees of a new or changed meeting, and updates their copies. */
export function tellAttendees(sent: Sent, { item, reported, before, rescheduled, onlyChanged }: MeetingChange): void {
  const { world, account, savesCopy } = sent
  const guests = guestChanges(before, reported.attendees, account.email)
  const changed = onlyChanged ? guests.added : [...guests.added, ...guests.kept]
  const place = (address: string) => {
    const guest = world.findAccount(address)
    if (guest !== undefined) placeCopy(guest, { item, reported, rescheduled })
  }
  for (const address of changed) place(address)
  const about = (guest: Account) => eventByUid(guest.mailbox, reported.uid)
  sendMeetingMail(world, account, { kind: 'request', to: guests.added, event: reported, savesCopy, about })
  if (!onlyChanged) {
    const requestType = rescheduled ? 'FullUpdate' : 'InformationalUpdate'
    sendMeetingMail(world, account, { kind: 'update', to: guests.kept, event: reported, savesCopy, about, requestType })
  }
  cancelCopies(sent, { reported, to: guests.gone, comment: '' })
  for (const address of changed) answerAsRoom(world, address, reported.uid)
}

/**
 * Notifies attendees that a meeting or occurrence is cancelled; their copies stay, marked as cancelled, until they
 * remove them.
 */
export function cancelCopies(
  { world, account, savesCopy }: Sent,
  { reported, to, comment }: { reported: CalendarContent; to: readonly string[]; comment: string },
): void {
  for (const address of to) {
    const guest = world.findAccount(address)
    const copy = guest && eventByUid(guest.mailbox, reported.uid)
    if (copy === undefined || copy.content.isOrganizer) continue
    const date = reported.occurrence?.date
    if (date === undefined || copy.content.recurrence === null) {
      if (copy.content.isCancelled) continue
      changeContent(copy, { ...cancelledDetails(copy.content), sequence: reported.sequence })
      copy.mailbox.change(copy)
    } else if (!copy.content.cancelled.includes(date)) {
      changeOccurrence(copy, date, { changes: cancelledDetails(copy.content) })
    }
  }
  const about = (guest: Account) => eventByUid(guest.mailbox, reported.uid)
  const event = { ...reported, isCancelled: true }
  sendMeetingMail(world, account, { kind: 'cancel', to, event, comment, savesCopy, about })
}

export function cancelledDetails({ text }: EventDetails): Partial<EventDetails> {
  const subject = `Canceled: ${text.subject}`
  return { isCancelled: true, text: { ...text, subject }, showAs: 'free', isReminderOn: false }
}

/** The invited attendees, without the organizer. */
export function guestsOf({ attendees, organizer }: CalendarContent): string[] {
  return attendees.map(({ address }) => address).filter((address) => !sameAddress(address, organizer.address))
}

export interface Placed {
  readonly item: CalendarItem
  readonly reported: CalendarContent
  readonly rescheduled: boolean
}

/** Adds or updates the copy on an attendee's calendar. */
export function placeCopy({ mailbox, email }: Account, { item, reported, rescheduled }: Placed): void {
  const known = eventByUid(mailbox, reported.uid)
  const invited = item.content.attendees.some(({ address }) => sameAddress(address, email))
  // An attendee invited to only one occurrence gets only that one.
  const { occurrence: _, ...whole } = invited ? item.content : reported
  const content = copiedContent(whole, invited ? item : undefined)
  if (known === undefined) {
    mailbox.add({ type: item.type, folder: mailbox.folders.standard('calendar'), content, isRead: true })
    return
  }
  if (known.content.isOrganizer) return
  const { categories, isReminderOn, reminderMinutes, response, showAs, exceptions, cancelled } = known.content
  const own = { categories, isReminderOn, reminderMinutes }
  const answer = rescheduled ? {} : { response, showAs }
  const retained = rescheduled || !invited ? {} : { exceptions: mergedExceptions(item, exceptions), cancelled }
  changeContent(known, { ...content, ...own, ...answer, ...retained })
  mailbox.change(known)
}

/** The attendee's copy: other attendees appear without their responses. */
function copiedContent(content: CalendarContent, series: CalendarItem | undefined): CalendarContent {
  const showAs = content.showAs === 'free' ? 'free' : 'tentative'
  return {
    ...content,
    attendees: content.attendees.map(withoutAnswer),
    categories: [],
    isOrganizer: false,
    isReminderOn: true,
    reminderMinutes: content.isReminderOn ? content.reminderMinutes : 15,
    response: { response: 'notResponded' },
    intended: content.showAs,
    showAs,
    exceptions: series === undefined ? new Map() : mergedExceptions(series, new Map()),
  }
}

function mergedExceptions(series: CalendarItem, known: CalendarContent['exceptions']): Map<string, EventException> {
  const merged = copiedExceptions<ReturnType<typeof eventOf>, EventDetails>(eventOf(series), known, (item) => {
    const own = known.get(item.date ?? '')?.changes
    const { text, location, start, end, isAllDay, attendees, isCancelled } = detailsOf(item)
    const shown = { text, location, start, end, isAllDay, isCancelled, attendees: attendees.map(withoutAnswer) }
    return { showAs: own?.showAs ?? 'tentative', ...shown }
  })
  const extendedOf = (date: string) => known.get(date)?.extended ?? new Map()
  return new Map([...merged].map(([date, exception]) => [date, { ...exception, extended: extendedOf(date) }]))
}
