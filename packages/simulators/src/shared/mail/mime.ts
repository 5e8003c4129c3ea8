// The part tree of a message as Gmail returns it: part ids such as `0.1`, decoded headers, and text converted to
// UTF-8. The headers still name the original charset.

import libmime from 'libmime'
import charset from 'libmime/lib/charset.js'

export interface MimeHeader {
  readonly name: string
  readonly value: string
}

export interface MimePart {
  /** '' for the root. */
  readonly partId: string
  readonly headers: readonly MimeHeader[]
  readonly mimeType: string
  /** '' if the part has none. */
  readonly filename: string
  /** Decoded; empty in a multipart. */
  readonly content: Uint8Array
  readonly parts: readonly MimePart[]
}

const maxDepth = 20

export function parseMime(raw: Uint8Array): MimePart {
  return parsePart(Buffer.from(raw).toString('latin1'), '', 0)
}

export function headerValue(part: MimePart, name: string): string | undefined {
  const wanted = name.toLowerCase()
  return part.headers.find((header) => header.name.toLowerCase() === wanted)?.value
}

/** The part and all its descendants. */
export function* walkParts(part: MimePart): Generator<MimePart> {
  yield part
  for (const child of part.parts) yield* walkParts(child)
}

/** The text of the first part of a type that is not an attachment. */
export function textOf(root: MimePart, mimeType: string): string | undefined {
  const found = walkParts(root).find((part) => part.mimeType === mimeType && part.filename === '')
  return found && new TextDecoder().decode(found.content)
}

/** Decodes the encoded words of a header (RFC 2047). */
export function decodeWords(text: string): string {
  return text
    .replace(/(=\?[^?\s]+\?[bq]\?[^?]*\?=)\s+(?==\?[^?\s]+\?[bq]\?)/gi, '$1')
    .replace(
      /=\?([^?*\s]+)(?:\*[^?\s]*)?\?([bq])\?([^?]*)\?=/gi,
      (_whole, name: string, encoding: string, word: string) => {
        const bytes =
          encoding.toLowerCase() === 'b' ? Buffer.from(word, 'base64') : fromQuoted(word.replaceAll('_', ' '))
        return charset.decode(bytes, name)
      },
    )
}

function parsePart(text: string, partId: string, depth: number): MimePart {
  const end = /^\r?\n|\r?\n\r?\n/.exec(text)
  const headers = parseHeaders(text.slice(0, end?.index ?? text.length))
  const body = end === null ? '' : text.slice(end.index + end[0].length)
  const find = (name: string) => headers.find((header) => header.name.toLowerCase() === name)?.value
  const contentType = libmime.parseHeaderValue(find('content-type') ?? 'text/plain')
  const disposition = libmime.parseHeaderValue(find('content-disposition') ?? '')
  const mimeType = contentType.value.toLowerCase() || 'text/plain'
  const filename = decodeWords(disposition.params.filename ?? contentType.params.name ?? '')
  const boundary = contentType.params.boundary
  const childId = (index: number) => (partId === '' ? String(index) : `${partId}.${index}`)
  if (mimeType.startsWith('multipart/') && boundary !== undefined && depth < maxDepth) {
    const parts = splitParts(body, boundary).map((part, index) => parsePart(part, childId(index), depth + 1))
    return { partId, headers, mimeType, filename, content: new Uint8Array(), parts }
  }
  const decoded = decodeContent(body, find('content-transfer-encoding') ?? '')
  if (mimeType === 'message/rfc822' && depth < maxDepth) {
    const inner = parsePart(decoded.toString('latin1'), childId(0), depth + 1)
    return { partId, headers, mimeType, filename: filename || 'noname.eml', content: decoded, parts: [inner] }
  }
  const isText = mimeType.startsWith('text/') && filename === ''
  const content = isText ? Buffer.from(charset.decode(decoded, contentType.params.charset ?? 'utf-8')) : decoded
  return { partId, headers, mimeType, filename, content, parts: [] }
}

function parseHeaders(head: string): MimeHeader[] {
  const headers: MimeHeader[] = []
  for (const line of head.replace(/\r?\n(?=[ \t])/g, '').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon <= 0) continue
    const value = Buffer.from(line.slice(colon + 1).trim(), 'latin1').toString()
    headers.push({ name: line.slice(0, colon).trim(), value: decodeWords(value) })
  }
  return headers
}

function splitParts(body: string, boundary: string): string[] {
  const mark = `--${boundary}`
  const parts: string[] = []
  let start: number | undefined
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + mark.length)) {
    if (at > 0 && body[at - 1] !== '\n') continue
    const lineEnd = body.indexOf('\n', at)
    const next = lineEnd === -1 ? body.length : lineEnd + 1
    const bare = body.slice(at, next).trimEnd()
    if (bare !== mark && bare !== `${mark}--`) continue
    if (start !== undefined) parts.push(withoutLineEnd(body.slice(start, at)))
    if (bare !== mark) return parts
    start = next
  }
  if (start !== undefined) parts.push(body.slice(start))
  return parts
}

function withoutLineEnd(text: string): string {
  const [end = ''] = /\r?\n$/.exec(text.slice(-2)) ?? []
  return text.slice(0, text.length - end.length)
}

function decodeContent(body: string, encoding: string): Buffer {
  switch (encoding.trim().toLowerCase()) {
    case 'base64':
      return Buffer.from(body, 'base64')
    case 'quoted-printable':
      return fromQuoted(body.replace(/[ \t]+(?=\r?\n)/g, '').replace(/=\r?\n/g, ''))
    default:
      return Buffer.from(body, 'latin1')
  }
}

function fromQuoted(text: string): Buffer {
  const bytes = text.replace(/=([0-9a-f]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}
