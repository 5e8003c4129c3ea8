/**
 * What the conformance suites need from a provider: an account with an empty calendar, and the provider's missing
 * features.
 */
import type { Call } from './accounts.ts'

/** Features that a provider may lack. Their tests are left out; the rest applies to every provider. */
export type Lack =
  /** Calendars cannot be created, changed or deleted. */
  | 'calendar-writing'
  /** Only the name of a calendar can be written. */
  | 'calendar-fields'
  | 'calendar-colours'
  /** No calendar is the primary one. */
  | 'primary'
  /** A point in time is returned as a span without length. */
  | 'points-in-time'
  | 'free-busy'
  | 'visibility'
  | 'busy'
  | 'conferencing'
  /** Filters by attendees, by iCalendar UID, by series, by update time. */
  | 'attendees-filter'
  | 'ical-uid-filter'
  | 'master-filter'
  | 'updated-filter'
  /** An instance of a series cannot be moved past its neighbors. */
  | 'moving-past-neighbours'
  /** A series cannot become a single event. */
  | 'series-to-single'
  /** Masters are not listed: there is no `expand_recurring=false` and no import. */
  | 'masters'

export interface OpenSubject extends AsyncDisposable {
  /** Calls on behalf of the account's application. */
  call: Call
  grantId: string
  /** The address of the account. */
  email: string
  /** A writable, empty calendar of the account. */
  calendarId: string
}

export interface Subject {
  name: string
  lacks?: readonly Lack[]
  open(): Promise<OpenSubject>
}
