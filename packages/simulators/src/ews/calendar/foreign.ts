// Meetings with people outside the simulator: their invitations, cancellations and responses, as if received by mail.
import { type Person, type ResponseType, sameAddress } from '../../shared/calendar/people.ts'
import { detachedItem } from '../items/detached.ts'
import { setFields } from '../items/writing.ts'
import type { World } from '../model.ts'
import type { Account } from '../owner.ts'
import type { StoredItem } from '../store/stored.ts'
import { writtenCall } from '../written.ts'
import type { XmlNode } from '../xml/read.ts'
import { noteAnswer } from './answers.ts'
import { calendarType, emptyEvent } from './calendar-type.ts'
import type { CalendarContent, CalendarItem } from './content.ts'
import { newTimes } from './draft.ts'
import { eventByUid } from './event-lookup.ts'
import { arriveAt } from './meeting-mails.ts'
import { cancelledDetails, placeCopy } from './meetings.ts'

export interface InvitationBody {
  /** Default: a new one. */
  readonly uid?: string
}

interface Invitation {
  readonly organizer: Person
  readonly node: XmlNode
  readonly options: InvitationBody
}

/** Receives a request: adds a tentative event to the calendar and a message to the Inbox. */
export function receiveInvitation(
  world: World,
  owner: Account,
  { organizer, node, options }: Invitation,
): CalendarItem {
  const folder = owner.mailbox.folders.standard('calendar')
  const outside = { name: organizer.name, email: organizer.address }
  const sent = detachedItem(calendarType, emptyEvent(outside, world.now()), folder)
  const call = writtenCall(world, owner, { operation: 'CreateItem' })
  setFields(call, sent as StoredItem, node)
  const { draft = {}, ...content } = sent.content
  const known = options.uid === undefined ? undefined : eventByUid(owner.mailbox, options.uid)
  const self = { name: owner.name, address: owner.email, type: 'required', status: { response: 'none' } } as const
  const isInvited = content.attendees.some(({ address }) => sameAddress(address, owner.email))
  sent.content = {
    ...content,
    ...newTimes(call, draft),
    uid: options.uid ?? content.uid,
    attendees: isInvited ? content.attendees : [...content.attendees, self],
    sequence: known === undefined ? 0 : known.content.sequence + 1,
    wasSent: true,
  }
  placeCopy(owner, { item: sent, reported: sent.content, rescheduled: true })
  const placed = eventByUid(owner.mailbox, sent.content.uid)
  if (placed === undefined) throw new Error('The invitation was not placed')
  const requestType = known === undefined ? 'NewMeetingRequest' : 'FullUpdate'
  const kind = known === undefined ? 'request' : 'update'
  arrived(world, owner, { kind, event: sent.content, requestType, about: placed })
  return placed
}

/** The organizer cancels: the event is marked as cancelled until the user removes it. */
export function cancelInvitation(world: World, owner: Account, uid: string): void {
  const item = eventByUid(owner.mailbox, uid)
  if (item === undefined) throw new Error(`There is no event ${uid}`)
  const event: CalendarContent = { ...item.content, isCancelled: true, sequence: item.content.sequence + 1 }
  item.content = { ...item.content, ...cancelledDetails(item.content), sequence: event.sequence }
  item.mailbox.change(item as StoredItem)
  arrived(world, owner, { kind: 'cancel', event, about: item })
}

/** Receives an attendee's response. */
export function receiveAnswer(
  world: World,
  owner: Account,
  { item, from, response }: { item: CalendarItem; from: string; response: ResponseType },
): void {
  const { occurrence } = item.content
  const series = occurrence?.master ?? item
  noteAnswer(series, { from, response, date: occurrence?.date })
  const sender = item.content.attendees.find(({ address }) => sameAddress(address, from)) ?? {
    name: from,
    address: from,
  }
  arrived(world, owner, { kind: 'reply', event: item.content, about: series, response, sender })
}

type Arrived = Parameters<typeof arriveAt>[2]

function arrived(
  world: World,
  owner: Account,
  mail: Pick<Arrived, 'kind' | 'event' | 'about' | 'requestType' | 'response'> & { sender?: Person },
): void {
  const { sender = mail.event.organizer, ...rest } = mail
  arriveAt(world, owner, { ...rest, sender, to: [owner.email] })
}
