/**
 * Decodes bytes to text. Node decodes the charsets of the WHATWG list, libmime (iconv-lite) older ones such as the
 * DOS code pages, this file UTF-7, and `iso2022.ts` those with escape sequences. The declared charset is often wrong, missing
 * or invented. Then it is UTF-8 if the bytes are valid UTF-8, otherwise the most likely charset (`detect.ts`), or
 * windows-1252, which has a character for nearly every byte.
 */
import { isAscii, isUtf8 } from 'node:buffer'
import charset from 'libmime/lib/charset.js'
import { detectCharset } from './detect.ts'
import { decodeStateful, isStateful, joinUtf7 } from './iso2022.ts'

/** Aliases that the WHATWG list lacks, for charsets that it has. */
const ALIASES: Readonly<Record<string, string>> = {
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  'x-windows-949': 'euc-kr',
  'unicode-1-1-utf-7': 'utf-7',
  utf7: 'utf-7',
  utf8mb4: 'utf-8',
}

/** These names say nothing about bytes above 127. */
const UNDECLARED =
  /^(us-ascii|ascii|ansi_x3\.4-1968|iso646-us|7bit|8bit|binary|default|unknown|unknown-8bit|x-unknown)$/
/** In these charsets, bytes below 128 are not always ASCII. */
const NOT_ASCII = /^(iso-?2022|utf-?7|utf-?16|utf-?32|unicode|ucs|hz|csiso2022|ebcdic|cp037|ibm037)/

/** Undefined for charsets that Node does not know: asking again costs an exception. */
const decoders = new Map<string, TextDecoder | undefined>()
const MAX_DECODERS = 300

/** Escape sequences that identify undeclared Japanese text. No other charset has them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: ESC begins them
const JAPANESE_ESCAPE = /\x1b\$[@B][!-~]{2}/

/** Decodes bytes in the declared charset, without NUL and unpaired surrogates. */
export const decodeText = (bytes: Uint8Array, declared: string | undefined): string =>
  decodePieces([asBuffer(bytes)], declared)

/** Decodes consecutive encoded words in one charset: a character may start in one and end in the next. */
export function decodePieces(pieces: readonly Buffer[], declared: string | undefined): string {
  const label = labelOf(declared)
  const [first = Buffer.alloc(0), ...others] = pieces
  const buffer = others.length === 0 ? first : Buffer.concat(pieces)
  if (isStateful(label) && (isAscii(buffer) || buffer.includes(0x1b) || buffer.includes(0x7e))) {
    return withoutNul(decodeStateful(pieces, label)).toWellFormed()
  }
  if (isAscii(buffer) && !NOT_ASCII.test(label)) {
    const text = buffer.toString('latin1')
    const isEscaped = (label === '' || UNDECLARED.test(label)) && JAPANESE_ESCAPE.test(text)
    return withoutNul(isEscaped ? decodeStateful(pieces, 'iso-2022-jp') : text)
  }
  const decoded = decode(label === 'utf-7' && others.length > 0 ? joinUtf7(pieces) : buffer, label)
  return withoutNul(decoded).toWellFormed()
}

/** Decodes bytes above 127 without a reliable charset. `hint` may be right. */
export function decodeUndeclared(bytes: Buffer, hint?: string): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  const hinted = hint === undefined ? undefined : decodeStrictly(bytes, labelOf(hint))
  if (hinted !== undefined) return hinted
  // A truncated text may end within a character.
  if (isUtf8(bytes.subarray(0, -3)) && bytes.length > 12) return bytes.toString('utf8')
  const found = detectCharset(bytes) ?? 'windows-1252'
  return decoderOf(found)?.decode(bytes) ?? bytes.toString('latin1')
}

function decodeStrictly(bytes: Buffer, label: string): string | undefined {
  if (label === '' || UNDECLARED.test(label) || isStateful(label)) return undefined
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The same bytes as a Buffer, without copying. */
export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text)

function labelOf(declared: string | undefined): string {
  const label = (declared ?? '')
    .slice(0, 100)
    .toLowerCase()
    .replaceAll(/["'\s]/g, '')
  return (Object.hasOwn(ALIASES, label) ? ALIASES[label] : undefined) ?? label
}

function decode(bytes: Buffer, label: string): string {
  if (label === '' || UNDECLARED.test(label) || isStateful(label)) return decodeUndeclared(bytes)
  if (label === 'utf-16' && bytes[0] === 0xfe && bytes[1] === 0xff) return decode(bytes, 'utf-16be')
  if (label === 'utf-7') return decodeUtf7(bytes)
  const decoder = decoderOf(label)
  if (decoder !== undefined) return decoder.decode(bytes)
  // libmime returns unknown charsets as UTF-8, with replacement characters for invalid bytes.
  const text = charset.decode(bytes, label)
  return text.includes('\ufffd') && !isUtf8(bytes) && text === bytes.toString('utf8') ? decodeUndeclared(bytes) : text
}

function decoderOf(label: string): TextDecoder | undefined {
  if (decoders.has(label)) return decoders.get(label)
  let decoder: TextDecoder | undefined
  try {
    decoder = new TextDecoder(label)
  } catch {}
  if (decoders.size < MAX_DECODERS) decoders.set(label, decoder)
  return decoder
}

/** Decodes UTF-7 (RFC 2152). Bytes outside of its alphabet are read as Latin-1. */
const decodeUtf7 = (bytes: Buffer): string =>
  bytes.toString('latin1').replaceAll(/\+([A-Za-z0-9+/]*)-?/g, (_, digits: string) => {
    if (digits === '') return '+'
    const units = Buffer.from(digits, 'base64')
    return units
      .subarray(0, units.length & ~1)
      .swap16()
      .toString('utf16le')
  })
