// Emails about meetings. They are recorded, delivered to colleagues, and copied to the sender's mailbox.
import { meetingMime } from '../../shared/calendar/meeting-mime.ts'
import { type Attendee, type ResponseType, sameAddress } from '../../shared/calendar/people.ts'
import { contentOfMime } from '../../shared/mail/from-mime.ts'
import { mailboxOf as mailOf } from '../mail/mailbox.ts'
import { receive } from '../mail/sending.ts'
import type { AccountOwner } from '../owner.ts'
import { type CalendarState, type EventItem, type MeetingMail, mailboxOf } from './state.ts'

export interface MailDraft {
  readonly kind: MeetingMail['kind']
  readonly to: readonly string[]
  readonly item: EventItem
  readonly comment?: string
  readonly response?: ResponseType
}

/** Sends the email that Exchange would send. A room reads no mail and stores no copy. */
export function sendMeetingMail(state: CalendarState, from: AccountOwner, draft: MailDraft): void {
  const { kind, to, item, comment = '', response } = draft
  if (to.length === 0) return
  const { uid, subject } = item
  const sender = state.mailboxes.get(from.id)
  const answered = response === undefined ? {} : { response }
  const source = mimeOf(state, from, draft)
  for (const address of to) {
    sender?.mails.push({ kind, from: from.email, to: address, uid, subject, comment, ...answered })
    const recipient = mailboxOf(state, address)
    if (recipient?.isRoom === false) receive(mailOf(recipient.owner), source)
  }
  if (sender?.isRoom === false) keepCopy(sender.owner, source)
}

function mimeOf({ world }: CalendarState, from: AccountOwner, draft: MailDraft): Uint8Array {
  const { kind, to, item, comment = '', response } = draft
  const people = [item.organizer, ...item.attendees]
  const named = (address: string) => people.find((one) => sameAddress(one.address, address))?.name ?? address
  const sender = { name: from.name, address: from.email }
  const answer: Attendee = { ...sender, type: 'required', status: { response: response ?? 'none' } }
  const mime = meetingMime({
    kind,
    from: sender,
    to: to.map((address) => ({ name: named(address), address })),
    item: { ...item, location: locationOf(item) },
    comment,
    now: world.now(),
    ...(response !== undefined && { answer }),
  })
  return Buffer.from(mime)
}

function locationOf({ locations: [location] }: EventItem): string | undefined {
  return location === undefined ? undefined : String(location.displayName)
}

function keepCopy(owner: AccountOwner, raw: Uint8Array): void {
  const mailbox = mailOf(owner)
  mailbox.add({
    content: contentOfMime(raw),
    folder: mailbox.folders.find('sentitems'),
    raw,
    isDraft: false,
    receivedAt: mailbox.world.now(),
    marks: { isRead: true },
  })
}
