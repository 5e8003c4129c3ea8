/** Notifications about bookings. */
import type { BookingInfo, BookingObject, Configuration, Trigger } from '@waypost/contract'
import type { Queries } from '@waypost/store/engine/database'
import { getGrant } from '@waypost/store/tables/grants/grants'
import { linksOf } from '../references.ts'
import {
  type BookingChange,
  type BookingRecord,
  type IntentKind,
  organizerReferenceOf,
  referenceOf,
} from './booking-record.ts'
import type { BookingWork } from './booking-states.ts'
import type { BookingTools } from './tools.ts'

export interface NotifiedBooking {
  record: BookingRecord
  configuration: Configuration
  baseUrl: string
  /** The kind of the host's account. */
  provider: string
}

/** The facts that all triggers share. */
export function bookingInfoOf({ record, configuration, baseUrl, provider }: NotifiedBooking): BookingInfo {
  const { details } = record
  const { scheduler, event_booking: event } = configuration
  const links = linksOf(baseUrl, configuration, referenceOf(record))
  const isGroup = configuration.type === 'group'
  return {
    event_id: record.eventId ?? '',
    title: details.title,
    start_time: record.startTime,
    end_time: record.endTime,
    duration: Math.round((record.endTime - record.startTime) / 60),
    location: details.location,
    participants: [...details.participants, details.guest, ...details.additionalGuests].map(({ email, name }) => ({
      email,
      name,
    })),
    additional_fields: Object.keys(details.additionalFields).length > 0 ? { ...details.additionalFields } : null,
    organizer_timezone: event.timezone || 'UTC',
    guest_timezone: details.timezone,
    organizer_calendar_id: record.calendarId,
    provider,
    is_group_event: isGroup,
    hide_cancellation_options: scheduler.hide_cancellation_options ?? false,
    hide_rescheduling_options: scheduler.hide_rescheduling_options ?? false,
    participant_rescheduling_url: links.reschedule,
    participant_cancellation_url: links.cancel,
  }
}

/** The identifying fields. The reference opens the booking, so a cancelled one is named without it. */
export const bookingObjectOf = (
  of: NotifiedBooking,
  info: Partial<BookingInfo> = {},
): Omit<BookingObject, 'booking_info'> & { booking_info: BookingInfo } => ({
  booking_id: of.record.id,
  configuration_id: of.record.configurationId,
  object: 'booking',
  ...(of.record.status === 'cancelled' ? {} : { booking_ref: organizerReferenceOf(of.record) }),
  ...(of.record.status === 'pending'
    ? { booking_type: of.configuration.event_booking.booking_type ?? 'organizer-confirmation' }
    : {}),
  booking_info: { ...bookingInfoOf(of), ...info },
})

const triggerOf = (kind: IntentKind, { status }: BookingRecord): Trigger & `booking.${string}` => {
  if (kind === 'reschedule') return 'booking.rescheduled'
  if (status === 'cancelled') return 'booking.cancelled'
  return status === 'pending' ? 'booking.pending' : 'booking.created'
}

const mailKindOf = (kind: IntentKind, { status }: BookingRecord): BookingChange['kind'] => {
  // A request that was moved is still one: its organizer confirms the new time.
  if (kind === 'reschedule') return status === 'pending' ? 'requested' : 'rescheduled'
  if (kind === 'decline') return 'declined'
  if (kind === 'cancel') return 'cancelled'
  return status === 'pending' ? 'requested' : 'confirmed'
}

/** What a change has led to. */
export interface Outcome extends Pick<BookingChange, 'event' | 'withdrawn'> {
  next: BookingRecord
}

/** Announces a change in its transaction: the notification, the mails, the reminders. */
export async function announceChange(
  tx: Queries,
  tools: BookingTools,
  { record, intent, configuration: of }: BookingWork,
  { next, ...entry }: Outcome,
): Promise<void> {
  const { configuration } = of
  const { applicationId, grantId } = next
  const host = await getGrant(tx, applicationId, next.hostGrantId)
  const owner = host ?? (await getGrant(tx, applicationId, grantId))
  const provider = owner?.grant.provider ?? ''
  const isMoved = intent.kind === 'reschedule'
  const info = {
    ...(isMoved ? { old_start_time: record.startTime, old_end_time: record.endTime } : {}),
    ...(next.status === 'cancelled' ? { cancellation_reason: intent.reason } : {}),
  }
  await tools.notify(tx, {
    applicationId,
    grantId,
    provider,
    trigger: triggerOf(intent.kind, next),
    object: bookingObjectOf({ record: next, configuration, baseUrl: tools.baseUrl, provider }, info),
  })
  await tools.mails.queueBookingMails(tx, {
    ...entry,
    record: next,
    before: record,
    configuration,
    kind: mailKindOf(intent.kind, next),
    reason: intent.reason,
    ...(isMoved ? { previous: { startTime: record.startTime, endTime: record.endTime } } : {}),
  })
  if (next.status !== 'booked') return
  await tools.mails.queueBookingReminders(tx, { event: entry.event, record: next, configuration })
}
