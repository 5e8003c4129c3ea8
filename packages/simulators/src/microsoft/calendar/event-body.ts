// Parses an event in a request into changes. https://learn.microsoft.com/graph/api/resources/event

import type { Attendee } from '../../shared/calendar/people.ts'
import { isObject, type JsonObject } from '../../shared/http.ts'
import { GraphError } from '../errors.ts'
import { parseBody } from './body.ts'
import { parseEventTime } from './event-time.ts'
import { type OnlineDraft, parseOnline } from './online-meeting.ts'
import { invalidProperty } from './recurrence.ts'
import type { EventDetails } from './state.ts'

/** The changes that a request makes to an event. */
export interface EventDraft {
  readonly details: Partial<EventDetails>
  readonly online: OnlineDraft
  /** As written; null removes the recurrence, undefined leaves it unchanged. */
  readonly recurrence: unknown
}

/** Properties that only Exchange sets; values from clients are ignored. */
const readOnly = new Set([
  'id',
  'changeKey',
  'createdDateTime',
  'lastModifiedDateTime',
  'bodyPreview',
  'webLink',
  'iCalUId',
  'type',
  'isOrganizer',
  'organizer',
  'responseStatus',
  'seriesMasterId',
  'hasAttachments',
  'isCancelled',
  'isDraft',
  'onlineMeeting',
  'onlineMeetingUrl',
  'originalStart',
  'originalStartTimeZone',
  'originalEndTimeZone',
  'occurrenceId',
  'cancelledOccurrences',
])
const others = new Set([
  'recurrence',
  'isOnlineMeeting',
  'onlineMeetingProvider',
  'transactionId',
  'attachments',
  'location',
])
const maxAttendees = 500

type Read = (value: unknown, name: string) => unknown

const text: Read = (value, name) => {
  if (value === null) return ''
  if (typeof value !== 'string') throw invalidProperty(name)
  return value
}
const flag: Read = (value, name) => {
  if (typeof value !== 'boolean') throw invalidProperty(name)
  return value
}
const oneOf =
  (...values: string[]): Read =>
  (value, name) => {
    const found = values.find((one) => one.toLowerCase() === String(value).toLowerCase())
    if (found === undefined) throw invalidProperty(name)
    return found
  }
const minutes: Read = (value, name) => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) throw invalidProperty(name)
  return value
}
const strings: Read = (value, name) => {
  if (!Array.isArray(value) || value.some((one) => typeof one !== 'string')) throw invalidProperty(name)
  return value
}
const locationList: Read = (value, name) => {
  if (!Array.isArray(value)) throw invalidProperty(name)
  return value.flatMap((one) => parseLocation(one, name))
}

const readers: Readonly<Partial<Record<keyof EventDetails, Read>>> = {
  subject: text,
  body: parseBody,
  start: parseEventTime,
  end: parseEventTime,
  isAllDay: flag,
  locations: locationList,
  attendees: parseAttendees,
  importance: oneOf('low', 'normal', 'high'),
  sensitivity: oneOf('normal', 'personal', 'private', 'confidential'),
  showAs: oneOf('free', 'tentative', 'busy', 'oof', 'workingElsewhere', 'unknown'),
  categories: strings,
  responseRequested: flag,
  allowNewTimeProposals: flag,
  hideAttendees: flag,
  isReminderOn: flag,
  reminderMinutesBeforeStart: minutes,
  singleValueExtendedProperties: parseProperties,
}

export function parseEvent(body: JsonObject): EventDraft {
  const details: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(body)) {
    if (name.includes('@odata.') || readOnly.has(name) || others.has(name)) continue
    const read = Object.hasOwn(readers, name) ? readers[name as keyof EventDetails] : undefined
    if (read === undefined) throw unknownProperty(name)
    details[name] = read(value, name)
  }
  if (body.location !== undefined && body.locations === undefined) {
    details.locations = body.location === null ? [] : parseLocation(body.location, 'location')
  }
  return { details, online: parseOnline(body), recurrence: body.recurrence }
}

export function unknownProperty(name: string): GraphError {
  return new GraphError(
    400,
    'RequestBodyRead',
    `The property '${name}' does not exist on type 'microsoft.graph.event'. Make sure to only use property names that are defined by the type.`,
  )
}

/** One location; a location without a name counts as none. */
function parseLocation(value: unknown, name: string): JsonObject[] {
  if (!isObject(value)) throw invalidProperty(name)
  const { displayName, locationUri, locationEmailAddress, address, coordinates, locationType } = value
  if (typeof displayName !== 'string' || displayName === '') return []
  const resource = typeof locationEmailAddress === 'string' || locationType === 'conferenceRoom'
  const uniqueId = typeof locationEmailAddress === 'string' ? locationEmailAddress : displayName
  return [
    {
      displayName,
      ...(typeof locationUri === 'string' && { locationUri }),
      ...(typeof locationEmailAddress === 'string' && { locationEmailAddress }),
      locationType: typeof locationType === 'string' ? locationType : 'default',
      uniqueId,
      uniqueIdType: resource ? 'directory' : 'private',
      ...(isObject(address) && { address }),
      ...(isObject(coordinates) && { coordinates }),
    },
  ]
}

/** Named properties of applications, such as `String {66f5a359-4659-4830-9070-00047ec6ac6e} Name Color`. */
function parseProperties(value: unknown, name: string): EventDetails['singleValueExtendedProperties'] {
  if (!Array.isArray(value)) throw invalidProperty(name)
  return value.map((one) => {
    const isWhole = isObject(one) && typeof one.id === 'string' && typeof one.value === 'string'
    if (!isWhole || !/^String \{[\da-f-]{36}\} (?:Name \S+|Id 0x[\da-f]+)$/i.test(String(one.id)))
      throw invalidProperty(name)
    return { id: String(one.id), value: String(one.value) }
  })
}

function parseAttendees(value: unknown, name: string): Attendee[] {
  if (!Array.isArray(value)) throw invalidProperty(name)
  if (value.length > maxAttendees) {
    throw new GraphError(400, 'ErrorInvalidRequest', `An event has at most ${maxAttendees} attendees.`)
  }
  const attendees: Attendee[] = []
  for (const one of value) {
    const attendee = parseAttendee(one)
    const known = attendees.some(({ address }) => address.toLowerCase() === attendee.address.toLowerCase())
    if (!known) attendees.push(attendee)
  }
  return attendees
}

function parseAttendee(value: unknown): Attendee {
  if (!isObject(value) || !isObject(value.emailAddress)) throw invalidProperty('attendees')
  const { address, name } = value.emailAddress
  if (typeof address !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(address)) {
    throw new GraphError(400, 'ErrorInvalidRecipients', "At least one recipient isn't valid.")
  }
  const type = oneOf('required', 'optional', 'resource')(value.type ?? 'required', 'attendees.type') as Attendee['type']
  return { address, name: typeof name === 'string' && name !== '' ? name : address, type, status: { response: 'none' } }
}
