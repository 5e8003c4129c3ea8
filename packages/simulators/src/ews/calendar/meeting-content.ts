// What the store keeps of a message about a meeting: the message, and the meeting as it was when it was sent.
import type { ItipItem } from '../../shared/calendar/itip.ts'
import type { ResponseType } from '../../shared/calendar/people.ts'
import type { MailContent } from '../mail/content.ts'
import type { StoredItem } from '../store/stored.ts'
import type { CalendarContent, CalendarItem } from './content.ts'

export type MeetingMessageKind = 'request' | 'response' | 'cancellation'
/** Whether the meeting is new to who gets it, at another time, or the same in other words. */
export type MeetingRequestType = 'NewMeetingRequest' | 'FullUpdate' | 'InformationalUpdate'

export interface Meeting {
  readonly kind: MeetingMessageKind
  /** As it was when this was sent. */
  readonly event: CalendarContent
  readonly requestType: MeetingRequestType
  /** Of a response. */
  readonly response: ResponseType
  readonly proposed?: { readonly start: number; readonly end: number }
  /** The series or event on the receiver's calendar that it is about. */
  readonly about: CalendarItem | undefined
  /** Somebody answered it, or it was taken up by itself. */
  readonly isProcessed: boolean
}

export interface MeetingMailContent extends MailContent {
  meeting: Meeting
}

export type MeetingMailItem = StoredItem<MeetingMailContent>

export const isMeetingMail = (item: StoredItem): item is MeetingMailItem =>
  ['MeetingRequest', 'MeetingResponse', 'MeetingCancellation'].includes(item.type.element)

/** What it is about, while that is there. */
export function associatedItem({ content: { meeting }, mailbox }: MeetingMailItem): CalendarItem | undefined {
  const { about } = meeting
  return about !== undefined && mailbox.itemByNumber(about.number) === (about as StoredItem) ? about : undefined
}

/** A newer request has come since: this one can no longer be answered. */
export function isOutOfDate(item: MeetingMailItem): boolean {
  const about = associatedItem(item)
  return about !== undefined && item.content.meeting.event.sequence < about.content.sequence
}

/** The event as the mails about it name it. */
export function itipOf(content: CalendarContent, version: number): ItipItem {
  const { uid, organizer, attendees, text, location, start, end, isAllDay, recurrence, sensitivity, occurrence } =
    content
  return {
    ...{ uid, organizer, attendees, start, end, isAllDay, recurrence, version },
    subject: text.subject,
    sensitivity: sensitivity.toLowerCase(),
    ...(location !== '' && { location }),
    ...(occurrence !== undefined && { date: occurrence.date, originalStart: occurrence.originalStart }),
  }
}
