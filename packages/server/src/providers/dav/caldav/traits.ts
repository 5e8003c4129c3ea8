/** What differs between the kinds of accounts whose calendars are at a CalDAV server. */
import type { Event, Rsvp, RsvpResult } from '@waypost/contract'
import type { Moment } from '../../../formats/icalendar/icalendar.ts'
import type { EventSet } from '../../../formats/itip/invitation-copies.ts'
import type { Person } from '../../../formats/itip/itip.ts'
import type { DavSession } from '../session.ts'

/** A change of an event that the account organizes, and that its guests are told of. */
export interface ToldChange {
  /** The address of the object that is written. */
  url: string
  /** What is written; absent where the object is deleted. */
  text?: string
  /** Everything under the UID; absent for a new event. */
  before?: EventSet
  /** Absent for a deleted one. */
  after?: EventSet
  /** The slot of the occurrence that is changed or deleted, where it is one. */
  occurrence?: Moment
}

/** An answer of the account to somebody's invitation, which its copy of the event says already. */
export interface ToldAnswer {
  event: Event
  guest: Person
  answer: Rsvp
  /** The slot of the occurrence that was answered, where it was one. */
  occurrence?: Moment
}

/** Telling guests and organizers by mail, where the calendar server does not (`Home.schedules`). */
export interface SchedulingMail<S> {
  /** Makes a change, and tells the guests of it once it is made; answers and throws as `write` does. */
  telling<T>(session: S, change: ToldChange, write: () => Promise<T>): Promise<T>
  /** Tells the organizer of an event that the account is invited to. */
  tellOrganizer(session: S, answer: ToldAnswer): Promise<RsvpResult>
}

export interface CalDavTraits<S extends DavSession = DavSession> {
  /** What the service is called in words for clients. */
  title: string
  /** Whether one calendar is the primary one, where the server names one. */
  hasPrimary: boolean
  /** The longest window of a list, in months, and what is said where it is longer. */
  window?: { months: number; problem: string }
  /** The server tells guests of every change, whatever the client wants. */
  alwaysTells?: boolean
  /** How many reminders an event has at most. */
  maxReminders?: number
  /** The server takes no event without an end, not even a point in time. */
  needsEnds?: boolean
  /** Whether a series can become a single event. */
  endsSeries: boolean
  /** Where it is absent, guests of a server that does not schedule hear nothing. */
  mail?: SchedulingMail<S>
}

/** Any server that speaks CalDAV. */
export const calDavTraits = { title: 'CalDAV', hasPrimary: true, endsSeries: true } as const satisfies CalDavTraits

/** Apple's: no primary calendar, half a year at once, one reminder. */
export const iCloudTraits = {
  title: 'iCloud',
  hasPrimary: false,
  window: { months: 6, problem: 'The maximum time range for iCloud event queries is 6 months.' },
  alwaysTells: true,
  maxReminders: 1,
  needsEnds: true,
  endsSeries: false,
} as const satisfies CalDavTraits
