/**
 * Receives the bytes of a PUT. They are stored piece by piece as they arrive, and the next bytes are read once a piece is
 * stored, so a fast client waits and a node holds two pieces. Only a PUT that arrived completely counts. If it ends early,
 * or the node dies, the client repeats it: the new one replaces what is left of the old one.
 */
import { limits } from '@waypost/contract'
import { ApiError } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { DataSeals } from '../../lib/crypto/data-seals.ts'
import { newId } from '../../lib/ids.ts'
import type { Database } from '../../store/engine/database.ts'
import { addChunk, chunkBytes, removeChunks, type UploadAddress } from '../../store/tables/mail/upload-chunks.ts'
import { beginPut, endPut, readUpload } from '../../store/tables/mail/uploads.ts'

export interface UploadsOptions {
  database: Database
  seals: DataSeals
  clock: Clock
  /** How long the next piece of a file may take. Default 60 s. */
  pieceMs?: number
}

export interface ReceivedBody {
  /** The Content-Length of the request, if it has one. */
  length: number | undefined
  stream(): AsyncIterable<Uint8Array>
}

export const alreadyComplete = (): ApiError => new ApiError('conflict', 'the upload is complete already')

/** How long the next piece may take. A client that sends a byte now and then must not occupy the node. */
const longestPieceMs = 60_000

export async function receivePut(
  { database, seals, clock, pieceMs = longestPieceMs }: UploadsOptions,
  at: UploadAddress,
  { length, stream }: ReceivedBody,
): Promise<void> {
  const now = clock.now()
  const row = await readUpload(database, at)
  if (!row) throw new ApiError('not_found', 'there is no such upload')
  if (row.expires_at <= now || row.state === 'expired') throw new ApiError('upload_expired')
  if (row.state === 'ready') throw alreadyComplete()
  const most = row.declared_size ?? limits.uploadBytes
  if (length !== undefined) checkLength(length, { most, declared: row.declared_size })
  const putId = newId()
  if (!(await beginPut(database, at, putId, now))) throw replaced()
  await removeChunks(database, at, { except: putId })
  let size = 0
  let piece = 0
  for await (const bytes of inTime(piecesOf(stream()), pieceMs)) {
    size += bytes.length
    if (size > most) throw tooLarge(most, row.declared_size)
    if (row.expires_at <= clock.now()) throw new ApiError('upload_expired')
    if (!(await addChunk(database, { ...at, putId, piece }, bytes, seals))) throw replaced()
    piece++
  }
  if (row.declared_size !== null && size !== row.declared_size) {
    throw new ApiError('upload_incomplete', `the file has ${size} bytes; ${row.declared_size} were declared`)
  }
  if (!(await endPut(database, at, putId, size))) throw replaced()
}

function checkLength(length: number, { most, declared }: { most: number; declared: number | null }): void {
  if (length > most) throw tooLarge(most, declared)
  if (declared !== null && length !== declared) {
    throw new ApiError('upload_incomplete', `Content-Length is ${length}; ${declared} bytes were declared`)
  }
}

const tooLarge = (most: number, declared: number | null): ApiError =>
  new ApiError(
    'payload_too_large',
    declared === null
      ? `a file may have ${most} bytes`
      : `the file is larger than the ${declared} bytes that were declared`,
  )

const replaced = (): ApiError =>
  new ApiError('conflict', 'another upload to this URL has replaced this one, or the upload was completed')

/** Joins what arrives to pieces of `chunkBytes`; the last one may be shorter. All pieces share one buffer. */
async function* piecesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const piece = Buffer.alloc(chunkBytes)
  let size = 0
  for await (const part of stream) {
    for (let rest = part; rest.length > 0; ) {
      const taken = rest.subarray(0, chunkBytes - size)
      piece.set(taken, size)
      size += taken.length
      rest = rest.subarray(taken.length)
      if (size < chunkBytes) continue
      yield piece
      size = 0
    }
  }
  if (size > 0) yield piece.subarray(0, size)
}

/** Fails if a piece takes too long. */
async function* inTime(pieces: AsyncGenerator<Buffer>, pieceMs: number): AsyncGenerator<Buffer> {
  let isStalled = false
  try {
    for (;;) {
      let timer: NodeJS.Timeout | undefined
      const stalled = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          isStalled = true
          const problem = `less than ${chunkBytes} bytes arrived in ${pieceMs / 1_000} seconds`
          reject(new ApiError('upload_incomplete', `${problem}: repeat the upload on a better connection`))
        }, pieceMs)
      })
      const piece = await Promise.race([pieces.next(), stalled]).finally(() => clearTimeout(timer))
      if (piece.done) return
      yield piece.value
    }
  } finally {
    // The rest of the request can be discarded only once nobody reads it. A stalled one may never end.
    if (!isStalled) await pieces.return(undefined)
  }
}
