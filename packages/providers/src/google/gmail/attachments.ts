import type { Attachment } from '@waypost/contract'
import { createDecoder } from '@waypost/formats/mime/mime'
import type { Unpacked } from '@waypost/formats/mime/unpack'
import { ApiError } from '@waypost/platform/api-error'
import { attachmentId, fileContent, fromPart, noAttachment } from '../../mail/attachments.ts'
import { unreadable } from '../../mail/unreadable.ts'
import type { FileContent, Operations } from '../../operations.ts'
import type { FileStream } from '../../shared/file-stream.ts'
import type { Session } from '../session.ts'
import { readDraft } from './drafts.ts'
import { type GmailPart, me, orNotFound } from './gmail-api.ts'
import { isDraftId } from './mapping/message.ts'
import { bytesOf, partsById } from './mapping/part.ts'
import { attachmentData, type Reading, rawBytes, readMessage } from './reading.ts'

interface Address {
  attachment_id: string
  message_id: string
}

interface FoundAttachment {
  attachment: Attachment
  /** The current id of its message. */
  messageId: string
  part: GmailPart
  /** Its place among the attachments. */
  place: number
}

async function readingOf(session: Session, id: string): Promise<Reading> {
  const reading = isDraftId(id)
    ? (await readDraft(session, id)).reading
    : await orNotFound('message', () => readMessage(session, id, { fields: 'standard', format: 'full' }))
  if (reading.problem) throw unreadable(reading.problem)
  return reading
}

async function find(session: Session, at: Address): Promise<FoundAttachment> {
  const { message, parsed } = await readingOf(session, at.message_id)
  const all = parsed?.attachments ?? []
  const place = all.findIndex(({ part }) => attachmentId(part) === at.attachment_id)
  const node = all[place]
  const part = node && partsById(message.payload ?? {}).get(node.part)
  if (!part) throw noAttachment()
  return { attachment: fromPart(node, session.grant.id), messageId: message.id, part, place }
}

/** Larger attachments are streamed. A smaller one is requested again if the connection breaks. */
const smallBytes = 1024 * 1024

/** The bytes of an attachment. Small ones come with their message, others are downloaded. */
async function contentOf(
  session: Session,
  { messageId, part, place }: FoundAttachment,
): Promise<Uint8Array | FileStream> {
  const { data, attachmentId: id, size } = part.body ?? {}
  if (data !== undefined) return bytesOf(data)
  if (id) {
    const path = `${me}/messages/${messageId}/attachments/${encodeURIComponent(id)}`
    const options = { query: { fields: 'data' }, maxBytes: rawBytes, deadlineMs: 60_000 }
    if (size === undefined || size > smallBytes) {
      return session.openFile('gmail', path, { ...options, decode: decodedData })
    }
    return bytesOf((await session.call('gmail', 'GET', path, { ...options, read: attachmentData })).data ?? '')
  }
  if (!part.parts && !size) return new Uint8Array()
  return fromSource(session, messageId, place)
}

/**
 * Gmail returns the parts of a message within a message, but not its bytes. They are cut out of the whole message.
 */
async function fromSource(session: Session, messageId: string, place: number): Promise<Uint8Array> {
  const { message } = await readMessage(session, messageId, { fields: 'raw_mime', format: 'raw' })
  const input = { source: bytesOf(message.raw ?? '') }
  const [outcome] = await session.io.parse.run<object, Unpacked>('parts', [input], { signal: session.io.signal })
  const file = outcome?.ok ? outcome.value.files[place] : undefined
  if (!file) throw noAttachment()
  return file.content
}

async function download(session: Session, at: Address): Promise<FileContent> {
  const found = await find(session, at)
  const { content_type: contentType, filename } = found.attachment
  const content = await contentOf(session, found)
  if (content instanceof Uint8Array) return fileContent(content, { contentType, filename })
  return { content: content.content, contentType, filename }
}

export const attachments: Operations<Session>['attachments'] = {
  async list(session, at) {
    const { parsed } = await readingOf(session, at.message_id)
    return (parsed?.attachments ?? []).map((node) => fromPart(node, session.grant.id))
  },
  get: async (session, at) => (await find(session, at)).attachment,
  download,
}

/** Only a short text precedes the content. */
const maxHead = 1024 * 1024

/** The content ends with the string, or with its padding, which JSON may escape (RFC 8259 §7). */
const ending = /["\\=]/

/** Decodes the answer with the content of an attachment, `{"data": "…"}`, while it arrives. */
export async function* decodedData(answer: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = createDecoder('base64')
  let head: string | undefined = ''
  for await (const piece of answer) {
    let text = piece.toString('latin1')
    if (head !== undefined) {
      head += text
      const begin = /"data"\s*:\s*"/.exec(head)
      if (!begin && head.length > maxHead) break
      if (!begin) continue
      text = head.slice(begin.index + begin[0].length)
      head = undefined
    }
    const end = text.search(ending)
    const decoded = decoder.push(Buffer.from(end === -1 ? text : text.slice(0, end), 'latin1'))
    if (decoded.length > 0) yield decoded
    if (end === -1) continue
    const rest = decoder.end()
    if (rest.length > 0) yield rest
    return
  }
  throw new ApiError('provider_unavailable', 'Google answered with a file that cannot be read; try again')
}
