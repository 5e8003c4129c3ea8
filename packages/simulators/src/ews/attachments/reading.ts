// Parses attachments in requests.
import { detachedItem } from '../items/detached.ts'
import { setFields } from '../items/writing.ts'
import { rawOfMail } from '../mail/raw.ts'
import type { EwsCall } from '../model.ts'
import { EwsError } from '../soap/errors.ts'
import type { StoredAttachment, StoredFolder } from '../store/stored.ts'
import { childOf, isTrue, textOf, type XmlNode } from '../xml/read.ts'

export type GivenAttachment = Omit<StoredAttachment, 'number' | 'modifiedAt'>

const ofAttachment = [
  'AttachmentId',
  'Name',
  'ContentType',
  'ContentId',
  'ContentLocation',
  'AttachmentOriginalUrl',
  'Size',
  'LastModifiedTime',
  'IsInline',
]

/** A `FileAttachment` or an `ItemAttachment`; an attached item is created as it would be in `folder`. */
export function readAttachment(call: EwsCall, node: XmlNode, folder: StoredFolder): GivenAttachment {
  const common = {
    name: textOf(node, 'Name') ?? '',
    isInline: isTrue(node, 'IsInline'),
    contentId: textOf(node, 'ContentId')?.replace(/^<|>$/g, '') || null,
  }
  if (node.name === 'ItemAttachment')
    return { ...common, kind: 'item', contentType: null, ...readItem(call, node, folder) }
  if (node.name !== 'FileAttachment') {
    throw new EwsError('ErrorInvalidItemForOperationCreateItemAttachment', `${node.name} cannot be attached.`)
  }
  return {
    ...common,
    kind: 'file',
    contentType: textOf(node, 'ContentType') || 'application/octet-stream',
    bytes: Buffer.from(childOf(node, 'Content')?.text ?? '', 'base64'),
    isContactPhoto: isTrue(node, 'IsContactPhoto'),
  }
}

function readItem(call: EwsCall, node: XmlNode, folder: StoredFolder): Pick<StoredAttachment, 'bytes' | 'item'> {
  const written = node.children.find(({ name }) => !ofAttachment.includes(name))
  if (written === undefined) {
    throw new EwsError('ErrorMissingItemForCreateItemAttachment', 'The item of an item attachment is missing.')
  }
  const type = call.world.registry.typeOfElement(written.name)
  if (type?.empty === undefined) {
    throw new EwsError('ErrorInvalidItemForOperationCreateItemAttachment', `${written.name} cannot be attached.`)
  }
  const item = detachedItem(type, type.empty(), folder)
  setFields(call, item, written)
  const raw = rawOfMail(item)
  return raw === undefined ? { bytes: new Uint8Array(), item } : { bytes: raw }
}
