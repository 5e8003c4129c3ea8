// The stored content of a meeting message: the message, and the meeting at the time of sending.
import type { ItipItem } from '../../shared/calendar/itip.ts'
import type { ResponseType } from '../../shared/calendar/people.ts'
import type { MailContent } from '../mail/content.ts'
import type { StoredItem } from '../store/stored.ts'
import type { CalendarContent, CalendarItem } from './content.ts'

export type MeetingMessageKind = 'request' | 'response' | 'cancellation'
/** Whether the meeting is new to the recipient, has new times, or has only other changes. */
export type MeetingRequestType = 'NewMeetingRequest' | 'FullUpdate' | 'InformationalUpdate'

export interface Meeting {
  readonly kind: MeetingMessageKind
  /** The event at the time of sending. */
  readonly event: CalendarContent
  readonly requestType: MeetingRequestType
  /** Only for a response. */
  readonly response: ResponseType
  readonly proposed?: { readonly start: number; readonly end: number }
  /** The series or event on the recipient's calendar. */
  readonly about: CalendarItem | undefined
  /** Whether the user responded, or the message was processed automatically. */
  readonly isProcessed: boolean
}

export interface MeetingMailContent extends MailContent {
  meeting: Meeting
}

export type MeetingMailItem = StoredItem<MeetingMailContent>

export const isMeetingMail = (item: StoredItem): item is MeetingMailItem =>
  ['MeetingRequest', 'MeetingResponse', 'MeetingCancellation'].includes(item.type.element)

/** The calendar item of the message, while it exists. */
export function associatedItem({ content: { meeting }, mailbox }: MeetingMailItem): CalendarItem | undefined {
  const { about } = meeting
  return about !== undefined && mailbox.itemByNumber(about.number) === (about as StoredItem) ? about : undefined
}

/** Whether a newer request exists, so that this one can no longer be answered. */
export function isOutOfDate(item: MeetingMailItem): boolean {
  const about = associatedItem(item)
  return about !== undefined && item.content.meeting.event.sequence < about.content.sequence
}

/** The event in the form that meeting messages use. */
export function itipOf(content: CalendarContent, version: number): ItipItem {
  const { uid, organizer, attendees, text, location, start, end, isAllDay, recurrence, sensitivity, occurrence } =
    content
  return {
    uid,
    organizer,
    attendees,
    start,
    end,
    isAllDay,
    recurrence,
    version,
    subject: text.subject,
    sensitivity: sensitivity.toLowerCase(),
    ...(location !== '' && { location }),
    ...(occurrence !== undefined && { date: occurrence.date, originalStart: occurrence.originalStart }),
  }
}
