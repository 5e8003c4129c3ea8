/**
 * Whose event it is. The account organizes what its clients create; what an import took over may be somebody else's, and
 * then the account is a guest: it answers, keeps metadata, and may delete its copy, which concerns nobody else.
 */
import type { Event, EventChange, Participant } from '@waypost/contract'
import { sameAddress } from '../../formats/itip/itip.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Located } from './locate.ts'
import { wholeOf } from './series.ts'
import type { Session } from './session.ts'

/** The account among the guests of an event, if it is one of them. */
export const ownInvitation = ({ grant }: Session, { participants }: Event): Participant | undefined =>
  participants.find(({ email }) => email !== undefined && sameAddress(email, grant.email.trim()))

/** The one who invited the account to an event; null where the account organizes it. */
function inviterOf(session: Session, event: Event): Event['organizer'] {
  const { organizer } = event
  const isOthers = organizer !== null && !sameAddress(organizer.email.trim(), session.grant.email.trim())
  return isOthers && ownInvitation(session, event) ? organizer : null
}

/** The one who invited the account to what an id names: to an occurrence as well as to its series. */
export const hostOf = (session: Session, located: Located): Event['organizer'] =>
  inviterOf(session, located.event) ??
  (located.what === 'occurrence' ? inviterOf(session, wholeOf(located.master)) : null)

/** Whether the account is a guest of a stored event. */
export const isInvited = (session: Session, event: Event): boolean => inviterOf(session, event) !== null

/** What does not touch the event that its guests share: our own metadata, and what is taken but never kept. */
const ownFields = new Set(['metadata', 'calendar_id', 'status', 'reminders', 'color_id'])

/** Refuses a guest's change of what only the organizer can change. */
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
