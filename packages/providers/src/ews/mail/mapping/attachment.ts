/**
 * Attachments: files, items of a mailbox such as a forwarded message, and links to files that are stored elsewhere.
 * Exchange's ids change with that of the message, so ours consist of the place in the message and a digest of the
 * attachment.
 */
import { hash } from 'node:crypto'
import type { Attachment } from '@waypost/contract'
import { attachmentFrom } from '../../../mail/exchange/mapping.ts'
import type { Attachment as EwsAttachment } from '../../types/attachment.ts'

export const isItem = ({ kind }: EwsAttachment): boolean => kind === 'ItemAttachment'
export const isReference = ({ kind }: EwsAttachment): boolean => kind === 'ReferenceAttachment'

const looksOf = ({ kind, Name, ContentType, ContentId, Size }: EwsAttachment): string =>
  hash('sha256', JSON.stringify([kind, Name, ContentType, ContentId, Size]), 'base64url').slice(0, 8)

const idAt = (attachment: EwsAttachment, place: number): string => `a${place}.${looksOf(attachment)}`

/**
 * The attachment that an id names. One that is at another place is recognized by its digest, if no other has the
 * same.
 */
export function findAttachment(
  attachments: readonly EwsAttachment[],
  id: string,
): { attachment: EwsAttachment; place: number } | undefined {
  const [, at = '', polls = ''] = /^a(\d{1,4})\.([\w-]{8})$/.exec(id) ?? []
  const alike = attachments.flatMap((attachment, place) =>
    looksOf(attachment) === polls ? [{ attachment, place }] : [],
  )
  return alike.find(({ place }) => place === Number(at)) ?? (alike.length === 1 ? alike[0] : undefined)
}

/** An attachment of the API; its id names its place in the message. */
export const fromAttachment = (attachment: EwsAttachment, place: number, grantId: string): Attachment =>
  attachmentFrom(
    {
      id: idAt(attachment, place),
      name: attachment.Name,
      contentType: attachment.ContentType,
      isInline: attachment.IsInline,
      contentId: attachment.ContentId,
      isItem: isItem(attachment),
    },
    grantId,
  )

export const fromAttachments = (attachments: readonly EwsAttachment[] | undefined, grantId: string): Attachment[] =>
  (attachments ?? []).map((attachment, place) => fromAttachment(attachment, place, grantId))
