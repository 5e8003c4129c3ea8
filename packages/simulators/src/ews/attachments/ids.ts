// The ids of attachments: the id of their item, followed by a number. They become invalid when the item is moved.
import type { EwsCall } from '../model.ts'
import { EwsError } from '../soap/errors.ts'
import { readId, writeId } from '../store/ids.ts'
import { itemOfId } from '../store/lookup.ts'
import type { StoredAttachment, StoredItem } from '../store/stored.ts'
import { element, type Xml } from '../xml/write.ts'
import { attachmentsOf } from './stored.ts'

const MARK = 0x41

export function attachmentId(item: StoredItem, number: number): string {
  const id = readId(item.id)
  return writeId({ ...id, extra: Buffer.concat([id.extra, Buffer.from([MARK, number >> 8, number & 0xff])]) })
}

/** With `withRoot`, includes the id and change key of the item. */
export function attachmentIdXml(item: StoredItem, number: number, withRoot = false): Xml {
  const root = withRoot ? { RootItemId: item.id, RootItemChangeKey: item.changeKey } : {}
  return element('t:AttachmentId', { Id: attachmentId(item, number), ...root })
}

export interface FoundAttachment {
  readonly item: StoredItem
  readonly attachment: StoredAttachment
}

export function attachmentOf(call: EwsCall, text: string, wanted: 'read' | 'write' = 'read'): FoundAttachment {
  const { extra, ...id } = readId(text)
  const [mark, high = 0, low = 0] = extra.subarray(-3)
  if (extra.length < 3 || mark !== MARK) throw notFound()
  const item = itemOfId(call, writeId({ ...id, extra: extra.subarray(0, -3) }), wanted)
  const attachment = attachmentsOf(item).find(({ number }) => number === high * 256 + low)
  if (attachment === undefined) throw notFound()
  return { item, attachment }
}

const notFound = () => new EwsError('ErrorInvalidAttachmentId', 'The specified attachment Id is invalid.')
