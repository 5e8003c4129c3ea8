/**
 * Changes a rule when its series is dragged to another day or time: RRULE parts that name the old day get the new
 * one. If several results are possible, there is none here, and the client must send the rule itself.
 */
import { type CivilDate, civilDate, daysInMonth, SECONDS_PER_DAY, weekdayOf } from '../timezones/dates.ts'
import { type RecurrenceRule, type SeriesStart, startKey, timesOfDay, wallOfKey } from './series.ts'

/** New values of RRULE parts by name; null removes a part. */
export type RuleParts = Readonly<Record<string, string | null>>

export interface ShiftedRule {
  readonly parts: RuleParts
  /**
   * How occurrences correspond. `days`: each moves by the same number of days. `months` and `years`: the n-th of a
   * period becomes the n-th of the corresponding period, because months differ in length.
   */
  readonly by: 'days' | 'months' | 'years'
}

const CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
/** Every month has at least this many days. */
const SHORTEST_MONTH = 28

/** The rule after its start moved to another day, or undefined if the result is ambiguous. */
export function shiftRule(rule: RecurrenceRule, from: number, to: number): ShiftedRule | undefined {
  if (from === to) return { parts: {}, by: 'days' }
  const dates: MovedDay = { from, to, old: civilDate(from), next: civilDate(to) }
  switch (rule.freq) {
    case 'DAILY':
      return rule.byMonth.length + rule.byMonthDay.length > 0 ? undefined : shiftByDays(rule, dates)
    case 'WEEKLY':
      return rule.byMonth.length > 0 ? undefined : shiftByDays(rule, dates)
    case 'MONTHLY':
      return shiftMonthly(rule, dates)
    case 'YEARLY':
      return shiftYearly(rule, dates)
  }
}

interface MovedDay {
  readonly from: number
  readonly to: number
  readonly old: CivilDate
  readonly next: CivilDate
}

/** Moves all weekdays by the same number of days. */
function shiftByDays(rule: RecurrenceRule, { from, to }: MovedDay): ShiftedRule {
  const days = (((to - from) % 7) + 7) % 7
  if (rule.byDay.length === 0 || days === 0) return { parts: {}, by: 'days' }
  const codes = rule.byDay.map(({ weekday }) => CODES[(weekday + days) % 7])
  const parts: RuleParts = { BYDAY: codes.join(',') }
  if (!needsOtherWeek(rule, days)) return { parts, by: 'days' }
  return { parts: { ...parts, WKST: CODES[(rule.weekStart + days) % 7] ?? 'MO' }, by: 'days' }
}

/**
 * Whether days of one week would be split over two weeks. If weeks are skipped, or days are selected by their
 * position in the week, the week must then start on another day.
 */
function needsOtherWeek({ freq, interval, byDay, bySetPos, weekStart }: RecurrenceRule, days: number): boolean {
  if (freq !== 'WEEKLY' || (interval === 1 && bySetPos.length === 0) || byDay.length === 1) return false
  const places = byDay.map(({ weekday }) => ((weekday - weekStart + 7) % 7) + days)
  return places.some((place) => place > 6) && places.some((place) => place <= 6)
}

const monthOf = ({ year, month }: CivilDate): number => year * 12 + month

function shiftMonthly(rule: RecurrenceRule, dates: MovedDay): ShiftedRule | undefined {
  const staysInMonth = monthOf(dates.old) === monthOf(dates.next)
  if (rule.byMonth.length > 0 && !staysInMonth) return undefined
  if (isEveryWeek(rule)) return shiftByDays(rule, dates)
  const parts = shiftDaysOfMonth(rule, dates)
  return parts && { parts, by: 'months' }
}

/** Whether the rule has BYDAY without numbers in every month, which is equivalent to a weekly rule. */
const isEveryWeek = ({ interval, byMonth, byMonthDay, byDay, bySetPos }: RecurrenceRule): boolean =>
  interval === 1 &&
  byMonth.length + byMonthDay.length + bySetPos.length === 0 &&
  byDay.length > 0 &&
  byDay.every(({ ordinal }) => ordinal === 0)

function shiftYearly(rule: RecurrenceRule, dates: MovedDay): ShiftedRule | undefined {
  const { byMonth, byMonthDay, byDay } = rule
  const { old, next } = dates
  if (rule.byWeekNo.length + rule.byYearDay.length > 0) return undefined
  if (byMonth.length === 0) {
    if (byMonthDay.length + byDay.length === 0) return { parts: {}, by: 'years' }
    if (isEveryWeek(rule)) return shiftByDays(rule, dates)
    // Days of every month. Without a month, numbered weekdays count within the year.
    const parts = byDay.length === 0 && rule.interval === 1 ? shiftDaysOfMonth(rule, dates) : undefined
    return parts && { parts, by: 'months' }
  }
  const isOneMonth = byMonth.length === 1 && byMonth[0] === old.month
  if (!isOneMonth && monthOf(old) !== monthOf(next)) return undefined
  const parts = shiftDaysOfMonth(rule, dates)
  if (!parts) return undefined
  return isOneMonth
    ? { parts: old.month === next.month ? parts : { ...parts, BYMONTH: `${next.month}` }, by: 'years' }
    : { parts, by: 'months' }
}

/** Moves the days of a month that a rule names: by date, or by weekday and position. */
function shiftDaysOfMonth(rule: RecurrenceRule, dates: MovedDay): RuleParts | undefined {
  if (rule.byDay.length > 0) return rule.byMonthDay.length > 0 ? undefined : shiftPlace(rule, dates)
  if (rule.byMonthDay.length === 0) return {}
  return isLastOfClamped(rule, dates.old.day) ? clampedDay(dates.next.day) : shiftMonthDays(rule, dates)
}

/** `BYMONTHDAY=28,29,30;BYSETPOS=-1` is the 30th, or the last day of a shorter month. */
function isLastOfClamped({ byMonthDay, bySetPos }: RecurrenceRule, day: number): boolean {
  const last = Math.max(...byMonthDay)
  const isRange = byMonthDay.length === last - SHORTEST_MONTH + 1 && byMonthDay.every((each) => each >= SHORTEST_MONTH)
  return bySetPos.join() === '-1' && isRange && byMonthDay.length > 1 && day <= last && day >= SHORTEST_MONTH
}

function clampedDay(day: number): RuleParts {
  if (day <= SHORTEST_MONTH) return { BYMONTHDAY: `${day}`, BYSETPOS: null }
  if (day === 31) return { BYMONTHDAY: '-1', BYSETPOS: null }
  const range = Array.from({ length: day - SHORTEST_MONTH + 1 }, (_, place) => SHORTEST_MONTH + place)
  return { BYMONTHDAY: range.join(','), BYSETPOS: '-1' }
}

function shiftMonthDays({ byMonthDay, bySetPos }: RecurrenceRule, { old, next }: MovedDay): RuleParts | undefined {
  if (bySetPos.length > 0) return undefined
  const [only] = byMonthDay
  if (byMonthDay.length === 1 && only !== undefined) {
    if (only < 0) return fromEnd(old) === only && fromEnd(next) === only ? {} : undefined
    return only === old.day ? { BYMONTHDAY: `${next.day}` } : undefined
  }
  const shifted = byMonthDay.map((day) => day + next.day - old.day)
  const isCertain = [...byMonthDay, ...shifted].every((day) => day >= 1 && day <= SHORTEST_MONTH)
  return isCertain && byMonthDay.includes(old.day) ? { BYMONTHDAY: shifted.join(',') } : undefined
}

const fromEnd = ({ year, month, day }: CivilDate): number => day - daysInMonth(year, month) - 1

/** One weekday with one position in the month, such as `2TU`, `-1FR` or `BYDAY=TU;BYSETPOS=2`. */
function shiftPlace({ byDay, bySetPos }: RecurrenceRule, { from, to, old, next }: MovedDay): RuleParts | undefined {
  const [only] = byDay
  if (byDay.length !== 1 || only === undefined || bySetPos.length > 1) return undefined
  const [chosen] = bySetPos
  if ((only.ordinal === 0) === (chosen === undefined)) return undefined
  const place = chosen ?? only.ordinal
  if (only.weekday !== weekdayOf(from) || placeOf(old, place) !== place) return undefined
  const moved = placeOf(next, place)
  // A fifth weekday may be meant as the last, and not every month has it.
  if (Math.abs(moved) === 5 && moved !== place) return undefined
  const code = CODES[weekdayOf(to)] ?? 'MO'
  return chosen === undefined ? { BYDAY: `${moved}${code}` } : { BYDAY: code, BYSETPOS: `${moved}` }
}

/** The position of a day among its weekdays in the month, counted from the same end as `like`. */
const placeOf = (date: CivilDate, like: number): number =>
  like > 0 ? Math.ceil(date.day / 7) : -Math.ceil(-fromEnd(date) / 7)

export interface ShiftedTime {
  readonly parts: RuleParts
  /** By how many seconds the time of day of each occurrence moves. */
  readonly seconds: number
}

const secondOfDay = (start: SeriesStart): number => {
  const wall = wallOfKey(start, startKey(start))
  return wall - Math.floor(wall / SECONDS_PER_DAY) * SECONDS_PER_DAY
}

/** Moves the times of day that a rule names; undefined if the result is ambiguous. */
export function shiftTimeOfDay(
  rule: RecurrenceRule | null,
  from: SeriesStart,
  to: SeriesStart,
): ShiftedTime | undefined {
  const seconds = secondOfDay(to) - secondOfDay(from)
  const lists = rule === null ? [] : [rule.byHour, rule.byMinute, rule.bySecond]
  if (rule === null || seconds === 0 || lists.every((list) => list.length === 0)) return { parts: {}, seconds }
  if (timesOfDay(to, rule).includes(secondOfDay(to)) && rule.byHour.length > 0) return { parts: {}, seconds: 0 }
  const hours = rule.byHour.map((hour) => hour + seconds / 3600)
  if (seconds % 3600 === 0 && hours.every((hour) => hour >= 0 && hour <= 23)) {
    return { parts: hours.length === 0 ? {} : { BYHOUR: hours.join(',') }, seconds }
  }
  if (lists.some((list) => list.length > 1)) return undefined
  const clock = secondOfDay(to)
  return {
    parts: {
      ...(rule.byHour.length > 0 ? { BYHOUR: `${Math.floor(clock / 3600)}` } : {}),
      ...(rule.byMinute.length > 0 ? { BYMINUTE: `${Math.floor(clock / 60) % 60}` } : {}),
      ...(rule.bySecond.length > 0 ? { BYSECOND: `${clock % 60}` } : {}),
    },
    seconds,
  }
}

/** An RRULE line with some parts replaced; all others stay as written. */
export function withParts(line: string, parts: RuleParts): string {
  const left = new Map(Object.entries(parts))
  const written = line
    .slice(line.indexOf(':') + 1)
    .split(';')
    .flatMap((text) => {
      const name = text.split('=', 1)[0]?.trim().toUpperCase() ?? ''
      const value = left.get(name)
      if (value === undefined) return [text]
      left.delete(name)
      return value === null ? [] : [`${name}=${value}`]
    })
  const added = [...left].flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]))
  return `RRULE:${[...written, ...added].join(';')}`
}
