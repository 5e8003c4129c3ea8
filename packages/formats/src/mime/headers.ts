/**
 * Parses the header block of a message or part (RFC 5322 §2.2) line by line. It accepts what occurs in real mail: a
 * missing empty line before the body or one with spaces, lines that are not headers, bytes above 127, both kinds of
 * line ends, spaces before the colon, and an indented first line.
 */
import { isUtf8 } from 'node:buffer'
import libmime from 'libmime'
import { decodeUndeclared } from './charset.ts'
import { MAX_HEADER_BYTES, MimeLimit } from './limit.ts'
import { decodeWords } from './words.ts'

export interface Header {
  readonly name: string
  /** Unfolded, with encoded words as written. */
  readonly value: string
}

export interface HeaderBlock {
  readonly headers: Header[]
  /** Where the body starts. */
  readonly bodyStart: number
}

/** The range to read, in bytes with one character each (Latin-1). */
export interface Range {
  readonly start: number
  readonly end: number
}

const COLON = 0x3a
const NOT_ASCII = /[^\0-\x7f]/

/** Reads the headers at the start of a range, up to the body. */
export function readHeaders(text: string, { start, end }: Range): HeaderBlock {
  const raw: { name: string; value: string }[] = []
  let last: { name: string; value: string } | undefined
  let at = unindented(text, { start, end })
  while (at < end) {
    checkSize(at - start)
    const { lineEnd, next } = lineAt(text, at, end)
    if (lineEnd === at || (at > start && endsBlock(text, { at, lineEnd, next, end }))) {
      return { headers: readable(raw), bodyStart: next }
    }
    if (isBlank(text.charCodeAt(at)) && at > start) {
      if (last) last.value += text.slice(at, lineEnd)
    } else {
      const colon = colonOf(text, at, lineEnd)
      if (colon === -1 && !isJunk(text, { at, next, start, end })) break
      last = colon === -1 ? undefined : { name: text.slice(at, colon).trimEnd(), value: text.slice(colon + 1, lineEnd) }
      if (last) raw.push(last)
    }
    at = next
  }
  checkSize(at - start)
  return { headers: readable(raw), bodyStart: at }
}

/**
 * Where the headers of a message start. Some programs write empty lines before the first header, which would
 * otherwise make the whole message its body. A part of a multipart that starts with an empty line has no headers (RFC
 * 2046 §5.1).
 */
export function headersStart(text: string, { start, end }: Range): number {
  let at = start
  while (at < end) {
    const { lineEnd, next } = lineAt(text, at, end)
    if (!isBlankLine(text, at, lineEnd)) break
    at = next
    checkSize(at - start)
  }
  return at > start && KNOWN.test(text.slice(at, Math.min(end, at + 100)).trimStart()) ? at : start
}

/** The start of the first line without leading spaces: there is no previous line that it could continue. */
function unindented(text: string, { start, end }: Range): number {
  let at = start
  while (at < end && isBlank(text.charCodeAt(at))) at++
  return at > start && KNOWN.test(text.slice(at, Math.min(end, at + 100))) ? at : start
}

const KNOWN =
  /^(?:from|to|cc|bcc|subject|date|sender|received|references|keywords|comments|precedence|organization|importance|priority|autocrypt|[\w]{1,40}(?:-[\w]{1,40}){1,6})[ \t]*:/i

/**
 * Whether a line of spaces ends the headers. It does if a body follows. Between headers and within a folded header it
 * is a badly folded line.
 */
function endsBlock(
  text: string,
  { at, lineEnd, next, end }: { at: number; lineEnd: number; next: number; end: number },
): boolean {
  if (!isBlankLine(text, at, lineEnd)) return false
  if (next >= end) return true
  const { lineEnd: following } = lineAt(text, next, end)
  if (isBlank(text.charCodeAt(next)) && following > next) return false
  return !KNOWN.test(text.slice(next, Math.min(following, next + 100)))
}

function isBlankLine(text: string, at: number, lineEnd: number): boolean {
  for (let i = at; i < lineEnd; i++) if (!isBlank(text.charCodeAt(i))) return false
  return true
}

function checkSize(size: number): void {
  if (size > MAX_HEADER_BYTES) {
    throw new MimeLimit(`The message has more than ${MAX_HEADER_BYTES / 1_048_576} MB of headers`)
  }
}

/** The first header with that name, which is in lower case. */
export function headerOf(headers: readonly Header[], name: string): string | undefined {
  for (const header of headers) {
    if (header.name.length === name.length && header.name.toLowerCase() === name) return header.value
  }
  return undefined
}

export interface Parameterised {
  /** The part before the parameters, in lower case. */
  readonly value: string
  /** Names in lower case, values decoded, the boundary as written. */
  readonly parameters: Record<string, string>
}

/** A header with parameters, such as Content-Type. */
export function readParameters(header: string): Parameterised {
  if (!header.includes(';')) return { value: firstToken(header), parameters: {} }
  const { value, params } = libmime.parseHeaderValue(header)
  for (const [name, each] of Object.entries(params)) {
    if (name !== 'boundary' && each.includes('=?')) params[name] = decodeWords(each)
  }
  return { value: firstToken(value), parameters: params }
}

/** Without comments and anything else after the value. */
function firstToken(value: string): string {
  const trimmed = value.trim()
  const end = trimmed.search(/[\s(;,]/)
  return (end === -1 ? trimmed : trimmed.slice(0, end)).toLowerCase()
}

/** The end of a line without its line break, and the start of the next line. */
function lineAt(text: string, at: number, end: number): { lineEnd: number; next: number } {
  const newline = text.indexOf('\n', at)
  if (newline === -1 || newline >= end) return { lineEnd: end, next: end }
  return { lineEnd: newline > at && text.charCodeAt(newline - 1) === 0x0d ? newline - 1 : newline, next: newline + 1 }
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09

/** The position of a header's colon, or -1 if the line is not a header. Names are printable ASCII without spaces. */
function colonOf(text: string, at: number, end: number): number {
  for (let i = at; i < end; i++) {
    const code = text.charCodeAt(i)
    if (code === COLON) return i > at ? i : -1
    if (code > 0x20 && code < 0x7f) continue
    if (!isBlank(code) || i === at) return -1
    while (i < end && isBlank(text.charCodeAt(i))) i++
    return text.charCodeAt(i) === COLON && i < end ? i : -1
  }
  return -1
}

/**
 * Whether a line that is not a header is among headers. Otherwise it starts a body without an empty line before it.
 */
function isJunk(text: string, { at, next, start, end }: Range & { at: number; next: number }): boolean {
  // The line that separates messages in an mbox file.
  if (at === start && !isBlank(text.charCodeAt(at))) return /^>?From /.test(text.slice(at, at + 6))
  if (next >= end) return false
  const { lineEnd } = lineAt(text, next, end)
  return lineEnd === next || colonOf(text, next, lineEnd) !== -1
}

/**
 * Removes NUL and decodes bytes above 127, which may be in the charset that the same headers declare for the body.
 */
function readable(raw: readonly Header[]): Header[] {
  let charset: string | undefined
  let isRead = false
  const hint = (): string | undefined => {
    if (!isRead) charset = CHARSET.exec(headerOf(raw, 'content-type') ?? '')?.[1]
    isRead = true
    return charset
  }
  return raw.map(({ name, value }) => {
    const text = NOT_ASCII.test(value) ? decodeRaw(value, hint()) : value
    return { name, value: (text.includes('\0') ? text.replaceAll('\0', '') : text).trim() }
  })
}

const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]{2,40})/i
const WORD = /=\?([^?\s]{1,60})\?q\?([^?]*)\?=/gi

/** Bytes above 127 within an encoded word belong to its charset, so they are encoded accordingly. */
function decodeRaw(latin1: string, hint: string | undefined): string {
  const escaped = latin1.replaceAll(WORD, (word, charset: string, text: string) => {
    if (!NOT_ASCII.test(text)) return word
    const high = text.replaceAll(/[\0-\x7f]/g, '')
    const isBare = isUtf8(Buffer.from(high, 'latin1')) && !/=[89a-f][0-9a-f]/i.test(text)
    const encoded = text.replaceAll(
      /[^\0-\x7f]/g,
      (byte) => `=${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
    return `=?${isBare ? 'utf-8' : charset}?Q?${encoded}?=`
  })
  return NOT_ASCII.test(escaped) ? decodeUndeclared(Buffer.from(escaped, 'latin1'), hint) : escaped
}
