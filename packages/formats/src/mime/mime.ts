/**
 * Parses messages (RFC 5322, MIME). Pure. No byte is trusted, and the work is bounded by `limit.ts`. It still runs in
 * its own thread (`lib/parsing/pool.ts`), so that a message that triggers a slow path delays nothing else.
 */
import { snippetOf } from '../html/html-text.ts'
import { type Address, readAddresses, readMessageIds } from './addresses.ts'
import { select } from './body.ts'
import { asBuffer } from './charset.ts'
import { decodeBytes } from './encoding.ts'
import { type Header, readHeaders } from './headers.ts'
import { MAX_TEXT_BYTES } from './limit.ts'
import { type LocatedPart, type PartNode, readStructure } from './structure.ts'
import { textAsHtml, textOf } from './text.ts'
import { decodeWords } from './words.ts'

export type { Address } from './addresses.ts'
export { bodyParts, hasAttachment } from './body.ts'
export { createDecoder, decodeBytes } from './encoding.ts'
export { MAX_RAW_BYTES, MimeLimit } from './limit.ts'
export type { PartNode } from './structure.ts'

export interface ParsedMessage {
  /** In order, with duplicates; unfolded, with encoded words as written. */
  readonly headers: Header[]
  readonly subject: string
  readonly from: Address[]
  readonly to: Address[]
  readonly cc: Address[]
  readonly bcc: Address[]
  readonly reply_to: Address[]
  /** Without brackets, like the others. */
  readonly messageId?: string
  readonly inReplyTo: string[]
  readonly references: string[]
  /** The HTML if there is any, otherwise the text. */
  readonly body: string
  readonly isHtml: boolean
  /** The beginning of the text, at most 100 characters. */
  readonly snippet: string
  /** Without children. */
  readonly attachments: PartNode[]
}

/** A message whose tree a server described, with only the parts that `bodyParts` named. */
export interface MessageParts {
  readonly header: Uint8Array
  readonly structure: PartNode
  /** As in the message, encoded, possibly truncated. */
  readonly texts: readonly { readonly part: string; readonly bytes: Uint8Array }[]
}

/** Parses a whole message. Throws only MimeLimit. */
export function parseMessage(source: Uint8Array): ParsedMessage {
  const bytes = asBuffer(source)
  const { root, headers } = readStructure(bytes)
  const { body, isHtml, attachments } = select<LocatedPart>(root)
  const contentOf = ({ start, end }: LocatedPart): Buffer => bytes.subarray(start, end)
  return {
    ...envelopeOf(headers),
    ...bodyOf(
      body.map((part) => ({ part, bytes: contentOf(part) })),
      isHtml,
    ),
    attachments: attachments.map((part) => ({
      ...described(part),
      size: decodeBytes(contentOf(part), part.encoding).length,
    })),
  }
}

/** Assembles a message from its parts. Throws only MimeLimit. */
export function assembleMessage({ header, structure, texts }: MessageParts): ParsedMessage {
  const text = asBuffer(header).toString('latin1')
  const { body, isHtml, attachments } = select<PartNode>(structure)
  const fetched = new Map(texts.map((text) => [text.part, text.bytes]))
  return {
    ...envelopeOf(readHeaders(text, { start: 0, end: text.length }).headers),
    ...bodyOf(
      body.flatMap((part) => {
        const found = fetched.get(part.part)
        return found === undefined ? [] : [{ part, bytes: found }]
      }),
      isHtml,
    ),
    attachments: attachments.map(described),
  }
}

type Envelope = Omit<ParsedMessage, 'body' | 'isHtml' | 'snippet' | 'attachments'>

function envelopeOf(headers: Header[]): Envelope {
  const values = new Map<string, string[]>()
  for (const { name, value } of headers) {
    const key = name.toLowerCase()
    if (!ENVELOPE.has(key)) continue
    const known = values.get(key)
    if (known === undefined) values.set(key, [value])
    else known.push(value)
  }
  const addresses = (name: string): Address[] => (values.get(name) ?? []).flatMap((value) => readAddresses(value))
  const ids = (name: string): string[] => readMessageIds(values.get(name)?.[0] ?? '')
  const messageId = ids('message-id')[0]
  return {
    headers,
    subject: subjectOf(values.get('subject')?.[0] ?? ''),
    from: addresses('from'),
    to: addresses('to'),
    cc: addresses('cc'),
    bcc: addresses('bcc'),
    reply_to: addresses('reply-to'),
    ...(messageId === undefined ? {} : { messageId }),
    inReplyTo: ids('in-reply-to'),
    references: ids('references'),
  }
}

const ENVELOPE = new Set(['subject', 'from', 'to', 'cc', 'bcc', 'reply-to', 'message-id', 'in-reply-to', 'references'])

const subjectOf = (value: string): string =>
  decodeWords(value)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a subject is one line
    .replaceAll(/[\0-\x1f\x7f]+/g, ' ')
    .trim()

interface Piece {
  readonly part: PartNode
  readonly bytes: Uint8Array
}

function bodyOf(pieces: readonly Piece[], isHtml: boolean): Pick<ParsedMessage, 'body' | 'isHtml' | 'snippet'> {
  const body = pieces
    .map(({ part, bytes }) => {
      const text = textOf(part, bytes)
      return isHtml && part.type !== 'text/html' ? textAsHtml(text) : text
    })
    .join('\n')
    .slice(0, MAX_TEXT_BYTES)
    .toWellFormed()
  return { body, isHtml, snippet: snippetOf(body, isHtml) }
}

/** The description of an attachment. */
function described({
  part,
  type,
  contentType,
  parameters,
  disposition,
  filename,
  contentId,
  encoding,
  size,
  isEstimated,
}: PartNode): PartNode {
  return {
    part,
    type,
    contentType,
    parameters,
    ...(disposition === undefined ? {} : { disposition }),
    filename,
    ...(contentId === undefined ? {} : { contentId }),
    encoding,
    size,
    ...(isEstimated ? { isEstimated } : {}),
  }
}
