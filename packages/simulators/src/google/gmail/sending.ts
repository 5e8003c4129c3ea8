// Sending: adds the fields that Gmail adds, stores a copy with the label SENT, and delivers to accounts of the same
// simulator. Mail to any other address is dropped.
import { randomBytes } from 'node:crypto'
import { addressesOf } from '../../shared/mail/addresses.ts'
import { headerValue, parseMime } from '../../shared/mail/mime.ts'
import { hasField, prependFields, recodeHeader, removeField, setField } from '../../shared/mail/raw-headers.ts'
import { invalidArgument } from '../errors.ts'
import type { Mailbox } from './mailbox.ts'
import { mailboxOf } from './mailboxes.ts'
import type { StoredMessage } from './stored.ts'

/** The labels of a message on arrival. */
export const arrivalLabels = ['UNREAD', 'CATEGORY_PERSONAL', 'INBOX'] as const

export interface Outgoing {
  readonly raw: Uint8Array
  readonly threadId?: string | undefined
}

/** Sends a message from a mailbox. A message to the sender is stored once, with the labels of inbox and sent. */
export function sendMessage(mailbox: Mailbox, { raw, threadId }: Outgoing): StoredMessage {
  const { world, owner } = mailbox
  const now = world.now()
  const mime = parseMime(raw)
  const recipients = new Set(['to', 'cc', 'bcc'].flatMap((name) => addressesOf(headerValue(mime, name))))
  if (recipients.size === 0) throw invalidArgument('Recipient address required')
  const invalid = [...recipients].find((address) => !/^[^\s@<>]+@[^\s@<>]+$/.test(address))
  if (invalid !== undefined) throw invalidArgument('Invalid To header')
  const named = world.keepMessageIds ? raw : removeField(raw, 'message-id')
  const sent = completeMessage(mailbox, named, now)
  const date = new Date(now).toUTCString()
  const received = `Received: from 1234567890 named unknown by gmailapi.google.com with HTTPREST; ${date}`
  const isToSelf = [...recipients].some((address) => mailbox.isOwn(address))
  const message = mailbox.add({
    raw: prependFields(sent, [received]),
    labels: isToSelf ? ['SENT', ...arrivalLabels] : ['SENT'],
    internalDate: now,
    threadId,
  })
  const carried = removeField(sent, 'bcc')
  for (const account of new Set([...recipients].map((address) => world.findAccount(address)))) {
    if (account === undefined || account.sub === owner.sub) continue
    const trace = [`Delivered-To: ${account.email}`, `Return-Path: <${owner.email}>`, received]
    const raw = prependFields(carried, trace)
    mailboxOf(world, account).add({ raw, labels: arrivalLabels, internalDate: now })
  }
  return message
}

/** Adds the fields that Gmail adds if they are missing, and sets an address of the owner as the sender. */
export function completeMessage(mailbox: Mailbox, raw: Uint8Array, now: number): Uint8Array {
  const { email, name } = mailbox.owner
  // Non-ASCII characters must be encoded words: Gmail garbles unencoded ones.
  let complete = recodeHeader(raw)
  if (!mailbox.isFromOwner(parseMime(complete))) complete = setField(complete, 'From', `${quoteName(name)} <${email}>`)
  if (!hasField(complete, 'mime-version')) complete = prependFields(complete, ['MIME-Version: 1.0'])
  if (!hasField(complete, 'date')) {
    complete = prependFields(complete, [`Date: ${new Date(now).toUTCString().replace('GMT', '+0000')}`])
  }
  if (!hasField(complete, 'message-id')) {
    complete = prependFields(complete, [`Message-ID: <CA+${randomBytes(30).toString('base64url')}@mail.gmail.com>`])
  }
  return complete
}

function quoteName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
  if (/^[\x00-\x7f]*$/.test(name)) return `"${name.replace(/["\\]/g, '\\$&')}"`
  return `=?UTF-8?B?${Buffer.from(name).toString('base64')}?=`
}
