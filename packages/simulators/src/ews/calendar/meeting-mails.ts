// Meeting messages: typed items for colleagues; iMIP for others, which is only recorded.
import { type MeetingMailKind, meetingMime } from '../../shared/calendar/meeting-mime.ts'
import { type Attendee, type Person, type ResponseType, sameAddress } from '../../shared/calendar/people.ts'
import { deliverItem, receivedMail } from '../mail/delivery.ts'
import type { ItemType, World } from '../model.ts'
import type { Account } from '../owner.ts'
import { bodyAsText } from '../shapes/said-fields.ts'
import type { CalendarContent, CalendarItem } from './content.ts'
import {
  itipOf,
  type Meeting,
  type MeetingMailContent,
  type MeetingMailItem,
  type MeetingMessageKind,
} from './meeting-content.ts'
import { meetingCancellationType, meetingRequestType, meetingResponseType, responseClasses } from './meeting-types.ts'
import { isRoom } from './places.ts'

/** A sent email about a meeting. */
export interface MeetingMail {
  readonly kind: MeetingMailKind
  readonly from: string
  readonly to: string
  readonly uid: string
  readonly subject: string
  readonly comment: string
  /** Only for a reply. */
  readonly response?: ResponseType
  /** The message as sent. */
  readonly source: string
}

const sentBy = new WeakMap<Account['mailbox'], MeetingMail[]>()

/** The emails about meetings that an account sent, oldest first. */
export function meetingMailsOf({ mailbox }: Pick<Account, 'mailbox'>): MeetingMail[] {
  const known = sentBy.get(mailbox) ?? []
  sentBy.set(mailbox, known)
  return known
}

export interface MeetingMailDraft {
  readonly kind: MeetingMailKind
  readonly to: readonly string[]
  readonly event: CalendarContent
  readonly comment?: string
  readonly requestType?: Meeting['requestType']
  readonly response?: ResponseType
  readonly proposed?: Meeting['proposed']
  /** Whether a copy is stored in Sent Items. */
  readonly savesCopy: boolean
  /** The item on a recipient's calendar that the message refers to. */
  about?(recipient: Account): CalendarItem | undefined
}

const types: Readonly<Record<MeetingMessageKind, ItemType<MeetingMailContent>>> = {
  request: meetingRequestType,
  response: meetingResponseType,
  cancellation: meetingCancellationType,
}

const kindOf = (kind: MeetingMailKind): MeetingMessageKind =>
  kind === 'cancel' ? 'cancellation' : kind === 'reply' ? 'response' : 'request'

/** Sends a meeting message. Rooms read no mail. Returns the copy in Sent Items, if stored. */
export function sendMeetingMail(world: World, sender: Account, draft: MeetingMailDraft): MeetingMailItem | undefined {
  const { kind, to, event, comment = '', response, savesCopy } = draft
  if (to.length === 0) return undefined
  const source = sourceOf(world, { name: sender.name, address: sender.email }, draft)
  const said = { uid: event.uid, subject: event.text.subject, comment, source }
  for (const address of to) {
    const answered = response === undefined ? {} : { response }
    meetingMailsOf(sender).push({ kind, from: sender.email, to: address, ...said, ...answered })
    const recipient = world.findAccount(address)
    if (recipient === undefined || isRoom(world, recipient)) continue
    arrive(world, recipient, { draft, source, about: draft.about?.(recipient) })
  }
  if (!savesCopy || isRoom(world, sender)) return undefined
  return arrive(world, sender, { draft, source, about: undefined, isCopy: true })
}

/** Delivers a message from somebody outside the simulator. */
export function arriveAt(
  world: World,
  account: Account,
  {
    sender,
    about,
    ...mail
  }: Omit<MeetingMailDraft, 'savesCopy' | 'about'> & { sender: Person; about: CalendarItem | undefined },
): void {
  const draft = { ...mail, savesCopy: false }
  arrive(world, account, { draft, source: sourceOf(world, sender, draft), about })
}

interface Arrival {
  readonly draft: MeetingMailDraft
  readonly source: string
  readonly about: CalendarItem | undefined
  readonly isCopy?: boolean
}

function arrive(world: World, account: Account, { draft, source, about, isCopy = false }: Arrival): MeetingMailItem {
  const { event, requestType = 'NewMeetingRequest', response = 'none', proposed } = draft
  const kind = kindOf(draft.kind)
  const received = receivedMail(Buffer.from(source), world.now())
  const content: MeetingMailContent = {
    ...received,
    text: { ...received.text, body: bodyOf(draft) },
    attachments: kind === 'request' ? event.attachments : [],
    isFromMe: isCopy,
    hasTransportHeaders: !isCopy,
    isResponseRequested: event.isResponseRequested,
    meeting: {
      kind,
      event,
      requestType,
      response,
      about,
      isProcessed: kind !== 'request',
      ...(proposed !== undefined && { proposed }),
    },
  }
  const folder = account.mailbox.folders.standard(isCopy ? 'sentitems' : 'inbox')
  const itemClass =
    kind === 'response' ? (responseClasses[response] ?? meetingResponseType.itemClass) : types[kind].itemClass
  return deliverItem(account, { type: types[kind], content, itemClass, folder, isRead: isCopy })
}

function bodyOf({ kind, event, comment = '' }: MeetingMailDraft): MeetingMailContent['text']['body'] {
  if (kind === 'request' || kind === 'update') return event.text.body
  return { contentType: 'text', content: comment }
}

function sourceOf(
  world: World,
  sender: Person,
  draft: Pick<MeetingMailDraft, 'kind' | 'to' | 'event' | 'comment' | 'response'>,
): string {
  const { kind, to, event, comment = '', response } = draft
  const people: readonly Person[] = [event.organizer, ...event.attendees]
  const named = (address: string) => people.find((one) => sameAddress(one.address, address))?.name ?? address
  const from = { name: sender.name, address: sender.address }
  const answer: Attendee = { ...from, type: 'required', status: { response: response ?? 'none' } }
  const isRequest = kind === 'request' || kind === 'update'
  return meetingMime({
    kind,
    from,
    to: to.map((address) => ({ name: named(address), address })),
    item: itipOf(event, event.sequence),
    comment: isRequest ? bodyAsText(event.text.body) : comment,
    now: world.now(),
    ...(response !== undefined && { answer }),
  })
}
