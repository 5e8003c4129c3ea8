// Size limits of an event. Google documents the limits but not the texts of the errors.
// https://support.google.com/calendar/answer/37161 (guests)
// https://developers.google.com/workspace/calendar/api/guides/extended-properties (properties)
// https://developers.google.com/workspace/calendar/api/v3/reference/events (description)

import { isObject, type JsonObject } from '../../shared/http.ts'
import { GoogleError } from '../errors.ts'

const maxAttendees = 200
const maxDescriptionLength = 8192
const maxProperties = 300
const maxNameLength = 44
const maxValueLength = 1024
const bytesOfProperties = 32 * 1024

function refuse(message: string): never {
  throw new GoogleError(400, 'invalid', message)
}

export function checkLimits(fields: JsonObject, attendees: readonly unknown[]): void {
  if (attendees.length > maxAttendees) refuse(`The number of attendees exceeds the limit of ${maxAttendees}.`)
  if (typeof fields.description === 'string' && fields.description.length > maxDescriptionLength) {
    refuse(`The description exceeds the limit of ${maxDescriptionLength} characters.`)
  }
  if (isObject(fields.extendedProperties)) checkProperties(fields.extendedProperties)
}

function checkProperties({ private: own, shared }: JsonObject): void {
  const all = [own, shared].flatMap((properties) => (isObject(properties) ? Object.entries(properties) : []))
  let bytes = 0
  for (const [name, value] of all) {
    if (typeof value !== 'string') refuse('Invalid extended property value.')
    if (name.length > maxNameLength) refuse(`The name of an extended property exceeds ${maxNameLength} characters.`)
    if (value.length > maxValueLength) refuse(`The value of an extended property exceeds ${maxValueLength} characters.`)
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value)
  }
  if (all.length > maxProperties) refuse(`The number of extended properties exceeds ${maxProperties}.`)
  if (bytes > bytesOfProperties) refuse('The extended properties exceed 32 KB.')
}
