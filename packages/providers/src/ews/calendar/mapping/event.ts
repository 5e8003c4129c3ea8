/** Maps a calendar item to the Exchange event model (calendar/exchange). Pure. */
import type { Event } from '@waypost/contract'
import { dayOf, formatDate, SECONDS_PER_DAY } from '@waypost/formats/timezones/dates'
import { instantToWall } from '@waypost/formats/timezones/timezones'
import { type EventPlace, fromEvent } from '../../../calendar/exchange/event.ts'
import {
  type ExchangeAttendee,
  type ExchangeEvent,
  type ExchangePerson,
  type ExchangeTime,
  ownPropertyId,
} from '../../../calendar/exchange/event-model.ts'
import { type OwnFields, ownFieldsOf } from '../../../calendar/exchange/own-property.ts'
import { ianaZone } from '../../../calendar/exchange/zones.ts'
import { ourId } from '../../ids.ts'
import type { Attendee, CalendarItem, FreeBusyStatus } from '../../types/calendar-item.ts'
import type { Mailbox } from '../../types/ids.ts'
import { propertyText } from '../../types/paths.ts'
import { ownProperty } from '../calendar-api.ts'
import { fromRecurrence } from './recurrence.ts'
import { zoneOf } from './zones.ts'

/** Facts about an item that it does not contain. */
export interface ItemPlace extends EventPlace {
  /** The series of an occurrence, by its id in the API. */
  masterId?: string | undefined
}

const showAs: Readonly<Record<FreeBusyStatus, string>> = {
  Free: 'free',
  Tentative: 'tentative',
  Busy: 'busy',
  OOF: 'oof',
  WorkingElsewhere: 'workingElsewhere',
  NoData: 'busy',
}
export const showAsOf = (status: FreeBusyStatus | undefined): string => showAs[status ?? 'Busy']

const responses: Readonly<Record<string, string>> = {
  Organizer: 'organizer',
  Accept: 'accepted',
  Decline: 'declined',
  Tentative: 'tentativelyAccepted',
}

/** A directory name (`RoutingType` EX) is not an address. */
function personOf({ Name, EmailAddress, RoutingType }: Mailbox): ExchangePerson {
  const isAddress = EmailAddress?.includes('@') && RoutingType !== 'EX'
  return { emailAddress: { ...(Name ? { name: Name } : {}), ...(isAddress ? { address: EmailAddress } : {}) } }
}

const attendeesOf = (type: string, list: readonly Attendee[] = []): ExchangeAttendee[] =>
  list.map(({ Mailbox: mailbox, ResponseType }) => ({
    type,
    ...personOf(mailbox),
    status: { response: responses[ResponseType ?? ''] ?? 'none' },
  }))

/** An instant as local time in a zone. */
function timeOn(zone: string, ms: number): ExchangeTime {
  const wall = instantToWall(zone, Math.floor(ms / 1000))
  const day = Math.floor(wall / SECONDS_PER_DAY)
  const time = new Date((wall - day * SECONDS_PER_DAY) * 1000).toISOString().slice(11, 19)
  return { dateTime: `${formatDate(day)}T${time}`, timeZone: zone }
}

/** Our own property of an item, in the form that Graph returns it. */
function ownPropertyOf({ ExtendedProperty }: CalendarItem): Pick<ExchangeEvent, 'singleValueExtendedProperties'> {
  const value = propertyText(ExtendedProperty, ownProperty)
  return value === undefined ? {} : { singleValueExtendedProperties: [{ id: ownPropertyId, value }] }
}

/** The zones that were stored with an item. */
const storedZonesOf = (item: CalendarItem): OwnFields['zones'] => ownFieldsOf(ownPropertyOf(item)).zones

/** The zone of an item's start or end. */
const startZoneOf = (item: CalendarItem): string | undefined =>
  zoneOf(item.StartTimeZone, item.StartTimeZoneId, {
    zone: storedZonesOf(item)?.start,
    at: Math.floor((item.Start ?? 0) / 1000),
  })
const endZoneOf = (item: CalendarItem): string | undefined =>
  zoneOf(item.EndTimeZone, item.EndTimeZoneId, {
    zone: storedZonesOf(item)?.end,
    at: Math.floor((item.End ?? 0) / 1000),
  })

/**
 * A day in the zone of its item. Without a zone the item begins at some midnight, and half a day later it is the same
 * day in Greenwich.
 */
function dayTime(ms: number, zone: string | undefined): ExchangeTime {
  if (zone !== undefined) return timeOn(zone, ms)
  const day = Math.floor((ms / 1000 + SECONDS_PER_DAY / 2) / SECONDS_PER_DAY)
  return { dateTime: `${formatDate(day)}T00:00:00`, timeZone: 'UTC' }
}

function timesOf(item: CalendarItem): Partial<ExchangeEvent> {
  const { Start = 0, End = Start, IsAllDayEvent } = item
  const zone = startZoneOf(item)
  if (IsAllDayEvent) return { isAllDay: true, start: dayTime(Start, zone), end: dayTime(End, zone) }
  const startName = ianaZone(zone)
  const endName = ianaZone(endZoneOf(item)) ?? startName
  return {
    isAllDay: false,
    start: timeOn('UTC', Start),
    end: timeOn('UTC', End),
    ...(startName === undefined ? {} : { originalStartTimeZone: startName }),
    ...(endName === undefined ? {} : { originalEndTimeZone: endName }),
  }
}

/** The days of a series whose occurrences were deleted, in its zone. */
function deletedDays(item: CalendarItem): string[] {
  const zone = startZoneOf(item)
  return (item.DeletedOccurrences ?? []).map(({ Start }) => {
    const time = item.IsAllDayEvent ? dayTime(Start, zone) : timeOn(zone ?? 'UTC', Start)
    return time.dateTime?.slice(0, 10) ?? ''
  })
}

/**
 * The place of an occurrence in its series (formats/recurrence/series.ts): Unix seconds, or the number of its day.
 */
export function occurrenceKey({ Start = 0, OriginalStart = Start }: CalendarItem, master: CalendarItem): number {
  if (!master.IsAllDayEvent) return Math.floor(OriginalStart / 1000)
  return dayOf(dayTime(OriginalStart, startZoneOf(master)).dateTime?.slice(0, 10) ?? '')
}

function seriesOf(item: CalendarItem, masterId: string | undefined): Partial<ExchangeEvent> {
  const { Recurrence, OriginalStart, CalendarItemType: type } = item
  if (Recurrence) {
    const zone = item.IsAllDayEvent ? 'UTC' : startZoneOf(item)
    return { recurrence: fromRecurrence(Recurrence, zone), cancelledOccurrences: deletedDays(item) }
  }
  if (masterId === undefined || (type !== 'Occurrence' && type !== 'Exception')) return {}
  const original = OriginalStart ?? item.Start
  return {
    seriesMasterId: masterId,
    ...(original === undefined ? {} : { originalStart: new Date(original).toISOString() }),
  }
}

const isOwn = (address: string | undefined, email: string): boolean =>
  address?.trim().toLowerCase() === email.trim().toLowerCase()

/** Whether the account organizes an event. An event that is not a meeting is its own. */
export function isOrganizer(item: CalendarItem, email: string): boolean {
  if (item.IsOrganizer !== undefined) return item.IsOrganizer
  if (item.MyResponseType === 'Organizer' || item.IsMeeting === false) return true
  // The second bit of the state says that the meeting came by invitation.
  if (item.MyResponseType === undefined || item.MyResponseType === 'Unknown')
    return ((item.AppointmentState ?? 0) & 2) === 0
  return isOwn(item.Organizer?.Mailbox?.EmailAddress, email)
}

const time = (ms: number | undefined, name: 'createdDateTime' | 'lastModifiedDateTime'): Partial<ExchangeEvent> =>
  ms === undefined ? {} : { [name]: new Date(ms).toISOString() }

/** An item in the event model that Graph uses. */
export function exchangeEvent(
  item: CalendarItem,
  { grant, masterId }: Pick<ItemPlace, 'grant' | 'masterId'>,
): ExchangeEvent {
  const organizer = item.Organizer?.Mailbox
  return {
    id: ourId(item.ItemId?.Id ?? ''),
    ...time(item.DateTimeCreated, 'createdDateTime'),
    ...time(item.LastModifiedTime, 'lastModifiedDateTime'),
    ...(item.UID ? { iCalUId: item.UID } : {}),
    ...(item.AppointmentSequenceNumber === undefined ? {} : { sequence: item.AppointmentSequenceNumber }),
    isReminderOn: item.ReminderIsSet === true,
    hasAttachments: item.HasAttachments === true,
    ...(item.ReminderMinutesBeforeStart === undefined
      ? {}
      : { reminderMinutesBeforeStart: item.ReminderMinutesBeforeStart }),
    subject: item.Subject ?? '',
    ...(item.Body
      ? { body: { contentType: item.Body.BodyType === 'HTML' ? 'html' : 'text', content: item.Body.value } }
      : {}),
    sensitivity: (item.Sensitivity ?? 'Normal').toLowerCase(),
    ...timesOf(item),
    ...seriesOf(item, masterId),
    isCancelled: item.IsCancelled === true || ((item.AppointmentState ?? 0) & 4) !== 0,
    isOrganizer: isOrganizer(item, grant.email),
    responseStatus: { response: responses[item.MyResponseType ?? ''] ?? 'none' },
    showAs: showAsOf(item.LegacyFreeBusyStatus),
    ...(item.JoinOnlineMeetingUrl ? { onlineMeetingUrl: item.JoinOnlineMeetingUrl } : {}),
    location: { displayName: item.Location ?? '' },
    attendees: [
      ...attendeesOf('required', item.RequiredAttendees),
      ...attendeesOf('optional', item.OptionalAttendees),
      ...attendeesOf('resource', item.Resources),
    ],
    ...(organizer ? { organizer: personOf(organizer) } : {}),
    ...ownPropertyOf(item),
  }
}

/** An item as an event of the API. */
export const fromItem = (item: CalendarItem, place: ItemPlace): Event => fromEvent(exchangeEvent(item, place), place)
