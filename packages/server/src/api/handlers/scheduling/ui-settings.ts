import { timingSafeEqual } from 'node:crypto'
import type { BookedEvent, UiSettings } from '@waypost/contract'
import { type BookingRecord, findBooking, referenceOf } from '../../../booking/bookings/record.ts'
import type { ConfigurationRecord } from '../../../booking/configurations.ts'
import { findPageVisitor, type PageVisitor } from '../../../booking/page-visitor.ts'
import { readReference } from '../../../booking/references.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { isUuid } from '../../../lib/ids.ts'
import { organizerOf } from '../../../scheduling/configurations/participants.ts'
import type { Services } from '../../../services/services.ts'
import type { Handlers } from '../../pipeline/handler-types.ts'

/** What a page shows before a time is chosen. */
export function settingsOf({ configuration, applicationId }: ConfigurationRecord): UiSettings {
  const { id, name, slug, type, availability, event_booking: event, appearance } = configuration
  const { email_template: _, ...scheduler } = configuration.scheduler
  const organizer = organizerOf(configuration.participants)
  return {
    ...{ configuration_id: id, app_client_id: applicationId, name, slug, type, appearance, scheduler },
    booking_type: event.booking_type ?? 'booking',
    ...(availability.duration_minutes ? { duration_minutes: availability.duration_minutes } : {}),
    ...(event.timezone ? { timezone: event.timezone } : {}),
    organizer: { name: organizer?.name ?? '', email: organizer?.email ?? '' },
  }
}

/** The booking for a page that moves it. The salt lets its holder confirm, so only who has it gets it. */
export function bookedEventOf(record: BookingRecord, isProved: boolean): BookedEvent {
  const { details, startTime, endTime } = record
  const { timezone } = details
  return {
    additional_fields: { ...details.additionalFields },
    additional_guests: [...details.additionalGuests],
    guest: details.guest,
    timezone,
    email_language: details.emailLanguage as BookedEvent['email_language'],
    ...(isProved ? { booking_ref: referenceOf(record), booking_ref_salt: details.salt } : {}),
    event_organizer: { ...details.organizer, is_organizer: true },
    event_data: {
      location: details.location,
      when: {
        ...{ object: 'timespan', start_time: startTime, end_time: endTime },
        ...{ start_timezone: timezone, end_timezone: timezone },
      },
    },
  }
}

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

interface Proof {
  booking_id?: string | undefined
  booking_ref?: string | undefined
  salt?: string | undefined
}

export const uiSettings = (services: Services): Handlers['uiSettings'] => {
  const { database, seals, visitorLimits } = services

  const bookingOf = async ({ record }: PageVisitor, id: string): Promise<BookingRecord> => {
    const booking = isUuid(id)
      ? await findBooking(database, seals, { applicationId: record.applicationId, id: id.toLowerCase() })
      : undefined
    const isShown = booking?.configurationId === record.id && booking.status !== 'creating'
    if (!booking || !isShown) throw new ApiError('not_found', 'no such booking: check booking_id')
    return booking
  }

  /** Whether the request has the right salt. A wrong one is counted, and shows nothing. */
  const isProvedBy = (booking: BookingRecord, { booking_ref, salt }: Proof, address: string): boolean => {
    const reference = booking_ref === undefined ? undefined : readReference(booking_ref)
    const given = booking_ref === undefined ? salt : reference?.bookingId === booking.id ? reference.salt : ''
    if (given === undefined) return false
    const at = { bookingId: booking.id, address }
    if (visitorLimits.countWrong(at, () => isSame(given, booking.details.salt))) return true
    throw new ApiError('not_found', 'no such booking: check booking_id')
  }

  return {
    get: async (context) => {
      const { query, visitor } = context
      const found = await findPageVisitor(services, context)
      const settings = settingsOf(found.record)
      if (query.booking_id === undefined) return settings
      const booking = await bookingOf(found, query.booking_id)
      const isProved = found.kind === 'application' || isProvedBy(booking, query, visitor.address)
      return { ...settings, booking: bookedEventOf(booking, isProved) }
    },
  }
}
