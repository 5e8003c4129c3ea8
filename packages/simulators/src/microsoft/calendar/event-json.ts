// An event as Graph returns it.

import type { EventTime } from '../../shared/calendar/event-time.ts'
import { occurrenceGlobalId } from '../../shared/calendar/global-id.ts'
import type { Attendee, Person, Response } from '../../shared/calendar/people.ts'
import type { Zone } from '../../shared/calendar/zones.ts'
import type { JsonObject } from '../../shared/http.ts'
import { bodyJson, previewOf } from './body.ts'
import { formatDay, formatEventTime, formatInstant } from './event-time.ts'
import { recurrenceJson } from './recurrence.ts'
import type { EventItem } from './state.ts'

/** The client's preferences for the representation of events. */
export interface EventView {
  /** The id of the event with a key. */
  idOf(key: string): string
  readonly zone: Zone
  readonly prefersText: boolean
}

const never = '0001-01-01T00:00:00Z'

export function changeKeyOf(version: number): string {
  const bytes = Buffer.from('DwAAABYAAACU9EWgmPVeQ6XSlkoQ', 'base64')
  const number = Buffer.alloc(4)
  number.writeUInt32BE(version)
  return Buffer.concat([bytes.subarray(0, 18), number]).toString('base64')
}

export function etagOf(version: number): string {
  return `W/"${changeKeyOf(version)}"`
}

export function eventJson(item: EventItem, view: EventView): JsonObject {
  const id = view.idOf(item.key)
  const [
    location = { displayName: '', locationType: 'default', uniqueIdType: 'unknown', address: {}, coordinates: {} },
  ] = item.locations
  return {
    '@odata.etag': etagOf(item.version),
    id,
    createdDateTime: formatInstant(item.created),
    lastModifiedDateTime: formatInstant(item.modified),
    changeKey: changeKeyOf(item.version),
    categories: item.categories,
    transactionId: item.transactionId,
    originalStartTimeZone: item.start.zone.name,
    originalEndTimeZone: item.end.zone.name,
    iCalUId: item.date === undefined ? item.uid : occurrenceGlobalId(item.uid, item.date),
    reminderMinutesBeforeStart: item.reminderMinutesBeforeStart,
    isReminderOn: item.isReminderOn,
    hasAttachments: item.attachments.some(({ isInline }) => !isInline),
    subject: item.subject,
    bodyPreview: previewOf(item.body),
    importance: item.importance,
    sensitivity: item.sensitivity,
    isAllDay: item.isAllDay,
    isCancelled: item.isCancelled,
    isOrganizer: item.isOrganizer,
    responseRequested: item.responseRequested,
    seriesMasterId: item.masterKey === undefined ? null : view.idOf(item.masterKey),
    showAs: item.showAs,
    type: item.kind,
    webLink: `https://outlook.office365.com/owa/?itemid=${encodeURIComponent(id)}&exvsurl=1&path=/calendar/item`,
    onlineMeetingUrl: null,
    isOnlineMeeting: item.isOnlineMeeting,
    onlineMeetingProvider: item.onlineMeetingProvider,
    allowNewTimeProposals: item.allowNewTimeProposals,
    occurrenceId: item.date === undefined ? null : occurrenceId(view.idOf(item.masterKey ?? ''), item.date),
    isDraft: false,
    hideAttendees: item.hideAttendees,
    ...(item.originalStart !== undefined && { originalStart: formatInstant(item.originalStart) }),
    responseStatus: responseJson(item.response),
    body: bodyJson(item.body, view.prefersText),
    ...timesJson(item, view),
    location,
    locations: item.locations,
    recurrence: item.recurrence === null ? null : recurrenceJson(item.recurrence),
    attendees: item.attendees.map((attendee) => attendeeJson(attendee, view)),
    organizer: recipientJson(item.organizer),
    onlineMeeting: item.onlineMeeting,
  }
}

/** A delta query's entry for an occurrence that does not differ from its series. */
export function bareJson(item: EventItem, view: EventView): JsonObject {
  return {
    '@odata.type': '#microsoft.graph.event',
    '@odata.etag': etagOf(item.version),
    id: view.idOf(item.key),
    seriesMasterId: view.idOf(item.masterKey ?? ''),
    type: item.kind,
    ...timesJson(item, view),
  }
}

export function occurrenceId(masterId: string, date: string): string {
  return `OID.${masterId}.${date}`
}

function timesJson({ start, end, isAllDay }: EventItem, { zone }: EventView): { start: JsonObject; end: JsonObject } {
  const show = (time: EventTime) => (isAllDay ? formatDay(time, zone) : formatEventTime(time.ms, zone))
  return { start: show(start), end: show(end) }
}

function responseJson({ response, time }: Response): JsonObject {
  return { response, time: time === undefined ? never : formatInstant(time) }
}

function recipientJson({ name, address }: Person): JsonObject {
  return { emailAddress: { name, address } }
}

function attendeeJson(attendee: Attendee, { zone }: EventView): JsonObject {
  const { type, status, proposedNewTime } = attendee
  return {
    type,
    status: responseJson(status),
    ...(proposedNewTime !== undefined && {
      proposedNewTime: {
        start: formatEventTime(proposedNewTime.start.ms, zone),
        end: formatEventTime(proposedNewTime.end.ms, zone),
      },
    }),
    ...recipientJson(attendee),
  }
}
