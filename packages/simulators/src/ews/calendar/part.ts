// Calendars: items, meetings, time zones of the server, rooms, and free/busy times.
import type { ExchangePart, ItemType } from '../model.ts'
import { getUserAvailability } from './availability.ts'
import { calendarType } from './calendar-type.ts'
import { meetingCancellationType, meetingRequestType, meetingResponseType } from './meeting-types.ts'
import { getRoomLists, getRooms, getServerTimeZones } from './operations.ts'
import { meetingResponses } from './response-objects.ts'
import { calendarItemIds, calendarView } from './view.ts'

export const calendarPart: ExchangePart = {
  operations: {
    GetUserAvailabilityRequest: getUserAvailability,
    GetServerTimeZones: getServerTimeZones,
    GetRoomLists: getRoomLists,
    GetRooms: getRooms,
  },
  since: { GetServerTimeZones: 'Exchange2010', GetRoomLists: 'Exchange2010', GetRooms: 'Exchange2010' },
  itemTypes: [calendarType, meetingRequestType, meetingResponseType, meetingCancellationType] as ItemType[],
  responses: meetingResponses,
  itemIds: calendarItemIds,
  views: { CalendarView: calendarView },
}
