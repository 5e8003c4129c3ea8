/**
 * An event of Exchange, for both Graph and EWS, which expose the same fields of the same store. The names are those
 * of Graph (https://learn.microsoft.com/graph/api/resources/event); data from EWS is converted to them first.
 */

/** A local time in a zone, such as `2026-01-02T09:00:00.0000000`; seconds may be missing. */
export interface ExchangeTime {
  dateTime?: string
  /** The Windows or IANA name of the zone. */
  timeZone?: string
}

interface EmailAddress {
  name?: string
  address?: string
}

export interface ExchangePerson {
  emailAddress?: EmailAddress
}

export interface ExchangeAttendee extends ExchangePerson {
  /** `required`, `optional` or `resource`. */
  type?: string
  status?: { response?: string }
}

/** The recurrence of a series: one of six types, each with the fields that it needs. */
export interface ExchangePattern {
  type?: string
  interval?: number
  month?: number
  dayOfMonth?: number
  daysOfWeek?: string[]
  firstDayOfWeek?: string
  index?: string
}

/** The period in which a series repeats, as local days in its zone. */
export interface ExchangeRange {
  type?: string
  startDate?: string
  endDate?: string
  recurrenceTimeZone?: string
  numberOfOccurrences?: number
}

export interface ExchangeRecurrence {
  pattern?: ExchangePattern
  range?: ExchangeRange
}

export interface ExchangeMeeting {
  joinUrl?: string
  conferenceId?: string
  tollNumber?: string
  tollFreeNumbers?: string[]
  phones?: { number?: string }[]
}

export interface ExchangeBody {
  /** `html` or `text`. */
  contentType?: string
  content?: string
}

/** A named property, as Graph names it: `String {…} Name …`. */
export interface NamedProperty {
  id?: string
  value?: string
}

export interface ExchangeEvent {
  id: string
  createdDateTime?: string
  lastModifiedDateTime?: string
  originalStart?: string
  originalStartTimeZone?: string
  originalEndTimeZone?: string
  iCalUId?: string
  /** EWS alone tells it. */
  sequence?: number
  reminderMinutesBeforeStart?: number
  isReminderOn?: boolean
  hasAttachments?: boolean
  subject?: string
  body?: ExchangeBody
  sensitivity?: string
  isAllDay?: boolean
  isCancelled?: boolean
  isOrganizer?: boolean
  responseStatus?: { response?: string }
  seriesMasterId?: string
  showAs?: string
  webLink?: string
  isOnlineMeeting?: boolean
  onlineMeetingProvider?: string
  onlineMeeting?: ExchangeMeeting
  onlineMeetingUrl?: string
  hideAttendees?: boolean
  start?: ExchangeTime
  end?: ExchangeTime
  location?: { displayName?: string }
  recurrence?: ExchangeRecurrence
  attendees?: ExchangeAttendee[]
  organizer?: ExchangePerson
  /** The deleted occurrences: ids or dates, whose last ten characters are the day in the zone of the series. */
  cancelledOccurrences?: string[]
  singleValueExtendedProperties?: NamedProperty[]
}

/** The fields of an event to write; null removes the recurrence. */
export type ExchangeFields = Partial<Omit<ExchangeEvent, 'id' | 'recurrence'>> & {
  recurrence?: ExchangeRecurrence | null
}

/** A named property for data that Exchange has no field for ([MS-OXPROPS] 1.3.2). */
export const ownPropertySet = '9f3c2c0e-6f0b-4f5d-8a51-7c1d0b1a6e42'
export const ownPropertyName = 'waypost'
export const ownPropertyId = `String {${ownPropertySet}} Name ${ownPropertyName}`
/** A named property of a series with the remaining steps of an interrupted change. */
export const journalPropertyName = `${ownPropertyName}-series`
export const journalPropertyId = `String {${ownPropertySet}} Name ${journalPropertyName}`

/** Whether an id names the primary calendar: `primary`, or the account's own address. */
export const isPrimary = ({ grant }: { grant: { email: string } }, id: string): boolean =>
  id === 'primary' || id.trim().toLowerCase() === grant.email.trim().toLowerCase()
