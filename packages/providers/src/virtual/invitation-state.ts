/**
 * The stored state of the mails about an event: which answers still count, and the time of the last mail. Pure except
 * for the table.
 */
import type { Event } from '@waypost/contract'
import { type EventSet, sequenceOf, slotName } from '@waypost/formats/itip/invitation-copies'
import type { Change, Invitation } from '@waypost/formats/itip/invitations'
import { resetsAnswers } from '@waypost/formats/itip/itip'
import type { Session } from './session.ts'
import type { InvitationState } from './tables.ts'

const nothingYet: InvitationState = { stamp: 0, asked: 0, askedSlots: {}, replies: {} }

/** The state of an event; undefined if the service sends no mail. */
export const stateOf = async ({ io }: Session, { main }: EventSet): Promise<InvitationState | undefined> =>
  io.mail ? ((await io.tables.invitations.get(main.id)) ?? nothingYet) : undefined

export async function keepState({ io }: Session, { main }: EventSet, state: InvitationState): Promise<void> {
  await io.tables.invitations.put({ eventId: main.id, uid: main.ical_uid ?? main.id, state })
}

/** The state after a change and its mails. A new time invites all guests again, so former answers no longer count. */
export function stateAfter(known: InvitationState, change: Change, mails: readonly Invitation[]): InvitationState {
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
