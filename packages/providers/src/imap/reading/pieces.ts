/**
 * Reads a large part or message in pieces. A server cannot be stopped in the middle of an answer, and an answer beyond
 * a limit closes the connection. So each answer is small, whatever the size of the message.
 */

import { ApiError } from '@waypost/platform/api-error'
import type { ImapFlow } from 'imapflow'
import { fetchOneByUid } from '../client/commands.ts'
import type { Entry } from '../entry.ts'
import { toApiError } from '../errors.ts'
import type { Session } from '../session.ts'

/** Bytes requested at a time. */
const pieceBytes = 512 * 1024

/** The bytes of a part as the message has them, or of the whole message if no part is named. */
export async function* piecesOf(client: ImapFlow, { uid, size }: Entry, part?: string): AsyncGenerator<Buffer> {
  for (let start = 0; ; ) {
    const range = { start, maxLength: pieceBytes }
    const query = part === undefined ? { source: range } : { bodyParts: [{ key: part, ...range }] }
    const message = await fetchOneByUid(client, uid, query)
    if (!message) throw new ApiError('not_found', 'the message was deleted')
    const bytes = (part === undefined ? message.source : message.bodyParts?.get(part)) || Buffer.alloc(0)
    start += bytes.length
    // More than twice the size of the message means that the server repeats the same bytes.
    if (start > 2 * size + pieceBytes) {
      throw new ApiError('provider_refused', 'the mail server sends this message without end')
    }
    if (bytes.length > 0) yield bytes
    // Fewer bytes mean the end. More mean the whole content, from servers that ignore the range.
    if (bytes.length !== pieceBytes) return
  }
}

/**
 * A stream that reads on a connection of its own, which is released when the stream ends. The first piece is read at
 * once, so that a refusal is an error of this call and not of the stream.
 */
export async function streamOf(
  session: Session,
  path: string,
  piecesFrom: (client: ImapFlow) => AsyncGenerator<Uint8Array>,
): Promise<ReadableStream<Uint8Array>> {
  const { signal } = session.io
  const { client, giveBack } = await session.mailbox.pool.borrow({ signal, path, long: true })
  const pieces = piecesFrom(client)
  let first: IteratorResult<Uint8Array> | undefined
  try {
    first = await pieces.next()
  } catch (error) {
    giveBack()
    throw error
  }
  let isRequesting = false
  return new ReadableStream(
    {
      async pull(controller) {
        isRequesting = true
        try {
          const { value, done } = first ?? (await pieces.next())
          first = undefined
          if (!done) return controller.enqueue(value)
          giveBack()
          controller.close()
        } catch (error) {
          giveBack()
          controller.error(toApiError(error))
        } finally {
          isRequesting = false
        }
      },
      cancel() {
        // A running fetch cannot be canceled, so the connection is closed.
        if (isRequesting) client.close()
        giveBack()
      },
    },
    { highWaterMark: 0 },
  )
}
