/** What a booking page shows: the page itself, and the booking that it moves. */
import type { BookedEvent, EmailLanguage, UiSettings } from '@waypost/contract'
import { organizerOf } from '@waypost/scheduling/configurations/participants'
import { type BookingRecord, organizerReferenceOf } from './bookings/booking-record.ts'
import type { ConfigurationRecord } from './configurations.ts'

export function settingsOf({ configuration, applicationId }: ConfigurationRecord): UiSettings {
  const { id, name, slug, type, availability, event_booking: event, appearance } = configuration
  const { email_template: _, ...scheduler } = configuration.scheduler
  const organizer = organizerOf(configuration.participants)
  return {
    configuration_id: id,
    app_client_id: applicationId,
    name,
    slug,
    type,
    appearance,
    scheduler,
    booking_type: event.booking_type ?? 'booking',
    ...(availability.duration_minutes ? { duration_minutes: availability.duration_minutes } : {}),
    ...(event.timezone ? { timezone: event.timezone } : {}),
    organizer: { name: organizer?.name ?? '', email: organizer?.email ?? '' },
  }
}

/** The salt lets its holder confirm a booking, so only a caller who has it gets it (`isProved`). */
export function bookedEventOf(record: BookingRecord, isProved: boolean): BookedEvent {
  const { details, startTime, endTime } = record
  const { timezone } = details
  return {
    additional_fields: { ...details.additionalFields },
    additional_guests: [...details.additionalGuests],
    guest: details.guest,
    timezone,
    // Only languages of the contract are stored.
    email_language: details.emailLanguage as EmailLanguage,
    ...(isProved ? { booking_ref: organizerReferenceOf(record), booking_ref_salt: details.salt } : {}),
    event_organizer: { ...details.organizer, is_organizer: true },
    event_data: {
      location: details.location,
      when: {
        object: 'timespan',
        start_time: startTime,
        end_time: endTime,
        start_timezone: timezone,
        end_timezone: timezone,
      },
    },
  }
}
