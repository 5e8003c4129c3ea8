/**
 * Receives the bytes of a PUT. They are stored piece by piece as they arrive, and the next bytes are read once a piece is
 * stored, so a fast client waits and a node holds two pieces. Only a PUT that arrived completely counts. If it ends early,
 * its bytes are deleted at once, and the client repeats it. If the node dies, the next start or another node deletes them.
 */
import { limits } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Database } from '@waypost/store/engine/database'
import { addChunk, chunkBytes, removeChunks, type UploadAddress } from '@waypost/store/tables/grants/upload-chunks'
import { beginPut, endPut, failPut, putIdOf, readUpload, type UploadRow } from '@waypost/store/tables/grants/uploads'

export interface UploadsOptions {
  database: Database
  seals: DataSeals
  clock: Clock
  /** The node, whose death ends the PUTs that it receives. */
  nodeId?: string
  /** How long a piece of a file may take on average. Default 8 s, which is 32 KB a second. */
  pieceMs?: number
  /** Refuses bytes that the disk of the store has no room for. */
  checkRoom?: (bytes: number) => Promise<void>
}

export interface ReceivedBody {
  /** The Content-Length of the request, if it has one. */
  length: number | undefined
  stream(): AsyncIterable<Uint8Array>
}

export const alreadyComplete = (): ApiError => new ApiError('conflict', 'the upload is complete already')

/** How long a piece may take on average. A client that sends a byte now and then must not occupy the node. */
const usualPieceMs = 8_000
/** A connection that is fast enough on the whole may pause for as long as this many pieces take. */
const piecesBehind = 4
/** Bytes of the store for one byte of a file: a piece is stored as base64. */
const growth = 1.4

export async function receivePut(options: UploadsOptions, at: UploadAddress, body: ReceivedBody): Promise<void> {
  const { database, clock, nodeId = 'unknown', checkRoom } = options
  const { length } = body
  const now = clock.now()
  const row = await readUpload(database, at)
  if (!row) throw new ApiError('not_found', 'there is no such upload')
  if (row.expires_at <= now || row.state === 'expired') throw new ApiError('upload_expired')
  if (row.state === 'ready') throw alreadyComplete()
  const max = row.declared_size ?? limits.uploadBytes
  if (length !== undefined) checkLength(length, { max, declared: row.declared_size })
  await checkRoom?.((length ?? row.declared_size ?? 0) * growth)
  const putId = putIdOf(nodeId)
  if (!(await beginPut(database, at, putId, now))) throw replaced()
  try {
    await removeChunks(database, at, { except: putId })
    await storeBody(options, { ...at, putId }, { row, max, body })
  } catch (error) {
    // If this fails too, housekeeping does it.
    await failPut(database, at, putId).catch(() => undefined)
    throw error
  }
}

interface Receiving {
  row: UploadRow
  /** The most bytes that the file may have. */
  max: number
  body: ReceivedBody
}

async function storeBody(
  { database, seals, clock, pieceMs = usualPieceMs, checkRoom }: UploadsOptions,
  at: UploadAddress & { putId: string },
  { row, max, body: { stream } }: Receiving,
): Promise<void> {
  const { putId } = at
  let size = 0
  let piece = 0
  for await (const bytes of inTime(piecesOf(stream()), pieceMs)) {
    size += bytes.length
    if (size > max) throw tooLarge(max, row.declared_size)
    if (row.expires_at <= clock.now()) throw new ApiError('upload_expired')
    await checkRoom?.(bytes.length * growth)
    if (!(await addChunk(database, { ...at, piece }, bytes, seals))) throw replaced()
    piece++
  }
  if (row.declared_size !== null && size !== row.declared_size) {
    throw new ApiError('upload_incomplete', `the file has ${size} bytes; ${row.declared_size} were declared`)
  }
  if (!(await endPut(database, at, putId, size))) throw replaced()
}

function checkLength(length: number, { max, declared }: { max: number; declared: number | null }): void {
  if (length > max) throw tooLarge(max, declared)
  if (declared !== null && length !== declared) {
    throw new ApiError('upload_incomplete', `Content-Length is ${length}; ${declared} bytes were declared`)
  }
}

const tooLarge = (max: number, declared: number | null): ApiError =>
  new ApiError(
    'payload_too_large',
    declared === null
      ? `a file may have ${max} bytes`
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

/** Fails if pieces take too long on average. */
async function* inTime(pieces: AsyncGenerator<Buffer>, pieceMs: number): AsyncGenerator<Buffer> {
  let isStalled = false
  let left = piecesBehind * pieceMs
  try {
    for (;;) {
      const began = performance.now()
      let timer: NodeJS.Timeout | undefined
      const stalled = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          isStalled = true
          const problem = `less than ${chunkBytes} bytes arrived in ${pieceMs / 1_000} seconds on average`
          reject(new ApiError('upload_incomplete', `${problem}: repeat the upload on a better connection`))
        }, left)
      })
      const piece = await Promise.race([pieces.next(), stalled]).finally(() => clearTimeout(timer))
      if (piece.done) return
      left = Math.min(piecesBehind * pieceMs, left + pieceMs - (performance.now() - began))
      yield piece.value
    }
  } finally {
    // The rest of the request can be discarded only once nobody reads it. A stalled one may never end.
    if (!isStalled) await pieces.return(undefined)
  }
}
