// CreateAttachment, GetAttachment and DeleteAttachment.
import { detachedItem } from '../items/detached.ts'
import { receivedMail } from '../mail/delivery.ts'
import { messageTypeOf } from '../mail/mail-items.ts'
import type { EwsCall, ItemShape } from '../model.ts'
import { itemXml, readPaths } from '../shapes/item-shape.ts'
import { answerEach } from '../soap/answers.ts'
import { EwsError, schemaViolation } from '../soap/errors.ts'
import { itemOfId } from '../store/lookup.ts'
import type { StoredAttachment, StoredItem } from '../store/stored.ts'
import { childOf, isTrue, textOf, type XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'
import { attachmentId, attachmentIdXml, attachmentOf, type FoundAttachment } from './ids.ts'
import { readAttachment } from './reading.ts'
import { attachmentsOf } from './stored.ts'
import { attachmentXml } from './xml.ts'

const maxAttachment = 36_700_160

export function createAttachment(call: EwsCall): Promise<Xml> {
  const { request } = call
  return answerEach(call, childOf(request, 'Attachments')?.children ?? [], (written) => {
    const parent = childOf(request, 'ParentItemId')
    if (parent === undefined) throw schemaViolation("The element 'ParentItemId' is missing.")
    const item = itemOfId(call, parent.attributes.Id ?? '', 'write')
    const number = attach(call, item, written)
    const tag = written.name === 'ItemAttachment' ? 't:ItemAttachment' : 't:FileAttachment'
    return [element('m:Attachments', [element(tag, [attachmentIdXml(item, number, true)])])]
  })
}

function attach(call: EwsCall, item: StoredItem, written: XmlNode): number {
  const retained = item.type.attachments
  if (retained === undefined) throw new EwsError('ErrorInvalidOperation', 'The item takes no attachments.')
  const given = readAttachment(call, written, item.folder)
  if (given.bytes.length > maxAttachment) {
    throw new EwsError('ErrorAttachmentSizeLimitExceeded', 'The attachment exceeds the maximum supported size.')
  }
  const before = retained.list(item)
  const number = Math.max(0, ...before.map((each) => each.number)) + 1
  retained.set(item, [...before, { ...given, number, modifiedAt: call.world.now() }])
  item.mailbox.change(item)
  return number
}

export function getAttachment(call: EwsCall): Promise<Xml> {
  const { request } = call
  const shape = readAttachmentShape(childOf(request, 'AttachmentShape'))
  return answerEach(call, childOf(request, 'AttachmentIds')?.children ?? [], (id) => {
    const found = attachmentOf(call, id.attributes.Id ?? '')
    return [element('m:Attachments', [attachmentXml(call, found.item, found.attachment, inside(call, found, shape))])]
  })
}

function inside(call: EwsCall, { item, attachment }: FoundAttachment, shape: ItemShape): { inside: Xml } {
  if (attachment.kind !== 'item') {
    return { inside: element('t:Content', Buffer.from(attachment.bytes).toString('base64')) }
  }
  return { inside: itemXml(call, innerItem(call, item, attachment), shape) }
}

/** An item attached to another item: it is in no folder, and its id is valid only here. */
function innerItem(call: EwsCall, item: StoredItem, attachment: StoredAttachment): StoredItem {
  if (attachment.item !== undefined) return attachment.item
  const content = receivedMail(attachment.bytes, call.world.now())
  const inner = detachedItem(messageTypeOf(call), content, item.folder)
  const id = attachmentId(item, attachment.number)
  return Object.assign(inner, { id, receivedAt: content.text.sentAt ?? item.receivedAt, isRead: true }) as StoredItem
}

/** An attached item is returned with all its properties. */
function readAttachmentShape(node: XmlNode | undefined): ItemShape {
  const { uris, indexed, extended } = readPaths(childOf(node, 'AdditionalProperties'))
  return {
    uris,
    indexed,
    extended,
    base: 'AllProperties',
    includeMimeContent: isTrue(node, 'IncludeMimeContent'),
    bodyType: (textOf(node, 'BodyType') ?? 'Best') as ItemShape['bodyType'],
    node,
  }
}

export function deleteAttachment(call: EwsCall): Promise<Xml> {
  return answerEach(call, childOf(call.request, 'AttachmentIds')?.children ?? [], (id) => {
    const { item, attachment } = attachmentOf(call, id.attributes.Id ?? '', 'write')
    item.type.attachments?.set(
      item,
      attachmentsOf(item).filter(({ number }) => number !== attachment.number),
    )
    item.mailbox.change(item)
    return [element('m:RootItemId', { RootItemId: item.id, RootItemChangeKey: item.changeKey })]
  })
}
