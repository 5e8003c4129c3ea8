/**
 * Writes a zip file (APPNOTE.TXT of PKWARE) entry by entry. The content of an entry is whole in memory, so that its
 * header has its sizes, or a stream, whose sizes follow it in a data descriptor. The list of entries at the end uses zip64 fields where
 * the file has more than 65,534 entries or 4 GB. Entry names are plain ASCII without folders: none can lead elsewhere.
 */
import { compose } from 'node:stream'
import { promisify } from 'node:util'
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib'

export interface ZipEntry {
  /** Letters, digits, `.`, `_` and `-`; does not begin with a dot. */
  name: string
  /** Unix seconds. */
  at: number
  content: Uint8Array | AsyncIterable<Uint8Array>
}

interface WrittenEntry {
  name: string
  offset: number
  /** The part that the local header and the list of entries have in common. */
  common: Buffer
}

const deflate = promisify(deflateRaw)
const safeName = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/
/** Shorter contents do not become smaller. */
const worthPacking = 64
const descriptorFollows = 1 << 3
const max32 = 0xffffffff
const max16 = 0xffff
const version = { plain: 20, zip64: 45 }

/** The bytes of a zip file with these entries. */
export async function* writeZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const written: WrittenEntry[] = []
  let offset = 0
  for await (const { name, at, content } of entries) {
    if (!safeName.test(name)) throw new RangeError('a zip entry has an unsafe name')
    const { common, length } = yield* content instanceof Uint8Array
      ? wholeEntry({ name, at, content })
      : streamedEntry({ name, at, content })
    written.push({ name, offset, common })
    offset += length
  }
  const list = written.map(directoryEntry)
  for (const entry of list) yield entry
  const size = list.reduce((sum, { length }) => sum + length, 0)
  yield endOf({ count: list.length, size, offset })
}

/** The parts of an entry. Returns their length, and the part that the list of entries has too. */
type EntryParts<Content> = (entry: {
  name: string
  at: number
  content: Content
}) => AsyncGenerator<Buffer, { common: Buffer; length: number }>

const wholeEntry: EntryParts<Uint8Array> = async function* ({ name, at, content }) {
  const packed = content.byteLength < worthPacking ? undefined : await deflate(content)
  const isSmaller = packed !== undefined && packed.length < content.byteLength
  const body = isSmaller ? packed : Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const sizes = { size: content.byteLength, packed: body.length, sum: crc32(content) }
  const common = commonFields({ name, at, ...sizes, isDeflated: isSmaller })
  const head = localHeader(name, common)
  yield head
  if (body.length > 0) yield body
  return { common, length: head.length + body.length }
}

const streamedEntry: EntryParts<AsyncIterable<Uint8Array>> = async function* ({ name, at, content }) {
  const facts = { name, at, isDeflated: true, isStreamed: true }
  const head = localHeader(name, commonFields({ ...facts, size: 0, packed: 0, sum: 0 }))
  yield head
  const sizes = { size: 0, packed: 0, sum: 0 }
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      sizes.size += chunk.byteLength
      sizes.sum = crc32(chunk, sizes.sum)
      yield chunk
    }
  }
  for await (const chunk of compose(counted, createDeflateRaw())) {
    sizes.packed += chunk.length
    if (Math.max(sizes.size, sizes.packed) >= max32) throw new RangeError('a zip entry has more than 4 GB')
    yield chunk
  }
  const common = commonFields({ ...facts, ...sizes })
  // Its checksum and sizes.
  const descriptor = Buffer.concat([signature(0x08074b50), common.subarray(10, 22)])
  yield descriptor
  return { common, length: head.length + sizes.packed + descriptor.length }
}

const localHeader = (name: string, common: Buffer): Buffer =>
  Buffer.concat([signature(0x04034b50), common, Buffer.from(name)])

const signature = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** From "version needed" to the length of the extra field. */
function commonFields(entry: {
  name: string
  at: number
  size: number
  packed: number
  /** The CRC-32 of the content. */
  sum: number
  isDeflated: boolean
  isStreamed?: boolean
}): Buffer {
  const { time, date } = dosTime(entry.at)
  const bytes = Buffer.alloc(26)
  bytes.writeUInt16LE(version.plain, 0)
  bytes.writeUInt16LE(entry.isStreamed ? descriptorFollows : 0, 2)
  bytes.writeUInt16LE(entry.isDeflated ? 8 : 0, 4)
  bytes.writeUInt16LE(time, 6)
  bytes.writeUInt16LE(date, 8)
  bytes.writeUInt32LE(entry.sum, 10)
  bytes.writeUInt32LE(entry.packed, 14)
  bytes.writeUInt32LE(entry.size, 18)
  bytes.writeUInt16LE(entry.name.length, 22)
  return bytes
}

/** A time in UTC in the form of DOS: from 1980 to 2107, in steps of two seconds. */
function dosTime(at: number): { time: number; date: number } {
  const date = new Date(Math.min(Math.max(at, 315_532_800), 4_354_819_198) * 1000)
  return {
    time: (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1),
    date: ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate(),
  }
}

function directoryEntry({ name, offset, common }: WrittenEntry): Buffer {
  const isFar = offset >= max32
  const fields = Buffer.from(common)
  const extra = Buffer.alloc(isFar ? 12 : 0)
  if (isFar) {
    fields.writeUInt16LE(version.zip64, 0)
    fields.writeUInt16LE(extra.length, 24)
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(8, 2)
    extra.writeBigUInt64LE(BigInt(offset), 4)
  }
  // Comment, disk, internal and external attributes are zero.
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE(isFar ? max32 : offset, 10)
  const madeBy = Buffer.alloc(2)
  madeBy.writeUInt16LE(isFar ? version.zip64 : version.plain)
  return Buffer.concat([signature(0x02014b50), madeBy, fields, rest, Buffer.from(name), extra])
}

function endOf({ count, size, offset }: { count: number; size: number; offset: number }): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(count, max16), 8)
  end.writeUInt16LE(Math.min(count, max16), 10)
  end.writeUInt32LE(Math.min(size, max32), 12)
  end.writeUInt32LE(Math.min(offset, max32), 16)
  if (count < max16 && size < max32 && offset < max32) return end
  const far = Buffer.alloc(56 + 20)
  far.writeUInt32LE(0x06064b50, 0)
  far.writeBigUInt64LE(44n, 4)
  far.writeUInt16LE(version.zip64, 12)
  far.writeUInt16LE(version.zip64, 14)
  far.writeBigUInt64LE(BigInt(count), 24)
  far.writeBigUInt64LE(BigInt(count), 32)
  far.writeBigUInt64LE(BigInt(size), 40)
  far.writeBigUInt64LE(BigInt(offset), 48)
  far.writeUInt32LE(0x07064b50, 56)
  far.writeBigUInt64LE(BigInt(offset + size), 64)
  far.writeUInt32LE(1, 72)
  return Buffer.concat([far, end])
}
