/** What a guest asks for, checked against the configuration. */
import type { BookingDraft, Configuration } from '@waypost/contract'
import { resolveTimeZone } from '@waypost/formats/timezones/timezones'
import { invalidField } from '@waypost/platform/api-error'
import { emailKey } from '@waypost/platform/email-key'
import { readAnswers } from './additional-fields.ts'
import type { GuestDetails } from './bookings.ts'
import type { ChosenGroupEvent } from './cast.ts'

/** Seconds as clients send them; the end follows the start. */
export function checkTimes({ start_time, end_time }: { start_time: number; end_time: number }): void {
  if (end_time <= start_time) throw invalidField('end_time', 'must be after start_time')
}

/** The guest's zone, from the body or the query. */
export function zoneOf(given: string | null | undefined): string | undefined {
  if (!given) return undefined
  const zone = resolveTimeZone(given)
  if (zone === undefined) throw invalidField('timezone', 'must be an IANA time zone, such as Europe/Berlin')
  return zone
}

/** The guest's part of a booking, checked against the configuration. */
export function detailsOf(
  configuration: Configuration,
  body: BookingDraft,
  timezone: string | undefined,
): GuestDetails {
  const own = emailKey(body.guest.email)
  const others = (body.additional_guests ?? []).filter(({ email }) => emailKey(email) !== own)
  if (others.length > 0 && configuration.scheduler.hide_additional_guests) {
    throw invalidField('additional_guests', 'are not allowed on this booking page')
  }
  return {
    guest: body.guest,
    additionalGuests: others.map(({ email, name }) => ({ email, name: name ?? '' })),
    additionalFields: readAnswers(configuration, body.additional_fields ?? {}),
    timezone: zoneOf(body.timezone ?? timezone) ?? (configuration.event_booking.timezone || 'UTC'),
    emailLanguage: body.email_language ?? 'en',
  }
}

/** The group event that a guest chose; undefined for other configurations. */
export function groupOf(
  { type }: Configuration,
  { event_id, calendar_id, master_id }: Pick<BookingDraft, 'event_id' | 'calendar_id' | 'master_id'>,
): ChosenGroupEvent | undefined {
  if (type !== 'group') return undefined
  if (!event_id) throw invalidField('event_id', 'is required: the group event to join, as availability returns it')
  if (!calendar_id) throw invalidField('calendar_id', 'is required: the calendar of the group event')
  return { calendarId: calendar_id, eventId: event_id, masterId: master_id ?? null }
}

/** The participants that a guest named. Those of a group event are its own. */
export const namedIn = ({ type }: Configuration, { participants }: Pick<BookingDraft, 'participants'>): string[] =>
  type === 'group' ? [] : (participants ?? []).map(({ email }) => email)
