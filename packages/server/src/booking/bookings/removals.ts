/**
 * Takes a booking out of a calendar that no longer has it: after it was cancelled, declined, or moved to another event. A guest
 * can cancel although the account of the host refuses the change, because its owner has to connect it again. Then the
 * booking is changed at once, and a job removes the event when the account is back.
 */
import type { Event } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Queries } from '@waypost/store/engine/database'
import { type GrantRecord, getGrant } from '@waypost/store/tables/grants/grants'
import type { JobKind } from '@waypost/store/tables/notifications/outbox'
import { firstAttemptMs, isDefinite, queueWork } from '../../outbox/recorded-work.ts'
import { JobDeferred, type JobHandler } from '../../outbox/runner.ts'
import { leaveSeat, settleSeat } from '../group-events/seats.ts'
import { findBooking } from './booking-record.ts'
import { type BookingWork, nextRevision } from './booking-states.ts'
import { isLostAccount } from './lost-accounts.ts'
import type { CalendarStep } from './placement.ts'
import type { BookingTools } from './tools.ts'

export const removeJob = 'bookings.remove' satisfies JobKind

/** The event of a booking, or its seat at a group event. */
export interface Presence {
  /** The account whose calendar has it. */
  grantId: string
  calendarId: string
  eventId: string
  seat?: { masterId: string | null }
  /** Whether the provider notifies the guests. */
  notify: boolean
}

interface Removal extends Presence {
  applicationId: string
  bookingId: string
  /** Unix seconds. Afterwards nobody needs the removal. */
  endTime: number
}

/** A lost account is looked for in our store only; any other refusal comes from the provider. */
const lostMs = 60_000
const refusedMs = 600_000

interface Use {
  record: GrantRecord
  signal: AbortSignal
  queries: Queries
}

async function remove(tools: BookingTools, removal: Removal, { record, signal, queries }: Use): Promise<void> {
  const { applicationId, bookingId, grantId, calendarId, eventId, seat, notify } = removal
  if (seat) {
    const at = { applicationId, grantId, calendarId, eventId }
    const account = { record, signal: () => signal }
    return settleSeat(tools, { at, ...seat, account, bookingId, nodeId: tools.nodeId, notify })
  }
  return removeEvent(tools, removal, { record, queries, signal: () => signal })
}

/** Deletes an event, unless it is gone. */
export async function removeEvent(
  { sessions }: BookingTools,
  { calendarId, eventId, notify }: Pick<Presence, 'calendarId' | 'eventId' | 'notify'>,
  { record, queries, signal }: { record: GrantRecord; queries: Queries; signal(): AbortSignal },
): Promise<void> {
  const use = { queries, signal, responseHeaders: {} }
  const drop = sessions.operation(record, { resource: 'events', operation: 'delete' }, use)
  try {
    await drop({ event_id: eventId, calendar_id: calendarId, notify_participants: notify })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
  }
}

const isLocal = ({ sessions }: BookingTools, { seat }: Presence, record: GrantRecord): boolean =>
  seat === undefined && sessions.providerOf(record, 'events.delete').local !== undefined

/** Frees the seat, once the calendar no longer has its people. */
async function leave({ database }: BookingTools, removal: Removal): Promise<void> {
  const { applicationId, grantId, calendarId, eventId, bookingId, seat } = removal
  if (seat) await leaveSeat(database, { applicationId, grantId, calendarId, eventId }, bookingId)
}

/** A step that removes an event or gives a seat back, or leaves that to the job. */
export function removing(tools: BookingTools, work: BookingWork, presence: Presence, found: GrantRecord): CalendarStep {
  const { applicationId, id: bookingId, endTime } = work.record
  const removal: Removal = { ...presence, applicationId, bookingId, endTime }
  const isOurs = isLocal(tools, presence, found)
  const later = async (queries: Queries, error: unknown): Promise<undefined> => {
    tools.log.warn({ error, booking_id: bookingId }, 'the event of a booking is removed when its account allows it')
    const id = `${bookingId} ${nextRevision(work.record)} removal`
    const job = { id, applicationId, grantId: presence.grantId, kind: removeJob, payload: removal }
    await queueWork(queries, job, tools.clock.now())
  }
  return {
    isLocal: isOurs,
    poll: {
      when: presence.seat ? 'after' : 'before',
      read: (queries) => readLeft(tools, removal, { record: found, signal: work.signal, queries }),
    },
    async run(queries) {
      await leave(tools, removal)
      const record = usableOf(tools, found)
      if (record instanceof ApiError) return later(queries, record)
      try {
        await remove(tools, removal, { record, signal: work.signal, queries })
      } catch (error) {
        // In the transaction of the booking, a part of the removal may have been written.
        if (isOurs || !isDefinite(error)) throw error
        await later(queries, error)
      }
      return undefined
    },
  }
}

/** The event that the booking leaves; undefined if it is gone or out of reach. */
async function readLeft(
  { sessions }: BookingTools,
  { calendarId, eventId, seat }: Removal,
  { record, signal, queries }: Use,
): Promise<Event | undefined> {
  const use = { queries, signal: () => signal, responseHeaders: {} }
  try {
    const read = sessions.operation(sessions.usable(record), { resource: 'events', operation: 'get' }, use)
    const event = await read({ event_id: eventId, calendar_id: calendarId })
    return seat && event.status === 'cancelled' ? undefined : event
  } catch (error) {
    if (isDefinite(error)) return undefined
    throw error
  }
}

function usableOf({ sessions }: BookingTools, found: GrantRecord): GrantRecord | ApiError {
  try {
    return sessions.usable(found)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** A removal that is written twice is one job: its change was carried out again. */
export const removeLater =
  (tools: BookingTools): JobHandler =>
  async (payload, signal) => {
    const removal: Removal = JSON.parse(payload)
    const { applicationId, bookingId: id, grantId, eventId, endTime } = removal
    const booking = await findBooking(tools.database, tools.seals, { applicationId, id })
    if (!booking) return
    if (booking.intent) throw new JobDeferred(firstAttemptMs)
    // The change was undone, or the booking came back.
    if (booking.status !== 'cancelled' && booking.eventId === eventId) return
    const found = await getGrant(tools.database, applicationId, grantId)
    if (!found) return
    try {
      const record = tools.sessions.usable(found)
      await leave(tools, removal)
      if (isLocal(tools, removal, record)) {
        await tools.database.transaction((tx) => remove(tools, removal, { record, signal, queries: tx }))
      } else await remove(tools, removal, { record, signal, queries: tools.database })
      tools.log.info({ booking_id: id }, 'the event of a cancelled or moved booking was removed')
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (tools.clock.now() > endTime * 1000) {
        tools.log.warn({ error, booking_id: id }, 'the event of a cancelled or moved booking stays: its time is over')
        return
      }
      throw new JobDeferred(isLostAccount(error) ? lostMs : refusedMs)
    }
  }
