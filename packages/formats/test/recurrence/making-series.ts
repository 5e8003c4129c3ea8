// Short builders for series in tests.
import { normaliseRecurrence } from '../../src/recurrence/rule.ts'
import type { Recurrence, Series, SeriesStart } from '../../src/recurrence/series.ts'
import { Steps } from '../../src/recurrence/steps.ts'

export const lenient = {
  allowRdate: true,
  startOutsideRule: 'follow-rule',
  get steps() {
    return new Steps()
  },
} as const
export const strict = {
  allowRdate: false,
  startOutsideRule: 'refuse',
  get steps() {
    return new Steps()
  },
} as const

/** Unix seconds of `2026-03-08T02:30` in a zone; with an offset or Z the zone does not matter. */
export const at = (text: string, zone = 'UTC'): number =>
  /Z|[+-]\d\d:\d\d$/.test(text)
    ? Temporal.Instant.from(text).epochMilliseconds / 1000
    : Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds / 1000

export const timed = (text: string, zone: string, seconds = 3600): Extract<SeriesStart, { kind: 'timed' }> => ({
  kind: 'timed',
  at: at(text, zone),
  zone,
  seconds,
})

export const allDay = (date: string, days = 1): Extract<SeriesStart, { kind: 'all-day' }> => ({
  kind: 'all-day',
  date,
  days,
})

export function recurrenceOf(start: SeriesStart, ...lines: string[]): Recurrence {
  const normalised = normaliseRecurrence(lines, start, lenient)
  if (!normalised.ok) throw new Error(normalised.problem)
  return normalised.value
}

export const seriesOf = (start: SeriesStart, ...lines: string[]): Series => ({
  start,
  recurrence: recurrenceOf(start, ...lines),
})

/** The problem of lines, or undefined if they are accepted. */
export function problemOf(start: SeriesStart, ...lines: string[]): string | undefined {
  const normalised = normaliseRecurrence(lines, start, strict)
  return normalised.ok ? undefined : normalised.problem
}
