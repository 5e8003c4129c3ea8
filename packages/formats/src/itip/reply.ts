/**
 * Applies a guest's answer to the organizer's event (RFC 5546 §3.2.3). Pure. An answer counts if the account
 * organizes the event, the guest is invited to the answered part, the answer refers to the current time, and it is
 * newer than the last one. Answers from others are ignored.
 */

import { type CalendarObject, eventsOf, readCalendarObject } from '../icalendar/calendar-object.ts'
import { setAttendeeStatus } from '../icalendar/calendar-object-changes.ts'
import { occurrenceAtSlot } from '../icalendar/calendar-occurrences.ts'
import { isUser, userAddress } from '../icalendar/calendar-users.ts'
import { type ComponentNode, ContentLine, type Item, writeItems } from '../icalendar/content-lines.ts'
import { isNewer, receivedVersion, requestedSequence, withReceived } from '../icalendar/versions.ts'
import { componentKey, type ItipContext, nothing, type Outcome, partsOf } from './objects.ts'
import { type AttendeeReply, slotIn } from './reading.ts'

/** The event after an answer. For a REFRESH, a request to send the invitation again. */
export function applyReply(
  stored: CalendarObject | undefined,
  reply: AttendeeReply,
  context: ItipContext,
): Outcome | { readonly change: 'resend' } {
  if (!stored) return nothing('there is no such event')
  if (!isOrganizer(stored, context)) return nothing('the account does not organize the event')
  const read = eventsOf(stored, context)
  const slot = reply.slot && read.series ? slotIn(read.series.start, reply.slot) : undefined
  const fields =
    slot === undefined ? read.main : occurrenceAtSlot(read, slot, { ...context, steps: stored.steps })?.fields
  if (!fields || fields.status === 'cancelled') return nothing('what is answered does not take place')
  const part = partAt(stored, slot, context)
  const guest = part && attendeeOf(part, reply.attendee)
  if (!part || !guest) return nothing('the sender is not invited')
  if (reply.method === 'REFRESH') return { change: 'resend' }
  if (reply.sequence < requestedSequence(part)) return nothing('it answers what the event was before')
  const received = receivedVersion(guest)
  if (received && !isNewer(reply, received)) return nothing('it is not newer than the last one')
  const before = fields.participants.find(({ email }) => email?.toLowerCase() === reply.attendee)
  const answer = {
    addresses: [reply.attendee],
    status: reply.status ?? before?.status ?? 'noreply',
    ...(reply.comment === undefined ? {} : { comment: reply.comment }),
    ...(slot === undefined ? {} : { slot }),
  }
  const organizer = { email: context.addresses[0] ?? '', name: null }
  const text = setAttendeeStatus(stored, answer, { ...context, organizer })
  return text === undefined
    ? nothing('the sender is not invited')
    : { change: 'write', text: noted(text, reply, slot, context) }
}

const isOrganizer = (object: CalendarObject, { addresses }: ItipContext): boolean => {
  const line = partsOf(object)[0]?.line('ORGANIZER')
  const address = line && userAddress(line)?.toLowerCase()
  return address !== undefined && addresses.includes(address)
}

/** The part that an answer refers to: the override of a slot, or the event or series itself. */
function partAt(object: CalendarObject, slot: string | undefined, { zone }: ItipContext): ComponentNode | undefined {
  const keyOf = componentKey(object, zone)
  const override = slot === undefined ? undefined : object.overrides.find((part) => keyOf(part, object) === slot)
  return override ?? object.master
}

const isAttendee = (item: Item, address: string): item is ContentLine =>
  item.name === 'ATTENDEE' && item instanceof ContentLine && isUser(item, [address])

const attendeeOf = (part: ComponentNode, address: string): ContentLine | undefined =>
  part.lines.find((line) => isAttendee(line, address))

/** The text with the version of the answer in the attendee's lines. */
function noted(text: string, reply: AttendeeReply, slot: string | undefined, context: ItipContext): string {
  const object = readCalendarObject(text)
  if (!object) return text
  const one = slot === undefined ? undefined : partAt(object, slot, context)
  const calendar = object.calendar.with(
    object.calendar.items.map((item) =>
      partsOf(object).some((part) => part === item && (!one || part === one)) && !(item instanceof ContentLine)
        ? item.with(item.items.map((line) => (isAttendee(line, reply.attendee) ? withReceived(line, reply) : line)))
        : item,
    ),
  )
  return writeItems(object.items.map((item) => (item === object.calendar ? calendar : item)))
}
