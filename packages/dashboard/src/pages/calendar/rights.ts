/** What the user can do with a calendar and its events. */
import type { Calendar, Event, Grant } from '@waypost/sdk'

const same = (a: string | null | undefined, b: string | null | undefined): boolean =>
  a?.toLowerCase() === b?.toLowerCase()

/** The account's own entry in the guest list, if somebody else is the organizer. */
export function invitationOf(event: Event, grant: Grant, calendar: Calendar | undefined) {
  const organizer = event.organizer?.email
  if (!organizer || same(organizer, grant.email) || same(organizer, calendar?.id)) return undefined
  return event.participants.find(({ email }) => same(email, grant.email))
}

/** Why an event cannot be changed; undefined if it can. */
export function fixedBecause(event: Event, grant: Grant, calendar: Calendar | undefined): string | undefined {
  if (calendar?.read_only) return 'This account can only read this calendar.'
  if (event.read_only) return 'This account can only read this event.'
  if (event.status === 'cancelled') return 'This event is canceled.'
  if (invitationOf(event, grant, calendar)) return 'Only the organizer can change this event.'
  return undefined
}
