/** The parts of the free/busy and availability operations that all providers share. */

import type { Event, FreeBusy, FreeBusyQuery } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { forEachYielding } from '@waypost/platform/parsing/yielding'
import { type BusyEvent, rsvpReader } from '@waypost/scheduling/busy-events'
import { busySlots } from '@waypost/scheduling/free-busy'
import type { BusyBlock, MovingEvent, Provider } from '../provider.ts'

const daySeconds = 86_400
/** Three months, at any time of the year. */
const maxWindowSeconds = 93 * daySeconds

const isTooLong = ({ start_time, end_time }: FreeBusyQuery, maxSeconds: number): boolean =>
  end_time - start_time > maxSeconds

/** Refuses a free/busy window that is empty or longer than three months, or than the days that a provider accepts. */
export function checkFreeBusyWindow(query: FreeBusyQuery, maxDays?: number): void {
  if (query.end_time <= query.start_time) throw invalidField('end_time', 'must be after start_time')
  if (maxDays === undefined && isTooLong(query, maxWindowSeconds)) {
    throw invalidField('end_time', 'must be at most three months after start_time')
  }
  if (maxDays !== undefined && isTooLong(query, maxDays * daySeconds)) {
    throw invalidField('end_time', `must be at most ${maxDays} days after start_time at this provider`)
  }
}

/** The answer for an address, from the blocks of time in which it is busy. */
export const freeBusyFrom = (email: string, busy: readonly BusyBlock[], query: FreeBusyQuery): FreeBusy => ({
  email,
  object: 'free_busy',
  time_slots: busySlots(busy, { start: query.start_time, end: query.end_time }),
})

/** The answer for an address that has no free/busy information. */
export const freeBusyError = (email: string, error: string): FreeBusy => ({ email, object: 'error', error })

export const noCalendarFor = (email: string): FreeBusy => freeBusyError(email, `no calendar found for ${email}`)

/** Whether an event of a calendar is the one that is about to move, or its copy. */
export const isMoving = (
  { id, ical_uid: uid }: { id: string; ical_uid?: string | null | undefined },
  moving: MovingEvent | undefined,
): boolean => moving !== undefined && (id === moving.id || (Boolean(moving.icalUid) && uid === moving.icalUid))

/** Availability fails as a whole if the account does not have one of the calendars. */
export const unknownCalendar = (session: { grant: { email: string } }, id: string): ApiError =>
  new ApiError('invalid_request', `calendar_ids: ${session.grant.email} has no calendar ${id}`)

/** Reads each calendar once. An error for which `isMissing` is true becomes `unknownCalendar`. */
export async function eachCalendar<T>(
  session: { grant: { email: string } },
  calendarIds: readonly string[],
  { read, isMissing }: { read(calendarId: string): Promise<T>; isMissing(error: unknown): boolean },
): Promise<T[]> {
  const found: T[] = []
  for (const id of new Set(calendarIds)) {
    try {
      found.push(await read(id))
    } catch (error) {
      throw isMissing(error) ? unknownCalendar(session, id) : error
    }
  }
  return found
}

type LastBooked = Parameters<NonNullable<Provider['availability']>['lastBooked']>[1]

/** When the newest booking in these calendars was made that was not canceled or deleted since. */
export async function lastBooking(
  { calendarIds, tagged }: Pick<LastBooked, 'calendarIds' | 'tagged'>,
  {
    realId,
    isActive,
  }: {
    /** The id of a calendar that may also be named by a word, such as `primary`. */
    realId(calendarId: string): string | Promise<string>
    isActive(event: { calendarId: string; id: string }): Promise<boolean>
  },
): Promise<number | undefined> {
  const wanted = new Set(await Promise.all(calendarIds.map(realId)))
  for (const { calendarId, id, madeAt } of tagged) {
    if (wanted.has(await realId(calendarId)) && (await isActive({ calendarId, id }))) return madeAt
  }
  return undefined
}

/** Events in the form for free/busy of the account with these addresses, without the one that is about to move. */
export async function busyEventsOf<E>(
  entries: Iterable<E>,
  eventOf: (entry: E) => Event,
  { addresses, except }: { addresses: readonly string[]; except: MovingEvent | undefined },
): Promise<BusyEvent[]> {
  const events: BusyEvent[] = []
  const rsvpOf = rsvpReader([...addresses])
  await forEachYielding(entries, (entry) => {
    const event = eventOf(entry)
    if (isMoving(event, except)) return
    const { when, busy, status, participants } = event
    events.push({ when, busy, status, rsvp: rsvpOf(participants) })
  })
  return events
}
