// Requirements of the event types: status events are on primary calendars, block time and have no guests.
// https://developers.google.com/workspace/calendar/api/guides/calendar-status
// https://developers.google.com/workspace/calendar/api/guides/event-types

import { isObject } from '../../shared/http.ts'
import { GoogleError } from '../errors.ts'
import type { Draft } from './event-body.ts'
import { isDay, lengthOf } from './event-time.ts'
import type { StoredCalendar } from './state.ts'

function refuse(message: string): never {
  throw new GoogleError(400, 'eventTypeRestriction', message, { domain: 'calendar' })
}

/** Throws if an event does not meet the requirements of its type. */
export function checkEventType({ fields, start, end, attendees, recurrence }: Draft, calendar: StoredCalendar): void {
  const type = String(fields.eventType ?? 'default')
  if (type === 'default') return
  if (!calendar.primary) refuse(`Events of the type ${type} can only be created on primary calendars.`)
  if (attendees.length > 0) refuse(`Events of the type ${type} cannot have attendees.`)
  const isOneDay = isDay(start) && lengthOf(start, end) === 1
  if (type === 'birthday') {
    if (!isOneDay) refuse('A birthday event must be all-day and last for exactly one day.')
    if (!recurrence.some((line) => /^RRULE:.*FREQ=YEARLY/.test(line))) refuse('A birthday event must recur annually.')
    if (fields.visibility !== 'private') refuse('A birthday event must have private visibility.')
    if (fields.transparency !== 'transparent') refuse('A birthday event must be transparent.')
    return
  }
  if (!isObject(fields[`${type}Properties`])) refuse(`Missing ${type}Properties.`)
  if (type === 'workingLocation') {
    if (isDay(start) && !isOneDay) refuse('An all-day working location event must last for exactly one day.')
    if (fields.visibility !== 'public') refuse('A working location event must have public visibility.')
    if (fields.transparency !== 'transparent') refuse('A working location event must be transparent.')
    return
  }
  if (isDay(start)) refuse(`An event of the type ${type} cannot be all-day.`)
  if (fields.transparency === 'transparent') refuse(`An event of the type ${type} must be opaque.`)
}
