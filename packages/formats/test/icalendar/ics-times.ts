/** Readable times for tests. */
import type { When } from '@waypost/contract'

/** The instant of a local time, as an ISO time. */
export const instantOf = (local: string, zone: string): string =>
  Temporal.PlainDateTime.from(local).toZonedDateTime(zone).toInstant().toString()

export const iso = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

/** Start and end of a time: ISO times, or the first and the last day. */
export function endsOfWhen(when: When): [string, string] {
  switch (when.object) {
    case 'time':
      return [iso(when.time), iso(when.time)]
    case 'timespan':
      return [iso(when.start_time), iso(when.end_time)]
    case 'date':
      return [when.date, when.date]
    case 'datespan':
      return [when.start_date, when.end_date]
  }
}
