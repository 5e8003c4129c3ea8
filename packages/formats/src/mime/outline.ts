/**
 * The parts that a message was composed from, for providers that accept parts rather than MIME. Files are given by
 * their position in the message, from which they can be decoded.
 */

import { select } from './body.ts'
import { asBuffer } from './charset.ts'
import { decodeBytes } from './encoding.ts'
import { MAX_TEXT_BYTES, MimeLimit } from './limit.ts'
import { type ParsedMessage, parseMessage } from './mime.ts'
import { type LocatedPart, type PartNode, readStructure } from './structure.ts'
import { decodeWords } from './words.ts'

export interface LocatedFile {
  readonly filename: string | null
  /** With its parameters, except the name. */
  readonly contentType: string
  /** Without its brackets. */
  readonly contentId?: string
  readonly inline: boolean
  /** Bytes after decoding. */
  readonly size: number
  readonly encoding: string
  /** Start and end of its encoded content in the message. */
  readonly start: number
  readonly end: number
}

export interface MessageOutline extends Omit<ParsedMessage, 'attachments' | 'snippet'> {
  readonly files: LocatedFile[]
}

/** Headers that are generated from other fields when a message is composed, or added in transit. */
const WRITTEN_ANEW =
  /^(?:from|to|cc|bcc|sender|reply-to|subject|date|message-id|mime-version|in-reply-to|references|received|return-path|dkim-signature|authentication-results|apparently-to|(?:content|resent|arc)-.*)$/i
export const isWrittenAnew = (name: string): boolean => WRITTEN_ANEW.test(name)

/** Reads the parts of a message. Throws only MimeLimit: a text that is too long is refused, not truncated. */
export function readOutline(source: Uint8Array): MessageOutline {
  const bytes = asBuffer(source)
  const { attachments, snippet: _, headers, ...parsed } = parseMessage(bytes)
  const { body, attachments: located } = select<LocatedPart>(readStructure(bytes).root)
  const text = body.reduce(
    (sum, part) => sum + decodeBytes(bytes.subarray(part.start, part.end), part.encoding).length,
    0,
  )
  if (text > MAX_TEXT_BYTES) throw new MimeLimit(`The text is longer than ${MAX_TEXT_BYTES / 1024 / 1024} MB`)
  return {
    ...parsed,
    headers: headers
      .filter(({ name }) => !isWrittenAnew(name))
      .map(({ name, value }) => ({ name, value: decodeWords(value) })),
    // Both lists are the attachments of the same tree, in the same order.
    files: located.map((part, place) => fileOf(part, attachments[place]?.size ?? 0)),
  }
}

function fileOf(part: LocatedPart, size: number): LocatedFile {
  const { filename, contentId, disposition, encoding, start, end } = part
  return {
    filename,
    contentType: typeOf(part),
    ...(contentId === undefined ? {} : { contentId: contentId.replace(/^<(.*)>$/, '$1') }),
    inline: disposition === 'inline' || (disposition === undefined && contentId !== undefined),
    size,
    encoding,
    start,
    end,
  }
}

const typeOf = ({ type, parameters }: PartNode): string =>
  [
    type,
    ...Object.entries(parameters).flatMap(([name, value]) => (name === 'name' ? [] : [`${name}=${quoted(value)}`])),
  ].join('; ')

const quoted = (value: string): string =>
  /^[\w!#$&^.+*-]+$/.test(value) ? value : `"${value.replaceAll(/["\\]/g, (mark) => `\\${mark}`)}"`
