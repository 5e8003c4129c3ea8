/**
 * What the calendars of guests know about a booking (RFC 5546): the entry that the mails are about, and its SEQUENCE.
 * Pure.
 *
 * The host edits the event too, and the calendar of the host may mail the guests itself. So the event counts, and our
 * mails follow it: a mail that is not newer than what a calendar has is ignored there.
 */
import type { Event } from '@waypost/contract'
import { sameAddress } from '@waypost/formats/itip/itip'
import { parseInstanceId, slotKey } from '@waypost/formats/recurrence/instance-ids'
import type { BookingDetails, BookingRecord, FormerEvent } from './booking-record.ts'

/** The UID of mails about a booking: that of the event, where the calendar says it. */
export const uidOf = ({ id, details }: Pick<BookingRecord, 'id' | 'details'>): string =>
  details.icalUid ?? `${id}@booking.waypost`

/** The original start of an occurrence; undefined for other events. */
export function slotOf({ id, master_event_id, original_start_time, when }: Event): BookingDetails['slot'] {
  if (!master_event_id) return undefined
  const place = slotKey(parseInstanceId(id)?.slot ?? '')
  const time = original_start_time ?? (place?.kind === 'timed' ? place.key : undefined)
  const timezone = when.object === 'timespan' ? when.start_timezone : null
  return time === undefined ? undefined : { time, timezone }
}

export const formerEventOf = (
  { sequence, participants }: Event,
  { guest, goesOn }: Pick<BookingDetails, 'guest'> & Pick<FormerEvent, 'goesOn'>,
): FormerEvent => ({
  sequence: sequence ?? null,
  isInvited: participants.some(({ email }) => email !== undefined && sameAddress(email, guest.email)),
  goesOn,
})

/** The highest SEQUENCE of the mails so far; undefined if there was none. Earlier releases sent the revision. */
export function sentSequence({ status, revision, details }: BookingRecord): number | undefined {
  const { told } = details
  if (told?.revision === revision) return told.sequence ?? undefined
  if (status === 'creating' || (status === 'pending' && revision === 1)) return undefined
  return Math.max(revision, told?.sequence ?? 0)
}

const isSameEntry = (one: BookingRecord, other: BookingRecord): boolean =>
  uidOf(one) === uidOf(other) && one.details.slot?.time === other.details.slot?.time

/**
 * For an event whose number is unknown, because its host has deleted it or the provider does not say it. No other mail
 * about the event follows, so a step too far is harmless.
 */
const farStep = 1_000

interface Change {
  before: BookingRecord
  /** Without its `told`. */
  next: BookingRecord
  /** The event of the booking after the change, as the calendar has it. */
  event: Event | undefined
  former: FormerEvent | undefined
}

interface Telling {
  told: NonNullable<BookingDetails['told']>
  /** The SEQUENCE with which the entry of `before` is to be taken back. Absent if it stays, or guests have none. */
  withdrawn?: number | undefined
}

/** What mails about a change say. */
export function tellingOf({ before, next, event, former }: Change): Telling {
  const sent = sentSequence(before)
  // Of an event that is gone, nobody knows whom it had invited.
  const isHeld = sent !== undefined || (former?.isInvited ?? true)
  const step = former?.goesOn ? 0 : former?.sequence != null ? 1 : farStep
  const last = Math.max(sent ?? 0, former?.sequence ?? 0) + step
  const { revision } = next
  if (next.status === 'cancelled') return { told: { revision, sequence: isHeld ? last : null } }
  const isSame = before.status !== 'creating' && isSameEntry(before, next)
  const withdrawn = isHeld && !isSame && before.status !== 'creating' ? last : undefined
  const known = isSame ? sent : undefined
  // A pending request keeps the sequence of the last mail, if there was one.
  const sequence = next.status === 'pending' ? (known ?? null) : sequenceAfter(known, event)
  return { told: { revision, sequence }, withdrawn }
}

/** That of the event, so that mails of its own calendar are not older. Always above what was sent. */
function sequenceAfter(sent: number | undefined, event: Event | undefined): number {
  const own = event?.sequence ?? 0
  return sent === undefined || own > sent ? own : sent + 1
}
