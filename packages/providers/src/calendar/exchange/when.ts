/**
 * Times of events. Exchange writes local times with a zone, and its all-day events end at the midnight after the last
 * day. Pure.
 */
import type { When } from '@waypost/contract'
import { addDays, dayOf, formatDate, SECONDS_PER_DAY } from '@waypost/formats/timezones/dates'
import { instantToWall, resolveTimeZone, wallToInstant } from '@waypost/formats/timezones/timezones'
import type { ExchangeEvent, ExchangeTime } from './event-model.ts'
import { type OwnFields, ownFieldsOf } from './own-property.ts'
import { clockZone, exchangeZone, ianaZone, isWindowsName } from './zones.ts'

const written = /^(\d{4}-\d\d-\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?)?/

/** The Unix seconds of an Exchange time; 0 if it is invalid. */
export function secondsOf({ dateTime = '', timeZone }: ExchangeTime): number {
  const [, date, hours = '0', minutes = '0', seconds = '0'] = written.exec(dateTime) ?? []
  if (date === undefined) return 0
  const wall = dayOf(date) * SECONDS_PER_DAY + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return wallToInstant(clockZone(timeZone) ?? 'UTC', wall).instant
}

/** The local date of an Exchange time. */
const dateOf = ({ dateTime = '' }: ExchangeTime): string => written.exec(dateTime)?.[1] ?? '1970-01-01'

/** Graph writes the first second of the year 1 for an unknown time. */
const unreported = -62_135_596_800

/** The Unix seconds of an Exchange timestamp with offset; null if it is unknown or invalid. */
export function instantOf(text: string | undefined): number | null {
  const at = Math.floor(Date.parse(text ?? '') / 1000)
  return Number.isNaN(at) || at === unreported ? null : at
}

/**
 * The zone of a time: the one stored with the event, as long as Exchange returns the zone that it was written as.
 * Graph returns UTC if Windows has no such zone.
 */
function zoneOfTime(stored: string | undefined, shown: string | undefined, at: number): string | undefined {
  const zone = ianaZone(shown)
  const known = stored === undefined ? undefined : resolveTimeZone(stored)
  if (zone === undefined || known === undefined) return zone
  const { timeZone = '' } = timeOf(at, known)
  const isWritten = zone === ianaZone(timeZone) || (zone === 'UTC' && !isWindowsName(timeZone))
  return isWritten ? known : zone
}

/** The time of an event. A point in time is a span without length. */
export function whenOf(event: ExchangeEvent): When {
  const { start = {}, end = start, recurrence } = event
  if (event.isAllDay) {
    const first = dateOf(start)
    const last = dateOf(end) > first ? addDays(dateOf(end), -1) : first
    return last === first ? { object: 'date', date: first } : { object: 'datespan', start_date: first, end_date: last }
  }
  const { zones } = ownFieldsOf(event)
  const startTime = secondsOf(start)
  const endTime = Math.max(startTime, secondsOf(end))
  // For a custom zone, the series may still name one with the same offsets.
  const startZone =
    zoneOfTime(zones?.start, event.originalStartTimeZone, startTime) ?? ianaZone(recurrence?.range?.recurrenceTimeZone)
  const endZone = zoneOfTime(zones?.end, event.originalEndTimeZone, endTime) ?? startZone
  const isNamed = startZone !== undefined && endZone !== undefined
  return {
    object: 'timespan',
    start_time: startTime,
    end_time: endTime,
    start_timezone: isNamed ? startZone : null,
    end_timezone: isNamed ? endZone : null,
  }
}

/** The zones of a time that Exchange would not return; null if none need to be stored. */
export function storedZones(when: When): OwnFields['zones'] {
  if (when.object === 'time' && when.timezone !== null) {
    return zonesOf({ zone: when.timezone, at: when.time }, { zone: when.timezone, at: when.time })
  }
  if (when.object !== 'timespan' || when.start_timezone === null || when.end_timezone === null) return null
  return zonesOf({ zone: when.start_timezone, at: when.start_time }, { zone: when.end_timezone, at: when.end_time })
}

interface ZonedInstant {
  zone: string
  at: number
}

function zonesOf(start: ZonedInstant, end: ZonedInstant): OwnFields['zones'] {
  const isGivenBack = ({ zone, at }: ZonedInstant): boolean => {
    const { timeZone = '' } = timeOf(at, zone)
    return isWindowsName(timeZone) && ianaZone(timeZone) === zone
  }
  return isGivenBack(start) && isGivenBack(end) ? null : { start: start.zone, end: end.zone }
}

/** Unix seconds in the form for a query. */
export const timeText = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

/** A local time such as `2026-01-02T09:00:00`. */
function clockText(wall: number): string {
  const day = Math.floor(wall / SECONDS_PER_DAY)
  const rest = new Date((wall - day * SECONDS_PER_DAY) * 1000).toISOString().slice(11, 19)
  return `${formatDate(day)}T${rest}`
}

/** An instant in local time of a zone; in UTC if the local time occurs twice and would mean the other one. */
function timeOf(at: number, zone: string): ExchangeTime {
  const wall = instantToWall(zone, at)
  const isMeant = wallToInstant(zone, wall).instant === at
  return isMeant ? { dateTime: clockText(wall), timeZone: exchangeZone(zone, at) } : utcTime(at)
}

/** An instant in UTC. */
export const utcTime = (at: number): ExchangeTime => ({ dateTime: clockText(at), timeZone: 'UTC' })

const midnight = (date: string): ExchangeTime => ({ dateTime: `${date}T00:00:00`, timeZone: 'UTC' })

export interface ExchangeTimes {
  start: ExchangeTime
  end: ExchangeTime
  isAllDay: boolean
}

/** A time in the form of Exchange; `zone` is for times without one. */
export function toTimes(when: When, zone = 'UTC'): ExchangeTimes {
  switch (when.object) {
    case 'time': {
      const time = timeOf(when.time, when.timezone ?? zone)
      return { start: time, end: time, isAllDay: false }
    }
    case 'timespan':
      return {
        start: timeOf(when.start_time, when.start_timezone ?? zone),
        end: timeOf(when.end_time, when.end_timezone ?? zone),
        isAllDay: false,
      }
    case 'date':
      return { start: midnight(when.date), end: midnight(addDays(when.date, 1)), isAllDay: true }
    case 'datespan':
      return { start: midnight(when.start_date), end: midnight(addDays(when.end_date, 1)), isAllDay: true }
  }
}
