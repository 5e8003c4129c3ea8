/** Which events block time, and when: the same rules for free/busy and availability. */
import { dayOf } from '@waypost/formats/timezones/dates'
import type { Interval } from './intervals.ts'
import { momentsOfDays, type ZoneOffsets } from './local-time.ts'

/** The four shapes of `when`; `end_date` is the last day. */
export type EventTime =
  | { readonly time: number }
  | { readonly start_time: number; readonly end_time: number }
  | { readonly date: string }
  | { readonly start_date: string; readonly end_date: string }

export type Rsvp = 'yes' | 'no' | 'maybe' | 'noreply'

/** The fields that decide whether an event blocks time. Series are expanded before. */
export interface BusyEvent {
  readonly when: EventTime
  /** Absent and null mean busy. */
  readonly busy?: boolean | null
  readonly status?: 'confirmed' | 'cancelled' | 'maybe' | 'tentative' | null
  /** The calendar owner's response, if invited. */
  readonly rsvp?: Rsvp | null
}

/** The events of one calendar. All-day events are days in its zone. */
export interface BusyCalendar {
  readonly timezone: string
  readonly events: readonly BusyEvent[]
}

/** The calendar owner's response to an event, if invited. */
export function ownRsvp(
  participants: readonly { readonly email?: string | null; readonly status?: Rsvp | null }[],
  owner: string,
): Rsvp | undefined {
  const address = owner.toLowerCase()
  const own = participants.find(({ email }) => email?.toLowerCase() === address)
  return own === undefined ? undefined : (own.status ?? 'noreply')
}

/**
 * Reads the owner's response to many events; the first of the addresses that is invited counts. The occurrences of a
 * series share one list of guests, which is searched once.
 */
export function rsvpReader(owners: readonly string[]): (guests: Parameters<typeof ownRsvp>[0]) => Rsvp | undefined {
  const known = new Map<Parameters<typeof ownRsvp>[0], Rsvp | undefined>()
  return (guests) => {
    if (known.has(guests)) return known.get(guests)
    const rsvp = owners.map((owner) => ownRsvp(guests, owner)).find((answer) => answer)
    known.set(guests, rsvp)
    return rsvp
  }
}

const blocks = ({ busy, status, rsvp }: BusyEvent): boolean => busy !== false && status !== 'cancelled' && rsvp !== 'no'

const blocksFirmly = (event: BusyEvent): boolean =>
  blocks(event) && event.status !== 'maybe' && event.status !== 'tentative' && event.rsvp !== 'maybe'

export interface BusyQuestion {
  readonly offsets: ZoneOffsets
  /** Absent means true. */
  readonly tentative_as_busy?: boolean
}

/**
 * The time that the events of the calendars block, neither merged nor clipped. Events of zero length stay as empty
 * intervals, because buffers may extend them.
 */
export const busyIntervals = (
  calendars: readonly BusyCalendar[],
  { offsets, tentative_as_busy = true }: BusyQuestion,
): Interval[] =>
  calendars.flatMap(({ timezone, events }) => {
    const blocking = events.filter(tentative_as_busy ? blocks : blocksFirmly)
    return blocking.flatMap(({ when }) => intervalOf(when, timezone, offsets) ?? [])
  })

/** An event that ends before it starts, as some providers return, is a point at its start. */
function intervalOf(when: EventTime, timezone: string, offsets: ZoneOffsets): Interval | undefined {
  if ('time' in when) return { start: when.time, end: when.time }
  if ('start_time' in when) return { start: when.start_time, end: Math.max(when.start_time, when.end_time) }
  const first = dayOf('date' in when ? when.date : when.start_date)
  const last = dayOf('date' in when ? when.date : when.end_date)
  return momentsOfDays(offsets(timezone), first, Math.max(first, last))
}
