/**
 * When a participant can be booked: weekly open hours, minus excluded dates, with dates that have their own windows.
 * A window belongs to a local date and is resolved in its own zone, so 9 to 5 stays 9 to 5 across clock changes.
 * `local-time.ts` says what happens to a window on the day of the change itself.
 */
import { dayOf, SECONDS_PER_DAY, weekdayOf } from '@waypost/formats/timezones/dates'
import { clipSpans, type Interval, mergeIntervals, type Spans, subtractSpans, toIntervals } from './intervals.ts'
import { daysAround, minutesOfDay, momentsOf, momentsOfDays, type ZoneOffsets } from './local-time.ts'

/** One rule of open hours, with the fields of the contract. */
export interface OpenHours {
  /** 0 is Sunday. */
  readonly days: readonly number[]
  readonly timezone: string
  /** `H:MM` or `HH:MM`. */
  readonly start: string
  /** Later than `start`, at most 24:00. */
  readonly end: string
  /** `YYYY-MM-DD` in the rule's zone. */
  readonly exdates?: readonly string[]
}

/** A window on one date that replaces the open hours of that date. 0:00 to 0:00 closes it. */
export interface SpecificTime {
  readonly date: string
  readonly start: string
  readonly end: string
  readonly timezone: string
}

/** All rules for when one participant can be booked. */
export interface Opening {
  readonly open_hours?: readonly OpenHours[]
  readonly specific_time_availability?: readonly SpecificTime[]
  readonly only_specific_time_availability?: boolean
}

/** A window of time and the zones around it. */
export interface Horizon {
  readonly window: Interval
  readonly offsets: ZoneOffsets
}

/** The open spans inside the window. Without open hours the whole window is open. An empty list means never open. */
export function openSpans(opening: Opening, { window, offsets }: Horizon): Spans {
  const specific = opening.specific_time_availability ?? []
  const windows = specific.flatMap((time) => windowOf(time, offsets) ?? [])
  if (opening.only_specific_time_availability === true) return clipSpans(mergeIntervals(windows), window)
  const hours = opening.open_hours ?? []
  const usual =
    hours.length === 0
      ? windowWithoutDates(specific, { window, offsets })
      : weeklyWindows(hours, new Set(specific.map(({ date }) => dayOf(date))), { window, offsets })
  return clipSpans(mergeIntervals(usual.concat(windows)), window)
}

/** The whole window except the local days that have their own windows. */
function windowWithoutDates(specific: readonly SpecificTime[], { window, offsets }: Horizon): Interval[] {
  const days = specific.flatMap(({ date, timezone }) => {
    const day = dayOf(date)
    return momentsOfDays(offsets(timezone), day, day) ?? []
  })
  return toIntervals(subtractSpans(mergeIntervals([window]), mergeIntervals(days)))
}

/** A date is matched by its name, like an excluded date: the rule's own local date counts, whatever its zone. */
function weeklyWindows(hours: readonly OpenHours[], replaced: ReadonlySet<number>, horizon: Horizon): Interval[] {
  const { first, last } = daysAround(horizon.window)
  const windows: Interval[] = []
  for (const rule of hours) {
    const offsets = horizon.offsets(rule.timezone)
    const excluded = new Set(rule.exdates?.map(dayOf))
    const start = secondsOfDay(rule.start)
    const end = secondsOfDay(rule.end)
    // The contract counts from Sunday, dates.ts from Monday.
    const weekdays = new Set(rule.days.map((day) => (day + 6) % 7))
    for (let day = first; day <= last; day += 1) {
      if (!weekdays.has(weekdayOf(day)) || excluded.has(day) || replaced.has(day)) continue
      const window = momentsOf(offsets, day * SECONDS_PER_DAY + start, day * SECONDS_PER_DAY + end)
      if (window !== undefined) windows.push(window)
    }
  }
  return windows
}

function windowOf({ date, start, end, timezone }: SpecificTime, offsets: ZoneOffsets): Interval | undefined {
  const midnight = dayOf(date) * SECONDS_PER_DAY
  return momentsOf(offsets(timezone), midnight + secondsOfDay(start), midnight + secondsOfDay(end))
}

/** Requests are validated earlier, so an invalid time is a bug. */
function secondsOfDay(text: string): number {
  const minutes = minutesOfDay(text)
  if (minutes === undefined) throw new RangeError(`not a time of day: ${text}`)
  return minutes * 60
}
