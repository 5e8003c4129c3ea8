/**
 * The answers of the Calendar API, as far as they are read here
 * (https://developers.google.com/workspace/calendar/api/v3/reference).
 */
import { parseDate } from '@waypost/formats/timezones/dates'
import {
  flag,
  instant,
  list,
  number,
  object,
  type Read,
  readableItems,
  record,
  text,
  textThat,
} from '@waypost/platform/json/reader'
import type { Session } from '../session.ts'

const day = textThat((value) => parseDate(value) !== undefined, 'date')

const googleTime = object({}, { date: day, dateTime: instant, timeZone: text })
export type GoogleTime = Read<typeof googleTime>

const personFields = { email: text, displayName: text, self: flag }
const googlePerson = object({}, personFields)
export type GooglePerson = Read<typeof googlePerson>

const googleAttendee = object(
  {},
  {
    ...personFields,
    organizer: flag,
    resource: flag,
    optional: flag,
    additionalGuests: number,
    comment: text,
    responseStatus: text,
  },
)
export type GoogleAttendee = Read<typeof googleAttendee>

const googleEntryPoint = object(
  {},
  {
    entryPointType: text,
    uri: text,
    label: text,
    pin: text,
    accessCode: text,
    meetingCode: text,
    passcode: text,
    password: text,
  },
)
export type GoogleEntryPoint = Read<typeof googleEntryPoint>

const googleConference = object(
  {},
  {
    conferenceId: text,
    conferenceSolution: object({}, { key: object({}, { type: text }), name: text }),
    createRequest: object({}, { requestId: text, status: object({}, { statusCode: text }) }),
    entryPoints: list(googleEntryPoint),
  },
)
export type GoogleConference = Read<typeof googleConference>

const googleReminder = object({}, { method: text, minutes: number })

export const googleEvent = object(
  { id: text },
  {
    status: text,
    htmlLink: text,
    created: text,
    updated: text,
    summary: text,
    description: text,
    location: text,
    colorId: text,
    creator: googlePerson,
    organizer: googlePerson,
    start: googleTime,
    end: googleTime,
    endTimeUnspecified: flag,
    recurrence: list(text),
    recurringEventId: text,
    originalStartTime: googleTime,
    transparency: text,
    visibility: text,
    iCalUID: text,
    sequence: number,
    attendees: list(googleAttendee),
    extendedProperties: object({}, { private: record(text) }),
    hangoutLink: text,
    conferenceData: googleConference,
    reminders: object({}, { useDefault: flag, overrides: list(googleReminder) }),
    guestsCanSeeOtherGuests: flag,
    locked: flag,
    eventType: text,
  },
)
export type GoogleEvent = Read<typeof googleEvent>

/** A page of events, with facts about their calendar. */
export const googleEvents = object(
  {},
  {
    items: readableItems(googleEvent),
    nextPageToken: text,
    nextSyncToken: text,
    timeZone: text,
    accessRole: text,
    updated: text,
  },
)
export type GoogleEvents = Read<typeof googleEvents>

export const googleCalendar = object(
  { id: text },
  {
    summary: text,
    summaryOverride: text,
    description: text,
    location: text,
    timeZone: text,
    backgroundColor: text,
    foregroundColor: text,
    accessRole: text,
    primary: flag,
    deleted: flag,
  },
)
export type GoogleCalendar = Read<typeof googleCalendar>

/** A page of the account's list of calendars. */
export const googleCalendars = object({}, { items: readableItems(googleCalendar), nextPageToken: text })

/** The fields that are requested of an event. */
export const eventFields = [
  'id,status,htmlLink,created,updated,summary,description,location,colorId,creator,organizer,start,end',
  'endTimeUnspecified,recurrence,recurringEventId,originalStartTime,transparency,visibility,iCalUID,sequence,attendees',
  'extendedProperties/private,hangoutLink,conferenceData,reminders,guestsCanSeeOtherGuests,locked,eventType',
].join(',')

export const calendarFields =
  'id,summary,summaryOverride,description,location,timeZone,backgroundColor,foregroundColor,accessRole,primary,deleted'

/** `primary` and the account's own address name the primary calendar, whose id is that address. */
export function calendarIdOf({ grant }: Session, id: string): string {
  const own = grant.email.trim().toLowerCase()
  return id === 'primary' || id.trim().toLowerCase() === own ? own : id
}

export const isPrimary = (session: Session, id: string): boolean =>
  calendarIdOf(session, id) === calendarIdOf(session, 'primary')

/** A calendar in a path. The primary one is `primary`, which stays the same when the account gets another address. */
export const calendarPath = (session: Session, id: string): string =>
  `calendars/${isPrimary(session, id) ? 'primary' : encodeURIComponent(id)}`

export const eventPath = (session: Session, calendarId: string, id: string): string =>
  `${calendarPath(session, calendarId)}/events/${encodeURIComponent(id)}`
