// Expands a recurrence. A series follows the wall clock of its recurrence time zone: every occurrence begins and ends
// at the same hours, even if a clock change alters its length.
import { type EventTime, wallTime } from './event-time.ts'
import { type Pattern, patternDays } from './recurrence-days.ts'
import type { Zone } from './zones.ts'

export interface Recurrence {
  readonly pattern: Pattern
  readonly range: {
    readonly type: 'endDate' | 'noEnd' | 'numbered'
    readonly startDate: string
    /** The last day on which an occurrence may begin, in the recurrence time zone. */
    readonly endDate?: string
    readonly numberOfOccurrences?: number
    readonly zone: Zone
  }
}

/** The times of one occurrence, and its day in the series. */
export interface Slot {
  /** `2026-01-02`, in the recurrence time zone. */
  readonly date: string
  readonly start: number
  readonly end: number
}

export interface SeriesTimes {
  readonly start: EventTime
  readonly end: EventTime
  readonly recurrence: Recurrence
}

/** The days of a series, ascending; endless if the range has no end. */
export function* daysOf({ recurrence: { pattern, range } }: SeriesTimes): Generator<string> {
  let count = 0
  for (const day of patternDays(pattern, Temporal.PlainDate.from(range.startDate))) {
    const date = day.toString()
    if (range.endDate !== undefined && date > range.endDate) return
    if (range.numberOfOccurrences !== undefined && count >= range.numberOfOccurrences) return
    count++
    yield date
  }
}

/** Maps a day of the series to the times of its occurrence. */
export function slotOn({ start, end, recurrence: { range } }: SeriesTimes): (date: string) => Slot {
  const first = wallTime(start.ms, range.zone)
  const last = wallTime(end.ms, range.zone)
  const days = first.toPlainDate().until(last.toPlainDate()).days
  return (date) => {
    const day = Temporal.PlainDate.from(date)
    return {
      date,
      start: instantOf(day, first.toPlainTime(), range.zone),
      end: instantOf(day.add({ days }), last.toPlainTime(), range.zone),
    }
  }
}

/** The occurrences of a series, ascending; endless if the range has no end. */
export function* slotsOf(times: SeriesTimes): Generator<Slot> {
  const slotOf = slotOn(times)
  for (const date of daysOf(times)) yield slotOf(date)
}

function instantOf(day: Temporal.PlainDate, clock: Temporal.PlainTime, zone: Zone): number {
  return day.toPlainDateTime(clock).toZonedDateTime(zone.iana).epochMilliseconds
}

/**
 * The series moved to its first occurrence: if the start does not fit the pattern, Exchange uses the next day that
 * does. Undefined if the series has no occurrence.
 */
export function alignedSeries(times: SeriesTimes): SeriesTimes | undefined {
  const first = slotsOf(times).next()
  if (first.done) return undefined
  const { date: startDate, start, end } = first.value
  return {
    start: { ...times.start, ms: start },
    end: { ...times.end, ms: end },
    recurrence: { ...times.recurrence, range: { ...times.recurrence.range, startDate } },
  }
}
