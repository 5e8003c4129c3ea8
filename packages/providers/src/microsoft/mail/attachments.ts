import { ApiError } from '@waypost/platform/api-error'
import { noAttachment, typeOfItem } from '../../mail/attachments.ts'
import type { FileContent, Operations } from '../../operations.ts'
import { isMissing } from '../errors.ts'
import type { Session } from '../session.ts'
import { type GraphAttachment, idPath, type Mailbox, mailboxFor } from './mail-api.ts'
import { fromAttachment, isItem, isReference } from './mapping/attachment.ts'
import { downloadMs, readMessage, sourceBytes } from './reading.ts'

interface Address {
  attachment_id: string
  message_id: string
}

/** The attachments of a message. */
async function all(mailbox: Mailbox, at: Pick<Address, 'message_id'>): Promise<readonly GraphAttachment[]> {
  const { attachments = [] } = await readMessage(mailbox, at.message_id, { properties: ['id'], attachments: true })
  return attachments
}

/** An attachment, as it is listed with its message. */
async function find(mailbox: Mailbox, at: Address): Promise<GraphAttachment> {
  const found = (await all(mailbox, at)).find(({ id }) => id === at.attachment_id)
  if (!found) throw noAttachment()
  return found
}

async function download(session: Session, at: Address): Promise<FileContent> {
  const mailbox = mailboxFor(session)
  const attachment = await find(mailbox, at)
  const { filename, content_type: contentType } = fromAttachment(attachment, session.grant.id)
  if (isReference(attachment)) {
    throw new ApiError('provider_refused', 'the attachment is a link to a file stored elsewhere, such as OneDrive')
  }
  const path = `messages/${idPath('message', at.message_id)}/attachments/${idPath('attachment', attachment.id)}/$value`
  try {
    const options = { maxBytes: sourceBytes, deadlineMs: downloadMs }
    const { begin, content, size } = await session.openFile(mailbox.path(path), options)
    const type = isItem(attachment) ? typeOfItem(begin) : contentType
    return { content, contentType: type, filename, ...(size === undefined ? {} : { size }) }
  } catch (error) {
    throw isMissing(error) ? noAttachment() : error
  }
}

export const attachments: Operations<Session>['attachments'] = {
  async list(session, at) {
    return (await all(mailboxFor(session), at)).map((each) => fromAttachment(each, session.grant.id))
  },
  async get(session, at) {
    return fromAttachment(await find(mailboxFor(session), at), session.grant.id)
  },
  download,
}
