/** A message taken apart into what it was composed of: for a draft that is changed and put together again. */

import { select } from './body.ts'
import { asBuffer } from './charset.ts'
import { decodeBytes } from './encoding.ts'
import { type ParsedMessage, parseMessage } from './mime.ts'
import { type LocatedPart, type PartNode, readStructure } from './structure.ts'

export interface UnpackedFile {
  readonly filename: string
  readonly contentType: string
  readonly content: Uint8Array
  /** Without its brackets. */
  readonly contentId?: string
  readonly inline: boolean
}

export interface Unpacked extends Omit<ParsedMessage, 'attachments' | 'snippet'> {
  readonly files: UnpackedFile[]
}

/** An attachment by its number, with its bytes; none where the message has no such part. Throws nothing but MimeLimit. */
export function unpackPart(source: Uint8Array, number: string): { part: PartNode; content: Uint8Array } | undefined {
  const bytes = asBuffer(source)
  const found = select<LocatedPart>(readStructure(bytes).root).attachments.find(({ part }) => part === number)
  if (!found) return undefined
  const content = decodeBytes(bytes.subarray(found.start, found.end), found.encoding)
  const { children: _, from: __, start: ___, end: ____, outside: _____, ...part } = found
  return { part: { ...part, size: content.length }, content }
}

/** Takes a message apart. Throws nothing but MimeLimit. */
export function unpack(source: Uint8Array): Unpacked {
  const { attachments: _, snippet: __, ...parsed } = parseMessage(source)
  const bytes = asBuffer(source)
  const { attachments } = select<LocatedPart>(readStructure(bytes).root)
  const files = attachments.map(({ filename, contentType, contentId, disposition, encoding, start, end }) => ({
    filename: filename ?? '',
    contentType,
    content: decodeBytes(bytes.subarray(start, end), encoding),
    ...(contentId === undefined ? {} : { contentId: contentId.replace(/^<(.*)>$/, '$1') }),
    inline: disposition === 'inline' || (disposition === undefined && contentId !== undefined),
  }))
  return { ...parsed, files }
}
