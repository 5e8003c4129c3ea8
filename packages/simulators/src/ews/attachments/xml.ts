// Attachments in responses.
import type { EwsCall } from '../model.ts'
import { timeText } from '../soap/times.ts'
import type { StoredAttachment, StoredItem } from '../store/stored.ts'
import { element, optional, type Xml } from '../xml/write.ts'
import { attachmentIdXml } from './ids.ts'

export interface AttachmentOptions {
  /** The content: `Content` for a file, the item for an item attachment. */
  readonly inside?: Xml
}

export function attachmentXml(
  call: EwsCall,
  item: StoredItem,
  attachment: StoredAttachment,
  { inside }: AttachmentOptions = {},
): Xml {
  const { kind, number, name, contentType, contentId, bytes, isInline, modifiedAt, isContactPhoto } = attachment
  const isFile = kind !== 'item'
  return element(isFile ? 't:FileAttachment' : 't:ItemAttachment', [
    attachmentIdXml(item, number),
    element('t:Name', name),
    optional('t:ContentType', contentType ?? undefined),
    optional('t:ContentId', contentId ?? undefined),
    // For an attached item, the size includes storage overhead.
    element('t:Size', bytes.length + (isFile ? 0 : 1024)),
    element('t:LastModifiedTime', timeText(call, modifiedAt)),
    element('t:IsInline', isInline),
    isFile && item.type.element === 'Contact' ? element('t:IsContactPhoto', isContactPhoto === true) : undefined,
    inside,
  ])
}
