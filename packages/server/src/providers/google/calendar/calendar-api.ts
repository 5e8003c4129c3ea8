/** What the Calendar API answers with, as far as it is read here (https://developers.google.com/workspace/calendar/api/v3/reference). */
import type { Session } from '../session.ts'

export interface GoogleTime {
  date?: string
  dateTime?: string
  timeZone?: string
}

export interface GooglePerson {
  email?: string
  displayName?: string
  self?: boolean
}

export interface GoogleAttendee extends GooglePerson {
  organizer?: boolean
  resource?: boolean
  optional?: boolean
  additionalGuests?: number
  comment?: string
  responseStatus?: string
}

export interface GoogleEntryPoint {
  entryPointType?: string
  uri?: string
  label?: string
  pin?: string
  accessCode?: string
  meetingCode?: string
  passcode?: string
  password?: string
}

export interface GoogleConference {
  conferenceId?: string
  conferenceSolution?: { key?: { type?: string }; name?: string }
  createRequest?: { requestId?: string; status?: { statusCode?: string } }
  entryPoints?: GoogleEntryPoint[]
}

export interface GoogleEvent {
  id: string
  status?: string
  htmlLink?: string
  created?: string
  updated?: string
  summary?: string
  description?: string
  location?: string
  colorId?: string
  creator?: GooglePerson
  organizer?: GooglePerson
  start?: GoogleTime
  end?: GoogleTime
  endTimeUnspecified?: boolean
  recurrence?: string[]
  recurringEventId?: string
  originalStartTime?: GoogleTime
  transparency?: string
  visibility?: string
  iCalUID?: string
  sequence?: number
  attendees?: GoogleAttendee[]
  extendedProperties?: { private?: Record<string, string> }
  hangoutLink?: string
  conferenceData?: GoogleConference
  reminders?: { useDefault?: boolean; overrides?: { method?: string; minutes?: number }[] }
  guestsCanSeeOtherGuests?: boolean
  locked?: boolean
  eventType?: string
}

/** A page of events, with what it says of their calendar. */
export interface GoogleEvents {
  items?: GoogleEvent[]
  nextPageToken?: string
  nextSyncToken?: string
  timeZone?: string
  accessRole?: string
  updated?: string
}

export interface GoogleCalendar {
  id: string
  summary?: string
  summaryOverride?: string
  description?: string
  location?: string
  timeZone?: string
  backgroundColor?: string
  foregroundColor?: string
  accessRole?: string
  primary?: boolean
  deleted?: boolean
}

/** What is asked for of an event. */
export const eventFields = [
  'id,status,htmlLink,created,updated,summary,description,location,colorId,creator,organizer,start,end',
  'endTimeUnspecified,recurrence,recurringEventId,originalStartTime,transparency,visibility,iCalUID,sequence,attendees',
  'extendedProperties/private,hangoutLink,conferenceData,reminders,guestsCanSeeOtherGuests,locked,eventType',
].join(',')

export const calendarFields =
  'id,summary,summaryOverride,description,location,timeZone,backgroundColor,foregroundColor,accessRole,primary,deleted'

/** `primary` and the account's own address name the main calendar, whose id is that address. */
export function calendarIdOf({ grant }: Session, id: string): string {
  const own = grant.email.trim().toLowerCase()
  return id === 'primary' || id.trim().toLowerCase() === own ? own : id
}

export const isPrimary = (session: Session, id: string): boolean =>
  calendarIdOf(session, id) === calendarIdOf(session, 'primary')

/** The calendar in a path: the main one by the word, which stays the same when the account gets another address. */
export const calendarPath = (session: Session, id: string): string =>
  `calendars/${isPrimary(session, id) ? 'primary' : encodeURIComponent(id)}`

export const eventPath = (session: Session, calendarId: string, id: string): string =>
  `${calendarPath(session, calendarId)}/events/${encodeURIComponent(id)}`
