// Size limits of an event. Google documents the limits but not the texts of the errors.
// https://support.google.com/calendar/answer/37161 (guests)
// https://developers.google.com/workspace/calendar/api/guides/extended-properties (properties)
// https://developers.google.com/workspace/calendar/api/v3/reference/events (description)

import { isObject, type JsonObject } from '../../shared/http.ts'
import { GoogleError } from '../errors.ts'

const MAX_ATTENDEES = 200
const MAX_DESCRIPTION_LENGTH = 8192
const MAX_PROPERTIES = 300
const MAX_NAME_LENGTH = 44
const MAX_VALUE_LENGTH = 1024
const BYTES_OF_PROPERTIES = 32 * 1024

function refuse(message: string): never {
  throw new GoogleError(400, 'invalid', message)
}

export function checkLimits(fields: JsonObject, attendees: readonly unknown[]): void {
  if (attendees.length > MAX_ATTENDEES) refuse(`The number of attendees exceeds the limit of ${MAX_ATTENDEES}.`)
  if (typeof fields.description === 'string' && fields.description.length > MAX_DESCRIPTION_LENGTH) {
    refuse(`The description exceeds the limit of ${MAX_DESCRIPTION_LENGTH} characters.`)
  }
  if (isObject(fields.extendedProperties)) checkProperties(fields.extendedProperties)
}

function checkProperties({ private: own, shared }: JsonObject): void {
  const all = [own, shared].flatMap((properties) => (isObject(properties) ? Object.entries(properties) : []))
  let bytes = 0
  for (const [name, value] of all) {
    if (typeof value !== 'string') refuse('Invalid extended property value.')
    if (name.length > MAX_NAME_LENGTH) refuse(`The name of an extended property exceeds ${MAX_NAME_LENGTH} characters.`)
    if (value.length > MAX_VALUE_LENGTH)
      refuse(`The value of an extended property exceeds ${MAX_VALUE_LENGTH} characters.`)
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value)
  }
  if (all.length > MAX_PROPERTIES) refuse(`The number of extended properties exceeds ${MAX_PROPERTIES}.`)
  if (bytes > BYTES_OF_PROPERTIES) refuse('The extended properties exceed 32 KB.')
}
