/** The id of an attachment is its part number, so it is only valid together with its message. */
import type { Attachment } from '@waypost/contract'
import type { PartNode } from '@waypost/formats/mime/mime'
import { ApiError } from '@waypost/platform/api-error'
import type { FileContent } from '../operations.ts'

export const attachmentId = (part: string): string => `p${part.replaceAll('.', '_')}`

/** The part of an attachment id; undefined if it is invalid. */
export const partOfId = (id: string): string | undefined =>
  /^p\d+(?:_\d+)*$/.test(id) ? id.slice(1).replaceAll('_', '.') : undefined

export const noAttachment = (): ApiError => new ApiError('not_found', 'the message has no attachment with this id')

/** The type of an attached mailbox item: a message unless it says otherwise. */
export function typeOfItem(bytes: Uint8Array): string {
  const begin = Buffer.from(bytes.subarray(0, 32)).toString('latin1').trimStart()
  if (/^BEGIN:VCALENDAR/i.test(begin)) return 'text/calendar'
  return /^BEGIN:VCARD/i.test(begin) ? 'text/vcard' : 'message/rfc822'
}

/** A file whose bytes are in memory. */
export const fileContent = (bytes: Uint8Array, named: Pick<FileContent, 'contentType' | 'filename'>): FileContent => ({
  content: new Blob([bytes as Uint8Array<ArrayBuffer>]).stream(),
  ...named,
  size: bytes.byteLength,
})

/** RFC 2392 §2: `cid:` in HTML is followed by the Content-ID without its brackets. */
export const bareContentId = (id: string): string => id.trim().replace(/^<(.*)>$/, '$1')

/** An attached message gets the file extension that mail clients open. Exchange names it by its subject. */
export const itemFilename = (name: string): string => (/\.eml$/i.test(name) ? name : `${name}.eml`)

export const fromPart = (part: PartNode, grantId: string): Attachment => ({
  id: attachmentId(part.part),
  grant_id: grantId,
  filename: part.filename,
  content_type: part.contentType,
  ...(part.isEstimated ? {} : { size: part.size }),
  is_inline: part.disposition === 'inline' || (part.disposition === undefined && part.contentId !== undefined),
  ...(part.contentId === undefined ? {} : { content_id: bareContentId(part.contentId) }),
  ...(part.disposition === undefined ? {} : { content_disposition: part.disposition }),
})
