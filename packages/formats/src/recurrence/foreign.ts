/**
 * Reads recurrence as other calendars write it. Our own clients get an error for an invalid rule (`rule.ts`). Rules
 * of other calendars already exist, so they are read as far as possible:
 *
 * - Parts that a rule must not have (BYMONTHDAY of a week, BYHOUR of whole days) and invalid values are omitted, as
 *   are RSCALE=GREGORIAN and an INTERVAL of 0. UNTIL takes precedence over COUNT, and a COUNT above 10,000 is
 *   ignored.
 * - HOURLY, MINUTELY and SECONDLY rules with the same times every day are read as daily ones.
 * - The start is an occurrence, even if the rule does not generate it (RFC 5545 §3.8.5.3: it "defines the first
 *   instance").
 * - EXRULE and a second RRULE are not read. A rule with more than one occurrence per hour is not expanded.
 *
 * If the rule cannot be read at all, or takes more steps than its text has left, the occurrences are the start and
 * the dates, and `problem` gives the reason.
 */
import { SECONDS_PER_DAY } from '../timezones/dates.ts'
import { RecurrenceProblem } from './parts.ts'
import { makesSlot } from './recurrence.ts'
import { normaliseRecurrence, readRuleLine } from './rule.ts'
import {
  basicDate,
  basicUtc,
  type Recurrence,
  type RecurrenceRule,
  type Series,
  type SeriesStart,
  startKey,
  timesOfDay,
  wallOfKey,
} from './series.ts'
import { RecurrenceTooLarge, Steps } from './steps.ts'

const loose = { allowRdate: true, startOutsideRule: 'follow-rule' } as const
const MAX_DATES = 2500
/** Enough for all dates of a series without its rule. */
const STEPS_OF_DATES = 4 * MAX_DATES
const MAX_COUNT = 10_000
const MAX_TIMES_OF_DAY = 24
const MAX_OVERLAPPING = 1000
const LISTS: Readonly<Record<string, RegExp>> = {
  BYMONTH: /^(?:0?[1-9]|1[0-2])$/,
  BYWEEKNO: /^[+-]?(?:0?[1-9]|[1-4]\d|5[0-3])$/,
  BYYEARDAY: /^[+-]?(?:0{0,2}[1-9]|0?[1-9]\d|[12]\d\d|3[0-5]\d|36[0-6])$/,
  BYMONTHDAY: /^[+-]?(?:0?[1-9]|[12]\d|3[01])$/,
  BYDAY: /^(?:[+-]?(?:0?[1-9]|[1-4]\d|5[0-3]))?(?:MO|TU|WE|TH|FR|SA|SU)$/,
  BYHOUR: /^(?:[01]?\d|2[0-3])$/,
  BYMINUTE: /^[0-5]?\d$/,
  BYSECOND: /^[0-5]?\d$/,
  BYSETPOS: /^[+-]?(?:0{0,2}[1-9]|0?[1-9]\d|[12]\d\d|3[0-5]\d|36[0-6])$/,
}
const OTHERS = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'WKST'])

/** The lines of a series as written; dates are `YYYYMMDDTHHMMSSZ`, or `YYYYMMDD` for all slots of a day. */
export interface ForeignLines {
  /** The values of RRULE. */
  readonly rules: readonly string[]
  readonly rdates: readonly string[]
  readonly exdates: readonly string[]
}

export interface ForeignSeries extends Series {
  /** Why the rule is not expanded. */
  readonly problem?: string
  /** Whether the start was added to the dates because the rule does not generate it. */
  readonly startAdded?: boolean
}

/** The series that lines of another calendar describe, or undefined if they describe none. */
export function foreignSeries(lines: ForeignLines, start: SeriesStart, steps: Steps): ForeignSeries | undefined {
  const { rules, rdates, exdates } = lines
  if (rules.length === 0 && rdates.length === 0) return undefined
  const dates = [...dateLines('RDATE', rdates), ...dateLines('EXDATE', exdates)]
  const [rule] = rules
  const given = rule === undefined ? undefined : `RRULE:${rule.trim()}`
  const options = { ...loose, steps }
  const strict = normaliseRecurrence(given === undefined ? dates : [given, ...dates], start, options)
  // A rule that has used up the steps is not expanded again: the budget is the same.
  const read =
    strict.ok || rule === undefined
      ? strict
      : normaliseRecurrence([`RRULE:${cleanRule(rule, start)}`, ...dates], start, options)
  const problem = read.ok ? 'RRULE: makes more occurrences than a list could hold' : read.problem
  if (read.ok && !isTooDense(start, read.value.rule)) {
    const shown = strict.ok || given === undefined ? read.value.lines : [given, ...withoutRule(read.value)]
    const whole = withStart({ start, recurrence: { ...read.value, lines: shown } }, steps)
    if (whole !== undefined) return whole
  }
  const alone = normaliseRecurrence(withOwnStart(dates, start), start, { ...loose, steps: new Steps(STEPS_OF_DATES) })
  if (!alone.ok) return undefined
  const shown = [...(given === undefined ? [] : [given]), ...withoutRule(alone.value)]
  return { start, recurrence: { ...alone.value, lines: shown }, problem }
}

/**
 * More than one occurrence per hour, or more than a thousand at the same time, is not a real meeting. A list could
 * not return it, and anyone who can send an invitation could cause that.
 */
function isTooDense(start: SeriesStart, rule: RecurrenceRule | null): boolean {
  if (rule === null) return false
  const times = timesOfDay(start, rule).length
  const days = start.kind === 'timed' ? start.seconds / SECONDS_PER_DAY : start.days
  return times > MAX_TIMES_OF_DAY || times * days > MAX_OVERLAPPING
}

/** The parsed value of an RRULE, or undefined if it cannot be read. The rule is not expanded. */
export function readForeignRule(value: string, start: SeriesStart): RecurrenceRule | undefined {
  return parsedRule(value, start) ?? parsedRule(cleanRule(value, start), start)
}

function parsedRule(value: string, start: SeriesStart): RecurrenceRule | undefined {
  try {
    return readRuleLine(`RRULE:${value}`, start).rule
  } catch (error) {
    if (error instanceof RecurrenceProblem) return undefined
    throw error
  }
}

const withoutRule = ({ lines }: Recurrence): string[] => lines.filter((line) => !line.startsWith('RRULE'))

function dateLines(name: string, dates: readonly string[]): string[] {
  return dates.length === 0 ? [] : [`${name}:${dates.slice(-MAX_DATES).join()}`]
}

const withOwnStart = (dates: readonly string[], start: SeriesStart): string[] => [
  `RDATE:${start.kind === 'timed' ? basicUtc(start.at) : basicDate(startKey(start))}`,
  ...dates,
]

/** Adds the start as an occurrence if no line of the series contains it; undefined if no steps are left to find out. */
function withStart(series: Series, steps: Steps): ForeignSeries | undefined {
  const { start, recurrence } = series
  const key = startKey(start)
  try {
    if (recurrence.rule === null || makesSlot(series, key, steps)) return series
  } catch (error) {
    if (error instanceof RecurrenceTooLarge) return undefined
    throw error
  }
  const rdates = [...recurrence.rdates, key].sort((a, b) => a - b)
  return { start, recurrence: { ...recurrence, rdates }, startAdded: true }
}

/** The series without the added start, as its lines describe it. */
export function asWritten(series: ForeignSeries): Series {
  const { start, recurrence } = series
  if (!series.startAdded) return { start, recurrence }
  return { start, recurrence: { ...recurrence, rdates: recurrence.rdates.filter((key) => key !== startKey(start)) } }
}

/** The rule without invalid parts and values. */
function cleanRule(value: string, start: SeriesStart): string {
  const parts = new Map<string, string>()
  for (const part of value.toUpperCase().replace(/\s/g, '').split(';')) {
    const [name = '', text = ''] = part.split('=', 2)
    const list = LISTS[name]
    const retained =
      list === undefined
        ? text
        : text
            .split(',')
            .filter((item) => list.test(item))
            .join()
    if (retained !== '' && (list !== undefined || OTHERS.has(name)) && !parts.has(name)) parts.set(name, retained)
    // The months of a calendar other than the Gregorian one differ from ours.
    if (name === 'RSCALE' && text !== 'GREGORIAN') parts.set('RSCALE', text)
  }
  clean(parts, start)
  if (start.kind === 'timed') daily(parts, start)
  return Array.from(parts, ([name, text]) => `${name}=${text}`).join(';')
}

function clean(parts: Map<string, string>, start: SeriesStart): void {
  const freq = parts.get('FREQ') ?? ''
  const isYearly = freq === 'YEARLY'
  if (Number(parts.get('INTERVAL') ?? 1) === 0) parts.delete('INTERVAL')
  if (parts.has('UNTIL') || Number(parts.get('COUNT') ?? 1) > MAX_COUNT) parts.delete('COUNT')
  if (Number(parts.get('COUNT') ?? 1) < 1) parts.delete('COUNT')
  if (!isYearly) for (const name of ['BYWEEKNO', 'BYYEARDAY']) parts.delete(name)
  if (freq === 'WEEKLY') parts.delete('BYMONTHDAY')
  const days = parts.get('BYDAY')
  if (days !== undefined && ((!isYearly && freq !== 'MONTHLY') || parts.has('BYWEEKNO'))) {
    parts.set('BYDAY', days.replace(/[+-]?\d+/g, ''))
  }
  if (start.kind === 'all-day') for (const name of ['BYHOUR', 'BYMINUTE', 'BYSECOND']) parts.delete(name)
  if (![...parts.keys()].some((name) => name !== 'BYSETPOS' && name in LISTS)) parts.delete('BYSETPOS')
}

const UNITS: readonly (readonly [freq: string, list: string, size: number])[] = [
  ['HOURLY', 'BYHOUR', 24],
  ['MINUTELY', 'BYMINUTE', 60],
  ['SECONDLY', 'BYSECOND', 60],
]

/** Converts a rule that repeats within a day to a daily one, if its times are the same every day. */
function daily(parts: Map<string, string>, start: SeriesStart): void {
  const unit = UNITS.findIndex(([freq]) => freq === parts.get('FREQ'))
  if (unit === -1 || parts.has('BYSETPOS')) return
  const interval = Number(parts.get('INTERVAL') ?? 1)
  const size = UNITS[unit]?.[2] ?? 1
  if (!Number.isInteger(interval) || size % interval !== 0) return
  const wall = wallOfKey(start, startKey(start))
  const second = wall - Math.floor(wall / SECONDS_PER_DAY) * SECONDS_PER_DAY
  const own = [Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60]
  for (const [index, [, list, count]] of UNITS.entries()) {
    if (index > unit) continue
    const step = index === unit ? interval : 1
    const all = Array.from({ length: count }, (_, value) => value).filter(
      (value) => (value - (own[index] ?? 0)) % step === 0,
    )
    const given = parts.get(list)?.split(',').map(Number)
    parts.set(list, (given ? given.filter((value) => all.includes(value)) : all).join())
  }
  parts.set('FREQ', 'DAILY')
  parts.delete('INTERVAL')
}
