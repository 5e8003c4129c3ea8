/** What can be done with a calendar and with an event of it. */
import type { Calendar, Event, Grant } from '@waypost/sdk'

const same = (a: string | null | undefined, b: string | null | undefined): boolean =>
  a?.toLowerCase() === b?.toLowerCase()

/** The own entry in the list of guests, where somebody else invited. */
export function invitationOf(event: Event, grant: Grant, calendar: Calendar | undefined) {
  const organizer = event.organizer?.email
  if (!organizer || same(organizer, grant.email) || same(organizer, calendar?.id)) return undefined
  return event.participants.find(({ email }) => same(email, grant.email))
}

/** Why an event cannot be changed here; undefined where it can. */
export function fixedBecause(event: Event, grant: Grant, calendar: Calendar | undefined): string | undefined {
  if (calendar?.read_only) return 'This account can only read this calendar.'
  if (event.read_only) return 'This account can only read this event.'
  if (event.status === 'cancelled') return 'This event is canceled.'
  if (invitationOf(event, grant, calendar)) return 'Only the organizer can change this event.'
  return undefined
}
