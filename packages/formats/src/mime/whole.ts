/**
 * Everything in a message, for a person who must decide whether it is sent: each text, each file, and what stands outside
 * of the parts. Mail programs choose between alternatives, so all of them are read. The digest covers every byte, except
 * what a mail server writes anew each time it is asked for the same message: the delimiters of the parts.
 */
import { createHash, type Hash } from 'node:crypto'
import { select } from './body.ts'
import { asBuffer } from './charset.ts'
import { decodeBytes } from './encoding.ts'
import { FILE_HEAD } from './file-type.ts'
import type { Header } from './headers.ts'
import { MAX_TEXT_BYTES, MimeLimit } from './limit.ts'
import { type LocatedPart, readStructure } from './structure.ts'
import { textOf } from './text.ts'

export interface WholeText {
  /** `body`: what most mail programs show. `other form`: another version of it. `outside`: before or after all parts. */
  readonly role: 'body' | 'other form' | 'outside'
  readonly type: string
  readonly text: string
}

export interface WholeFile {
  readonly filename: string | null
  readonly type: string
  /** Bytes after decoding. */
  readonly size: number
  /** The first of them. */
  readonly head: Uint8Array
}

export interface WholeMessage {
  /** In order, with duplicates; unfolded, with encoded words as written. */
  readonly headers: Header[]
  readonly texts: WholeText[]
  readonly files: WholeFile[]
}

/** Reads everything. Throws only MimeLimit: a text that is too long to be shown is refused, not truncated. */
export function readWhole(source: Uint8Array): WholeMessage {
  const bytes = asBuffer(source)
  const { root, headers } = readStructure(bytes)
  const body = new Set<LocatedPart>(select<LocatedPart>(root).body)
  const texts: WholeText[] = []
  const files: WholeFile[] = []
  for (const part of everyPart(root)) {
    for (const [start, end] of part.outside ?? []) {
      const text = bytes.toString('utf8', start, end)
      if (text.trim() !== '') texts.push({ role: 'outside', type: 'text/plain', text })
    }
    if (part.outside !== undefined) continue
    const content = decodeBytes(bytes.subarray(part.start, part.end), part.encoding)
    if (!body.has(part) && !isText(part)) {
      const head = new Uint8Array(content.subarray(0, FILE_HEAD))
      files.push({ filename: part.filename, type: part.type, size: content.length, head })
      continue
    }
    if (content.length > MAX_TEXT_BYTES) {
      throw new MimeLimit(`The text is longer than ${MAX_TEXT_BYTES / 1024 / 1024} MB`)
    }
    const text = textOf(part, bytes.subarray(part.start, part.end))
    if (text.trim() !== '') texts.push({ role: body.has(part) ? 'body' : 'other form', type: part.type, text })
  }
  return { headers, texts, files }
}

/** Without a name, mail programs may show it as text. */
const isText = ({ type, filename, disposition }: LocatedPart): boolean =>
  type.startsWith('text/') && filename === null && disposition !== 'attachment'

/** All parts in the order of the message. A message within the message is one part. */
function everyPart(root: LocatedPart): LocatedPart[] {
  const parts: LocatedPart[] = []
  const waiting = [root]
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    parts.push(part)
    if (part.outside !== undefined) waiting.push(...(part.children ?? []).toReversed())
  }
  return parts
}

/**
 * A digest of a whole message, the same for the same message with other delimiters. The header Date is left out, because a
 * draft gets that of its sending.
 */
export function wholeDigest(source: Uint8Array): string {
  const bytes = asBuffer(source)
  const { root } = readStructure(bytes)
  const digest = createHash('sha256')
  for (const part of everyPart(root)) {
    const { from, start, end, children, outside } = part
    const header = bytes.toString('latin1', from, start)
    add(digest, 'header', Buffer.from(withoutBoundary(part === root ? withoutDate(header) : header, part), 'latin1'))
    if (outside === undefined) {
      add(digest, 'content', bytes.subarray(start, end))
      continue
    }
    for (const range of outside) add(digest, 'outside', bytes.subarray(...range))
    digest.update(`parts ${children?.length ?? 0}\n`)
  }
  // Bytes before the first header.
  add(digest, 'before', bytes.subarray(0, root.from))
  return digest.digest('hex')
}

/** With its length, so that no byte can pass for one of the next piece. */
function add(digest: Hash, name: string, bytes: Uint8Array): void {
  digest.update(`${name} ${bytes.length}\n`).update(bytes)
}

const DATE = /^date[ \t]*:[^\n]*\n(?:[ \t][^\n]*\n)*/gim
const withoutDate = (header: string): string => header.replace(DATE, '')

const BOUNDARY = /^(content-type[ \t]*:(?:[^\r\n]|\r?\n[ \t])*?\bboundary[ \t]*=[ \t]*)("[^"\r\n]*"|[^\s;"]+)/im

/** Only what delimits the parts is taken out. A boundary that is written in another way is left as it is. */
function withoutBoundary(header: string, { parameters: { boundary }, outside }: LocatedPart): string {
  if (outside === undefined || boundary === undefined) return header
  return header.replace(BOUNDARY, (found, before: string, value: string) =>
    value.replaceAll('"', '') === boundary ? before : found,
  )
}
