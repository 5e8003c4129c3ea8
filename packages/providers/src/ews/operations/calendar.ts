/** Operations on calendars: time zones of the server, free/busy, and the rooms of an organization. */
import {
  boolean,
  type Description,
  dateTime,
  enumeration,
  type Field,
  integer,
  list,
  localDateTime,
  message,
  required,
  sequence,
  text,
  type ValueOf,
} from '../soap/description.ts'
import { operation } from '../soap/operation.ts'
import { freeBusyStatus } from '../types/calendar-item.ts'
import { mailbox } from '../types/ids.ts'
import { weekdays } from '../types/recurrence.ts'
import { timeZoneDefinition } from '../types/time-zone.ts'

export const GetServerTimeZones = operation({
  name: 'GetServerTimeZones',
  reads: true,
  request: message({ Ids: list('Id', text) }, { ReturnFullTimeZoneData: boolean }),
  answer: message({ TimeZoneDefinitions: list('TimeZoneDefinition', timeZoneDefinition) }),
})

/** An element of types.xsd among those of messages.xsd. */
function ofTypes<T>(description: Description<T>): Field<T, true> {
  const place = required(description)
  return { ...place, write: (_prefix, name, value) => place.write('t', name, value) }
}

/** A clock change: when, and the minutes that are added to the bias of the zone. */
const clockChange = sequence({
  Bias: required(integer),
  Time: required(text),
  DayOrder: required(integer),
  Month: required(integer),
  DayOfWeek: required(enumeration(weekdays)),
})
const zone = sequence({
  Bias: required(integer),
  StandardTime: required(clockChange),
  DaylightTime: required(clockChange),
})

const unchanged = { Bias: 0, Time: '00:00:00', DayOrder: 1, DayOfWeek: 'Sunday' } as const
/** UTC in the form that free/busy requires: with two clock changes that change nothing. */
export const utcZone: ValueOf<typeof zone> = {
  Bias: 0,
  StandardTime: { ...unchanged, Month: 10 },
  DaylightTime: { ...unchanged, Month: 3 },
}

const mailboxData = sequence({
  Email: required(sequence({ Name: text, Address: required(text), RoutingType: text })),
  AttendeeType: required(enumeration(['Organizer', 'Required', 'Optional', 'Room', 'Resource'])),
  ExcludeConflicts: boolean,
})

const freeBusyViews = ['None', 'MergedOnly', 'FreeBusy', 'FreeBusyMerged', 'Detailed', 'DetailedMerged'] as const

const freeBusyView = sequence({
  FreeBusyViewType: enumeration(freeBusyViews),
  MergedFreeBusy: text,
  CalendarEventArray: list(
    'CalendarEvent',
    sequence({ StartTime: required(dateTime), EndTime: required(dateTime), BusyType: freeBusyStatus }),
  ),
})

/** The answer for one mailbox: an error, or the owner's busy times. */
const freeBusyResponse = message({
  ResponseMessage: message({ MessageText: text, ResponseCode: text }, { ResponseClass: text }),
  FreeBusyView: freeBusyView,
})
export type FreeBusyResponse = ValueOf<typeof freeBusyResponse>

/** Times are in the named zone, without an offset. The answer has a list of its own instead of response messages. */
export const GetUserAvailability = operation({
  name: 'GetUserAvailability',
  element: 'GetUserAvailabilityRequest',
  reads: true,
  isBare: true,
  request: message({
    TimeZone: ofTypes(zone),
    MailboxDataArray: required(list('MailboxData', mailboxData)),
    FreeBusyViewOptions: ofTypes(
      sequence({
        TimeWindow: required(sequence({ StartTime: required(localDateTime), EndTime: required(localDateTime) })),
        MergedFreeBusyIntervalInMinutes: integer,
        RequestedView: enumeration(freeBusyViews),
      }),
    ),
  }),
  answer: message({ FreeBusyResponseArray: list('FreeBusyResponse', freeBusyResponse, 'm') }),
})

export const GetRoomLists = operation({
  name: 'GetRoomLists',
  reads: true,
  isBare: true,
  request: message({}),
  answer: message({ RoomLists: list('Address', mailbox) }),
})

export const GetRooms = operation({
  name: 'GetRooms',
  reads: true,
  isBare: true,
  request: message({ RoomList: required(mailbox) }),
  answer: message({ Rooms: list('Room', sequence({ Id: mailbox })) }),
})
