import type { Attachment } from '@waypost/contract'
import { createDecoder, type PartNode } from '@waypost/formats/mime/mime'
import type { file } from '@waypost/formats/parse-worker'
import { ApiError } from '@waypost/platform/api-error'
import type { ImapFlow } from 'imapflow'
import { fileContent, fromPart, noAttachment, partOfId } from '../mail/attachments.ts'
import { unreadable } from '../mail/unreadable.ts'
import type { FileContent, Operations } from '../operations.ts'
import { locateDraft } from './drafts.ts'
import { type Entry, smallMessage } from './entry.ts'
import { locateToRead } from './index/locate.ts'
import { isDraftId } from './mapping/ids.ts'
import { piecesOf, streamOf } from './reading/pieces.ts'
import { type NeededParts, readAll } from './reading/read-messages.ts'
import { allWithApiErrors, type Session } from './session.ts'

interface Address {
  attachment_id: string
  message_id: string
}

interface FoundAttachment {
  entry: Entry
  part: PartNode
  /** The bytes, if the message was small enough to be fetched completely. */
  content?: Uint8Array
}

/**
 * Small messages are parsed here; for large ones the server returns the part. The part list and the bytes come from
 * the same parser, so both agree even for malformed messages.
 */
async function find(session: Session, at: Address): Promise<FoundAttachment> {
  const number = partOfId(at.attachment_id)
  if (number === undefined) throw noAttachment()
  const group = await groupOf(session, at.message_id)
  const isSmall = group.entries.every(({ size }) => size <= smallMessage)
  const wanted: NeededParts = { fields: isSmall ? 'raw_mime' : 'standard', content: true }
  const [reading] = await readAll(session, [group], wanted)
  const [entry] = reading?.group.entries ?? []
  if (!reading || !entry) throw noAttachment()
  if (reading.problem) throw unreadable(reading.problem)
  if (reading.raw) return { entry, ...(await unpackFrom(session, reading.raw, number)) }
  const part = reading.parsed?.attachments.find((each) => each.part === number)
  if (!part) throw noAttachment()
  return { entry, part }
}

const groupOf = async (session: Session, id: string) =>
  isDraftId(id) ? locateDraft(session, id) : (await locateToRead(session, id)).group

async function list(session: Session, at: Pick<Address, 'message_id'>): Promise<Attachment[]> {
  const [reading] = await readAll(session, [await groupOf(session, at.message_id)], {
    fields: 'standard',
    content: true,
  })
  if (!reading?.group.entries.length) throw new ApiError('not_found', 'the message was deleted')
  if (reading.problem) throw unreadable(reading.problem)
  return (reading.parsed?.attachments ?? []).map((part) => fromPart(part, session.grant.id))
}

async function unpackFrom({ io }: Session, source: Buffer, number: string) {
  const { parse, signal } = io
  const input = { source, number }
  const [outcome] = await parse.run<typeof input, ReturnType<typeof file>>('file', [input], { signal })
  if (!outcome?.ok) throw unreadable('it cannot be parsed')
  if (!outcome.value) throw noAttachment()
  return outcome.value
}

async function download(session: Session, at: Address): Promise<FileContent> {
  const { entry, part, content } = await find(session, at)
  const { contentType, filename } = part
  if (content) return fileContent(content, { contentType, filename })
  const stream = await streamOf(session, entry.path, (client) => decodedPieces(client, entry, part))
  return { content: stream, contentType, filename }
}

/** Bytes decoded at a time. The collector frees small strings and buffers soon, and large ones late. */
const decodedAtOnce = 48 * 1024

async function* decodedPieces(client: ImapFlow, entry: Entry, { part, encoding }: PartNode) {
  const decoder = createDecoder(encoding)
  for await (const bytes of piecesOf(client, entry, part)) {
    for (let from = 0; from < bytes.length; from += decodedAtOnce) {
      const decoded = decoder.push(bytes.subarray(from, from + decodedAtOnce))
      if (decoded.length > 0) yield decoded
    }
  }
  const rest = decoder.end()
  if (rest.length > 0) yield rest
}

export const attachments: Operations<Session>['attachments'] = allWithApiErrors({
  list,
  get: async (session, at) => fromPart((await find(session, at)).part, session.grant.id),
  download,
} satisfies Operations<Session>['attachments'])
