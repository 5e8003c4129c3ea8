import type { ImapFlow } from 'imapflow'
import { createDecoder, type PartNode } from '../../formats/mime/mime.ts'
import type { file } from '../../formats/mime/parse-worker.ts'
import { ApiError } from '../../lib/api-error.ts'
import { fileContent, fromPart, noAttachment, partOfId } from '../mail/attachments.ts'
import { unreadable } from '../mail/unreadable.ts'
import type { FileContent, Operations } from '../operations.ts'
import { fetchOneByUid } from './client/commands.ts'
import { locateDraft } from './drafts.ts'
import type { Entry } from './entry.ts'
import { toApiError } from './errors.ts'
import { locateToRead } from './index/locate.ts'
import { isDraftId } from './mapping/draft.ts'
import { readAll, smallMessage, type Wanted } from './reading/read-messages.ts'
import { allWithApiErrors, type Session } from './session.ts'

interface Address {
  attachment_id: string
  message_id: string
}

interface Found {
  entry: Entry
  part: PartNode
  /** The bytes, where the message was small enough to be fetched whole. */
  content?: Uint8Array
}

/**
 * Small messages are taken apart here, of large ones the server is asked for the part: whoever says which parts there are
 * also gives their bytes, so that the two agree however broken a message is.
 */
async function find(session: Session, at: Address): Promise<Found> {
  const number = partOfId(at.attachment_id)
  if (number === undefined) throw noAttachment()
  const { message_id: id } = at
  const group = isDraftId(id) ? await locateDraft(session, id) : (await locateToRead(session, id)).group
  const isSmall = group.entries.every(({ size }) => size <= smallMessage)
  const wanted: Wanted = { fields: isSmall ? 'raw_mime' : 'standard', content: true }
  const [reading] = await readAll(session, [group], wanted)
  const [entry] = reading?.group.entries ?? []
  if (!reading || !entry) throw noAttachment()
  if (reading.problem) throw unreadable(reading.problem)
  if (reading.raw) return { entry, ...(await unpackFrom(session, reading.raw, number)) }
  const part = reading.parsed?.attachments.find((each) => each.part === number)
  if (!part) throw noAttachment()
  return { entry, part }
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
  return { content: await flowOf(session, entry, part), contentType, filename }
}

/** So much is asked for at a time. */
const pieceBytes = 512 * 1024

/** Fetches a part piece by piece on a connection of its own, which is free again when the stream ends. */
async function flowOf(session: Session, entry: Entry, part: PartNode): Promise<ReadableStream<Uint8Array>> {
  const { signal } = session.io
  const { client, giveBack } = await session.mailbox.pool.borrow({ signal, path: entry.path, long: true })
  const pieces = piecesOf(client, entry, part)
  let isAsking = false
  return new ReadableStream(
    {
      async pull(controller) {
        isAsking = true
        try {
          const { value, done } = await pieces.next()
          if (!done) return controller.enqueue(value)
          giveBack()
          controller.close()
        } catch (error) {
          giveBack()
          controller.error(toApiError(error))
        } finally {
          isAsking = false
        }
      },
      cancel() {
        // What is on its way cannot be called back: the connection is of no more use.
        if (isAsking) client.close()
        giveBack()
      },
    },
    { highWaterMark: 0 },
  )
}

async function* piecesOf(client: ImapFlow, { uid, size }: Entry, { part, encoding }: PartNode) {
  const decoder = createDecoder(encoding)
  for (let start = 0; ; ) {
    const bodyParts = [{ key: part, start, maxLength: pieceBytes }]
    const message = await fetchOneByUid(client, uid, { bodyParts })
    if (!message) throw new ApiError('not_found', 'the message is gone')
    const bytes = message.bodyParts?.get(part) || Buffer.alloc(0)
    start += bytes.length
    // Who counts twice the size of the message gives the same bytes again and again.
    if (start > 2 * size + pieceBytes)
      throw new ApiError('provider_refused', 'the mail server gives no end of this part')
    const decoded = decoder.push(bytes)
    if (decoded.length > 0) yield decoded
    // Less is the end; more is all of it, from servers that do not count.
    if (bytes.length !== pieceBytes) break
  }
  const rest = decoder.end()
  if (rest.length > 0) yield rest
}

export const attachments: Operations<Session>['attachments'] = allWithApiErrors({
  get: async (session, at) => fromPart((await find(session, at)).part, session.grant.id),
  download,
} satisfies Operations<Session>['attachments'])
