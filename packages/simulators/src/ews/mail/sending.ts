// Sending: completes the message, stores a copy, and delivers it to its recipients.
import type { Recipient } from '../../shared/mail/content.ts'
import { hasField, prependFields, removeField, setField } from '../../shared/mail/raw-headers.ts'
import { storeDetached } from '../items/detached.ts'
import type { EwsCall } from '../model.ts'
import type { Account } from '../owner.ts'
import { EwsError } from '../soap/errors.ts'
import type { StoredFolder } from '../store/stored.ts'
import type { MailContent, MailItem } from './content.ts'
import { conversationFor } from './conversation-ids.ts'
import { carry, mailDate, newMessageId, recipientsOf } from './delivery.ts'
import { takeHeaderProperties } from './headers.ts'
import { rawOf, topicOf } from './reading.ts'

const maxRecipients = 500
const maxMessage = 36_700_160

/** Sends a message that is not stored; `copyTo` is the folder for the copy, if any. */
export function sendNew(call: EwsCall, item: MailItem, copyTo: StoredFolder | undefined): void {
  const { world } = call
  const sender = senderOf(call, item)
  const wire = complete(call, sender, item)
  world.later(() => {
    item.receivedAt = world.now()
    const carried = { text: item.content.text, wire, type: item.type, itemClass: item.itemClass }
    if (copyTo !== undefined) storeDetached(item, copyTo)
    carry(world, sender, carried)
  })
}

/** Sends a draft, which moves to `copyTo`; without that folder it is deleted. */
export function sendStored(call: EwsCall, item: MailItem, copyTo: StoredFolder | undefined): void {
  const { world } = call
  const sender = senderOf(call, item)
  const before = { ...item.content }
  const wire = complete(call, sender, item)
  const sent = { ...item.content }
  // It stays a draft until it is sent.
  Object.assign(item.content, before)
  world.later(() => {
    Object.assign(item.content, sent)
    Object.assign(item, { isRead: true, receivedAt: world.now() })
    const carried = { text: item.content.text, wire, type: item.type, itemClass: item.itemClass }
    if (copyTo === undefined) item.mailbox.remove(item)
    else item.mailbox.move(item, copyTo)
    carry(world, sender, carried)
  })
}

/** The sender of a message: the caller, or a mailbox that the caller may send as. */
function senderOf({ world, account }: EwsCall, { content }: MailItem): Account {
  const address = content.text.from?.address ?? account.email
  const owner = world.findAccount(address)
  if (owner === account) return account
  if (owner?.delegates.get(account.id)?.sendAs === true) return owner
  throw new EwsError(
    'ErrorSendAsDenied',
    'The user account which was used to submit this request does not have the right to send mail on behalf of the specified sending account.',
  )
}

/** Completes a draft for sending. Returns its bytes; throws if it cannot be sent. */
function complete({ world, account, operation }: EwsCall, sender: Account, item: MailItem): Uint8Array {
  const { content } = item
  takeHeaderProperties(item)
  checkRecipients(recipientsOf(content.text), operation)
  const from = { name: sender.name, address: content.text.from?.address ?? sender.email }
  const now = world.now()
  const isRenamed = world.oddities.renamesSent === true
  content.text = {
    ...content.text,
    from,
    sender: sender === account ? from : { name: account.name, address: account.email },
    internetMessageId: isRenamed ? newMessageId(sender) : (content.text.internetMessageId ?? newMessageId(sender)),
    sentAt: now,
  }
  content.conversation ??= conversationFor(item.mailbox, content.text)
  Object.assign(content, { isDraft: false, isFromMe: true, hasTransportHeaders: false } satisfies Partial<MailContent>)
  if (content.raw !== undefined) {
    content.raw = completeMime(content, isRenamed ? removeField(content.raw, 'message-id') : content.raw, now)
  }
  const wire = rawOf(content, now)
  if (wire.length > maxMessage) {
    throw new EwsError('ErrorMessageSizeExceeded', 'The message exceeds the maximum supported size.')
  }
  return wire
}

/**
 * Sets the fields that Exchange rewrites in MIME (Date, From), and adds a missing Message-ID and the conversation
 * fields.
 */
function completeMime({ text, conversation }: MailContent, given: Uint8Array, now: number): Uint8Array {
  let raw = setField(given, 'Date', mailDate(now))
  raw = setField(raw, 'From', `"${text.from?.name.replace(/["\\]/g, '\\$&')}" <${text.from?.address}>`)
  const lacking: [string, string][] = [
    ['Message-ID', text.internetMessageId ?? ''],
    ['Thread-Topic', encodeURI(topicOf(text.subject)) === topicOf(text.subject) ? topicOf(text.subject) : ''],
    ['Thread-Index', conversation?.index.toString('base64') ?? ''],
  ]
  const lines = lacking.filter(([name, value]) => value !== '' && !hasField(raw, name))
  return prependFields(
    raw,
    lines.map(([name, value]) => `${name}: ${value}`),
  )
}

function checkRecipients(recipients: readonly Recipient[], operation: string): void {
  if (recipients.length === 0) {
    const code = operation === 'SendItem' ? 'ErrorMissingRecipients' : 'ErrorInvalidRecipients'
    throw new EwsError(code, 'At least one recipient is not valid. The message has no recipients.')
  }
  const wrong = recipients.find(({ address }) => !/^[^\s@<>;,]+@[^\s@<>;,]+$/.test(address))
  if (wrong !== undefined) {
    throw new EwsError(
      'ErrorInvalidRecipients',
      `At least one recipient is not valid. '${wrong.address}' is not resolved.`,
    )
  }
  if (recipients.length <= maxRecipients) return
  throw new EwsError('ErrorExceededMaxRecipientLimit', 'The maximum number of recipients was exceeded.')
}
