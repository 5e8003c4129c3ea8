// What the store keeps of a calendar item. A series is one item; its occurrences are made of it when somebody asks.
import type { ShowAs } from '../../shared/calendar/busy.ts'
import type { EventTime } from '../../shared/calendar/event-time.ts'
import type { Attendee, Person, Response } from '../../shared/calendar/people.ts'
import type { Recurrence } from '../../shared/calendar/recurrence.ts'
import type { ItemOf, OccurrenceException, OccurrenceFacet } from '../../shared/calendar/series.ts'
import type { Zone } from '../../shared/calendar/zones.ts'
import type { SaidContent } from '../shapes/said-fields.ts'
import type { ExtendedValue } from '../store/extended.ts'
import type { StoredItem } from '../store/stored.ts'
import type { XmlNode } from '../xml/read.ts'

/** What an occurrence may say otherwise than its series. */
export interface EventDetails extends SaidContent {
  readonly start: EventTime
  readonly end: EventTime
  readonly isAllDay: boolean
  readonly showAs: ShowAs
  readonly location: string
  readonly isReminderOn: boolean
  readonly reminderMinutes: number
  readonly isResponseRequested: boolean
  readonly allowNewTimeProposal: boolean
  readonly isOnlineMeeting: boolean
  readonly conferenceType: number | undefined
  readonly meetingWorkspaceUrl: string
  readonly netShowUrl: string
  readonly attendees: readonly Attendee[]
  /** Of the mailbox's owner. */
  readonly response: Response
  readonly isCancelled: boolean
}

export interface EventException extends OccurrenceException<EventDetails> {
  /** What a client set of it alone. */
  readonly extended: ReadonlyMap<string, ExtendedValue>
}

export interface CalendarContent extends EventDetails {
  /** The global object id in hexadecimal digits, or the UID that another system gave it. */
  readonly uid: string
  readonly organizer: Person
  readonly isOrganizer: boolean
  readonly recurrence: Recurrence | null
  readonly exceptions: ReadonlyMap<string, EventException>
  readonly cancelled: readonly string[]
  /** Grows when the meeting is sent with another time. */
  readonly sequence: number
  readonly wasSent: boolean
  /** Of an attendee's copy: how it is to show once it is accepted. */
  readonly intended?: ShowAs
  /** When it was last sent or changed: DTSTAMP. */
  readonly stamp: number
  /** Of an occurrence that somebody asked for. */
  readonly occurrence?: OccurrenceOf
  /** What a request has written and nobody has worked out yet: times wait for their zones. */
  readonly draft?: EventDraft
}

export interface OccurrenceOf extends Required<Pick<OccurrenceFacet, 'date' | 'originalStart'>> {
  readonly master: CalendarItem
  readonly kind: 'occurrence' | 'exception'
  /** As it was before a request changed it. */
  readonly before: EventDetails
}

export interface EventDraft {
  readonly start?: string
  readonly end?: string
  readonly startZone?: Zone
  readonly endZone?: Zone
  readonly isAllDay?: boolean
  /** Null takes it away. */
  readonly recurrence?: XmlNode | null
}

export type CalendarItem = StoredItem<CalendarContent>

/** A calendar item as the engine of series sees it. */
export interface CalendarEvent extends CalendarContent {
  readonly key: string
  readonly created: number
  readonly modified: number
  readonly version: number
  readonly item: CalendarItem
}

export type EventItem = ItemOf<CalendarEvent>

export function eventOf(item: CalendarItem): CalendarEvent {
  const { content, number, createdAt, modifiedAt, changed } = item
  return { ...content, key: String(number), created: createdAt, modified: modifiedAt, version: changed, item }
}

export function changeContent(item: CalendarItem, change: Partial<CalendarContent>): void {
  item.content = { ...item.content, ...change }
}

/** What an occurrence keeps for itself. */
export function detailsOf(content: CalendarContent): EventDetails {
  const { text, sensitivity, categories, attachments, start, end, isAllDay, showAs, location } = content
  const { isReminderOn, reminderMinutes, isResponseRequested, allowNewTimeProposal, isOnlineMeeting } = content
  const { conferenceType, meetingWorkspaceUrl, netShowUrl, attendees, response, isCancelled } = content
  return {
    ...{ text, sensitivity, categories, attachments, start, end, isAllDay, showAs, location },
    ...{ isReminderOn, reminderMinutes, isResponseRequested, allowNewTimeProposal, isOnlineMeeting },
    ...{ conferenceType, meetingWorkspaceUrl, netShowUrl, attendees, response, isCancelled },
  }
}
