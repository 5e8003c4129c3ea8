// Converts the body of a write to the stored form. A patch is an update in which the current event supplies omitted
// fields.

import { isObject, type JsonObject } from '../../shared/http.ts'
import { GoogleError } from '../errors.ts'
import { checkLimits } from './event-limits.ts'
import { type EventTime, formatTime, isDay, lengthOf, parseTime } from './event-time.ts'
import { checkRecurrence } from './recurrence.ts'
import { invalidRecurrence } from './recurrence-rule.ts'
import type { Attendee, EventStatus, ResponseStatus, StoredEvent } from './state.ts'

/** The fields that all copies of an event share; each copy has its own values for the others. */
export const sharedFields = [
  'summary',
  'description',
  'location',
  'conferenceData',
  'hangoutLink',
  'guestsCanInviteOthers',
  'guestsCanModify',
  'guestsCanSeeOtherGuests',
  'anyoneCanAddSelf',
  'attachments',
] as const
const ownFields = [
  'colorId',
  'eventLabelId',
  'transparency',
  'visibility',
  'reminders',
  'extendedProperties',
  'source',
  'gadget',
  'eventType',
  'birthdayProperties',
  'focusTimeProperties',
  'outOfOfficeProperties',
  'workingLocationProperties',
] as const

/** Google omits fields that have their default. */
const defaults: Readonly<Record<string, unknown>> = {
  transparency: 'opaque',
  visibility: 'default',
  guestsCanInviteOthers: true,
  guestsCanModify: false,
  guestsCanSeeOtherGuests: true,
  anyoneCanAddSelf: false,
  eventType: 'default',
}

const eventTypes = ['default', 'birthday', 'focusTime', 'outOfOffice', 'workingLocation']

export interface Draft {
  readonly start: EventTime
  readonly end: EventTime
  readonly recurrence: readonly string[]
  readonly status: EventStatus
  readonly sequence: number | undefined
  readonly attendees: readonly Attendee[]
  readonly attendeesOmitted: boolean
  readonly fields: JsonObject
}

export function invalid(message: string): GoogleError {
  return new GoogleError(400, 'invalid', message)
}

/** JSON merge patch (RFC 7396), as used by `patch`. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = { ...target }
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else if (isObject(value)) merged[name] = mergePatch(isObject(merged[name]) ? merged[name] : {}, value)
    else merged[name] = value
  }
  return merged
}

/** The event as a body that would write it unchanged. */
export function bodyOf(event: StoredEvent): JsonObject {
  return {
    ...event.fields,
    status: event.status,
    start: timeBody(event.start),
    end: timeBody(event.end),
    recurrence: event.recurrence,
    attendees: event.attendees,
  }
}

function timeBody(time: EventTime): JsonObject {
  return isDay(time) ? { date: time.date } : { ...formatTime(time, time.zone) }
}

export function parseDraft(body: JsonObject, calendarZone: string): Draft {
  if (!isObject(body.end) && body.endTimeUnspecified !== true) {
    throw new GoogleError(400, 'required', isObject(body.start) ? 'Missing end time.' : 'Missing start time.')
  }
  const start = parseTime(body.start, 'start', calendarZone)
  const end = isObject(body.end) ? parseTime(body.end, 'end', calendarZone) : start
  if (isDay(start) !== isDay(end)) {
    throw invalid('Start and end times must either both be date or both be dateTime.')
  }
  if (lengthOf(start, end) < 0) {
    throw new GoogleError(400, 'timeRangeEmpty', 'The specified time range is empty.')
  }
  const recurrence = parseRecurrence(body, start)
  const attendees = parseAttendees(body.attendees)
  const fields = parseFields(body)
  checkLimits(fields, attendees)
  return {
    start,
    end,
    recurrence,
    status: parseStatus(body.status),
    sequence: typeof body.sequence === 'number' ? body.sequence : undefined,
    attendees,
    attendeesOmitted: body.attendeesOmitted === true,
    fields,
  }
}

function parseRecurrence(body: JsonObject, start: EventTime): string[] {
  const { recurrence } = body
  if (recurrence === undefined || recurrence === null) return []
  if (!Array.isArray(recurrence) || recurrence.some((line) => typeof line !== 'string')) throw invalidRecurrence()
  const lines: string[] = recurrence.map(String)
  if (lines.length === 0) return lines
  if (!isDay(start) && isObject(body.start) && typeof body.start.timeZone !== 'string') {
    throw new GoogleError(400, 'required', 'Missing time zone definition for start time.')
  }
  checkRecurrence({ start, recurrence: lines })
  return lines
}

function parseStatus(status: unknown): EventStatus {
  if (status === undefined || status === null) return 'confirmed'
  if (status === 'confirmed' || status === 'tentative' || status === 'cancelled') return status
  throw invalid('Invalid value for: status')
}

const responses: readonly string[] = ['needsAction', 'declined', 'tentative', 'accepted']

function isResponse(value: unknown): value is ResponseStatus {
  return typeof value === 'string' && responses.includes(value)
}

function parseAttendees(value: unknown): Attendee[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw invalid('Invalid attendee list.')
  const byAddress = new Map<string, Attendee>()
  for (const item of value) {
    const attendee = parseAttendee(item)
    byAddress.set(attendee.email.toLowerCase(), attendee)
  }
  return [...byAddress.values()]
}

function parseAttendee(value: unknown): Attendee {
  if (!isObject(value)) throw invalid('Invalid attendee list.')
  const { email, displayName, optional, resource, responseStatus, comment, additionalGuests } = value
  if (typeof email !== 'string' || email === '') {
    throw new GoogleError(400, 'required', 'Missing attendee email.')
  }
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw invalid('Invalid attendee email.')
  if (responseStatus !== undefined && responseStatus !== null && !isResponse(responseStatus)) {
    throw invalid('Invalid response status value.')
  }
  return {
    email,
    ...(typeof displayName === 'string' && { displayName }),
    ...(optional === true && { optional }),
    ...(resource === true && { resource }),
    responseStatus: isResponse(responseStatus) ? responseStatus : 'needsAction',
    ...(typeof comment === 'string' && { comment }),
    ...(typeof additionalGuests === 'number' && additionalGuests > 0 && { additionalGuests }),
  }
}

function parseFields(body: JsonObject): JsonObject {
  const fields: JsonObject = {}
  for (const name of [...sharedFields, ...ownFields]) {
    const value = body[name]
    if (value !== undefined && value !== null && value !== '' && value !== defaults[name]) fields[name] = value
  }
  checkOneOf(fields, 'transparency', ['opaque', 'transparent'])
  checkOneOf(fields, 'visibility', ['default', 'public', 'private', 'confidential'])
  if (!eventTypes.includes(String(fields.eventType ?? 'default'))) throw invalid('Invalid value for: eventType')
  if (fields.colorId !== undefined && !/^([1-9]|1[01])$/.test(String(fields.colorId))) {
    throw invalid('Invalid color id value.')
  }
  fields.reminders = parseReminders(fields.reminders)
  const { source } = fields
  if (isObject(source) && !/^https?:\/\//.test(String(source.url))) throw invalid('Invalid source url value.')
  return fields
}

function checkOneOf(fields: JsonObject, name: string, allowed: readonly string[]): void {
  if (fields[name] !== undefined && !allowed.includes(String(fields[name]))) throw invalid(`Invalid value for: ${name}`)
}

function parseReminders(value: unknown): JsonObject {
  if (!isObject(value)) return { useDefault: true }
  const overrides = Array.isArray(value.overrides) ? value.overrides.filter(isObject) : []
  const useDefault = value.useDefault === true || (value.useDefault === undefined && overrides.length === 0)
  if (useDefault && overrides.length > 0) {
    throw new GoogleError(
      400,
      'cannotUseDefaultRemindersAndSpecifyOverride',
      'Cannot specify both default reminders and overrides at the same time.',
      { domain: 'calendar' },
    )
  }
  if (overrides.length > 5) throw invalid('Number of reminder overrides exceeds the limit of 5.')
  for (const { method, minutes } of overrides) {
    if (method !== 'email' && method !== 'popup') throw invalid('Invalid reminder method value.')
    if (typeof minutes !== 'number' || minutes < 0 || minutes > 40_320) throw invalid('Invalid reminder minutes value.')
  }
  return { useDefault, ...(overrides.length > 0 && { overrides }) }
}
