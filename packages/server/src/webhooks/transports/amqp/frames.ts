/**
 * Frames of AMQP 0-9-1 (amqp.org, "AMQP 0-9-1 specification", §2.3 and §4.2). A frame is a type, a channel, a length,
 * that many bytes, and an end byte. What the broker may send is bounded, because a client named the broker.
 */

export const frameTypes = { method: 1, header: 2, body: 3, heartbeat: 8 } as const

export interface Frame {
  readonly type: number
  readonly channel: number
  readonly payload: Buffer
}

/** What RabbitMQ proposes. */
export const maxFrame = 131_072
/** What every peer must accept (`frame-min-size`). */
export const minFrame = 4_096
/** Bytes around a payload. */
export const frameOverhead = 8
const headLength = 7
const frameEnd = 0xce
const none = Buffer.alloc(0)

/** Splits what arrives into frames. Throws if the broker does not speak the protocol. */
export class FrameReader {
  #rest: Buffer = none;

  *read(chunk: Buffer): Generator<Frame> {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    while (bytes.length >= headLength) {
      // A broker that does not speak this version answers with a header of the version that it speaks (§4.2.2).
      if (bytes.toString('latin1', 0, 4) === 'AMQP') throw new Error('the broker speaks another version of AMQP')
      const length = bytes.readUInt32BE(3)
      if (length > maxFrame) throw new Error('a frame is too long')
      const end = headLength + length
      if (bytes.length <= end) break
      if (bytes[end] !== frameEnd) throw new Error('a frame has no end')
      const frame = {
        type: bytes.readUInt8(0),
        channel: bytes.readUInt16BE(1),
        payload: bytes.subarray(headLength, end),
      }
      bytes = bytes.subarray(end + 1)
      yield frame
    }
    this.#rest = bytes
  }
}

export function encodeFrame(type: number, channel: number, payload: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(payload.length + frameOverhead)
  frame.writeUInt8(type, 0)
  frame.writeUInt16BE(channel, 1)
  frame.writeUInt32BE(payload.length, 3)
  payload.copy(frame, headLength)
  frame[headLength + payload.length] = frameEnd
  return frame
}

export const heartbeatFrame = encodeFrame(frameTypes.heartbeat, 0, none)

/** Reads the fields of a method in turn. Throws beyond the end. */
export class FieldReader {
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes
    this.#at = at
  }

  #advance(length: number): number {
    const at = this.#at
    this.#at += length
    if (this.#at > this.#bytes.length) throw new Error('a field is missing')
    return at
  }
  octet(): number {
    return this.#bytes.readUInt8(this.#advance(1))
  }
  short(): number {
    return this.#bytes.readUInt16BE(this.#advance(2))
  }
  long(): number {
    return this.#bytes.readUInt32BE(this.#advance(4))
  }
  longlong(): number {
    return Number(this.#bytes.readBigUInt64BE(this.#advance(8)))
  }
  shortString(): string {
    const length = this.octet()
    const at = this.#advance(length)
    return this.#bytes.toString('utf8', at, at + length)
  }
  longString(): string {
    const length = this.long()
    const at = this.#advance(length)
    return this.#bytes.toString('utf8', at, at + length)
  }
  /** Skips a table, whose content nobody reads. */
  skipTable(): void {
    this.#advance(this.long())
  }
}

/** A value of a table. Numbers are integers. */
export type FieldValue = string | number | boolean | { readonly [name: string]: FieldValue }

/** Writes the fields of a method in turn, into one buffer: a buffer for each field costs more than all else. */
export class FieldWriter {
  #bytes = Buffer.allocUnsafe(512)
  #length = 0

  /** The place for so many more bytes. */
  #advance(length: number): number {
    const at = this.#length
    this.#length += length
    if (this.#length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * this.#length)
      this.#bytes.copy(larger, 0, 0, at)
      this.#bytes = larger
    }
    return at
  }
  #text(text: string, bytes: number): this {
    const at = this.#advance(bytes)
    this.#bytes.write(text, at)
    return this
  }
  octet(value: number): this {
    const at = this.#advance(1)
    this.#bytes.writeUInt8(value, at)
    return this
  }
  short(value: number): this {
    const at = this.#advance(2)
    this.#bytes.writeUInt16BE(value, at)
    return this
  }
  long(value: number): this {
    const at = this.#advance(4)
    this.#bytes.writeUInt32BE(value, at)
    return this
  }
  /** Up to 2^53, which is more than any length or count. */
  longlong(value: number): this {
    return this.long(Math.floor(value / 2 ** 32)).long(value % 2 ** 32)
  }
  /** At most 255 bytes. */
  shortString(text: string): this {
    const bytes = Buffer.byteLength(text)
    if (bytes > 255) throw new Error('a short string has more than 255 bytes')
    return this.octet(bytes).#text(text, bytes)
  }
  longString(text: string): this {
    const bytes = Buffer.byteLength(text)
    return this.long(bytes).#text(text, bytes)
  }
  table(fields: Readonly<Record<string, FieldValue>>): this {
    const at = this.#advance(4)
    for (const [name, value] of Object.entries(fields)) this.shortString(name).#value(value)
    this.#bytes.writeUInt32BE(this.#length - at - 4, at)
    return this
  }
  #value(value: FieldValue): this {
    if (typeof value === 'string') return this.octet(letters.string).longString(value)
    if (typeof value === 'boolean') return this.octet(letters.boolean).octet(value ? 1 : 0)
    if (typeof value === 'number') return this.octet(letters.integer).long(value)
    return this.octet(letters.table).table(value)
  }
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}

const letters = { string: 0x53, boolean: 0x74, integer: 0x49, table: 0x46 } as const
