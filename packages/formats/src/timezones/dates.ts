/**
 * Calendar dates as integers: a date is the number of days since 1970-01-01 in the proleptic Gregorian calendar, and a
 * wall time is the number of seconds since 1970-01-01T00:00 on a clock without a zone. Years 1 to 9999.
 */

export const SECONDS_PER_DAY = 86_400

export interface CivilDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** The number of a date; the month may lie outside 1–12 and the day outside the month. */
export function dayNumber(year: number, month: number, day: number): number {
  // Years begin in March, so that the leap day is the last day (Hinnant, "chrono-compatible low-level date algorithms").
  const shifted = year * 12 + month - 3
  const y = Math.floor(shifted / 12)
  const m = shifted - y * 12
  const leaps = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400)
  return y * 365 + leaps + Math.floor((m * 153 + 2) / 5) + day - 719_469
}

/** The year, month and day of a day number. */
export function civilDate(number: number): CivilDate {
  const z = number + 719_468
  const era = Math.floor(z / 146_097)
  const dayOfEra = z - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const m = Math.floor((dayOfYear * 5 + 2) / 153)
  const month = m < 10 ? m + 3 : m - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return { year, month, day: dayOfYear - Math.floor((m * 153 + 2) / 5) + 1 }
}

export const FIRST_DAY = dayNumber(1, 1, 1)
export const LAST_DAY = dayNumber(9999, 12, 31)

/** The weekday of a day number: 0 is Monday, 6 is Sunday. */
export const weekdayOf = (number: number): number => (((number + 3) % 7) + 7) % 7

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** The day number of `YYYY-MM-DD`, or undefined if it is not a date of the years 1 to 9999. */
export function parseDate(text: string): number | undefined {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  return found === null ? undefined : existingDay(Number(found[1]), Number(found[2]), Number(found[3]))
}

/** The day number of a date, or undefined if it does not exist in the years 1 to 9999. */
export function existingDay(year: number, month: number, day: number): number | undefined {
  const exists = year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
  return exists ? dayNumber(year, month, day) : undefined
}

/** The day number of a valid date. Throws for anything else, which is a bug in the caller. */
export function dayOf(date: string): number {
  const day = parseDate(date)
  if (day === undefined) throw new RangeError(`not a date: ${date}`)
  return day
}

/** A day number as `YYYY-MM-DD`. */
export function formatDate(number: number): string {
  const { year, month, day } = civilDate(number)
  return `${digits4(year)}-${digits2(month)}-${digits2(day)}`
}

/** The date `days` later, or earlier when negative. */
export const addDays = (date: string, days: number): string => formatDate(dayOf(date) + days)

/** A number below 100 with two digits. */
export const digits2 = (value: number): string => (value < 10 ? `0${value}` : `${value}`)

/** A number below 10,000 with four digits. */
export const digits4 = (value: number): string => (value > 999 ? `${value}` : `${value}`.padStart(4, '0'))
