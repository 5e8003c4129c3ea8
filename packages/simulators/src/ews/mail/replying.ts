// Response objects of `CreateItem`: replies and forwards.
import { textToHtml } from '../../shared/mail/html.ts'
import { answered, othersOf, prefixed, quote } from '../../shared/mail/replies.ts'
import { storedAttachments } from '../attachments/stored.ts'
import { detachedItem } from '../items/detached.ts'
import { setField } from '../items/writing.ts'
import type { EwsCall, ExchangePart } from '../model.ts'
import { EwsError } from '../soap/errors.ts'
import { itemOfId } from '../store/lookup.ts'
import type { StoredFolder, StoredItem } from '../store/stored.ts'
import { childOf, type XmlNode } from '../xml/read.ts'
import { readBody } from './body.ts'
import { emptyMail, type MailItem, type MessageText, verbs } from './content.ts'
import { dispose } from './creating.ts'
import { isMailItem, messageTypeOf } from './mail-items.ts'

type Kind = keyof typeof verbs

/** Elements of the response object that are not fields of the new message. */
const OWN = ['ReferenceItemId', 'NewBodyContent']

function respond(call: EwsCall, written: XmlNode, folder: StoredFolder | undefined): StoredItem[] {
  const kind = written.name as Kind
  const original = referredTo(call, written)
  const home = folder?.mailbox ?? call.account.mailbox
  const item = detachedItem(messageTypeOf(call), emptyMail(), folder ?? home.folders.standard('drafts'))
  item.content.text = { ...item.content.text, ...responseText(call, original, kind) }
  if (kind === 'ForwardItem') {
    item.content.attachments = storedAttachments(original.content.attachments, call.world.now())
  }
  const body = childOf(written, 'NewBodyContent')
  item.content.text = { ...item.content.text, body: responseBody(original.content.text, body) }
  for (const child of written.children) if (!OWN.includes(child.name)) setField(call, item, child)
  const stored = dispose(call, item, folder)
  original.content.lastVerb = { verb: verbs[kind], at: call.world.now() }
  original.mailbox.change(original as StoredItem)
  return stored
}

function referredTo(call: EwsCall, written: XmlNode): MailItem {
  const reference = childOf(written, 'ReferenceItemId')
  if (reference === undefined) {
    throw new EwsError('ErrorMissingInformationReferenceItemId', 'The ReferenceItemId of the response is missing.')
  }
  const item = itemOfId(call, reference.attributes.Id ?? '')
  if (isMailItem(item)) return item
  throw new EwsError('ErrorInvalidReferenceItem', 'The reference item does not support the requested operation.')
}

function responseText({ account }: EwsCall, { content }: MailItem, kind: Kind): Partial<MessageText> {
  const { text } = content
  const { internetMessageId, references } = text
  const isForward = kind === 'ForwardItem'
  const isOwn = (address: string) =>
    [account.email, ...account.aliases].some((own) => own.toLowerCase() === address.toLowerCase())
  return {
    subject: prefixed(text.subject, isForward ? 'FW' : 'RE'),
    to: isForward ? [] : answered(text),
    cc: kind === 'ReplyAllToItem' ? othersOf(text, isOwn) : [],
    references: [...(internetMessageId === undefined ? [] : [internetMessageId]), ...references],
  }
}

function responseBody(original: MessageText, written: XmlNode | undefined): MessageText['body'] {
  const given = written === undefined ? { contentType: 'text' as const, content: '' } : readBody(written)
  const html = given.contentType === 'html' ? given.content : textToHtml(given.content)
  return { contentType: 'html', content: html + quote(original) }
}

/** Suppresses the read receipt of the message. */
function suppressReadReceipt(call: EwsCall, written: XmlNode): StoredItem[] {
  const item = referredTo(call, written)
  if (!item.content.text.wantsReadReceipt) {
    throw new EwsError('ErrorReadReceiptNotPending', 'A read receipt is not pending for this message.')
  }
  item.content.text = { ...item.content.text, wantsReadReceipt: false }
  item.mailbox.change(item as StoredItem)
  return []
}

export const mailResponses: NonNullable<ExchangePart['responses']> = {
  ReplyToItem: respond,
  ReplyAllToItem: respond,
  ForwardItem: respond,
  SuppressReadReceipt: suppressReadReceipt,
}
