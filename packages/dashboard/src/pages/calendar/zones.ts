/** Converts between local times and Unix time. Local times are strings such as `2026-11-15T09:30`. */
import * as Instant from 'temporal-polyfill/fns/Instant'
import * as PlainDateTime from 'temporal-polyfill/fns/PlainDateTime'
import * as ZonedDateTime from 'temporal-polyfill/fns/ZonedDateTime'

export const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Whether the browser supports a time zone of this name. */
export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export function wallOf(seconds: number, zone: string): string {
  const moment = Instant.fromEpochMilliseconds(seconds * 1000)
  const wall = ZonedDateTime.toPlainDateTime(Instant.toZonedDateTimeISO(moment, zone))
  return PlainDateTime.toString(wall, { smallestUnit: 'minute' })
}

const wallForm = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})/

/** Unix seconds of a local time. A local time skipped by a clock change is moved forward. */
export function secondsOf(wall: string, zone: string): number {
  const [, year, month, day, hour, minute] = wallForm.exec(wall)?.map(Number) ?? []
  if (year === undefined) throw new Error('Enter a complete date and time')
  const time = PlainDateTime.create(year, month ?? 1, day ?? 1, hour, minute)
  return Math.floor(PlainDateTime.toZonedDateTime(time, zone).epochMilliseconds / 1000)
}

const dayMs = 86_400_000
const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs

export const addDays = (date: string, days: number): string =>
  new Date((dayNumber(date) + days) * dayMs).toISOString().slice(0, 10)
export const daysBetween = (from: string, to: string): number => dayNumber(to) - dayNumber(from)
export const dateOf = (wall: string): string => wall.slice(0, 10)
export const timeOf = (wall: string): string => wall.slice(11, 16)
/** 0 is Sunday. */
export const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay()

/** Formats Unix seconds as an iCalendar UTC timestamp. */
export const stampOf = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
