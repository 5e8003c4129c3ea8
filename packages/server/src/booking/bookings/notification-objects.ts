/** The objects of notifications about bookings. Pure. */
import type { BookingInfo, BookingObject, Configuration } from '@waypost/contract'
import { linksOf } from '../links.ts'
import { type BookingRecord, organizerReferenceOf, referenceOf } from './record.ts'

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
