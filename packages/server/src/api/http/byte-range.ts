/**
 * Parts of files (RFC 9110 §14): one range of bytes. Providers that cannot begin in the middle send the whole file, whose
 * first bytes are dropped as they arrive. Several ranges are answered with the whole file, as the standard allows.
 */
import { ApiError } from '@waypost/platform/api-error'
import type { FileContent } from '@waypost/providers/operations'
import { type FileAnswer, startFile } from './file-answer.ts'
import type { HttpRequest } from './http.ts'

/** What a client asks for: from a byte on, up to a byte, or the last bytes. */
export type ByteRange = { first: number; last?: number } | { lastBytes: number }

/**
 * The range that a request asks for; undefined for the whole file. Headers of another unit, of several ranges, or with
 * mistakes do not count. `If-Range` never matches, because attachments have no validator.
 */
export function requestedRange(request: HttpRequest): ByteRange | undefined {
  const header = request.method === 'GET' && request.header('if-range') === null ? request.header('range') : null
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '') ?? []
  if (first === '') return last === '' ? undefined : { lastBytes: Number(last) }
  if (last !== '' && Number(last) < Number(first)) return undefined
  return { first: Number(first), ...(last === '' ? {} : { last: Number(last) }) }
}

/** The positions of the first and the last byte. Throws if the file has none of the bytes. */
export function positionsOf(requested: ByteRange, size: number): { first: number; last: number } {
  const first = 'first' in requested ? requested.first : Math.max(0, size - requested.lastBytes)
  const isNone = first >= size || ('lastBytes' in requested && requested.lastBytes === 0)
  if (isNone) {
    throw new ApiError('range_not_satisfiable', `Range: the file has ${size} bytes`, {
      headers: { 'content-range': `bytes */${size}`, 'accept-ranges': 'bytes' },
    })
  }
  return { first, last: 'first' in requested ? Math.min(requested.last ?? size - 1, size - 1) : size - 1 }
}

/** Counts the bytes of a stream without keeping them. */
export async function countBytes(content: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<number> {
  const reader = content.getReader()
  const stop = (): void => void reader.cancel(signal.reason).catch(() => undefined)
  signal.addEventListener('abort', stop, { once: true })
  try {
    if (signal.aborted) stop()
    let size = 0
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) size += piece.value.byteLength
    signal.throwIfAborted()
    return size
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** A part of a file. When its last byte has come, the rest is canceled. */
export function partOf(file: FileContent, { first, last }: { first: number; last: number }): FileContent {
  const reader = file.content.getReader()
  let skip = first
  let left = last - first + 1
  const content = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const { value, done } = await reader.read()
          // The caller notices that bytes are missing.
          if (done) return controller.close()
          const wanted = value.subarray(Math.min(skip, value.byteLength)).subarray(0, left)
          skip = Math.max(0, skip - value.byteLength)
          if (wanted.byteLength === 0) continue
          left -= wanted.byteLength
          controller.enqueue(wanted)
          if (left > 0) return
          controller.close()
          await reader.cancel().catch(() => undefined)
          return
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  return { ...file, content, size: left }
}

const takesRanges = { 'accept-ranges': 'bytes' }

/**
 * Starts a file, or the part of it that the client asks for. `read` opens the file. Where the provider does not tell its exact size, the file is read once more, to count its bytes:
 * the answer has to name the last one.
 */
export async function startRange(
  read: () => Promise<FileContent>,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<FileAnswer> {
  const file = await read()
  const requested = requestedRange(request)
  if (!requested) return startFile(file, signal, { status: 200, headers: takesRanges })
  const size = file.size ?? (await countBytes(file.content, signal))
  const whole = file.size === undefined ? undefined : file
  try {
    const positions = positionsOf(requested, size)
    const headers = { ...takesRanges, 'content-range': `bytes ${positions.first}-${positions.last}/${size}` }
    return await startFile(partOf(whole ?? (await read()), positions), signal, { status: 206, headers })
  } catch (error) {
    if (whole && !whole.content.locked) await whole.content.cancel().catch(() => undefined)
    throw error
  }
}
