/** Mails about events: invitations, changes, cancellations, answers. They are sent after the change is committed. */

import type { Calendar, Event, Participant, Rsvp, RsvpResult } from '@waypost/contract'
import type { Moment } from '@waypost/formats/icalendar/icalendar'
import { type EventSet, sequenceOf, slotName } from '@waypost/formats/itip/invitation-copies'
import { type Change, type Invitation, invitationsFor, replyMailFor } from '@waypost/formats/itip/invitations'
import { isMailAddress, resetsAnswers, type Sender, sameAddress } from '@waypost/formats/itip/itip'
import { instantsOf } from '@waypost/formats/timezones/when'
import { ApiError } from '@waypost/platform/api-error'
import { hasGuests } from '../calendar/series.ts'
import { type Located, slotOf, storedSet } from './locate.ts'
import { hostOf, isInvited } from './organizer.ts'
import { wholeOf } from './series.ts'
import { type Session, stamp } from './session.ts'
import type { EventRow, InvitationState } from './tables.ts'

const notConfigured = 'not sent: the service has no mail identity (WAYPOST_SMTP_URL and WAYPOST_MAIL_FROM)'

export interface Notified {
  before?: EventSet
  after?: EventSet
  notify: boolean | undefined
  /** The event in the client's request. */
  located?: Located
}

/**
 * Notifies guests of a change, if the client requests it and the service can send mail. A response header reports the
 * result.
 */
export async function tellGuests(session: Session, { before, after, notify, located }: Notified): Promise<void> {
  if (!(hasGuests(before) || hasGuests(after))) return
  // Only the organizer invites and cancels; a guest's change of their copy is private.
  if (located && hostOf(session, located)) return
  const occurrence = located && slotOf(located)
  const known = after && (await stateOf(session, after))
  const change = { ...changeBy(session, known), before, after, occurrence }
  const mails = notify === false ? [] : invitationsFor(change)
  if (after && known) await keepState(session, after, stateAfter(known, change, mails))
  await queueInvitations(session, mails)
}

/** Sends one guest their complete copy again, on their request. */
export async function tellAgain(session: Session, after: EventSet, guest: string): Promise<void> {
  const known = await stateOf(session, after)
  if (!known) return
  const change = { ...changeBy(session, known), after }
  const mails = invitationsFor(change).filter(({ to }) => sameAddress(to, guest))
  if (mails.length === 0) return
  await keepState(session, after, stateAfter(known, change, mails))
  await queueInvitations(session, mails)
}

/** Notifies the guests of a deleted calendar about all its events that are not over. */
export const tellGuestsOfCalendar = async (session: Session, calendar: Calendar): Promise<void> =>
  queueInvitations(session, (await cancellationsOf(session, calendar)).flat())

/** Says in the response that the guests of a large calendar are notified while its events are removed. */
export const announceLaterMails = ({ io }: Session): void =>
  io.setResponseHeader('x-waypost-mail', io.mail ? 'queued: as the events are removed' : notConfigured)

/** Notifies the guests of some events of a deleted calendar, as far as the events are not over. */
export async function tellGuestsOfRemoved(
  session: Session,
  { timezone }: Calendar,
  rows: readonly EventRow[],
): Promise<void> {
  const mails: Invitation[] = []
  for (const row of rows) mails.push(...(await cancellationsFor(session, timezone, row)))
  await queueInvitations(session, mails)
}

/**
 * Notifies the guests of all calendars of a deleted account, event by event. If the mail quota is not enough, only
 * the guests of some events are notified, and the refusal is thrown.
 */
export async function tellGuestsOfAccount(session: Session): Promise<void> {
  let refused: unknown
  for (const { calendar } of await session.io.tables.calendars.list([])) {
    for (const mails of await cancellationsOf(session, calendar)) {
      await queueInvitations(session, mails).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error
        refused ??= error
      })
    }
  }
  if (refused) throw refused
}

/** The mails that cancel the events of a calendar that are not over, by event. */
async function cancellationsOf(session: Session, { id, timezone }: Calendar): Promise<Invitation[][]> {
  const { events } = session.io.tables
  const now = stamp(session)
  const rows = new Map((await events.invitedAfter(id, now)).map((row) => [row.event.id, row]))
  const names = new Set(Array.from(rows.values(), ({ event, masterId }) => masterId ?? event.id))
  const mails: Invitation[][] = []
  for (const name of names) {
    const row = rows.get(name) ?? (await events.get(name))
    if (row) mails.push(await cancellation(session, timezone, row))
  }
  return mails
}

/** The mails that cancel an event and those of its changed occurrences that are not over. */
async function cancellation(session: Session, timezone: string, row: EventRow): Promise<Invitation[]> {
  if (isInvited(session, wholeOf(row))) return []
  const now = stamp(session)
  const { main, overrides } = await storedSet(session, row)
  const lasting = overrides.filter(({ event }) => instantsOf(event.when, timezone).end > now)
  return invitationsFor({ ...changeBy(session), before: { main, overrides: lasting } })
}

/** The same, unless all of it is over. A changed occurrence may end after its series. */
async function cancellationsFor(session: Session, timezone: string, row: EventRow): Promise<Invitation[]> {
  const now = stamp(session)
  const isOver = row.endAt <= now
  if (isOver && row.kind !== 'series') return []
  if (isOver) {
    const overrides = await session.io.tables.events.overridesOf(row.event.id)
    if (!overrides.some(({ endAt }) => endAt > now)) return []
  }
  return cancellation(session, timezone, row)
}

/** The sender and time. No two mails about an event have the same time, so that calendars can tell which is newer. */
const changeBy = (session: Session, known?: InvitationState): Sender & Pick<Change, 'now'> => ({
  ...senderOf(session),
  now: Math.max(session.io.clock.now(), ((known?.stamp ?? 0) + 1) * 1000),
})

/** If the service reads answers, they must reach it, so its address is the organizer on behalf of the account. */
function senderOf({ io, grant }: Session): Sender {
  const name = grant.metadata.name ?? null
  if (!io.mail) return { organizer: { email: grant.email, name } }
  const { address: sentBy, readsReplies } = io.mail
  return readsReplies
    ? { organizer: { email: sentBy, name: name ?? grant.email }, sentBy }
    : { organizer: { email: grant.email, name }, sentBy }
}

const recurrence = (located: Located): { recurrenceId?: Moment } => {
  const recurrenceId = slotOf(located)
  return recurrenceId ? { recurrenceId } : {}
}

async function queueInvitations({ io }: Session, mails: readonly Invitation[]): Promise<void> {
  if (mails.length === 0) return
  if (!io.mail) return io.setResponseHeader('x-waypost-mail', notConfigured)
  await io.mail.queue(...mails)
  const count = mails.reduce((sum, { next }) => sum + (next ? 2 : 1), 0)
  io.setResponseHeader('x-waypost-mail', `queued: ${count}`)
}

/** Notifies the organizer of an answer; the result says whether a mail is sent. */
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
  const { address: sentBy } = io.mail
  const options = { comment: answer.comment ?? null, now: io.clock.now(), sentBy, ...recurrence(located) }
  const mail = replyMailFor(located.event, person, answer.status, options)
  // The mail comes from the service's address, so replies are directed to the guest.
  await io.mail.queue(isMailAddress(person.email) ? { ...mail, replyTo: person.email } : mail)
  return { mail: 'queued' }
}

/** The stored state of the mails about an event says which answers still count, and the time of the last mail. */
const nothingYet: InvitationState = { stamp: 0, asked: 0, askedSlots: {}, replies: {} }

/** The state of an event; undefined if the service sends no mail. */
export const stateOf = async ({ io }: Session, { main }: EventSet): Promise<InvitationState | undefined> =>
  io.mail ? ((await io.tables.invitations.get(main.id)) ?? nothingYet) : undefined

export async function keepState({ io }: Session, { main }: EventSet, state: InvitationState): Promise<void> {
  await io.tables.invitations.put({ eventId: main.id, uid: main.ical_uid ?? main.id, state })
}

/** The state after a change and its mails. A new time invites all guests again, so former answers no longer count. */
function stateAfter(known: InvitationState, change: Change, mails: readonly Invitation[]): InvitationState {
  const { before, after, occurrence, now } = change
  const seconds = Math.floor(now / 1000)
  const stamp = mails.length === 0 ? known.stamp : seconds + (mails.some(({ next }) => next) ? 1 : 0)
  if (!before || !after) return { ...known, stamp }
  const asked = sequenceOf(after)
  if (occurrence) {
    const name = slotName(occurrence)
    const isAsked = isReset(eventAt(before, name), eventAt(after, name))
    return { ...known, stamp, askedSlots: isAsked ? { ...known.askedSlots, [name]: asked } : known.askedSlots }
  }
  // Slots may have moved, so their state is reset.
  return isReset(before.main, after.main) ? { stamp, asked, askedSlots: {}, replies: {} } : { ...known, stamp }
}

const isReset = (before: Event | undefined, after: Event | undefined): boolean =>
  before !== undefined && after !== undefined && resetsAnswers(before, after)

const eventAt = ({ overrides }: EventSet, name: string): Event | undefined =>
  overrides.find(({ slot }) => slotName(slot) === name)?.event
