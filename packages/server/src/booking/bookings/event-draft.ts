/** The event of a booking in the calendar of its host. Pure. */
import { hash } from 'node:crypto'
import type { Configuration, Event, EventChange, EventDraft } from '@waypost/contract'
import { emailKey } from '@waypost/platform/email-key'
import type { BookingDetails, Person } from './booking-record.ts'

/** Replaces `${invitee}`, `${invitee_email}` and the keys of additional fields. Other tokens stay as they are. */
export function replaceTokens(
  text: string,
  { guest, additionalFields }: Pick<BookingDetails, 'guest' | 'additionalFields'>,
): string {
  const values = new Map([
    ...Object.entries(additionalFields),
    ['invitee', guest.name] as const,
    ['invitee_email', guest.email] as const,
  ])
  return text.replaceAll(/\$\{([^{}$]{1,128})\}/g, (token, key: string) => values.get(key.trim()) ?? token)
}

const maxTitle = 1024
const maxDescription = 8192
const maxLocation = 255

/** The texts of the event, with the guest's answers in place of tokens. */
export function textsOf(
  { event_booking: event }: Configuration,
  of: Pick<BookingDetails, 'guest' | 'additionalFields'>,
): Pick<BookingDetails, 'title' | 'description' | 'location'> {
  return {
    title: replaceTokens(event.title ?? '', of).slice(0, maxTitle),
    description: replaceTokens(event.description ?? '', of).slice(0, maxDescription),
    location: (event.location ?? '').slice(0, maxLocation),
  }
}

/** Marks booked events for the round-robin order. */
export const metadataOf = ({ id, availability }: Configuration): Record<string, string> => ({
  key5: availability.availability_rules?.round_robin_group_id || id,
})

/** The name of the event at the provider: the same for every attempt of the same change. */
export const nameOf = (bookingId: string, revision: number): string =>
  hash('sha256', `booking ${bookingId} ${revision}`, 'hex')

interface Slot {
  startTime: number
  endTime: number
}

export const whenOf = ({ event_booking: event }: Configuration, { startTime, endTime }: Slot): EventDraft['when'] => {
  const zone = event.timezone || 'UTC'
  return { start_time: startTime, end_time: endTime, start_timezone: zone, end_timezone: zone }
}

/** The invited people without the host, who owns the event. Each address appears once. */
function invitedOf({ guest, additionalGuests, participants }: BookingDetails, hostEmails: readonly string[]): Person[] {
  const seen = new Set(hostEmails.map(emailKey))
  return [guest, ...additionalGuests, ...participants].filter(({ email }) => {
    const key = emailKey(email)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** The fields that the booked event has, and the placeholder of a pending booking has not. */
export function bookedFields(
  { event_booking: event }: Configuration,
  details: BookingDetails,
  hostEmails: readonly string[],
): Pick<EventChange, 'participants' | 'conferencing' | 'hide_participants'> {
  return {
    participants: invitedOf(details, hostEmails).map(({ email, name }) => (name === '' ? { email } : { email, name })),
    ...(event.conferencing ? { conferencing: event.conferencing } : {}),
    ...(event.hide_participants ? { hide_participants: true } : {}),
  }
}

/** The event of a booking. While the organizer has not confirmed, nobody is invited. */
export const draftOf = (
  configuration: Configuration,
  details: BookingDetails,
  { slot, isPending, hostEmails }: { slot: Slot; isPending: boolean; hostEmails: readonly string[] },
): EventDraft => ({
  title: details.title,
  ...(details.description === '' ? {} : { description: details.description }),
  ...(details.location === '' ? {} : { location: details.location }),
  when: whenOf(configuration, slot),
  busy: true,
  ...(isPending ? {} : bookedFields(configuration, details, hostEmails)),
})

/** The link of an event's conference. */
export function conferenceUrlOf({ conferencing }: Pick<Event, 'conferencing'>): string | undefined {
  const details: unknown = conferencing && Reflect.get(conferencing, 'details')
  const url: unknown = typeof details === 'object' && details !== null ? Reflect.get(details, 'url') : undefined
  return typeof url === 'string' && url !== '' ? url : undefined
}
