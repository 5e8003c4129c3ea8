/** Attachments: files, items of a mailbox such as a forwarded message, and links to files that are kept elsewhere. */
import type { Attachment } from '@waypost/contract'
import { bareContentId, itemFilename } from '../../../mail/attachments.ts'
import type { GraphAttachment } from '../mail-api.ts'

/** What is asked of an attachment that is told with its message. Only files have a content id, so their type is named. */
export const attachmentFields = 'id,name,contentType,isInline,microsoft.graph.fileAttachment/contentId'

const kindOf = ({ '@odata.type': type = '' }: GraphAttachment): string => type.replace('#microsoft.graph.', '')

export const isItem = (attachment: GraphAttachment): boolean => kindOf(attachment) === 'itemAttachment'
export const isReference = (attachment: GraphAttachment): boolean => kindOf(attachment) === 'referenceAttachment'

const typeOf = (attachment: GraphAttachment): string => {
  if (attachment.contentType) return attachment.contentType
  return isItem(attachment) ? 'message/rfc822' : 'application/octet-stream'
}

/** An attachment as ours. Its size at Graph is that of what Exchange stores, which is more than the file: it is left out. */
export function fromAttachment(attachment: GraphAttachment, grantId: string): Attachment {
  const { id, name, isInline = false, contentId } = attachment
  return {
    id,
    grant_id: grantId,
    filename: name ? (isItem(attachment) ? itemFilename(name) : name) : null,
    content_type: typeOf(attachment),
    is_inline: isInline,
    ...(contentId ? { content_id: bareContentId(contentId) } : {}),
    content_disposition: isInline ? 'inline' : 'attachment',
  }
}
