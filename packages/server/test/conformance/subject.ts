/** What the conformance suites need of a provider: an account with an empty calendar, and what the provider cannot do. */
import type { Call } from './accounts.ts'

/** What a provider may lack; the tests of it are left out, and the rest holds for everybody. */
export type Lack =
  /** Calendars cannot be created, changed or deleted. */
  | 'calendar-writing'
  /** Of a calendar only the name can be written. */
  | 'calendar-fields'
  | 'calendar-colours'
  /** No calendar is the primary one. */
  | 'primary'
  /** A point in time comes back as a span without length. */
  | 'points-in-time'
  | 'free-busy'
  | 'visibility'
  | 'busy'
  | 'conferencing'
  /** Lists that look for attendees, for an iCalendar UID, for the instances of a series, for changes. */
  | 'attendees-filter'
  | 'ical-uid-filter'
  | 'master-filter'
  | 'updated-filter'
  /** One instance of a series cannot be moved past those before and after it. */
  | 'moving-past-neighbours'
  /** A series cannot become a single event. */
  | 'series-to-single'
  /** Masters are not listed: there is no `expand_recurring=false` and no import. */
  | 'masters'

export interface OpenSubject extends AsyncDisposable {
  /** Calls in the name of the application that the account belongs to. */
  call: Call
  grantId: string
  /** The address of the account. */
  email: string
  /** A calendar of the account that can be written and holds nothing. */
  calendarId: string
}

export interface Subject {
  name: string
  lacks?: readonly Lack[]
  open(): Promise<OpenSubject>
}
