/**
 * Determines the organizer of an event. The account organizes the events that its clients create. An imported event
 * may belong to another organizer. Then the account is a guest: it can answer, store metadata, and delete its copy
 * without effect on others.
 */
import type { Event, EventChange, Participant } from '@waypost/contract'
import { sameAddress } from '@waypost/formats/itip/itip'
import { ApiError } from '@waypost/platform/api-error'
import type { Located } from './locate.ts'
import { wholeOf } from './series.ts'
import type { Session } from './session.ts'

/** The account's entry among the guests of an event, if it is invited. */
export const ownInvitation = ({ grant }: Session, { participants }: Event): Participant | undefined =>
  participants.find(({ email }) => email !== undefined && sameAddress(email, grant.email.trim()))

/** The organizer that invited the account; null if the account organizes the event. */
function inviterOf(session: Session, event: Event): Event['organizer'] {
  const { organizer } = event
  const isOthers = organizer !== null && !sameAddress(organizer.email.trim(), session.grant.email.trim())
  return isOthers && ownInvitation(session, event) ? organizer : null
}

/** The organizer that invited the account to a located event: to an occurrence or to its series. */
export const hostOf = (session: Session, located: Located): Event['organizer'] =>
  inviterOf(session, located.event) ??
  (located.what === 'occurrence' ? inviterOf(session, wholeOf(located.master)) : null)

/** Whether the account is a guest of a stored event. */
export const isInvited = (session: Session, event: Event): boolean => inviterOf(session, event) !== null

/** Fields that do not affect other guests: metadata, and fields that are accepted but not stored. */
const ownFields = new Set(['metadata', 'calendar_id', 'status', 'reminders', 'color_id'])

/** Rejects a guest's change to fields that only the organizer may change. */
export function checkOrganizer(session: Session, located: Located, change: EventChange): void {
  const host = hostOf(session, located)
  if (!host) return
  const fields = Object.keys(change).filter((name) => !ownFields.has(name) && Reflect.get(change, name) !== undefined)
  if (fields.length === 0) return
  const problem = `only the organizer, ${host.email}, can change this event; answer it with send-rsvp`
  throw new ApiError('invalid_request', `${fields.join(', ')}: ${problem}`, {
    validationErrors: Object.fromEntries(fields.map((field) => [field, problem])),
  })
}
