/**
 * Stores answers from guests' mails. An answer is stored if it is the guest's newest (by SEQUENCE, then DTSTAMP) and
 * refers to the current time of the event. Answers from others and for deleted events are ignored.
 */

import { sameAddress } from '@waypost/formats/itip/itip'
import { type AttendeeReply, slotIn } from '@waypost/formats/itip/reading'
import { instanceId } from '@waypost/formats/recurrence/instance-ids'
import { startOf } from '../calendar/event-input.ts'
import { ifNotFound } from '../shared/named-objects.ts'
import { keepAnswers } from './changes.ts'
import { keepState, stateOf, tellAgain } from './invitations.ts'
import { type Located, locate, storedSet } from './locate.ts'
import { tellChanged } from './notifications.ts'
import { isInvited } from './organizer.ts'
import { wholeOf } from './series.ts'
import type { Session } from './session.ts'
import type { EventRow, InvitationState, ReplyVersion } from './tables.ts'

export async function receiveReply(session: Session, eventId: string, reply: AttendeeReply): Promise<void> {
  const { tables } = session.io
  await tables.lock()
  const row = await tables.events.get(eventId)
  if (!row || isInvited(session, wholeOf(row))) return
  // The calendar may be deleted while its events are still being removed.
  if (!(await tables.calendars.get(row.event.calendar_id))) return
  if (reply.method === 'REFRESH') return tellAgain(session, await storedSet(session, row), reply.attendee)
  const located = await locateReply(session, row, reply)
  if (located) await keepReply(session, row, { located, reply })
}

async function keepReply(
  session: Session,
  row: EventRow,
  { located, reply }: { located: Located; reply: AttendeeReply },
): Promise<void> {
  const set = { main: wholeOf(row), overrides: [] }
  const known = await stateOf(session, set)
  const guest = located.event.participants.find(({ email }) => email && sameAddress(email, reply.attendee))
  const slot = located.what === 'occurrence' ? located.occurrence.slot : ''
  if (!known || !guest || !isNew(known, slot, reply)) return
  const status = reply.status ?? guest.status
  const participants = located.event.participants.map((one) =>
    one === guest ? { ...one, status, comment: reply.comment ?? one.comment } : one,
  )
  const after = await keepAnswers(session, located, participants)
  const version: ReplyVersion = [reply.sequence, reply.stamp]
  await keepState(session, set, { ...known, replies: { ...known.replies, [keyOf(slot, reply)]: version } })
  await tellChanged(session, located, after)
}

const keyOf = (slot: string, { attendee }: AttendeeReply): string => `${slot} ${attendee}`

function isNew({ asked, askedSlots, replies }: InvitationState, slot: string, reply: AttendeeReply): boolean {
  if (reply.sequence < Math.max(asked, askedSlots[slot] ?? 0)) return false
  const [sequence, stamp] = replies[keyOf(slot, reply)] ?? [-1, 0]
  return reply.sequence > sequence || (reply.sequence === sequence && reply.stamp > stamp)
}

/** The event or occurrence that an answer refers to; undefined if the series has no such occurrence. */
async function locateReply(session: Session, row: EventRow, { slot }: AttendeeReply): Promise<Located | undefined> {
  const { id, when } = wholeOf(row)
  const at = slot && row.kind === 'series' ? instanceId(id, slotIn(startOf(when), slot)) : id
  return locate(session, { event_id: at }).catch(ifNotFound(undefined))
}
