// Size limits of an event. Google documents the limits but not the texts of the errors.
// https://support.google.com/calendar/answer/37161 (guests)
// https://developers.google.com/workspace/calendar/api/guides/extended-properties (properties)
// https://developers.google.com/workspace/calendar/api/v3/reference/events (description)

import { isObject, type JsonObject } from '../../shared/http.ts'
import { GoogleError } from '../errors.ts'

const MOST_ATTENDEES = 200
const LONGEST_DESCRIPTION = 8192
const MOST_PROPERTIES = 300
const LONGEST_NAME = 44
const LONGEST_VALUE = 1024
const BYTES_OF_PROPERTIES = 32 * 1024

function refuse(message: string): never {
  throw new GoogleError(400, 'invalid', message)
}

export function checkLimits(fields: JsonObject, attendees: readonly unknown[]): void {
  if (attendees.length > MOST_ATTENDEES) refuse(`The number of attendees exceeds the limit of ${MOST_ATTENDEES}.`)
  if (typeof fields.description === 'string' && fields.description.length > LONGEST_DESCRIPTION) {
    refuse(`The description exceeds the limit of ${LONGEST_DESCRIPTION} characters.`)
  }
  if (isObject(fields.extendedProperties)) checkProperties(fields.extendedProperties)
}

function checkProperties({ private: own, shared }: JsonObject): void {
  const all = [own, shared].flatMap((properties) => (isObject(properties) ? Object.entries(properties) : []))
  let bytes = 0
  for (const [name, value] of all) {
    if (typeof value !== 'string') refuse('Invalid extended property value.')
    if (name.length > LONGEST_NAME) refuse(`The name of an extended property exceeds ${LONGEST_NAME} characters.`)
    if (value.length > LONGEST_VALUE) refuse(`The value of an extended property exceeds ${LONGEST_VALUE} characters.`)
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value)
  }
  if (all.length > MOST_PROPERTIES) refuse(`The number of extended properties exceeds ${MOST_PROPERTIES}.`)
  if (bytes > BYTES_OF_PROPERTIES) refuse('The extended properties exceed 32 KB.')
}
