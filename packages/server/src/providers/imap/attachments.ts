import { Readable } from 'node:stream'
import type { Attachment } from '@waypost/contract'
import { ApiError } from '../../lib/api-error.ts'
import { attachmentId, fromPart } from '../mail-parts.ts'
import type { FileContent, Operations } from '../operations.ts'
import { locateDraft } from './drafts.ts'
import { toApiError } from './errors.ts'
import { locate } from './locate.ts'
import type { Group } from './mailbox.ts'
import { isDraftId } from './mapping/draft.ts'
import { partOf } from './mapping/message.ts'
import { readAll, unreadable } from './reading.ts'
import { type Session, spoken } from './session.ts'

interface Address {
  attachment_id: string
  message_id: string
}

async function find(session: Session, at: Address): Promise<{ group: Group; part: string; attachment: Attachment }> {
  const part = partOf(at.attachment_id)
  if (part === undefined) throw noAttachment()
  const { message_id: id } = at
  const group = isDraftId(id) ? await locateDraft(session, id) : (await locate(session, id)).group
  const [reading] = await readAll(session, [group], { fields: 'standard', content: true })
  if (reading?.problem) throw unreadable(reading.problem)
  const found = reading?.parsed?.attachments.find((each) => attachmentId(each.part) === at.attachment_id)
  if (!found) throw noAttachment()
  return { group, part, attachment: fromPart(found, session.grant.id) }
}

const noAttachment = (): ApiError => new ApiError('not_found', 'the message has no attachment with this id')

/** Fetches a part piece by piece on a connection of its own, which is free again when the stream ends. */
async function download(session: Session, at: Address): Promise<FileContent> {
  const { group, part, attachment } = await find(session, at)
  const [entry] = group.entries
  if (!entry) throw noAttachment()
  const { client, giveBack } = await session.mailbox.pool.borrow({
    signal: session.io.signal,
    path: entry.path,
    long: true,
  })
  try {
    const { content } = await client.download(String(entry.uid), part, { uid: true })
    if (!content) throw noAttachment()
    content.once('close', () => {
      // What was not read to its end is still on its way: the connection is of no more use.
      if (!content.readableEnded) client.close()
      giveBack()
    })
    return { content: streamOf(content), contentType: attachment.content_type, filename: attachment.filename }
  } catch (error) {
    giveBack()
    throw toApiError(error)
  }
}

function streamOf(content: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(content) as ReadableStream<Uint8Array>
}

export const attachments: Operations<Session>['attachments'] = spoken({
  get: async (session, at) => (await find(session, at)).attachment,
  download,
} satisfies Operations<Session>['attachments'])
