/**
 * The parts of an outgoing message, for providers that accept parts instead of MIME. The bytes are the message, at
 * every attempt and after a restart. The outline is parsed from them on demand.
 */

import { createDecoder } from '@waypost/formats/mime/encoding'
import type { Address } from '@waypost/formats/mime/mime'
import type { LocatedFile, MessageOutline } from '@waypost/formats/mime/outline'
import { ApiError } from '@waypost/platform/api-error'
import type { ParsePool } from '@waypost/platform/parsing/pool'
import type { InsertedFile, LargeMessage } from './large-files.ts'

export interface OutlineFile extends Pick<LocatedFile, 'filename' | 'contentType' | 'contentId' | 'inline' | 'size'> {
  /** Its content, decoded in pieces from the bytes of the message, so that it is never copied as a whole. */
  content(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** The uploaded file that it is, if it is not in the bytes of the message. */
  uploaded?: InsertedFile
}

export interface Outline
  extends Pick<MessageOutline, 'subject' | 'from' | 'to' | 'cc' | 'reply_to' | 'body' | 'isHtml' | 'references'> {
  /** Including recipients who are only in the envelope. */
  bcc: readonly Address[]
  /** Without angle brackets, like the references. */
  inReplyTo?: string
  /** Further headers, such as List-Unsubscribe; decoded. */
  headers: readonly { name: string; value: string }[]
  attachments: readonly OutlineFile[]
}

interface Bytes extends LargeMessage {
  /** Envelope recipients, if there is an envelope. */
  recipients?: readonly string[]
}

/** Parses the bytes in a worker thread. */
export interface Reader {
  parse: ParsePool
  signal: AbortSignal
}

/** Adds an outline that is parsed once, at the first use. */
export function withOutline<M extends Bytes>(message: M, io: Reader): M & { outline(): Promise<Outline> } {
  let reading: Promise<Outline> | undefined
  return {
    ...message,
    outline() {
      reading ??= readOutline(message, io)
      return reading
    },
  }
}

async function readOutline(
  { source, recipients = [], largeFiles = [] }: Bytes,
  { parse, signal }: Reader,
): Promise<Outline> {
  const [outcome] = await parse.run<{ source: Uint8Array }, MessageOutline>('outline', [{ source }], { signal })
  if (!outcome?.ok) {
    throw new ApiError('invalid_request', `the message cannot be parsed: ${outcome?.message ?? ''}`)
  }
  const { files, inReplyTo, messageId: _, ...read } = outcome.value
  const [parent] = inReplyTo
  const hidden = hiddenRecipients(recipients, [...read.to, ...read.cc, ...read.bcc])
  return {
    ...read,
    bcc: [...read.bcc, ...hidden.map((email) => ({ email }))],
    ...(parent === undefined ? {} : { inReplyTo: parent }),
    attachments: files.map(({ encoding, start, end, ...file }) => {
      const content = source.subarray(start, end)
      const large = largeFiles.find(({ marker }) => isMarker(content, marker))
      return large
        ? { ...file, size: large.size, content: () => large.read(), uploaded: large }
        : { ...file, content: () => decoded(content, encoding) }
    }),
  }
}

/** Whether a part has the marker of an uploaded file in place of its content. */
const isMarker = ({ buffer, byteOffset, byteLength }: Uint8Array, marker: string): boolean =>
  byteLength <= marker.length + 2 && Buffer.from(buffer, byteOffset, byteLength).toString('latin1').trim() === marker

/** Envelope recipients that no header names. */
export function hiddenRecipients(recipients: readonly string[], named: readonly Address[]): string[] {
  const shown = new Set(named.map(({ email }) => email.toLowerCase()))
  return recipients.filter((address) => !shown.has(address.toLowerCase()))
}

const pieceBytes = 256 * 1024

function* decoded(content: Uint8Array, encoding: string): Generator<Uint8Array> {
  const decoder = createDecoder(encoding)
  for (let from = 0; from < content.length; from += pieceBytes) {
    const piece = decoder.push(content.subarray(from, from + pieceBytes))
    if (piece.length > 0) yield piece
  }
  const rest = decoder.end()
  if (rest.length > 0) yield rest
}
