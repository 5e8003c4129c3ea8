// The stored content of a calendar item. A series is one item; its occurrences are computed on request.
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

/** The properties in which an occurrence may differ from its series. */
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
  /** The response of the mailbox's owner. */
  readonly response: Response
  readonly isCancelled: boolean
}

export interface EventException extends OccurrenceException<EventDetails> {
  /** Extended properties that a client set on this occurrence only. */
  readonly extended: ReadonlyMap<string, ExtendedValue>
}

export interface CalendarContent extends EventDetails {
  /** The global object id in hexadecimal digits, or the UID from another system. */
  readonly uid: string
  readonly organizer: Person
  readonly isOrganizer: boolean
  readonly recurrence: Recurrence | null
  readonly exceptions: ReadonlyMap<string, EventException>
  readonly cancelled: readonly string[]
  /** Increases when the meeting is sent with other times. */
  readonly sequence: number
  readonly wasSent: boolean
  /** On an attendee's copy: the free/busy status after acceptance. */
  readonly intended?: ShowAs
  /** When it was last sent or changed (DTSTAMP). */
  readonly stamp: number
  /** Set on an occurrence. */
  readonly occurrence?: OccurrenceOf
  /** Written values not yet resolved: times need their zones first. */
  readonly draft?: EventDraft
}

export interface OccurrenceOf extends Required<Pick<OccurrenceFacet, 'date' | 'originalStart'>> {
  readonly master: CalendarItem
  readonly kind: 'occurrence' | 'exception'
  /** Its state before the request. */
  readonly before: EventDetails
}

export interface EventDraft {
  readonly start?: string
  readonly end?: string
  readonly startZone?: Zone
  readonly endZone?: Zone
  readonly isAllDay?: boolean
  /** Null removes the recurrence. */
  readonly recurrence?: XmlNode | null
}

export type CalendarItem = StoredItem<CalendarContent>

/** A calendar item in the form that the series functions use. */
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

/** The properties stored with an occurrence. */
export function detailsOf(content: CalendarContent): EventDetails {
  const { text, sensitivity, categories, attachments, start, end, isAllDay, showAs, location } = content
  const { isReminderOn, reminderMinutes, isResponseRequested, allowNewTimeProposal, isOnlineMeeting } = content
  const { conferenceType, meetingWorkspaceUrl, netShowUrl, attendees, response, isCancelled } = content
  return {
    text,
    sensitivity,
    categories,
    attachments,
    start,
    end,
    isAllDay,
    showAs,
    location,
    isReminderOn,
    reminderMinutes,
    isResponseRequested,
    allowNewTimeProposal,
    isOnlineMeeting,
    conferenceType,
    meetingWorkspaceUrl,
    netShowUrl,
    attendees,
    response,
    isCancelled,
  }
}
