/** Mails about events: invitations, changes, cancellations, answers. They leave after the change is kept. */
import type { Event, Participant, Rsvp, RsvpResult, When } from '@waypost/contract'
import type { Moment } from '../../formats/icalendar.ts'
import { type Invitation, invitationsFor, replyMailFor } from '../../formats/invitations.ts'
import { isMailAddress } from '../../formats/itip.ts'
import type { Occurrence } from '../../formats/recurrence.ts'
import { seriesZone } from '../calendar/event-input.ts'
import type { Located } from './locate.ts'
import { hostOf } from './organizer.ts'
import { wholeOf } from './series.ts'
import type { Session } from './session.ts'

const notConfigured = 'not sent: the service has no mail identity (WAYPOST_SMTP_URL and WAYPOST_MAIL_FROM)'

export interface Notified {
  before?: Event
  after?: Event
  notify: boolean | undefined
  located?: Located
}

/** The original slot of an occurrence, in the form and zone of its series. */
const momentOf = (master: When, occurrence: Occurrence): Moment =>
  occurrence.startDate === undefined
    ? { time: occurrence.start, timezone: seriesZone(master) }
    : { date: occurrence.startDate }

const recurrenceIdOf = (located: Located | undefined): Moment | undefined =>
  located?.what === 'occurrence' ? momentOf(wholeOf(located.master).when, located.occurrence) : undefined

const hasGuests = (event: Event | undefined): boolean =>
  event !== undefined && event.participants.length + event.resources.length > 0

/** Tells guests of a change, where the client wants it and the service can send mail; the answer says what was done. */
export async function tellGuests(session: Session, told: Notified): Promise<void> {
  const { io, grant } = session
  if (told.notify === false || !(hasGuests(told.before) || hasGuests(told.after))) return
  // Only the organizer invites and cancels: what a guest does with his copy is his own affair.
  if (told.located && hostOf(session, told.located)) return
  const mails = invitationsFor({
    ...(told.before ? { before: told.before } : {}),
    ...(told.after ? { after: told.after } : {}),
    organizer: { email: grant.email, name: grant.metadata.name ?? null },
    ...(io.mail ? { sentBy: io.mail.address } : {}),
    now: io.clock.now(),
    ...recurrence(told.located),
  })
  if (mails.length > 0) await queueInvitations(session, mails)
}

const recurrence = (located: Located | undefined): { recurrenceId?: Moment } => {
  const recurrenceId = recurrenceIdOf(located)
  return recurrenceId ? { recurrenceId } : {}
}

async function queueInvitations({ io }: Session, mails: readonly Invitation[]): Promise<void> {
  if (!io.mail) return io.setResponseHeader('x-waypost-mail', notConfigured)
  await io.mail.queue(...mails)
  io.setResponseHeader('x-waypost-mail', `queued: ${mails.length}`)
}

/** Tells the organizer of an answer; the result says whether a mail goes out. */
export async function tellOrganizer(
  { io, grant }: Session,
  located: Located,
  guest: Participant,
  answer: Rsvp,
): Promise<RsvpResult> {
  const organizer = located.event.organizer?.email ?? ''
  if (!isMailAddress(organizer) || organizer.toLowerCase() === grant.email.toLowerCase()) {
    return { mail: 'not sent: the organizer has no mail address of its own' }
  }
  if (!io.mail) return { mail: notConfigured }
  const person = { email: guest.email ?? grant.email, name: guest.name }
  const options = { comment: answer.comment ?? null, now: io.clock.now(), ...recurrence(located) }
  await io.mail.queue(replyMailFor(located.event, person, answer.status, options))
  return { mail: 'queued' }
}
