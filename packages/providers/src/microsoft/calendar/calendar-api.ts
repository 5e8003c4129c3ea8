/**
 * Graph's answers for calendars and events, as far as they are read here
 * (https://learn.microsoft.com/graph/api/resources/calendar-overview).
 */

import {
  flag,
  list,
  nonEmptyText,
  object,
  type Read,
  readableItems,
  text,
  wholeNumber,
} from '@waypost/platform/json/reader'
import { isPrimary, ownPropertyId } from '../../calendar/exchange/event-model.ts'
import { mailboxPath, type Session } from '../session.ts'

/** A local time in a zone, such as `2026-01-02T09:00:00.0000000`; some clients omit the seconds. */
const graphTime = object({}, { dateTime: text, timeZone: text })

const emailAddress = object({}, { name: text, address: text })
const recipient = object({}, { emailAddress })

const responseStatus = object({}, { response: text })
const attendee = object({}, { type: text, status: responseStatus, emailAddress })

const pattern = object(
  {},
  {
    type: text,
    interval: wholeNumber,
    month: wholeNumber,
    dayOfMonth: wholeNumber,
    daysOfWeek: list(text),
    firstDayOfWeek: text,
    index: text,
  },
)

const range = object(
  {},
  { type: text, startDate: text, endDate: text, recurrenceTimeZone: text, numberOfOccurrences: wholeNumber },
)
const recurrence = object({}, { pattern, range })

const onlineMeeting = object(
  {},
  {
    joinUrl: text,
    conferenceId: text,
    tollNumber: text,
    tollFreeNumbers: list(text),
    phones: list(object({}, { number: text })),
  },
)

const ownProperty = object({}, { id: text, value: text })

const calendarFieldsRead = {
  name: text,
  hexColor: text,
  isDefaultCalendar: flag,
  canEdit: flag,
  canShare: flag,
  owner: emailAddress,
}
export const graphCalendar = object({ id: nonEmptyText }, calendarFieldsRead)
export type GraphCalendar = Read<typeof graphCalendar>

export const graphEvent = object(
  { id: nonEmptyText },
  {
    /** In a delta: the event was deleted, or left the window. */
    '@removed': object({}, { reason: text }),
    changeKey: text,
    createdDateTime: text,
    lastModifiedDateTime: text,
    transactionId: text,
    originalStart: text,
    originalStartTimeZone: text,
    originalEndTimeZone: text,
    iCalUId: text,
    reminderMinutesBeforeStart: wholeNumber,
    isReminderOn: flag,
    hasAttachments: flag,
    subject: text,
    body: object({}, { contentType: text, content: text }),
    sensitivity: text,
    isAllDay: flag,
    isCancelled: flag,
    isOrganizer: flag,
    responseRequested: flag,
    responseStatus,
    seriesMasterId: text,
    showAs: text,
    type: text,
    webLink: text,
    isOnlineMeeting: flag,
    onlineMeetingProvider: text,
    onlineMeeting,
    onlineMeetingUrl: text,
    hideAttendees: flag,
    start: graphTime,
    end: graphTime,
    location: object({}, { displayName: text }),
    recurrence,
    attendees: list(attendee),
    organizer: recipient,
    cancelledOccurrences: list(text),
    singleValueExtendedProperties: readableItems(ownProperty),
    calendar: graphCalendar,
  },
)
export type GraphEvent = Read<typeof graphEvent>

export const calendarFields = 'id,name,hexColor,isDefaultCalendar,canEdit,canShare,owner'

/** The requested fields of an event in a list. */
export const eventFields = [
  'id,createdDateTime,lastModifiedDateTime,originalStart,originalStartTimeZone,originalEndTimeZone,iCalUId',
  'reminderMinutesBeforeStart,isReminderOn,subject,body,sensitivity,isAllDay,isCancelled,isOrganizer',
  'responseRequested,responseStatus,seriesMasterId,showAs,type,webLink,isOnlineMeeting,onlineMeetingProvider',
  'onlineMeeting,onlineMeetingUrl,hideAttendees,start,end,location,recurrence,attendees,organizer',
].join(',')

/** For a single event Graph also returns its deleted occurrences. */
export const wholeFields = `${eventFields},cancelledOccurrences`

export const withOwnProperty = `singleValueExtendedProperties($filter=id eq '${ownPropertyId}')`

/** The calendar in a path. */
export const calendarPath = (session: Session, id: string): string =>
  mailboxPath(session, isPrimary(session, id) ? 'calendar' : `calendars/${encodeURIComponent(id)}`)

/** An event in a path, below its calendar if that is named. */
export const eventPath = (session: Session, calendarId: string | undefined, id: string): string =>
  calendarId === undefined
    ? mailboxPath(session, `events/${encodeURIComponent(id)}`)
    : `${calendarPath(session, calendarId)}/events/${encodeURIComponent(id)}`
