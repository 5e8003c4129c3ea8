/**
 * Birthdays in vCards (RFC 2426 §3.1.5, RFC 6350 §4.3). Version 4 writes a day without a year as `--0820`. Apple's
 * programs write the year 1604 and declare it as omitted. Pure.
 */
import { existingDay } from '../timezones/dates.ts'

/** The placeholder for an unknown year. It is a leap year. */
const noYear = '1604'

/** `YYYY-MM-DD`, with year 0000 if it is unknown, or undefined if the text is not a day. */
export function readBirthday(text: string, omittedYear: string | undefined): string | undefined {
  const [date = ''] = text.trim().split(/[T ]/i)
  const [, year = '0000', month = '', day = ''] =
    /^(?:(\d{4})-?|--)(\d{2})-?(\d{2})$/.exec(date) ?? /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(date) ?? []
  const known = year === omittedYear ? '0000' : year
  if (existingDay(known === '0000' ? 2000 : Number(known), Number(month), Number(day)) === undefined) return undefined
  return `${known}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** A day as a vCard version writes it; `omittedYear` is the placeholder, if one is used. */
export function writeBirthday(birthday: string, version: string): { value: string; omittedYear?: string } {
  const [year = '', month = '', day = ''] = birthday.split('-')
  if (version === '4.0') return { value: `${year === '0000' ? '--' : year}${month}${day}` }
  return year === '0000'
    ? { value: `${noYear}-${month}-${day}`, omittedYear: noYear }
    : { value: `${year}-${month}-${day}` }
}
