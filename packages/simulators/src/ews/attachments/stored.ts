// The stored attachments of items.
import type { AttachmentContent } from '../../shared/mail/content.ts'
import type { StoredAttachment, StoredItem } from '../store/stored.ts'

export const attachmentsOf = (item: StoredItem): readonly StoredAttachment[] => item.type.attachments?.list(item) ?? []

/** Numbers the attachments of a new item. */
export function storedAttachments(given: readonly AttachmentContent[], now: number): StoredAttachment[] {
  return given.map((each, index) => ({ ...each, number: index + 1, modifiedAt: now }))
}

/** Inline attachments do not count. */
export const hasFiles = (attachments: readonly Pick<AttachmentContent, 'isInline'>[]): boolean =>
  attachments.some(({ isInline }) => !isInline)
