/** Characters of XML: forbidden control characters, references, encodings. */

const isControl = (code: number): boolean => code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d

// Servers store what clients sent and emit characters that XML does not allow.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/
const allControls = new RegExp(controls, 'g')
export const withoutControls = (text: string): string => (controls.test(text) ? text.replace(allControls, '') : text)

const numeric = /&(?:amp|#(\d{1,7})|#x([\da-fA-F]{1,6}));/g

/** Replaces the five entities of XML and numeric references. Any other stays as written. */
export function withoutEntities(text: string): string {
  if (!text.includes('&')) return text
  // Frequent references, such as the line ends of calendars and the tags of HTML, are replaced one by one, which is
  // faster than one expression for all. Ampersands and numeric references come last and together, so that nothing is
  // decoded twice.
  let plain = text.replaceAll('&#13;', '\r')
  for (const [written, character] of frequent) {
    if (!plain.includes('&')) return plain
    plain = plain.replaceAll(written, character)
  }
  if (!plain.includes('&')) return plain
  return plain.replace(numeric, (_, decimal?: string, hexadecimal?: string) => {
    if (decimal) return characterOf(Number(decimal))
    return hexadecimal ? characterOf(Number.parseInt(hexadecimal, 16)) : '&'
  })
}

const frequent = [
  ['&#xD;', '\r'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
] as const

const characterOf = (code: number): string => {
  if (isControl(code)) return ''
  return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '\ufffd' : String.fromCodePoint(code)
}

/** Decodes bytes in the encoding that they declare. Undefined for an unknown encoding. */
export function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encodingOf(bytes)).decode(bytes)
  } catch {
    return undefined
  }
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 200)).toString('latin1')
  return /^(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1] ?? 'utf-8'
}
