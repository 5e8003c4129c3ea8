// Sending: accepts the message, stores a copy in Sent Items, and delivers to accounts of the same simulator. Unknown
// addresses in an organization bounce. Mail to any other address is dropped.

import { bounceMime } from '../../shared/mail/bounce.ts'
import type { MessageContent, Recipient } from '../../shared/mail/content.ts'
import { contentOfMime } from '../../shared/mail/from-mime.ts'
import { hasField, prependFields, removeField } from '../../shared/mail/raw-headers.ts'
import { mimeOf } from '../../shared/mail/to-mime.ts'
import { accessDenied, GraphError } from '../errors.ts'
import type { AccountOwner } from '../owner.ts'
import type { World } from '../world.ts'
import { isOwnAddress, newMessageId, ownAddress } from './addresses.ts'
import { type Mailbox, mailboxOf } from './mailbox.ts'
import type { WrittenBody } from './message-body.ts'
import type { StoredAttachment, StoredMessage } from './stored.ts'

const maxRecipients = 500

export interface Sender {
  readonly mailbox: Mailbox
  /** Undefined for an application. */
  readonly caller: AccountOwner | undefined
}

/** Sends a message that is not stored in a folder. */
export function sendNew(sender: Sender, written: WrittenBody, keepsCopy: boolean): void {
  const { mailbox } = sender
  const { owner, world } = mailbox
  const content = complete(sender, written.content, world.now())
  const raw = written.raw === undefined ? undefined : completeMime(owner, written.raw, content)
  const wire = raw ?? mimeOf({ content, attachments: content.attachments, at: world.now() })
  checkSending(sender, content, wire)
  world.later(() => {
    if (keepsCopy) {
      const folder = mailbox.folders.wellKnown('sentitems')
      mailbox.add({
        content,
        folder,
        raw,
        isDraft: false,
        receivedAt: world.now(),
        marks: { ...written.marks, isRead: true },
      })
    }
    deliver(owner, world, content, wire)
  })
}

/** Sends a draft, which becomes the copy in Sent Items. */
export function sendDraft(sender: Sender, draft: StoredMessage): void {
  const { mailbox } = sender
  const { owner, world } = mailbox
  if (!draft.isDraft) throw new GraphError(400, 'ErrorInvalidRequest', 'The message is not a draft.')
  const content = complete(sender, draft.content, world.now())
  const raw = draft.raw === undefined ? undefined : completeMime(owner, draft.raw, content)
  const wire = raw ?? mimeOf({ content, attachments: draft.attachments, at: world.now() })
  checkSending(sender, content, wire)
  world.later(() => {
    const sent = { content, raw, isDraft: false, receivedAt: world.now(), marks: { ...draft.marks, isRead: true } }
    mailbox.move(draft, mailbox.folders.wellKnown('sentitems'), sent)
    deliver(owner, world, content, wire)
  })
}

/** The bytes of a message: as received, or as they would be sent. */
export function rawOf(message: StoredMessage): Uint8Array {
  const { content, attachments, receivedAt, raw } = message
  return raw ?? mimeOf({ content, attachments: attachments as readonly StoredAttachment[], at: receivedAt })
}

function complete({ mailbox: { owner } }: Sender, content: MessageContent, now: number): MessageContent {
  const given = owner.renamesSent ? undefined : content.internetMessageId
  const id = given ?? newMessageId(owner)
  const from = content.from ?? ownAddress(owner)
  const headers = content.headers.map((each) => (/^message-id$/i.test(each.name) ? { ...each, value: id } : each))
  return { ...content, headers, from, sender: content.sender ?? from, internetMessageId: id, sentAt: now }
}

/** Adds the missing header fields to MIME; everything else is unchanged. */
function completeMime(
  owner: AccountOwner,
  given: Uint8Array,
  { internetMessageId, sentAt, from }: MessageContent,
): Uint8Array {
  const raw = owner.renamesSent ? removeField(given, 'message-id') : given
  const date = new Date(sentAt ?? 0).toUTCString().replace('GMT', '+0000')
  const lacking: [string, string][] = [
    ['Message-ID', internetMessageId ?? ''],
    ['Date', date],
    ['From', `"${from?.name}" <${from?.address}>`],
  ]
  const lines = lacking.filter(([name]) => !hasField(raw, name)).map(([name, value]) => `${name}: ${value}`)
  return prependFields(raw, lines)
}

function checkSending({ mailbox: { owner, world }, caller }: Sender, content: MessageContent, wire: Uint8Array): void {
  const recipients = recipientsOf(content)
  if (recipients.length === 0) throw invalidRecipients("A message can't be sent because it contains no recipients.")
  const unresolved = recipients.find(({ address }) => !/^[^\s@<>;,]+@[^\s@<>;,]+$/.test(address))
  if (unresolved !== undefined) {
    throw invalidRecipients(
      `Recipient '${unresolved.address}' is not resolved. All recipients must be resolved before a message can be submitted.`,
    )
  }
  if (recipients.length > maxRecipients) {
    throw new GraphError(400, 'ErrorExceededMaxRecipientLimit', 'The maximum number of recipients was exceeded.')
  }
  if (wire.length > world.maxMessageBytes) {
    throw new GraphError(
      413,
      'ErrorMessageSizeExceeded',
      'The message exceeds the maximum supported size., Cannot submit message.',
    )
  }
  const from = content.from?.address ?? owner.email
  if (!isOwnAddress(owner, from)) throw sendAsDenied()
  if (caller === undefined || caller.oid === owner.oid) return
  const rights = owner.delegates.get(caller.oid)
  if (rights === undefined) throw accessDenied()
  if (!rights.sendAs) throw sendAsDenied()
}

function recipientsOf({ to, cc, bcc }: MessageContent): Recipient[] {
  return [...to, ...cc, ...bcc]
}

function deliver(owner: AccountOwner, world: World, content: MessageContent, wire: Uint8Array): void {
  const addresses = new Set(recipientsOf(content).map(({ address }) => address.toLowerCase()))
  const carried = removeField(wire, 'bcc')
  for (const account of new Set([...addresses].map((address) => world.findAccount(address)))) {
    if (account === undefined) continue
    const date = new Date(world.now()).toUTCString().replace('GMT', '+0000')
    const raw = prependFields(carried, [
      `Received: from SIM01.prod.outlook.example by SIM02.prod.outlook.example with HTTPS; ${date}`,
      `Return-Path: ${owner.email}`,
      'X-MS-Exchange-Organization-AuthAs: Internal',
    ])
    receive(mailboxOf(account), raw)
  }
  for (const address of addresses) {
    const domain = address.slice(address.indexOf('@') + 1)
    if (world.findAccount(address) === undefined && world.tenants.has(domain)) bounce(owner, world, content, address)
  }
}

/** Delivers a message to a mailbox. */
export function receive(mailbox: Mailbox, raw: Uint8Array, receivedAt = mailbox.world.now()): StoredMessage {
  const content = contentOfMime(raw)
  return mailbox.add({ content, folder: mailbox.folders.wellKnown('inbox'), raw, isDraft: false, receivedAt })
}

function bounce(
  owner: AccountOwner,
  world: World,
  { subject, internetMessageId }: MessageContent,
  address: string,
): void {
  const domain = owner.tenant.domain || 'outlook.example'
  const report = bounceMime({
    from: { name: 'Microsoft Outlook', address: `postmaster@${domain}` },
    to: owner.email,
    server: 'SIM01.prod.outlook.example',
    messageId: newMessageId(owner),
    at: world.now(),
    failed: { subject, internetMessageId, address },
  })
  receive(mailboxOf(owner), report)
}

function invalidRecipients(message: string): GraphError {
  return new GraphError(400, 'ErrorInvalidRecipients', `At least one recipient is not valid., ${message}`)
}

function sendAsDenied(): GraphError {
  return new GraphError(
    403,
    'ErrorSendAsDenied',
    'The user account which was used to submit this request does not have the right to send mail on behalf of the specified sending account., Cannot submit message.',
  )
}
