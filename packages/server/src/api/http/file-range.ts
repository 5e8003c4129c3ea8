/** Starts a file, or the part of it that the client asks for. */
import type { FileContent } from '@waypost/providers/operations'
import { countBytes, partOf, positionsOf, requestedRange } from './byte-range.ts'
import { type FileAnswer, startFile } from './file-answer.ts'
import type { HttpRequest } from './http.ts'

const takesRanges = { 'accept-ranges': 'bytes' }

/**
 * `read` opens the file. Where the provider does not tell its exact size, the file is read once more, to count its bytes:
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
