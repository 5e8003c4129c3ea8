/** Events of a calendar. */
import {
  boolean,
  dateTime,
  enumeration,
  integer,
  list,
  required,
  sequence,
  text,
  type ValueOf,
} from '../soap/description.ts'
import { itemId, mailbox, recipient } from './ids.ts'
import { itemFields } from './item.ts'
import { recurrence } from './recurrence.ts'
import { timeZoneDefinition } from './time-zone.ts'

/** `WorkingElsewhere` came with Exchange 2013. */
export const freeBusyStatuses = ['Free', 'Tentative', 'Busy', 'OOF', 'WorkingElsewhere', 'NoData'] as const
export type FreeBusyStatus = (typeof freeBusyStatuses)[number]
export const freeBusyStatus = enumeration(freeBusyStatuses)

const responseType = enumeration(['Unknown', 'Organizer', 'Tentative', 'Accept', 'Decline', 'NoResponseReceived'])

const attendee = sequence({ Mailbox: required(mailbox), ResponseType: responseType, LastResponseTime: dateTime })
export type Attendee = ValueOf<typeof attendee>
const attendees = list('Attendee', attendee)

const occurrence = sequence({
  ItemId: required(itemId),
  Start: required(dateTime),
  End: required(dateTime),
  OriginalStart: required(dateTime),
})
const deletedOccurrence = sequence({ Start: required(dateTime) })

/** What is used of CalendarItemType, in the order of the schema; from `StartTimeZoneId` on it came with Exchange 2013. */
export const calendarItem = sequence({
  ...itemFields,
  UID: text,
  Start: dateTime,
  End: dateTime,
  OriginalStart: dateTime,
  IsAllDayEvent: boolean,
  LegacyFreeBusyStatus: freeBusyStatus,
  Location: text,
  IsMeeting: boolean,
  IsCancelled: boolean,
  IsRecurring: boolean,
  IsResponseRequested: boolean,
  CalendarItemType: enumeration(['Single', 'Occurrence', 'Exception', 'RecurringMaster']),
  MyResponseType: responseType,
  Organizer: recipient,
  RequiredAttendees: attendees,
  OptionalAttendees: attendees,
  Resources: attendees,
  AppointmentSequenceNumber: integer,
  AppointmentState: integer,
  Recurrence: recurrence,
  ModifiedOccurrences: list('Occurrence', occurrence),
  DeletedOccurrences: list('DeletedOccurrence', deletedOccurrence),
  StartTimeZone: timeZoneDefinition,
  EndTimeZone: timeZoneDefinition,
  StartTimeZoneId: text,
  EndTimeZoneId: text,
  JoinOnlineMeetingUrl: text,
  IsOrganizer: boolean,
})
export type CalendarItem = ValueOf<typeof calendarItem>
