/** Messages as bytes. Google accepts up to 35 MB: a message with large files in pieces, and others as a whole. */
import { ApiError } from '@waypost/platform/api-error'
import type { Reader } from '@waypost/platform/json/reader'
import { joined, type LargeMessage, wireBytes, wireLength } from '../../mail/large-files.ts'
import type { ProviderAnswer, Query } from '../../shared/exchange.ts'
import { inPieces } from '../../shared/pieces.ts'
import { isShortWait, namedWait, pauseFor } from '../../shared/retry.ts'
import { isRetryable } from '../../shared/retryable.ts'
import { refused } from '../errors.ts'
import { maxMessageBytes } from '../limits.ts'
import type { Method, Session } from '../session.ts'

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

/** Google accepts multiples of 256 KiB, and any size for the last piece. */
export const pieceBytes = 8 * 256 * 1024
const contentType = 'message/rfc822'
const pieceMs = 120_000
/** Pauses between failures in a row. */
const pausesMs = [300, 1_200, 4_000]

interface MessageCall {
  method: Method
  path: string
  query: Query
  body?: object | undefined
}

interface Piece {
  address: string
  bytes: Uint8Array
  /** Its place in the message, and the length of the message. */
  from: number
  total: number
  /** The time at which the upload is given up; from `performance.now()`. */
  until(): number
}

/**
 * A resumable upload (https://developers.google.com/workspace/gmail/api/guides/uploads): a message goes to Google in pieces.
 * After a failure, Google is asked how much has arrived, and the upload continues there. Google acts on the message once
 * the last byte has arrived, so a repeated piece never sends a message twice. Returns the answer to the last piece. `begin`
 * runs before the last piece, which has `lastMs`.
 */
export async function uploadInPieces(
  session: Session,
  { method, path, query, body }: MessageCall,
  message: LargeMessage,
  { begin, lastMs }: { begin?: (() => Promise<void>) | undefined; lastMs: number },
): Promise<ProviderAnswer> {
  const total = wireLength(message)
  const address = await session.beginUpload('gmail', method, path, { query, body, contentType, length: total })
  let from = 0
  let until = Number.POSITIVE_INFINITY
  for await (const bytes of inPieces(wireBytes(message), pieceBytes)) {
    const isLast = from + bytes.length === total
    if (isLast) {
      // A problem with the account is reported before the message is on its way.
      await session.io.accessToken()
      await begin?.()
      until = performance.now() + lastMs
    }
    const answer = await putPiece(session, { address, bytes, from, total, until: () => until })
    from += bytes.length
    if (answer) {
      if (isLast) return answer
      break
    }
  }
  throw new ApiError('provider_unavailable', 'Google ended an upload at the wrong place; try again')
}

/** Sends a piece until all of it has arrived; returns the answer to the message if it was the last one. */
async function putPiece(session: Session, piece: Piece): Promise<ProviderAnswer | undefined> {
  const { from, bytes, total } = piece
  const end = from + bytes.length
  let at = from
  let failures = 0
  let isKnown = true
  let hasEnded = false
  for (;;) {
    try {
      const isPut = isKnown && at < end
      const answer = await (isPut ? put(session, piece, at) : askState(session, piece))
      if (answer.status < 300) return answer
      hasEnded = answer.status === 404 || answer.status === 410
      const arrived = arrivedBytes(answer)
      if (arrived < from || arrived > end) throw new ApiError('provider_unavailable', 'Google lost a part of an upload')
      if (arrived === end && end < total) return undefined
      if (arrived > at) failures = 0
      else if (isPut || at === end) throw new ApiError('provider_unavailable', 'Google does not continue an upload')
      at = arrived
      isKnown = true
    } catch (error) {
      const pause = pausesMs[failures++]
      if (hasEnded || pause === undefined || !isRetryable(error) || !isShortWait(error)) throw error
      await pauseFor(session.io, pause, namedWait(error))
      isKnown = false
    }
  }
}

const put = (session: Session, { address, bytes, from, total, until }: Piece, at: number): Promise<ProviderAnswer> => {
  const range = `bytes ${at}-${from + bytes.length - 1}/${total}`
  const headers = { 'content-type': contentType, 'content-range': range }
  return session.continueUpload(address, { bytes: bytes.subarray(at - from), headers, deadlineMs: timeLeft(until()) })
}

const askState = (session: Session, { address, total, until }: Piece): Promise<ProviderAnswer> => {
  const headers = { 'content-range': `bytes */${total}` }
  return session.continueUpload(address, { bytes: Buffer.alloc(0), headers, deadlineMs: timeLeft(until()) })
}

function timeLeft(until: number): number {
  const left = Math.min(pieceMs, until - performance.now())
  if (left > 0) return left
  throw new ApiError('provider_unavailable', 'Google did not answer in time; try again')
}

/** The number of bytes that have arrived: `Range: bytes=0-524287`, or no header for none. */
function arrivedBytes(answer: ProviderAnswer): number {
  const { status } = answer
  if (status === 308) {
    const [, last] = /^(?:bytes=)?0-(\d{1,15})$/.exec(answer.header('range') ?? '') ?? []
    return last === undefined ? 0 : Number(last) + 1
  }
  if (status === 404 || status === 410) {
    // The session has ended. Whether it did because the message was accepted is unknown.
    throw new ApiError('provider_unavailable', 'Google has ended an upload before it was complete; try again')
  }
  throw refused(answer)
}
