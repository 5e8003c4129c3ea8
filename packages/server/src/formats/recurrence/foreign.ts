// Recurrence as other calendars write it. Our own clients are told what is wrong with a rule (`recurrence-rule.ts`); what
// somebody else's calendar holds is there already, and is read as far as it means something:
//
// - parts that a rule must not have (BYMONTHDAY of a week, BYHOUR of whole days) and values that do not exist are left
//   out, RSCALE=GREGORIAN and an INTERVAL of 0 as well; COUNT gives way to UNTIL, and one beyond 10,000 counts as none;
// - HOURLY, MINUTELY and SECONDLY rules that come to the same times every day are read as daily ones;
// - the start is an occurrence, whether the rule makes it or not (RFC 5545 §3.8.5.3: it "defines the first instance");
// - EXRULE, and a second RRULE, are not read; a rule that comes more often than once an hour is not followed.
//
// Where the rule cannot be read at all, its start and its dates are the occurrences, and `problem` says why.
import { SECONDS_PER_DAY } from '../timezones/dates.ts'
import { makesSlot } from './recurrence.ts'
import { type NormalisedRecurrence, normaliseRecurrence } from './rule.ts'
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

const options = { allowRdate: true, startOutsideRule: 'follow-rule' } as const
const MAX_DATES = 2500
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

/** The lines of a series as they stand; dates as `YYYYMMDDTHHMMSSZ`, or `YYYYMMDD` for all slots of a day. */
export interface ForeignLines {
  /** The values of RRULE. */
  readonly rules: readonly string[]
  readonly rdates: readonly string[]
  readonly exdates: readonly string[]
}

export interface ForeignSeries extends Series {
  /** Why the rule is not followed. */
  readonly problem?: string
  /** Whether the start is among the dates only because the rule does not make it. */
  readonly startAdded?: boolean
}

/** The series that lines of another calendar make; undefined where they make none. */
export function foreignSeries(lines: ForeignLines, start: SeriesStart): ForeignSeries | undefined {
  const { rules, rdates, exdates } = lines
  if (rules.length === 0 && rdates.length === 0) return undefined
  const dates = [...dateLines('RDATE', rdates), ...dateLines('EXDATE', exdates)]
  const [rule] = rules
  const given = rule === undefined ? undefined : `RRULE:${rule.trim()}`
  const strict = normaliseRecurrence(given === undefined ? dates : [given, ...dates], start, options)
  const read = strict.ok || rule === undefined ? strict : lenient(rule, dates, start)
  if (read.ok && !isTooDense(start, read.value.rule)) {
    const shown = strict.ok || given === undefined ? read.value.lines : [given, ...withoutRule(read.value)]
    return withStart({ start, recurrence: { ...read.value, lines: shown } })
  }
  const alone = normaliseRecurrence(withOwnStart(dates, start), start, options)
  if (!alone.ok) return undefined
  const shown = [...(given === undefined ? [] : [given]), ...withoutRule(alone.value)]
  return {
    start,
    recurrence: { ...alone.value, lines: shown },
    problem: read.ok ? 'RRULE: makes more occurrences than a list could hold' : read.problem,
  }
}

/**
 * More than one an hour, or more than a thousand that go on at once: nobody's meeting. A list that held it could not be
 * answered, and anybody who may invite somebody could see to that.
 */
function isTooDense(start: SeriesStart, rule: RecurrenceRule | null): boolean {
  if (rule === null) return false
  const times = timesOfDay(start, rule).length
  const days = start.kind === 'timed' ? start.seconds / SECONDS_PER_DAY : start.days
  return times > MAX_TIMES_OF_DAY || times * days > MAX_OVERLAPPING
}

/** The rule of an RRULE's value; undefined where it makes no sense to us. */
export function readForeignRule(value: string, start: SeriesStart): RecurrenceRule | undefined {
  const strict = normaliseRecurrence([`RRULE:${value.trim()}`], start, options)
  const read = strict.ok ? strict : lenient(value, [], start)
  return read.ok ? (read.value.rule ?? undefined) : undefined
}

const lenient = (rule: string, dates: readonly string[], start: SeriesStart): NormalisedRecurrence =>
  normaliseRecurrence([`RRULE:${cleanRule(rule, start)}`, ...dates], start, options)

const withoutRule = ({ lines }: Recurrence): string[] => lines.filter((line) => !line.startsWith('RRULE'))

function dateLines(name: string, dates: readonly string[]): string[] {
  return dates.length === 0 ? [] : [`${name}:${dates.slice(-MAX_DATES).join()}`]
}

const withOwnStart = (dates: readonly string[], start: SeriesStart): string[] => [
  `RDATE:${start.kind === 'timed' ? basicUtc(start.at) : basicDate(startKey(start))}`,
  ...dates,
]

/** The start is an occurrence that no line of the series names. */
function withStart(series: Series): ForeignSeries {
  const { start, recurrence } = series
  const key = startKey(start)
  if (recurrence.rule === null || makesSlot(series, key)) return series
  const rdates = [...recurrence.rdates, key].sort((a, b) => a - b)
  return { start, recurrence: { ...recurrence, rdates }, startAdded: true }
}

/** The series as its lines have it. */
export function asWritten(series: ForeignSeries): Series {
  const { start, recurrence } = series
  if (!series.startAdded) return { start, recurrence }
  return { start, recurrence: { ...recurrence, rdates: recurrence.rdates.filter((key) => key !== startKey(start)) } }
}

/** The rule with what it may have. */
function cleanRule(value: string, start: SeriesStart): string {
  const parts = new Map<string, string>()
  for (const part of value.toUpperCase().replace(/\s/g, '').split(';')) {
    const [name = '', text = ''] = part.split('=', 2)
    const list = LISTS[name]
    const kept =
      list === undefined
        ? text
        : text
            .split(',')
            .filter((item) => list.test(item))
            .join()
    if (kept !== '' && (list !== undefined || OTHERS.has(name)) && !parts.has(name)) parts.set(name, kept)
    // Another calendar than the Gregorian one: its months are not ours.
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

/** Turns a rule that repeats within the day into a daily one, where its times are the same every day. */
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
