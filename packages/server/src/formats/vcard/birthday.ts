// Birthdays in vCards (RFC 2426 §3.1.5, RFC 6350 §4.3). Without its year a day is `--0820` in version 4; programs of Apple
// write the year 1604 and say that it is none. Pure.
import { existingDay } from '../timezones/dates.ts'

/** Stands for the year that is not known. It has a 29th of February. */
const noYear = '1604'

/** `YYYY-MM-DD`, with the year 0000 where it is not known; undefined where the text is no day. */
export function readBirthday(text: string, omittedYear: string | undefined): string | undefined {
  const [date = ''] = text.trim().split(/[T ]/i)
  const [, year = '0000', month = '', day = ''] =
    /^(?:(\d{4})-?|--)(\d{2})-?(\d{2})$/.exec(date) ?? /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(date) ?? []
  const known = year === omittedYear ? '0000' : year
  if (existingDay(known === '0000' ? 2000 : Number(known), Number(month), Number(day)) === undefined) return undefined
  return `${known}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** How a version writes a day; `omittedYear` is the year that is none. */
export function writeBirthday(birthday: string, version: string): { value: string; omittedYear?: string } {
  const [year = '', month = '', day = ''] = birthday.split('-')
  if (version === '4.0') return { value: `${year === '0000' ? '--' : year}${month}${day}` }
  return year === '0000'
    ? { value: `${noYear}-${month}-${day}`, omittedYear: noYear }
    : { value: `${year}-${month}-${day}` }
}
