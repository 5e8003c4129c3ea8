import { ApiError } from '@waypost/platform/api-error'
import { noAttachment, typeOfItem } from '../../mail/attachments.ts'
import type { FileContent, Operations } from '../../operations.ts'
import type { FileStream } from '../../shared/file-stream.ts'
import { isMissing } from '../errors.ts'
import { GetAttachment } from '../operations/attachments.ts'
import type { Session } from '../session.ts'
import type { Attachment as EwsAttachment } from '../types/attachment.ts'
import { type Mailbox, mailboxFor } from './mail-api.ts'
import { findAttachment, fromAttachment, isItem, isReference } from './mapping/attachment.ts'
import { wantedFields } from './mapping/wanted.ts'
import { readMessage } from './reading.ts'

interface Address {
  attachment_id: string
  message_id: string
}

const files = wantedFields('attachments')

/** The attachments of a message. */
async function all(mailbox: Mailbox, at: Pick<Address, 'message_id'>): Promise<readonly EwsAttachment[]> {
  const { Attachments: attachments = [] } = await readMessage(mailbox, at.message_id, files)
  return attachments
}

/** An attachment, as it is listed with its message. */
async function find(mailbox: Mailbox, at: Address): Promise<{ attachment: EwsAttachment; place: number }> {
  const found = findAttachment(await all(mailbox, at), at.attachment_id)
  if (!found) throw noAttachment()
  return found
}

const megabyte = 1024 * 1024
/** The size of what Exchange stores, in base64. */
const limits = { maxBytes: 210 * megabyte, deadlineMs: 60_000, silenceMs: 60_000, lifetimeMs: 600_000 }

/** The bytes of an attachment as a stream: a file as it is, an item as MIME. */
function bytesOf({ session }: Mailbox, attachment: EwsAttachment): Promise<FileStream> {
  const Id = attachment.AttachmentId?.Id
  if (Id === undefined) throw noAttachment()
  const isMime = isItem(attachment)
  const request = { ...(isMime ? { AttachmentShape: { IncludeMimeContent: true } } : {}), AttachmentIds: [{ Id }] }
  return session.download(GetAttachment, request, { ...limits, element: isMime ? 'MimeContent' : 'Content' })
}

async function download(session: Session, at: Address): Promise<FileContent> {
  const mailbox = mailboxFor(session)
  const { attachment, place } = await find(mailbox, at)
  const { filename, content_type: contentType } = fromAttachment(attachment, place, session.grant.id)
  if (isReference(attachment)) {
    throw new ApiError('provider_refused', 'the attachment is a link to a file stored elsewhere')
  }
  try {
    const { begin, content } = await bytesOf(mailbox, attachment)
    return { content, contentType: isItem(attachment) ? typeOfItem(begin) : contentType, filename }
  } catch (error) {
    throw isMissing(error) ? noAttachment() : error
  }
}

export const attachments: Operations<Session>['attachments'] = {
  async list(session, at) {
    const found = await all(mailboxFor(session), at)
    return found.map((attachment, place) => fromAttachment(attachment, place, session.grant.id))
  },
  async get(session, at) {
    const { attachment, place } = await find(mailboxFor(session), at)
    return fromAttachment(attachment, place, session.grant.id)
  },
  download,
}
