/** A booking as the API answers it. Pure. */
import type { Booking } from '@waypost/contract'
import { type BookingRecord, organizerReferenceOf, referenceOf } from './booking-record.ts'

/** Without the reference, which opens the booking. */
export function bookingOf({ details, ...record }: BookingRecord): Booking {
  return {
    booking_id: record.id,
    configuration_id: record.configurationId,
    event_id: record.eventId ?? '',
    title: details.title,
    organizer: { email: details.organizer.email, name: details.organizer.name },
    status: record.status === 'creating' ? 'pending' : record.status,
    description: details.description,
    location: details.location || details.conferenceUrl || '',
    start_time: record.startTime,
    end_time: record.endTime,
    timezone: details.timezone,
    email_language: details.emailLanguage,
    guest: details.guest,
    additional_guests: [...details.additionalGuests],
    additional_fields: { ...details.additionalFields },
  }
}

/** With the reference, for callers who made the booking or proved its salt. */
export const referencedBookingOf = (record: BookingRecord): Booking => ({
  ...bookingOf(record),
  booking_ref: referenceOf(record),
})

/** With the organizer's reference, for the application, whose own pages confirm with it. */
export const organizerBookingOf = (record: BookingRecord): Booking => ({
  ...bookingOf(record),
  booking_ref: organizerReferenceOf(record),
})
