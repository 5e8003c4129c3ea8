/**
 * An availability request: its defaults, and the rules that involve several fields or the time zone database. Rules
 * for single fields (ranges, multiples of five) are in the contract.
 */
import { parseDate, SECONDS_PER_DAY } from '@waypost/formats/timezones/dates'
import { resolveTimeZone } from '@waypost/formats/timezones/timezones'
import type { Interval } from './intervals.ts'
import { minutesOfDay } from './local-time.ts'
import type { OpenHours, Opening, SpecificTime } from './open-hours.ts'

export type AvailabilityMethod = 'collective' | 'max-fairness' | 'max-availability'

export interface AvailabilityRules {
  readonly availability_method?: AvailabilityMethod
  /** Minutes that stay free around existing meetings. */
  readonly buffer?: { readonly before?: number; readonly after?: number }
  readonly default_open_hours?: readonly OpenHours[]
  readonly round_robin_group_id?: string
  /** Another spelling of `round_robin_group_id`, sent by SDKs. */
  readonly round_robin_event_id?: string
  readonly tentative_as_busy?: boolean
}

export interface AvailabilityParticipant extends Opening {
  readonly email?: string
  readonly grant_id?: string
  readonly calendar_ids?: readonly string[]
}

/** The body of the request. */
export interface AvailabilityQuestion {
  readonly start_time: number
  readonly end_time: number
  readonly duration_minutes: number
  readonly interval_minutes?: number
  readonly round_to?: number
  readonly round_to_30_minutes?: boolean
  readonly participants: readonly AvailabilityParticipant[]
  readonly availability_rules?: AvailabilityRules
}

/** Maximum length of the window in days: any three months. */
export const maxWindowDays = 93
/** Maximum number of start times of one request. */
export const maxStartTimes = 50_000

type Timing = Omit<AvailabilityQuestion, 'participants'>

/** The durations of the request in seconds, with defaults. */
export function lengthsOf(question: Timing): {
  duration: number
  interval: number
  roundTo: number
  before: number
  after: number
} {
  const { duration_minutes, interval_minutes, round_to, round_to_30_minutes, availability_rules } = question
  return {
    duration: duration_minutes * 60,
    interval: (interval_minutes ?? duration_minutes) * 60,
    roundTo: (round_to ?? (round_to_30_minutes === true ? 30 : 15)) * 60,
    before: (availability_rules?.buffer?.before ?? 0) * 60,
    after: (availability_rules?.buffer?.after ?? 0) * 60,
  }
}

/** The group whose bookings decide the order. */
export const roundRobinGroupOf = (rules: AvailabilityRules | undefined): string | undefined =>
  rules?.round_robin_group_id ?? rules?.round_robin_event_id

/** The window in which events matter: buffers extend meetings outside the requested window into it. */
export function eventWindowOf(question: Timing): Interval {
  const { before, after } = lengthsOf(question)
  return { start: question.start_time - after, end: question.end_time + before }
}

/**
 * The grid of start times: every `interval` from the start, rounded up on the Unix clock, as long as the meeting ends
 * inside the window. Steps shorter than the rounding hit every multiple of it, longer ones hit none twice, so the
 * number can be computed without counting.
 */
export function gridOf(question: Timing): { count: number; startTime: (index: number) => number } {
  const { duration, interval, roundTo } = lengthsOf(question)
  const up = (time: number): number => Math.ceil(time / roundTo) * roundTo
  const first = interval < roundTo ? up(question.start_time) : question.start_time
  const step = Math.max(interval, roundTo)
  const latest = Math.floor((question.end_time - duration) / roundTo) * roundTo
  return { count: Math.max(0, Math.floor((latest - first) / step) + 1), startTime: (index) => up(first + index * step) }
}

/** Messages by field. */
type Problems = Record<string, string>

/** The problems of a request, by field. Empty if there are none. */
export function checkAvailability(question: AvailabilityQuestion): Problems {
  const problems: Problems = { ...checkWindow(question) }
  const { participants, availability_rules: rules } = question
  Object.assign(problems, checkEach('availability_rules.default_open_hours', rules?.default_open_hours, checkOpenHours))
  const seen = new Set<string>()
  for (const [i, { email, grant_id, open_hours, specific_time_availability }] of participants.entries()) {
    const at = `participants.${i}`
    const name = email?.toLowerCase()
    if (name === undefined && grant_id === undefined) problems[`${at}.email`] = 'give email or grant_id'
    if (name !== undefined && seen.has(name)) problems[`${at}.email`] = 'is listed twice'
    if (name !== undefined) seen.add(name)
    Object.assign(problems, checkEach(`${at}.open_hours`, open_hours, checkOpenHours))
    Object.assign(
      problems,
      checkEach(`${at}.specific_time_availability`, specific_time_availability, checkSpecificTime),
    )
  }
  return problems
}

function checkWindow(question: AvailabilityQuestion): Problems {
  const length = question.end_time - question.start_time
  if (length <= 0) return { end_time: 'must be after start_time' }
  if (length > maxWindowDays * SECONDS_PER_DAY)
    return { end_time: `must be at most ${maxWindowDays} days after start_time` }
  if (gridOf(question).count <= maxStartTimes) return {}
  return { interval_minutes: `requests more than ${maxStartTimes} start times; request fewer or a shorter window` }
}

const checkEach = <Item>(field: string, items: readonly Item[] = [], check: (item: Item) => Problems): Problems =>
  Object.fromEntries(
    items.flatMap((item, i) =>
      Object.entries(check(item)).map(([name, problem]) => [`${field}.${i}.${name}`, problem] as const),
    ),
  )

function checkOpenHours({ start, end, timezone, exdates }: OpenHours): Problems {
  const problems = checkTimes(start, end, timezone)
  for (const [i, date] of (exdates ?? []).entries())
    if (parseDate(date) === undefined) problems[`exdates.${i}`] = notADate
  return problems
}

function checkSpecificTime({ date, start, end, timezone }: SpecificTime): Problems {
  const closed = minutesOfDay(start) === 0 && minutesOfDay(end) === 0
  const problems = closed ? checkTimes('0:00', '24:00', timezone) : checkTimes(start, end, timezone)
  if (parseDate(date) === undefined) problems.date = notADate
  return problems
}

const notADate = 'must be a date that exists, as YYYY-MM-DD'

function checkTimes(start: string, end: string, timezone: string): Problems {
  const problems: Problems = {}
  const from = minutesOfDay(start)
  const to = minutesOfDay(end)
  if (from === undefined || from === 1440) problems.start = 'must be a time from 0:00 to 23:59'
  if (to === undefined) problems.end = 'must be a time from 0:01 to 24:00'
  else if (from !== undefined && to <= from) problems.end = 'must be after start'
  if (resolveTimeZone(timezone) === undefined)
    problems.timezone = 'must be a time zone of the IANA database, such as Europe/Paris'
  return problems
}
