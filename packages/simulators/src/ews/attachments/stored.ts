// What hangs on an item.
import type { AttachmentContent } from '../../shared/mail/content.ts'
import type { StoredItem } from '../store/stored.ts'

export interface StoredAttachment extends AttachmentContent {
  /** In its item: never given again. */
  readonly number: number
  /** Milliseconds. */
  readonly modifiedAt: number
  /** Of an item that is no message: itself. A message is kept as MIME, in `bytes`. */
  readonly item?: StoredItem
  readonly isContactPhoto?: boolean
}

/** Where a type of items keeps its attachments; one without it takes none. */
export interface KeptAttachments<Content> {
  list(item: StoredItem<Content>): readonly StoredAttachment[]
  set(item: StoredItem<Content>, attachments: readonly StoredAttachment[]): void
}

export const attachmentsOf = (item: StoredItem): readonly StoredAttachment[] => item.type.attachments?.list(item) ?? []

/** Attachments that come with a new item, numbered. */
export function storedAttachments(given: readonly AttachmentContent[], now: number): StoredAttachment[] {
  return given.map((each, index) => ({ ...each, number: index + 1, modifiedAt: now }))
}

/** Those that are shown inside the body do not count. */
export const hasFiles = (attachments: readonly Pick<AttachmentContent, 'isInline'>[]): boolean =>
  attachments.some(({ isInline }) => !isInline)
