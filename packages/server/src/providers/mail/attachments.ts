/** Attachments are named by their part of the message: an id means something only together with its message. */
import type { Attachment } from '@waypost/contract'
import type { PartNode } from '../../formats/mime.ts'

export const attachmentId = (part: string): string => `p${part.replaceAll('.', '_')}`

export const fromPart = (part: PartNode, grantId: string): Attachment => ({
  id: attachmentId(part.part),
  grant_id: grantId,
  filename: part.filename,
  content_type: part.contentType,
  size: part.size,
  is_inline: part.disposition === 'inline' || (part.disposition === undefined && part.contentId !== undefined),
  ...(part.contentId === undefined ? {} : { content_id: part.contentId }),
  ...(part.disposition === undefined ? {} : { content_disposition: part.disposition }),
})
