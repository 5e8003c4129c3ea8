/**
 * Attachments: files, items of a mailbox such as a forwarded message, and links to files that are kept elsewhere. Their ids at
 * Exchange change with that of the message; ours say at which place of the message they stand and what they look like.
 */
import { hash } from 'node:crypto'
import type { Attachment } from '@waypost/contract'
import { bareContentId, itemFilename } from '../../../mail/attachments.ts'
import type { Attachment as EwsAttachment } from '../../types/attachment.ts'

export const isItem = ({ kind }: EwsAttachment): boolean => kind === 'ItemAttachment'
export const isReference = ({ kind }: EwsAttachment): boolean => kind === 'ReferenceAttachment'

const looksOf = ({ kind, Name, ContentType, ContentId, Size }: EwsAttachment): string =>
  hash('sha256', JSON.stringify([kind, Name, ContentType, ContentId, Size]), 'base64url').slice(0, 8)

const idAt = (attachment: EwsAttachment, place: number): string => `a${place}.${looksOf(attachment)}`

/** The attachment that an id names. One that stands elsewhere by now is known by its looks, where no other has them. */
export function findAttachment(
  attachments: readonly EwsAttachment[],
  id: string,
): { attachment: EwsAttachment; place: number } | undefined {
  const [, at = '', looks = ''] = /^a(\d{1,4})\.([\w-]{8})$/.exec(id) ?? []
  const alike = attachments.flatMap((attachment, place) =>
    looksOf(attachment) === looks ? [{ attachment, place }] : [],
  )
  return alike.find(({ place }) => place === Number(at)) ?? (alike.length === 1 ? alike[0] : undefined)
}

const typeOf = (attachment: EwsAttachment): string =>
  attachment.ContentType || (isItem(attachment) ? 'message/rfc822' : 'application/octet-stream')

/** An attachment as ours. Its size at Exchange is that of what is stored, which is more than the file: it is left out. */
export function fromAttachment(attachment: EwsAttachment, place: number, grantId: string): Attachment {
  const { Name: name, IsInline: isInline = false, ContentId: contentId } = attachment
  return {
    id: idAt(attachment, place),
    grant_id: grantId,
    filename: name ? (isItem(attachment) ? itemFilename(name) : name) : null,
    content_type: typeOf(attachment),
    is_inline: isInline,
    ...(contentId ? { content_id: bareContentId(contentId) } : {}),
    content_disposition: isInline ? 'inline' : 'attachment',
  }
}

export const fromAttachments = (attachments: readonly EwsAttachment[] | undefined, grantId: string): Attachment[] =>
  (attachments ?? []).map((attachment, place) => fromAttachment(attachment, place, grantId))
