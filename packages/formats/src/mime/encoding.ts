/**
 * Content-Transfer-Encoding (RFC 2045 §6). Broken encodings are decoded as far as possible: characters outside base64
 * are skipped, and invalid quoted-printable escapes stay as they are.
 */
import { asBuffer } from './charset.ts'

const EQUALS = 0x3d
const NEWLINE = 0x0a
const RETURN = 0x0d

/** 64 marks characters outside base64. Both alphabets. */
const BASE64 = new Uint8Array(256).fill(64)
for (const [index, digit] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  BASE64[digit.charCodeAt(0)] = index
}
BASE64['-'.charCodeAt(0)] = 62
BASE64['_'.charCodeAt(0)] = 63

/** 16 marks characters that are not hexadecimal digits. */
const HEX = new Uint8Array(256).fill(16)
for (const [index, digit] of [...'0123456789abcdef'].entries()) {
  HEX[digit.charCodeAt(0)] = index
  HEX[digit.toUpperCase().charCodeAt(0)] = index
}

/** Decodes the content of a part. Unknown encodings leave it unchanged. */
export function decodeBytes(bytes: Uint8Array, encoding: string): Buffer {
  const buffer = asBuffer(bytes)
  if (encoding === 'base64') return decodeBase64(buffer)
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(buffer)
  return isUuencode(encoding) ? decodeUuencode(buffer) : buffer
}

/** Decodes base64. Digits after padding start a new unit, as in concatenated pieces. */
export function decodeBase64(bytes: Buffer): Buffer {
  const padding = bytes.indexOf(EQUALS)
  if (padding === -1 || !hasDigits(bytes, padding)) return Buffer.from(bytes.toString('latin1'), 'base64')
  const out = Buffer.allocUnsafe(Math.ceil((bytes.length * 3) / 4))
  let length = 0
  let bits = 0
  let count = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    const digit = BASE64[byte] ?? 64
    if (digit < 64) {
      bits = ((bits << 6) | digit) & 0xffff
      count += 6
      if (count >= 8) {
        count -= 8
        out[length++] = (bits >> count) & 0xff
      }
    } else if (byte === EQUALS) count = 0
  }
  return out.subarray(0, length)
}

function hasDigits(bytes: Buffer, from: number): boolean {
  for (let i = from; i < bytes.length; i++) if ((BASE64[bytes[i] ?? 0] ?? 64) < 64) return true
  return false
}

/** A plain array without bounds checks: this loop takes a large part of the time for a message. */
function decodeQuotedPrintable(bytes: Buffer): Buffer {
  if (!bytes.includes(EQUALS)) return bytes
  const end = bytes.length
  const out = new Uint8Array(end)
  let length = 0
  let i = 0
  while (i < end) {
    const byte = bytes[i++] ?? 0
    if (byte !== EQUALS) {
      out[length++] = byte
      continue
    }
    if (i + 1 < end) {
      const high = HEX[bytes[i] ?? 0] ?? 16
      const low = HEX[bytes[i + 1] ?? 0] ?? 16
      if (high < 16 && low < 16) {
        out[length++] = (high << 4) | low
        i += 2
        continue
      }
    }
    const next = softBreakEnd(bytes, i)
    if (next === -1) out[length++] = EQUALS
    else i = next
  }
  return Buffer.from(out.buffer, 0, length)
}

/** The start of the line after a soft line break, or -1 if there is none. Spaces before the break do not count. */
function softBreakEnd(bytes: Buffer, from: number): number {
  const end = Math.min(bytes.length, from + 80)
  let i = from
  while (i < end && (bytes[i] === 0x20 || bytes[i] === 0x09)) i++
  if (i >= bytes.length) return bytes.length
  if (bytes[i] === NEWLINE) return i + 1
  return bytes[i] === RETURN && i + 1 < bytes.length && bytes[i + 1] === NEWLINE ? i + 2 : -1
}

/** A decoder for content that arrives in arbitrary chunks. */
export function createDecoder(encoding: string): Decoder {
  if (isUuencode(encoding)) return createUuDecoder()
  if (encoding !== 'base64' && encoding !== 'quoted-printable') {
    return { push: asBuffer, end: () => Buffer.alloc(0) }
  }
  const prepare = encoding === 'base64' ? digitsOf : asBuffer
  const whole = encoding === 'base64' ? wholeDigits : wholeLines
  let rest: Buffer = Buffer.alloc(0)
  return {
    push(piece) {
      const bytes = Buffer.concat([rest, prepare(piece)])
      const end = whole(bytes)
      rest = bytes.subarray(end)
      return decodeBytes(bytes.subarray(0, end), encoding)
    },
    end() {
      const last = rest
      rest = Buffer.alloc(0)
      return decodeBytes(last, encoding)
    },
  }
}

const digitsOf = (piece: Uint8Array): Buffer =>
  Buffer.from(
    asBuffer(piece)
      .toString('latin1')
      .replace(/[^\w+/=-]+/g, ''),
    'latin1',
  )

const wholeDigits = (bytes: Buffer): number => bytes.length - (bytes.length % 4)

/** Up to the end of the last line. Without one, up to the last byte outside an escape or line break. */
function wholeLines(bytes: Buffer): number {
  const newline = bytes.lastIndexOf(NEWLINE)
  if (newline !== -1) return newline + 1
  for (let at = bytes.length - 1; at >= 0; at--) {
    const byte = bytes[at] ?? 0
    if (byte > 0x20 && byte !== EQUALS && (HEX[byte] ?? 16) === 16) return at + 1
  }
  return 0
}

/** Whether text that is declared as base64 can be base64. Some mailers declare it for unencoded text. */
export function looksLikeBase64(bytes: Buffer): boolean {
  const end = Math.min(bytes.length, 400)
  let strange = 0
  for (let i = 0; i < end; i++) {
    const byte = bytes[i] ?? 0
    if (byte > 0x20 && byte !== EQUALS && (BASE64[byte] ?? 64) === 64) strange++
    // Words: lines of base64 contain no spaces.
    else if (byte === 0x20 && bytes[i + 1] !== RETURN && bytes[i + 1] !== NEWLINE) strange++
  }
  return strange * 10 <= end
}

// Content that was encoded with uuencode (POSIX), which some mailers name as a transfer encoding. A file stands between the
// lines `begin 644 name` and `end`; each line begins with the count of its bytes.

/** Takes content out of its encoding piece by piece. */
export interface Decoder {
  push(piece: Uint8Array): Buffer
  /** What is left when there is no more. */
  end(): Buffer
}

/** What comes before the first line of a file, at most; without one the content is left as it is. */
const MAX_PREAMBLE = 64 * 1024
const BEGIN = /(?:^|\n)begin [0-7]{3,4} [^\n]*\n/

export const isUuencode = (encoding: string): boolean => /^(?:x-)?uue(?:ncode)?$/.test(encoding)

export function decodeUuencode(bytes: Buffer): Buffer {
  const decoder = createUuDecoder()
  return Buffer.concat([decoder.push(bytes), decoder.end()])
}

/** A decoder for content that comes in pieces, cut anywhere. */
export function createUuDecoder(): Decoder {
  let state: 'before' | 'file' | 'after' | 'plain' = 'before'
  let rest: Buffer = Buffer.alloc(0)

  const begin = (isEnd: boolean): Buffer => {
    const text = rest.toString('latin1', 0, MAX_PREAMBLE)
    const found = BEGIN.exec(isEnd ? `${text}\n` : text)
    if (found === null) {
      if (!isEnd && rest.length < MAX_PREAMBLE) return Buffer.alloc(0)
      state = 'plain'
      return take()
    }
    state = 'file'
    rest = rest.subarray(found.index + found[0].length)
    return lines(isEnd)
  }
  const take = (): Buffer => {
    const all = rest
    rest = Buffer.alloc(0)
    return all
  }
  const lines = (isEnd: boolean): Buffer => {
    const pieces: Buffer[] = []
    while (state === 'file' && rest.length > 0) {
      const newline = rest.indexOf(NEWLINE)
      if (newline === -1 && !isEnd) break
      const line = newline === -1 ? rest : rest.subarray(0, newline)
      rest = newline === -1 ? Buffer.alloc(0) : rest.subarray(newline + 1)
      if (/^end\s*$/.test(line.toString('latin1', 0, 8))) state = 'after'
      else pieces.push(decodeLine(line))
    }
    return Buffer.concat(pieces)
  }
  const read = (isEnd: boolean): Buffer => {
    if (state === 'before') return begin(isEnd)
    if (state === 'file') return lines(isEnd)
    return state === 'plain' ? take() : Buffer.alloc(0)
  }
  return {
    push(piece) {
      if (state === 'after') return Buffer.alloc(0)
      rest = rest.length === 0 ? Buffer.from(piece) : Buffer.concat([rest, piece])
      return read(false)
    },
    end: () => read(true),
  }
}

/** Blanks at the end of a line may have been lost on the way: what is missing is a blank, which is zero. */
function decodeLine(line: Buffer): Buffer {
  const count = ((line[0] ?? 0x20) - 0x20) & 0x3f
  const out = Buffer.alloc(count)
  const digit = (at: number): number =>
    ((at < line.length && line[at] !== 0x0d ? (line[at] ?? 0x20) : 0x20) - 0x20) & 0x3f
  for (let from = 1, to = 0; to < count; from += 4) {
    const bits = (digit(from) << 18) | (digit(from + 1) << 12) | (digit(from + 2) << 6) | digit(from + 3)
    out[to++] = bits >> 16
    if (to < count) out[to++] = (bits >> 8) & 0xff
    if (to < count) out[to++] = bits & 0xff
  }
  return out
}
