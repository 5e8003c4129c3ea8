/** Converts the time of an event between API, grid and form. */
import type { When, WhenInput } from '@waypost/sdk'
import { addDays, dateOf, daysBetween, secondsOf, timeOf, wallOf } from './zones.ts'

/** The time as the grid expects it: all-day events as dates with an exclusive end, others in milliseconds. */
export interface Span {
  allDay: boolean
  start: string | number
  end: string | number | undefined
}

export function spanOf(when: When): Span {
  switch (when.object) {
    case 'date':
      return { allDay: true, start: when.date, end: addDays(when.date, 1) }
    case 'datespan':
      return { allDay: true, start: when.start_date, end: addDays(when.end_date, 1) }
    case 'time':
      return { allDay: false, start: when.time * 1000, end: undefined }
    default:
      return { allDay: false, start: when.start_time * 1000, end: when.end_time * 1000 }
  }
}

/** Converts a time in request format to response format. */
export function toWhen(when: WhenInput): When {
  if (when.date) return { object: 'date', date: when.date }
  if (when.start_date)
    return { object: 'datespan', start_date: when.start_date, end_date: when.end_date ?? when.start_date }
  if (typeof when.time === 'number') return { object: 'time', time: when.time, timezone: when.timezone ?? null }
  const { start_time, end_time, start_timezone = null, end_timezone = null } = when
  return { object: 'timespan', start_time: start_time ?? 0, end_time: end_time ?? 0, start_timezone, end_timezone }
}

/** Values of the form fields in a time zone. The last day is included. */
export interface Clock {
  allDay: boolean
  startDate: string
  startTime: string
  endDate: string
  endTime: string
}

const hour = 3600
export const clockOfDays = (startDate: string, endDate: string): Clock => ({
  allDay: true,
  startDate,
  endDate,
  startTime: '09:00',
  endTime: '10:00',
})

export function clockOfTimes(start: number, end: number, zone: string): Clock {
  const from = wallOf(start, zone)
  const to = wallOf(end, zone)
  return { allDay: false, startDate: dateOf(from), startTime: timeOf(from), endDate: dateOf(to), endTime: timeOf(to) }
}

export function clockOf(when: When, zone: string): Clock {
  if (when.object === 'date') return clockOfDays(when.date, when.date)
  if (when.object === 'datespan') return clockOfDays(when.start_date, when.end_date)
  if (when.object === 'time') return clockOfTimes(when.time, when.time, zone)
  return clockOfTimes(when.start_time, when.end_time, zone)
}

export const daysWhen = (first: string, last: string): WhenInput =>
  last > first ? { start_date: first, end_date: last } : { date: first }

/** Keeps the event's time zones, or their absence. */
const zonesOf = (before: When | undefined, zone: string): WhenInput => {
  if (before?.object !== 'timespan') return { start_timezone: zone, end_timezone: zone }
  const { start_timezone, end_timezone } = before
  return start_timezone && end_timezone ? { start_timezone, end_timezone } : {}
}

export function timesWhen(start: number, end: number, zone: string, before?: When): WhenInput {
  if (before?.object === 'time' && start === end) {
    return { time: start, ...(before.timezone ? { timezone: before.timezone } : {}) }
  }
  return { start_time: start, end_time: end, ...zonesOf(before, zone) }
}

export function whenOf(clock: Clock, zone: string, before?: When): WhenInput {
  if (clock.allDay) return daysWhen(clock.startDate, clock.endDate)
  const start = secondsOf(`${clock.startDate}T${clock.startTime}`, zone)
  const end = secondsOf(`${clock.endDate}T${clock.endTime}`, zone)
  return timesWhen(start, end, zone, before)
}

/** A position in the grid: dates for all-day events, otherwise times. */
export interface EventPlace {
  allDay: boolean
  /** First day of an all-day event. */
  startDate: string
  /** The day after the last day; undefined if the grid does not report it. */
  endDate: string | undefined
  /** Unix seconds, unless it is an all-day event. */
  start: number
  end: number | undefined
}

/** Form values for a selected position in the grid. */
export function clockOfPlaced(placed: EventPlace, zone: string): Clock {
  if (placed.allDay) return clockOfDays(placed.startDate, addDays(placed.endDate ?? addDays(placed.startDate, 1), -1))
  return clockOfTimes(placed.start, placed.end ?? placed.start + hour, zone)
}

/** The time of an event that was moved or resized in the grid. */
export function placedWhen(before: When, placed: EventPlace, zone: string): WhenInput {
  if (placed.allDay) return daysWhen(placed.startDate, addDays(placed.endDate ?? addDays(placed.startDate, 1), -1))
  if (before.object === 'time' && placed.end === undefined) return timesWhen(placed.start, placed.start, zone, before)
  const length = before.object === 'timespan' ? before.end_time - before.start_time : hour
  return timesWhen(placed.start, placed.end ?? placed.start + length, zone, before)
}

/** Distance of a move: days, and seconds within the day in a time zone. */
export interface Shift {
  days: number
  seconds: number
  /** Change of the duration in seconds, or in days for all-day events. */
  longer: number
}

const startOf = (when: WhenInput): number | undefined => when.start_time ?? when.time ?? undefined
const endOf = (when: WhenInput): number | undefined => when.end_time ?? when.time ?? undefined
const firstDay = (when: WhenInput): string => when.date ?? when.start_date ?? ''
const lastDay = (when: WhenInput): string => when.date ?? when.end_date ?? ''
const secondOfDay = (wall: string): number => Number(wall.slice(11, 13)) * hour + Number(wall.slice(14, 16)) * 60

/** Undefined if one is an all-day event and the other is not. */
export function shiftBetween(before: When, after: WhenInput, zone: string): Shift | undefined {
  const from = startOf(before as WhenInput)
  const to = startOf(after)
  if ((from === undefined) !== (to === undefined)) return undefined
  if (from === undefined || to === undefined) {
    const days = daysBetween(firstDay(before as WhenInput), firstDay(after))
    return { days, seconds: 0, longer: daysBetween(lastDay(before as WhenInput), lastDay(after)) - days }
  }
  const old = wallOf(from, zone)
  const now = wallOf(to, zone)
  const lengthOf = (when: WhenInput): number => (endOf(when) ?? 0) - (startOf(when) ?? 0)
  return {
    days: daysBetween(dateOf(old), dateOf(now)),
    seconds: secondOfDay(now) - secondOfDay(old),
    longer: lengthOf(after) - lengthOf(before as WhenInput),
  }
}

/** Applies the same move to another time, such as that of the whole series. */
export function shifted(when: When, { days, seconds, longer }: Shift, zone: string): WhenInput {
  if (when.object === 'date') return daysWhen(addDays(when.date, days), addDays(when.date, days + longer))
  if (when.object === 'datespan') {
    return daysWhen(addDays(when.start_date, days), addDays(when.end_date, days + longer))
  }
  const start = when.object === 'time' ? when.time : when.start_time
  const length = when.object === 'time' ? 0 : when.end_time - when.start_time
  const wall = wallOf(start, zone)
  const moved = secondsOf(`${addDays(dateOf(wall), days)}T${timeOf(wall)}`, zone) + seconds
  return timesWhen(moved, moved + length + longer, zone, when)
}

/** The next full hour today, or nine o'clock on another day. */
export function nextHour(date: string | undefined, zone: string): Clock {
  const now = Math.ceil(Date.now() / 1000 / hour) * hour
  const start = date === undefined ? now : secondsOf(`${date}T09:00`, zone)
  return clockOfTimes(start, start + hour, zone)
}
