/** The differences between providers with a CalDAV server. */
import type { Event, Rsvp, RsvpResult } from '@waypost/contract'
import type { Person } from '@waypost/formats/icalendar/calendar-users'
import type { Moment } from '@waypost/formats/icalendar/icalendar'
import type { EventSet } from '@waypost/formats/itip/invitation-copies'
import type { DavSession } from '../session.ts'

/** A change of an event that the account organizes, to be reported to its guests. */
export interface ReportedChange {
  /** The address of the object. */
  url: string
  /** The new text; absent if the object is deleted. */
  text?: string
  /** Everything under the UID; absent for a new event. */
  before?: EventSet
  /** Absent for a deleted one. */
  after?: EventSet
  /** The slot of the changed or deleted occurrence, if the change is about one. */
  occurrence?: Moment
}

/** The account's answer to an invitation, already stored in its copy of the event. */
export interface ReportedAnswer {
  event: Event
  guest: Person
  answer: Rsvp
  /** The slot of the answered occurrence, if the answer is about one. */
  occurrence?: Moment
}

/** Notifies guests and organizers by mail if the calendar server does not (`Home.schedules`). */
export interface SchedulingMail<S> {
  /** Applies a change and then notifies the guests; returns and throws like `write`. */
  telling<T>(session: S, change: ReportedChange, write: () => Promise<T>): Promise<T>
  /** Notifies the organizer of the account's answer. */
  tellOrganizer(session: S, answer: ReportedAnswer): Promise<RsvpResult>
}

export interface CalDavTraits<S extends DavSession = DavSession> {
  /** The name of the service in messages for clients. */
  title: string
  /** Whether one calendar is primary, if the server names one. */
  hasPrimary: boolean
  /** The maximum window of a list in months, and the error message beyond it. */
  window?: { months: number; problem: string }
  /** The server notifies guests of every change, regardless of the client's request. */
  alwaysTells?: boolean
  /** The maximum number of reminders of an event. */
  maxReminders?: number
  /** The server rejects events without an end, even points in time. */
  needsEnds?: boolean
  /** Whether a series can become a single event. */
  endsSeries: boolean
  /** If absent, guests of a server without scheduling are not notified. */
  mail?: SchedulingMail<S>
}

/** Any CalDAV server. */
export const calDavTraits = { title: 'CalDAV', hasPrimary: true, endsSeries: true } as const satisfies CalDavTraits

/** iCloud: no primary calendar, a window of six months, one reminder. */
export const iCloudTraits = {
  title: 'iCloud',
  hasPrimary: false,
  window: { months: 6, problem: 'The maximum time range for iCloud event queries is 6 months.' },
  alwaysTells: true,
  maxReminders: 1,
  needsEnds: true,
  endsSeries: false,
} as const satisfies CalDavTraits
