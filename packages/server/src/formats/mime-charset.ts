// From bytes to text. Node's own decoders know the charsets of the WHATWG list; libmime (iconv-lite) the older ones, such
// as UTF-7 and the DOS code pages. What is declared is often wrong, missing or invented: then UTF-8 if the bytes are that,
// else windows-1252, which has a character for nearly every byte.
import { isAscii, isUtf8 } from 'node:buffer'
import charset from 'libmime/lib/charset.js'

/** Names that the WHATWG list does not have, for charsets that it does. */
const ALIASES: Readonly<Record<string, string>> = {
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  'iso-2022-jp-1': 'iso-2022-jp',
  'iso-2022-jp-2': 'iso-2022-jp',
  'iso-2022-jp-3': 'iso-2022-jp',
  'iso-2022-jp-ms': 'iso-2022-jp',
  'x-windows-949': 'euc-kr',
  'unicode-1-1-utf-7': 'utf-7',
  utf7: 'utf-7',
  utf8mb4: 'utf-8',
}

/** Says nothing about bytes above 127. */
const UNDECLARED =
  /^(us-ascii|ascii|ansi_x3\.4-1968|iso646-us|7bit|8bit|binary|default|unknown|unknown-8bit|x-unknown)$/
/** In these, bytes below 128 are not always ASCII. */
const NOT_ASCII = /^(iso-2022|utf-?7|utf-?16|utf-?32|unicode|ucs|hz|csiso2022|ebcdic|cp037|ibm037)/

const decoders = new Map<string, TextDecoder>()
const MAX_DECODERS = 300

/** The text of some bytes in the charset that a message names for them, without NUL and without halves of characters. */
export function decodeText(bytes: Uint8Array, declared: string | undefined): string {
  const buffer = asBuffer(bytes)
  const label = labelOf(declared)
  if (isAscii(buffer) && !NOT_ASCII.test(label)) return withoutNul(buffer.toString('latin1'))
  return withoutNul(decode(buffer, label)).toWellFormed()
}

/** The text of a header that has bytes above 127. */
export function decodeUndeclared(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : (decoderOf('windows-1252')?.decode(bytes) ?? bytes.toString('latin1'))
}

/** The same bytes as a Buffer, without a copy. */
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
  if (label === '' || UNDECLARED.test(label)) return decodeUndeclared(bytes)
  if (label === 'utf-16' && bytes[0] === 0xfe && bytes[1] === 0xff) return decode(bytes, 'utf-16be')
  const decoder = decoderOf(label)
  if (decoder !== undefined) return decoder.decode(bytes)
  // A charset that libmime does not know either comes back as UTF-8, with marks where it is none.
  const text = charset.decode(bytes, label)
  return text.includes('\ufffd') && !isUtf8(bytes) && text === bytes.toString('utf8') ? decodeUndeclared(bytes) : text
}

function decoderOf(label: string): TextDecoder | undefined {
  const known = decoders.get(label)
  if (known !== undefined) return known
  try {
    const decoder = new TextDecoder(label)
    if (decoders.size < MAX_DECODERS) decoders.set(label, decoder)
    return decoder
  } catch {
    return undefined
  }
}
