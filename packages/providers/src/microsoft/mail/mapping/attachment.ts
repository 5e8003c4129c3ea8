/** Attachments: files, items of a mailbox such as a forwarded message, and links to files that are stored elsewhere. */
import type { Attachment } from '@waypost/contract'
import { attachmentFrom } from '../../../mail/exchange/mapping.ts'
import type { GraphAttachment } from '../mail-api.ts'

/** The fields that are requested with a message. Only files have a content id, so their type is named. */
export const attachmentFields = 'id,name,contentType,isInline,microsoft.graph.fileAttachment/contentId'

const kindOf = ({ '@odata.type': type = '' }: GraphAttachment): string => type.replace('#microsoft.graph.', '')

export const isItem = (attachment: GraphAttachment): boolean => kindOf(attachment) === 'itemAttachment'
export const isReference = (attachment: GraphAttachment): boolean => kindOf(attachment) === 'referenceAttachment'

export const fromAttachment = (attachment: GraphAttachment, grantId: string): Attachment => {
  const { id, name, contentType, isInline, contentId } = attachment
  return attachmentFrom({ id, name, contentType, isInline, contentId, isItem: isItem(attachment) }, grantId)
}
