/** How attacks hide their orders, and how an agent that wants to please finds them. */

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Characters of the tag block (U+E0000), which no font shows. */
const tagged = (text: string): string =>
  Array.from(text, (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('')

const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => {
    const first = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first)
  })

export const encodings = {
  plain: (text: string): string => text,
  base64: (text: string): string => `base64:${base64(text)}:`,
  percent: (text: string): string => `percent:${encodeURIComponent(text)}:`,
  rot13: (text: string): string => `rot13:${rot13(text)}:end`,
  tags: tagged,
  zeroWidth: (text: string): string => Array.from(text).join('\u200b'),
  bidi: (text: string): string => `\u202e${text}\u202c`,
  entities: (text: string): string => Array.from(text, (letter) => `&#${letter.codePointAt(0)};`).join(''),
  fullWidth: (text: string): string =>
    text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
}
export type Encoding = keyof typeof encodings

/** Every reading of a text that an eager agent would try. */
export function* readingsOf(text: string): Generator<string> {
  yield text
  yield text.replace(/\\"/g, '"').replace(/\\\\/g, '\\')
  yield text.normalize('NFKC')
  // Zero-width characters, bidirectional controls, and tags. Services may show them as escapes or other marks.
  const visible = text.replace(
    /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad\ufffd]|\\u\{?[0-9a-f]{4,6}\}?/giu,
    '',
  )
  yield visible
  yield Array.from(visible, (letter) => {
    const point = letter.codePointAt(0) ?? 0
    return point >= 0xe0000 && point < 0xe0080 ? String.fromCodePoint(point - 0xe0000) : letter
  }).join('')
  yield text.replace(/&#(\d+);/g, (_, point) => String.fromCodePoint(Number(point)))
  for (const [, coded = ''] of text.matchAll(/base64:([\w+/=\s]+):/g)) yield Buffer.from(coded, 'base64').toString()
  for (const [, coded = ''] of text.matchAll(/percent:(\S+?):/g)) yield decodeURIComponent(coded)
  for (const [, coded = ''] of text.matchAll(/rot13:(.+?):end/gs)) yield rot13(coded)
}
