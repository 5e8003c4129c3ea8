/**
 * Arithmetic with local clocks. A zone is read once per calculation, as the periods of constant UTC offset around the
 * window. After that, every local time is an addition.
 *
 * "Wall seconds" are the seconds since 1970-01-01T00:00 as a local clock shows them.
 */
import { SECONDS_PER_DAY } from '@waypost/formats/timezones/dates'
import { resolveTimeZone } from '@waypost/formats/timezones/timezones'
import type { Interval } from './intervals.ts'

/** A period with one offset: wall seconds = Unix seconds + offset. The outermost ones extend to infinity. */
export interface OffsetStretch extends Interval {
  readonly offset: number
}

/** Returns the offsets of a zone around one window. Each zone is read once. */
export type ZoneOffsets = (timezone: string) => readonly OffsetStretch[]

/**
 * A day whose local midnight is near the edge of the window can start two days before it in the most distant zones.
 */
const margin = 3 * SECONDS_PER_DAY

/** Reads zones around the window. Correct inside it and for three days on both sides. */
export function zoneOffsetsAround(window: Interval): ZoneOffsets {
  const known = new Map<string, readonly OffsetStretch[]>()
  return (timezone) => {
    const found = known.get(timezone)
    if (found !== undefined) return found
    const stretches = readOffsets(timezone, { start: window.start - margin, end: window.end + margin })
    known.set(timezone, stretches)
    return stretches
  }
}

function readOffsets(timezone: string, { start, end }: Interval): OffsetStretch[] {
  const stretches: OffsetStretch[] = []
  const zone = resolveTimeZone(timezone)
  if (zone === undefined) throw new RangeError(`not a time zone: ${timezone}`)
  let since = Number.NEGATIVE_INFINITY
  let local = Temporal.Instant.fromEpochMilliseconds(start * 1000).toZonedDateTimeISO(zone)
  for (;;) {
    const offset = local.offsetNanoseconds / 1e9
    const next = local.getTimeZoneTransition('next')
    const until = next === null ? Number.POSITIVE_INFINITY : next.epochMilliseconds / 1000
    if (next === null || until >= end) return [...stretches, { start: since, end: Number.POSITIVE_INFINITY, offset }]
    stretches.push({ start: since, end: until, offset })
    since = until
    local = next
  }
}

/**
 * From the first to the last moment at which the local clock shows a time in [from, to), or undefined if it never
 * does. A boundary in a gap moves to the end of the gap. In an overlap, a start is the first occurrence and an end
 * the second.
 */
export function momentsOf(offsets: readonly OffsetStretch[], from: number, to: number): Interval | undefined {
  let first: number | undefined
  let last = 0
  // Periods ascend, so the first match has the earliest start and the last one the latest end.
  for (const { start, end, offset } of offsets) {
    const begins = Math.max(start, from - offset)
    const ends = Math.min(end, to - offset)
    if (begins >= ends) continue
    first ??= begins
    last = ends
  }
  return first === undefined ? undefined : { start: first, end: last }
}

/** The time of whole local days, given as day numbers, inclusive. */
export const momentsOfDays = (offsets: readonly OffsetStretch[], first: number, last: number): Interval | undefined =>
  momentsOf(offsets, first * SECONDS_PER_DAY, (last + 1) * SECONDS_PER_DAY)

/** The day numbers that any zone can show during the window. */
export const daysAround = ({ start, end }: Interval): { first: number; last: number } => ({
  first: Math.floor(start / SECONDS_PER_DAY) - 2,
  last: Math.floor(end / SECONDS_PER_DAY) + 2,
})

/** Minutes since midnight for `H:MM` or `HH:MM`, up to 24:00. Undefined for any other text. */
export function minutesOfDay(text: string): number | undefined {
  const [, hours, minutes] = /^(\d{1,2}):([0-5]\d)$/.exec(text) ?? []
  if (hours === undefined || minutes === undefined) return undefined
  const total = Number(hours) * 60 + Number(minutes)
  return total <= 1440 ? total : undefined
}
