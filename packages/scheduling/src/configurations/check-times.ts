/** Checks open hours and hours of single dates. Pure. */
import type { BookingHours, SpecificTime } from '@waypost/contract'
import { parseDate } from '@waypost/formats/timezones/dates'
import { minutesOfDay } from '../local-time.ts'

/** Messages by field. */
export type Problems = Record<string, string>

const notADate = 'must be a date that exists, as YYYY-MM-DD'
/** The public API accepts no later start. */
const lastStart = 23 * 60 + 49

function checkSpan(at: string, start: string, end: string): Problems {
  const from = minutesOfDay(start)
  const to = minutesOfDay(end)
  const problems: Problems = {}
  if (from === undefined || from > lastStart) problems[`${at}.start`] = 'must be a time from 0:00 to 23:49'
  if (to === undefined) problems[`${at}.end`] = 'must be a time from 0:01 to 24:00'
  else if (from !== undefined && to <= from) problems[`${at}.end`] = 'must be after start'
  return problems
}

function checkDates(at: string, dates: readonly string[] | null | undefined): Problems {
  const bad = (dates ?? []).flatMap((date, i) => (parseDate(date) === undefined ? [[`${at}.${i}`, notADate]] : []))
  return Object.fromEntries(bad)
}

export function checkHours(at: string, hours: readonly BookingHours[] | null | undefined): Problems {
  const each = (hours ?? []).map(({ start, end, exdates, ex_dates }, i) => ({
    ...checkSpan(`${at}.${i}`, start, end),
    ...checkDates(`${at}.${i}.exdates`, exdates),
    ...checkDates(`${at}.${i}.ex_dates`, ex_dates),
  }))
  return Object.assign({}, ...each)
}

/** From 0:00 to 0:00 closes the day. */
export function checkSpecificTimes(at: string, times: readonly SpecificTime[] | null | undefined): Problems {
  const each = (times ?? []).map(({ date, start, end }, i) => ({
    ...(minutesOfDay(start) === 0 && minutesOfDay(end) === 0 ? {} : checkSpan(`${at}.${i}`, start, end)),
    ...(parseDate(date) === undefined ? { [`${at}.${i}.date`]: notADate } : {}),
  }))
  return Object.assign({}, ...each)
}
