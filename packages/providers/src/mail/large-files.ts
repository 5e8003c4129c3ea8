/**
 * Uploaded files in outgoing messages. The bytes of a message contain a marker in the place of each uploaded file: one line
 * of base64 that nobody can guess. The file replaces it while the message is transmitted, so that no node holds a large
 * message as a whole, and every attempt sends the same bytes.
 */

/** A file that is not in the bytes that contain it. */
export interface InsertedFile {
  size: number
  /** The line that stands for it. */
  marker: string
  /** Its bytes in order. Can be read several times. */
  read(): AsyncIterable<Uint8Array>
}

/** An uploaded file. */
export interface LargeFile extends InsertedFile {
  /** The id of its upload. */
  id: string
}

/** A message or draft with its uploaded files. */
export interface LargeMessage {
  source: Uint8Array
  largeFiles?: readonly LargeFile[] | undefined
}

/** Bytes with files in place of markers. */
interface BytesWithFiles {
  source: Uint8Array
  largeFiles?: readonly InsertedFile[] | undefined
}

/** Bytes of a file in one line of base64 (RFC 2045 §6.8). */
const lineBytes = 57
const lineLength = 76

const encodedAtOnce = 1_024 * lineBytes

/** Bytes that a marker is the base64 of. */
export const markerBytes = lineBytes

/** The length of a file in base64, in lines with CRLF between them. */
export function encodedLength(size: number): number {
  const length = Math.ceil(size / 3) * 4
  return length + 2 * Math.max(0, Math.ceil(length / lineLength) - 1)
}

/** The length of a message with its uploaded files. */
export const wireLength = ({ source, largeFiles = [] }: BytesWithFiles): number =>
  largeFiles.reduce((sum, { size, marker }) => sum - marker.length + encodedLength(size), source.length)

/** Whether a message is larger than its bytes in memory. */
export const hasLargeFiles = ({ largeFiles = [] }: LargeMessage): boolean => largeFiles.length > 0

/** A message with its uploaded files as a whole, for providers that accept only small ones. */
export async function joined(message: LargeMessage): Promise<Buffer> {
  const { source } = message
  if (!hasLargeFiles(message)) return Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  return Buffer.concat(await Array.fromAsync(wireBytes(message)))
}

/** A part of a message: some of its source, or some of a file in base64. */
export interface WirePart {
  bytes: Uint8Array
  isFile: boolean
}

/** A message in the order of transmission. */
export async function* wireBytes(message: BytesWithFiles): AsyncGenerator<Uint8Array> {
  for await (const { bytes } of wireParts(message)) yield bytes
}

/** The parts of a message in the order of transmission. The source between files begins and ends with whole lines. */
export async function* wireParts({ source, largeFiles = [] }: BytesWithFiles): AsyncGenerator<WirePart> {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  const places = largeFiles
    .map((file) => ({ file, at: bytes.indexOf(file.marker) }))
    .toSorted((one, other) => one.at - other.at)
  let from = 0
  for (const { file, at } of places) {
    if (at === -1) throw new Error('a message lacks the place of an uploaded file')
    yield { bytes: bytes.subarray(from, at), isFile: false }
    for await (const lines of inBase64(file)) yield { bytes: lines, isFile: true }
    from = at + file.marker.length
  }
  yield { bytes: bytes.subarray(from), isFile: false }
}

/** A file in lines of base64 with CRLF between them. */
async function* inBase64(file: InsertedFile): AsyncGenerator<Buffer> {
  let rest: Uint8Array = Buffer.alloc(0)
  let size = 0
  for await (const part of file.read()) {
    const isFirst = size === rest.length
    size += part.length
    const all = rest.length === 0 ? part : Buffer.concat([rest, part])
    const whole = all.length - (all.length % lineBytes)
    rest = all.subarray(whole)
    // Small pieces: the collector frees them soon.
    for (let from = 0; from < whole; from += encodedAtOnce) {
      yield linesOf(all.subarray(from, Math.min(from + encodedAtOnce, whole)), isFirst && from === 0)
    }
  }
  if (size !== file.size) throw new Error(`an uploaded file has ${size} bytes instead of ${file.size}`)
  if (rest.length > 0) yield linesOf(rest, size === rest.length)
}

/** Lines of base64, with CRLF before each except the first of the file. */
function linesOf(bytes: Uint8Array, isFirst: boolean): Buffer {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  const count = Math.ceil(text.length / lineLength)
  const lines = Buffer.alloc(text.length + 2 * count, '\r\n')
  for (let line = 0; line < count; line++) {
    lines.write(text.slice(line * lineLength, (line + 1) * lineLength), line * (lineLength + 2) + 2, 'latin1')
  }
  return isFirst ? lines.subarray(2) : lines
}
