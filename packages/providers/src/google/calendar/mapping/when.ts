/**
 * Times of events. Google's all-day events end with the day after the last one, those of the API with the last. Pure.
 */
import type { When } from '@waypost/contract'
import { addDays } from '@waypost/formats/timezones/dates'
import { dayStart, resolveTimeZone } from '@waypost/formats/timezones/timezones'
import type { GoogleTime } from '../calendar-api.ts'

const secondsOf = (text: string): number => Math.floor(Date.parse(text) / 1000)

const zoneOf = ({ timeZone }: GoogleTime): string | null =>
  timeZone === undefined ? null : (resolveTimeZone(timeZone) ?? null)

/** The time between Google's start and end. Without an end, or with an equal one, it is a point in time. */
export function fromTimes(start: GoogleTime, end: GoogleTime = start): When {
  if (start.dateTime !== undefined) {
    const startTime = secondsOf(start.dateTime)
    return {
      object: 'timespan',
      start_time: startTime,
      end_time: end.dateTime === undefined ? startTime : Math.max(startTime, secondsOf(end.dateTime)),
      start_timezone: zoneOf(start),
      end_timezone: zoneOf(end) ?? zoneOf(start),
    }
  }
  const first = start.date ?? '1970-01-01'
  const last = end.date !== undefined && end.date > first ? addDays(end.date, -1) : first
  return last === first ? { object: 'date', date: first } : { object: 'datespan', start_date: first, end_date: last }
}

/** The original start of an instance of a series, in seconds; dates are in the zone of the calendar. */
export function originalStart(time: GoogleTime, calendarZone: string | undefined): number {
  if (time.dateTime !== undefined) return secondsOf(time.dateTime)
  const zone = resolveTimeZone(time.timeZone ?? calendarZone ?? 'UTC') ?? 'UTC'
  return dayStart(zone, time.date ?? '1970-01-01')
}

/** Unix seconds as Google writes them. */
export const timeText = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

const moment = (seconds: number, zone: string | null): GoogleTime => ({
  dateTime: timeText(seconds),
  ...(zone === null ? {} : { timeZone: zone }),
})

/** A time as Google's start and end. `zone` is for a series without one: Google needs a zone to repeat an event. */
export function toTimes(when: When, zone: string | null = null): { start: GoogleTime; end: GoogleTime } {
  switch (when.object) {
    case 'time': {
      const time = moment(when.time, when.timezone ?? zone)
      return { start: time, end: time }
    }
    case 'timespan':
      return {
        start: moment(when.start_time, when.start_timezone ?? zone),
        end: moment(when.end_time, when.end_timezone ?? zone),
      }
    case 'date':
      return { start: { date: when.date }, end: { date: addDays(when.date, 1) } }
    case 'datespan':
      return { start: { date: when.start_date }, end: { date: addDays(when.end_date, 1) } }
  }
}

/** Times for an existing event: fields of the other form of a time are removed. */
export const overTimes = ({ start, end }: { start: GoogleTime; end: GoogleTime }): Record<'start' | 'end', object> => ({
  start: over(start),
  end: over(end),
})
const over = (time: GoogleTime): object =>
  time.date === undefined ? { ...time, date: null } : { ...time, dateTime: null, timeZone: null }
