/** Parses and normalizes the value of an RRULE line (RFC 5545 §3.3.10), within the limits of the contract. */
import { SECONDS_PER_DAY } from '../timezones/dates.ts'
import { closingInstant, dayStartOf } from '../timezones/timezones.ts'
import {
  basicDate,
  basicUtc,
  type Frequency,
  parseBasic,
  type RecurrenceRule,
  type SeriesStart,
  startKey,
  type WeekdayRef,
} from './series.ts'

/** Thrown while parsing and caught by `normaliseRecurrence`; it does not leave the recurrence modules. */
export class RecurrenceProblem extends Error {}

/** Throws the problem: the invalid part, then the reason. */
export function refuse(part: string, reason: string): never {
  const shown = part.length > 60 ? `${part.slice(0, 60)}…` : part
  throw new RecurrenceProblem(`${shown}: ${reason}`)
}

export interface ReadRule {
  readonly rule: RecurrenceRule
  /** The canonical line. */
  readonly line: string
}

const MAX_INTERVAL = 10_000
const MAX_COUNT = 10_000
const MAX_PRODUCT = 1000

const frequencies: readonly string[] = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] satisfies Frequency[]
const subDaily = ['SECONDLY', 'MINUTELY', 'HOURLY']
const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** The range of each list. Lists that can also count from the end accept negative numbers, but never 0. */
const lists = {
  BYMONTH: { least: 1, greatest: 12, fromEnd: false },
  BYWEEKNO: { least: 1, greatest: 53, fromEnd: true },
  BYYEARDAY: { least: 1, greatest: 366, fromEnd: true },
  BYMONTHDAY: { least: 1, greatest: 31, fromEnd: true },
  BYHOUR: { least: 0, greatest: 23, fromEnd: false },
  BYMINUTE: { least: 0, greatest: 59, fromEnd: false },
  BYSECOND: { least: 0, greatest: 59, fromEnd: false },
  BYSETPOS: { least: 1, greatest: 366, fromEnd: true },
} as const
type ListName = keyof typeof lists

const names = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'WKST', 'BYDAY', ...Object.keys(lists)])

/** Reads what follows `RRULE:`. */
export function readRule(value: string, start: SeriesStart): ReadRule {
  const parts = splitParts(value)
  const number = (name: ListName): number[] => readNumbers(name, parts.get(name))
  const rule: RecurrenceRule = {
    freq: readFrequency(parts.get('FREQ')),
    interval: readCount('INTERVAL', parts.get('INTERVAL'), MAX_INTERVAL) ?? 1,
    count: readCount('COUNT', parts.get('COUNT'), MAX_COUNT),
    until: readUntil(parts.get('UNTIL'), start),
    byMonth: number('BYMONTH'),
    byWeekNo: number('BYWEEKNO'),
    byYearDay: number('BYYEARDAY'),
    byMonthDay: number('BYMONTHDAY'),
    byDay: readWeekdays(parts.get('BYDAY')),
    byHour: number('BYHOUR'),
    byMinute: number('BYMINUTE'),
    bySecond: number('BYSECOND'),
    bySetPos: number('BYSETPOS'),
    weekStart: readWeekStart(parts.get('WKST')),
  }
  checkTogether(rule, start)
  if (rule.until !== null) parts.set('UNTIL', start.kind === 'timed' ? basicUtc(rule.until) : basicDate(rule.until))
  return { rule, line: `RRULE:${Array.from(parts, ([name, text]) => `${name}=${text}`).join(';')}` }
}

function splitParts(value: string): Map<string, string> {
  const parts = new Map<string, string>()
  for (const part of value.toUpperCase().replace(/[ \t]/g, '').split(';')) {
    if (part === '') continue
    const cut = part.indexOf('=')
    const name = cut === -1 ? part : part.slice(0, cut)
    if (!names.has(name)) refuse(name, 'is not a part of RRULE that is supported')
    if (cut === -1 || cut === part.length - 1) refuse(name, 'has no value')
    if (parts.has(name)) refuse(name, 'is given twice')
    parts.set(name, part.slice(cut + 1))
  }
  return parts
}

function readFrequency(text: string | undefined): Frequency {
  if (text === undefined) return refuse('FREQ', 'is required')
  if (subDaily.includes(text)) refuse(`FREQ=${text}`, 'rules that repeat within a day are not supported')
  if (!isFrequency(text)) return refuse(`FREQ=${text}`, 'must be DAILY, WEEKLY, MONTHLY or YEARLY')
  return text
}

const isFrequency = (text: string): text is Frequency => frequencies.includes(text)

function readCount(name: string, text: string | undefined, greatest: number): number | null {
  if (text === undefined) return null
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > greatest) refuse(`${name}=${text}`, `must be a whole number from 1 to ${greatest}`)
  return value
}

function readNumbers(name: ListName, text: string | undefined): number[] {
  if (text === undefined) return []
  const { least, greatest, fromEnd } = lists[name]
  const values = text.split(',').map((item) => {
    const value = /^[+-]?\d{1,3}$/.test(item) ? Number(item) : Number.NaN
    const size = fromEnd ? Math.abs(value) : value
    if (!(size >= least && size <= greatest)) {
      const range = fromEnd ? `${least} to ${greatest} or -${greatest} to -${least}` : `${least} to ${greatest}`
      refuse(`${name}=${item}`, `must be a whole number from ${range}`)
    }
    return value
  })
  return [...new Set(values)]
}

function readWeekdays(text: string | undefined): WeekdayRef[] {
  if (text === undefined) return []
  const seen = new Map<string, WeekdayRef>()
  for (const item of text.split(',')) {
    const found = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(item)
    const weekday = weekdays.indexOf(found?.[2] ?? '')
    const ordinal = found?.[1] === undefined ? 0 : Number(found[1])
    const exists = weekday !== -1 && (found?.[1] === undefined || (ordinal !== 0 && Math.abs(ordinal) <= 53))
    if (!exists) refuse(`BYDAY=${item}`, 'must be a weekday such as MO, 2TU or -1FR')
    seen.set(`${ordinal}:${weekday}`, { weekday, ordinal })
  }
  return [...seen.values()]
}

function readWeekStart(text: string | undefined): number {
  if (text === undefined) return 0
  const weekday = weekdays.indexOf(text)
  return weekday === -1 ? refuse(`WKST=${text}`, 'must be a weekday such as MO') : weekday
}

/**
 * UNTIL as a key. In timed series, UTC is taken as written, local times and dates are in the zone of the series, and
 * a date includes its whole day. In all-day series, the date is taken as written.
 */
function readUntil(text: string | undefined, start: SeriesStart): number | null {
  if (text === undefined) return null
  const time = parseBasic(text)
  if (time === undefined) return refuse(`UNTIL=${text}`, 'must be a date or a UTC time such as 20261231T170000Z')
  const until = untilKey(time, start)
  if (until < startKey(start)) refuse(`UNTIL=${text}`, 'lies before the start of the series')
  return until
}

function untilKey({ day, seconds, utc }: { day: number; seconds?: number; utc: boolean }, start: SeriesStart): number {
  if (start.kind === 'all-day') return day
  if (seconds === undefined) return dayStartOf(start.zone, day + 1) - 1
  const wall = day * SECONDS_PER_DAY + seconds
  return utc ? wall : closingInstant(start.zone, wall)
}

/** Checks combinations of parts that are not allowed (RFC 5545 §3.3.10). */
function checkTogether(rule: RecurrenceRule, start: SeriesStart): void {
  const { freq } = rule
  const has = (list: readonly unknown[]): boolean => list.length > 0
  const ordinals = rule.byDay.some(({ ordinal }) => ordinal !== 0)
  const times = has(rule.byHour) || has(rule.byMinute) || has(rule.bySecond)
  const days = has(rule.byMonth) || has(rule.byWeekNo) || has(rule.byYearDay) || has(rule.byMonthDay) || has(rule.byDay)
  if (rule.count !== null && rule.until !== null) refuse('COUNT', 'cannot be combined with UNTIL')
  if (ordinals && freq !== 'MONTHLY' && freq !== 'YEARLY') {
    refuse('BYDAY', `numbered weekdays need FREQ=MONTHLY or YEARLY, not ${freq}`)
  }
  if (ordinals && has(rule.byWeekNo)) refuse('BYDAY', 'numbered weekdays cannot be combined with BYWEEKNO')
  if (has(rule.byWeekNo) && freq !== 'YEARLY') refuse('BYWEEKNO', `needs FREQ=YEARLY, not ${freq}`)
  if (has(rule.byYearDay) && freq !== 'YEARLY') refuse('BYYEARDAY', `needs FREQ=YEARLY, not ${freq}`)
  if (has(rule.byMonthDay) && freq === 'WEEKLY') refuse('BYMONTHDAY', 'cannot be combined with FREQ=WEEKLY')
  if (has(rule.bySetPos) && !times && !days) refuse('BYSETPOS', 'needs another BY part to choose from')
  if (times && start.kind === 'all-day') refuse(timePart(rule), 'an all-day series has no time of day')
  checkProduct(rule)
}

const timePart = ({ byHour, byMinute }: RecurrenceRule): string => {
  if (byHour.length > 0) return 'BYHOUR'
  return byMinute.length > 0 ? 'BYMINUTE' : 'BYSECOND'
}

function checkProduct(rule: RecurrenceRule): void {
  const sizes: [string, number][] = [
    ['BYMONTH', rule.byMonth.length],
    ['BYWEEKNO', rule.byWeekNo.length],
    ['BYYEARDAY', rule.byYearDay.length],
    ['BYMONTHDAY', rule.byMonthDay.length],
    ['BYDAY', rule.byDay.length],
    ['BYHOUR', rule.byHour.length],
    ['BYMINUTE', rule.byMinute.length],
    ['BYSECOND', rule.bySecond.length],
    ['BYSETPOS', rule.bySetPos.length],
  ]
  const given = sizes.filter(([, size]) => size > 0)
  const product = given.reduce((total, [, size]) => total * size, 1)
  if (product > MAX_PRODUCT) {
    refuse(given.map(([name]) => name).join('×'), `the lists multiply to ${product}, more than ${MAX_PRODUCT}`)
  }
}
