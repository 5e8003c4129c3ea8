/** Messages as bytes. Google accepts up to 35 MB: a message with large files in pieces, and others as a whole. */
import { ApiError } from '@waypost/platform/api-error'
import type { Reader } from '@waypost/platform/json/reader'
import { joined, type LargeMessage, wireLength } from '../../mail/large-files.ts'
import { maxMessageBytes } from '../limits.ts'
import type { Session } from '../session.ts'
import { type MessageCall, pieceBytes, uploadInPieces } from './resumable-upload.ts'

interface UploadCall<T> extends MessageCall {
  read: Reader<T>
  deadlineMs: number
}

/** Throws before any work if Gmail would refuse a message for its size. */
export function checkSize(message: LargeMessage): void {
  const size = wireLength(message)
  if (size <= maxMessageBytes) return
  const problem = `the message has ${size} bytes; Google accepts at most ${maxMessageBytes}`
  throw new ApiError('payload_too_large', `${problem}. Files grow by a third in a message: send a link instead`)
}

/**
 * Makes a call with the bytes of a message. `begin` runs before the request, or the piece, with which Google acts on the
 * message.
 */
export async function uploadMessage<T>(
  session: Session,
  call: UploadCall<T>,
  message: LargeMessage,
  begin?: () => Promise<void>,
): Promise<T> {
  checkSize(message)
  const { method, path, query, body, read, deadlineMs } = call
  if (message.largeFiles === undefined || wireLength(message) <= pieceBytes) {
    const raw = { bytes: await joined(message), contentType: 'message/rfc822' }
    // A problem with the account is reported before the message is on its way.
    if (begin) await session.io.accessToken()
    await begin?.()
    return session.call('gmail', method, path, { read, query, raw, body, deadlineMs })
  }
  const answer = await uploadInPieces(session, call, message, { begin, lastMs: deadlineMs })
  return session.read(answer, read)
}
