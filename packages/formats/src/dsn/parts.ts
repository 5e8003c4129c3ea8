/** Locates the content of a delivery report: its own parts, the returned message or its headers, and the text. */
import { BLOCKS, HIDDEN, readHtml } from '../html/html-text.ts'
import { readAddresses } from '../mime/addresses.ts'
import { decodeBytes } from '../mime/encoding.ts'
import { type Header, headerOf, readHeaders } from '../mime/headers.ts'
import type { LocatedPart } from '../mime/structure.ts'
import { textOf } from '../mime/text.ts'

const MAX_PART_BYTES = 1024 * 1024
const MAX_TEXT = 64 * 1024

const ORIGINAL: ReadonlySet<string> = new Set([
  'message/rfc822',
  'message/global',
  'message/partial',
  'text/rfc822-headers',
  'text/rfc822-header',
  'message/rfc822-headers',
  'message/global-headers',
])

/** The parts of a message, without those of enclosed messages. */
export function outerParts(root: LocatedPart): LocatedPart[] {
  const parts = [root]
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]
    if (part?.type.startsWith('multipart/')) parts.push(...(part.children ?? []))
  }
  return parts
}

export const contentOf = (bytes: Buffer, { start, end, encoding }: LocatedPart): Buffer =>
  decodeBytes(bytes.subarray(start, Math.min(end, start + MAX_PART_BYTES)), encoding)

/** The headers of the first enclosed message, or of a part that contains only headers. */
export function originalHeaders(bytes: Buffer, parts: readonly LocatedPart[]): Header[] {
  const part = parts.find(({ type }) => ORIGINAL.has(type))
  return part ? headersIn(contentOf(bytes, part).toString('latin1', 0, 200 * 1024)) : []
}

/** The headers in a text, up to the size limit of headers. Leading blanks are skipped. */
export function headersIn(latin1: string): Header[] {
  const text = latin1.replace(/^\s+/, '')
  return readHeaders(text, { start: 0, end: text.length }).headers
}

/** The recipients of a message according to its headers, in lower case. */
export const recipientsIn = (headers: readonly Header[]): string[] =>
  ['to', 'cc', 'bcc'].flatMap((name) =>
    readAddresses(headerOf(headers, name) ?? '').map(({ email }) => email.toLowerCase()),
  )

/** The text of all displayed text parts; HTML only if there is no plain text. */
export function textFor(bytes: Buffer, root: LocatedPart): string {
  const parts = outerParts(root).filter(
    ({ type, disposition }) => (type === 'text/plain' || type === 'text/html') && disposition !== 'attachment',
  )
  const plain = parts.filter(({ type }) => type === 'text/plain')
  let text = ''
  for (const part of plain.length > 0 ? plain : parts) {
    const content = textOf(part, bytes.subarray(part.start, Math.min(part.end, part.start + 4 * MAX_TEXT)))
    text += `${part.type === 'text/html' ? linesOf(content) : content}\n`
    if (text.length >= MAX_TEXT) break
  }
  return text.slice(0, MAX_TEXT)
}

/** Converts HTML to lines of text. */
function linesOf(html: string): string {
  let text = ''
  let hidden = 0
  readHtml(html, {
    open(name) {
      if (HIDDEN.has(name)) hidden++
      else if (name === 'br' || name === 'td' || BLOCKS.has(name)) text += '\n'
    },
    close(name) {
      if (HIDDEN.has(name)) hidden--
      else if (BLOCKS.has(name)) text += '\n'
    },
    text(value) {
      if (hidden === 0) text += value
    },
    isDone: () => text.length >= MAX_TEXT,
  })
  return text.replaceAll(/\n[ \t]*\n[\s]+/g, '\n\n')
}
