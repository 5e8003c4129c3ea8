// `freebusy.query`: the busy times of calendars, without event details.

import type { JsonObject } from '../../shared/http.ts'
import { isObject } from '../../shared/http.ts'
import { GoogleError } from '../errors.ts'
import type { ApiAnswer, ApiCall } from '../http.ts'
import type { AccountOwner } from '../owner.ts'
import { selfAttendee } from './event-json.ts'
import { formatInstant, isZone, millisecondsOf, parseBound } from './event-time.ts'
import { isSeries, plainInstances, type Range, touches } from './series.ts'
import {
  type CalendarState,
  calendarState,
  findCalendar,
  roleOf,
  type StoredCalendar,
  type StoredEvent,
} from './state.ts'

const maxCalendars = 50
const maxMembers = 100
const maxRange = 90 * 86_400_000

export function queryFreeBusy(call: ApiCall): ApiAnswer {
  const body = call.json()
  const from = boundOf(body, 'timeMin')
  const to = boundOf(body, 'timeMax')
  if (from >= to) {
    throw new GoogleError(400, 'timeRangeEmpty', 'The specified time range is empty.', { location: 'timeMax' })
  }
  if (to - from > maxRange) {
    throw new GoogleError(400, 'timeRangeTooLong', 'The requested time range is too long.', { domain: 'calendar' })
  }
  const zone = typeof body.timeZone === 'string' ? body.timeZone : 'UTC'
  if (!isZone(zone)) throw new GoogleError(400, 'invalid', 'Invalid time zone value.')
  const max = maxOf(body, 'calendarExpansionMax', maxCalendars)
  maxOf(body, 'groupExpansionMax', maxMembers)
  const state = calendarState(call.world)
  const calendars: JsonObject = {}
  for (const [index, item] of (Array.isArray(body.items) ? body.items : []).entries()) {
    if (!isObject(item) || typeof item.id !== 'string') continue
    calendars[item.id] =
      index >= max
        ? failed('tooManyCalendarsRequested')
        : answerFor(state, call.account, { id: item.id, range: { from, to }, zone })
  }
  const json = { kind: 'calendar#freeBusy', timeMin: iso(from), timeMax: iso(to), calendars }
  return { json }
}

function maxOf(body: JsonObject, name: string, max: number): number {
  const value = body[name] ?? max
  if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= max) return value
  throw new GoogleError(400, 'invalid', `Invalid value for: ${name}. Maximum value is ${max}.`)
}

function boundOf(body: JsonObject, name: string): number {
  const value = body[name]
  if (typeof value !== 'string') throw new GoogleError(400, 'required', `Missing ${name} parameter.`)
  const bound = parseBound(value, name)
  if (bound === undefined) throw new GoogleError(400, 'required', `Missing ${name} parameter.`)
  return bound
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

function failed(reason: string): JsonObject {
  return { errors: [{ domain: 'global', reason }], busy: [] }
}

interface FreeBusyQuery {
  readonly id: string
  readonly range: { readonly from: number; readonly to: number }
  readonly zone: string
}

function answerFor(state: CalendarState, owner: AccountOwner, { id, range, zone }: FreeBusyQuery): JsonObject {
  const calendar = findCalendar(state, owner, id)
  if (calendar === undefined || roleOf(owner, calendar) === 'none') return failed('notFound')
  const busy = busyTimes(calendar, range).map(({ start, end }) => ({
    start: formatInstant(start, zone),
    end: formatInstant(end, zone),
  }))
  return { busy }
}

interface Period {
  readonly start: number
  readonly end: number
}

/** Busy periods inside the range, ascending; adjacent ones are merged. */
function busyTimes(calendar: StoredCalendar, range: { from: number; to: number }): Period[] {
  const periods: Period[] = []
  for (const event of eventsIn(calendar, range)) {
    if (!isBusy(event, calendar)) continue
    const start = Math.max(range.from, millisecondsOf(event.start, calendar.timeZone))
    const end = Math.min(range.to, millisecondsOf(event.end, calendar.timeZone))
    if (start < end) periods.push({ start, end })
  }
  periods.sort((left, right) => left.start - right.start)
  const merged: Period[] = []
  for (const period of periods) {
    const last = merged.at(-1)
    if (last === undefined || period.start > last.end) merged.push(period)
    else if (period.end > last.end) merged[merged.length - 1] = { start: last.start, end: period.end }
  }
  return merged
}

function* eventsIn(calendar: StoredCalendar, range: Range): Generator<StoredEvent> {
  for (const event of calendar.events.values()) {
    if (event.status === 'cancelled') continue
    if (isSeries(event)) yield* plainInstances(calendar, event, range)
    else if (touches(event, range, calendar.timeZone)) yield event
  }
}

function isBusy(event: StoredEvent, calendar: StoredCalendar): boolean {
  if (event.fields.transparency === 'transparent' || event.fields.eventType === 'workingLocation') return false
  return selfAttendee(event, calendar)?.responseStatus !== 'declined'
}
