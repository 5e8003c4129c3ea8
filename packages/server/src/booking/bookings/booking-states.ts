/**
 * The life of a booking, as pure functions. Every change is an intent that is recorded first and then carried out, so
 * that any process can finish it:
 *
 *   none ──create──▶ creating ──▶ booked, or pending where the organizer confirms
 *   pending ──confirm──▶ booked        pending ──decline──▶ cancelled
 *   pending | booked ──reschedule──▶ the same state at another time
 *   pending | booked ──cancel──▶ cancelled
 *
 * An intent that is refused leaves the booking as it was; a refused creation leaves nothing. `booking-changes.ts` says
 * which process carries an intent out, and `calendar-changes.ts` in which order.
 */
import type { Event } from '@waypost/contract'
import type { BookingState } from '@waypost/store/tables/scheduling/bookings'
import type { BookingRecord, Intent, IntentKind } from './booking-record.ts'
import type { BookedConfiguration } from './tools.ts'

const next: Record<IntentKind, Partial<Record<BookingState, BookingState>>> = {
  create: { creating: 'booked' },
  confirm: { pending: 'booked' },
  decline: { pending: 'cancelled' },
  reschedule: { pending: 'pending', booked: 'booked' },
  cancel: { pending: 'cancelled', booked: 'cancelled' },
}

/** The state after an intent, or undefined if the booking does not allow it. */
export function stateAfter(
  state: BookingState,
  kind: IntentKind,
  { needsConfirmation }: { needsConfirmation: boolean },
): BookingState | undefined {
  const after = next[kind][state]
  return kind === 'create' && needsConfirmation && after ? 'pending' : after
}

/** A change that is about to be recorded. */
export interface IntendedChange {
  record: BookingRecord
  intent: Intent
  configuration: BookedConfiguration
}

/** A change that this process carries out. */
export interface BookingWork extends IntendedChange {
  /** As it was when the intent was recorded. */
  record: BookingRecord
  /** The stored form of the intent, which proves that this process still has it. */
  sealed: string
  /** An earlier attempt may have changed calendars. */
  again: boolean
  signal: AbortSignal
}

/** The revision after the change. */
export const nextRevision = ({ status, revision }: BookingRecord): number =>
  status === 'creating' ? revision : revision + 1

/** Whether the change needs a slot that is free. */
export const needsSlot = ({ kind }: Intent): boolean => kind === 'create' || kind === 'reschedule'

/** Whether the booking is over after the change. */
export const endsBooking = ({ kind }: Intent): boolean => kind === 'cancel' || kind === 'decline'

export const needsConfirmation = ({ configuration }: BookedConfiguration): boolean =>
  configuration.type !== 'group' && (configuration.event_booking.booking_type ?? 'booking') !== 'booking'

const statusAfter = ({ record, intent, configuration }: IntendedChange): BookingState | undefined =>
  stateAfter(record.status, intent.kind, { needsConfirmation: needsConfirmation(configuration) })

/** Whether the event is a placeholder after the change. */
export const isPendingAfter = (change: IntendedChange): boolean => statusAfter(change) === 'pending'

/** The booking after the change, with the event that it has then. */
export function outcomeOf(change: IntendedChange, event: Event | undefined, now: number): BookingRecord {
  const { record, intent } = change
  const status = statusAfter(change)
  if (!status) throw new Error(`a booking that is ${record.status} allows no ${intent.kind}`)
  const { startTime, endTime, hostGrantId, calendarId } = intent.target
  return {
    ...record,
    status,
    revision: nextRevision(record),
    startTime,
    endTime,
    hostGrantId,
    calendarId: event?.calendar_id ?? calendarId,
    eventId: event?.id ?? record.eventId,
    details: {
      ...record.details,
      ...intent.details,
      ...(endsBooking(intent) ? { cancellationReason: intent.reason } : {}),
    },
    intent: undefined,
    updatedAt: now,
  }
}
