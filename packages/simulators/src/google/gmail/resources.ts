// Messages, threads and drafts as the API returns them.
import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../../shared/http.ts'
import { type MimePart, textOf, walkParts } from '../../shared/mail/mime.ts'
import { GoogleError, invalidArgument, notFound } from '../errors.ts'
import type { ApiCall } from '../http.ts'
import { expandScope } from '../oauth/scopes.ts'
import type { Mailbox } from './mailbox.ts'
import type { StoredMessage } from './stored.ts'

export interface Format {
  readonly name: 'minimal' | 'full' | 'raw' | 'metadata'
  /** For the format `metadata`: only these headers, or all if empty. */
  readonly headers: readonly string[]
}

const formats = ['minimal', 'full', 'raw', 'metadata'] as const
const readingScopes = ['https://mail.google.com/', 'gmail.modify', 'gmail.readonly', 'gmail.compose'].map(expandScope)
const snippetLength = 200

/** The format that a request asks for. */
export function formatOf({ query, scopes }: ApiCall): Format {
  const text = (query.get('format') ?? 'full').toLowerCase()
  const name = formats.find((format) => format === text)
  if (name === undefined) throw invalidArgument(`Invalid value at 'format', "${query.get('format')}"`)
  if (!mayReadBodies(scopes) && (name === 'full' || name === 'raw')) {
    throw new GoogleError(403, 'forbidden', `Metadata scope doesn't allow format ${name.toUpperCase()}`)
  }
  return { name, headers: query.getAll('metadataHeaders') }
}

/** Whether the token has a scope beyond `gmail.metadata`. */
export function mayReadBodies(scopes: ReadonlySet<string>): boolean {
  return readingScopes.some((scope) => scopes.has(scope))
}

export function findMessage({ messages }: Mailbox, id: string): StoredMessage {
  if (!/^[0-9a-f]{1,16}$/i.test(id)) throw invalidArgument('Invalid id value')
  const message = messages.get(id)
  if (message === undefined) throw notFound()
  return message
}

/** The messages of a thread, oldest first. */
export function findThread({ threads }: Mailbox, id: string): StoredMessage[] {
  if (!/^[0-9a-f]{1,16}$/i.test(id)) throw invalidArgument('Invalid id value')
  const messages = threads.get(id)
  if (messages === undefined) throw notFound()
  return [...messages].sort((left, right) => left.internalDate - right.internalDate || (left.id < right.id ? -1 : 1))
}

/** The response of calls that change a message. */
export function messageReference({ id, threadId, labels }: StoredMessage): JsonObject {
  return { id, threadId, labelIds: [...labels] }
}

export function messageResource(message: StoredMessage, { name, headers }: Format): JsonObject {
  const { id, threadId, labels, raw, mime, historyId, internalDate } = message
  const wanted = headers.map((header) => header.toLowerCase())
  return {
    id,
    threadId,
    ...(labels.size > 0 && { labelIds: [...labels] }),
    snippet: snippetOf(mime),
    ...(name === 'full' && { payload: partResource(id, mime) }),
    ...(name === 'metadata' && {
      payload: {
        mimeType: mime.mimeType,
        headers: mime.headers.filter((header) => wanted.length === 0 || wanted.includes(header.name.toLowerCase())),
      },
    }),
    sizeEstimate: raw.length,
    ...(name === 'raw' && { raw: Buffer.from(raw).toString('base64url') }),
    historyId: String(historyId),
    internalDate: String(internalDate),
  }
}

export function threadResource(id: string, messages: readonly StoredMessage[], format: Format): JsonObject {
  return {
    id,
    historyId: String(Math.max(...messages.map(({ historyId }) => historyId))),
    messages: messages.map((message) => messageResource(message, format)),
  }
}

/** An entry of `threads.list`. */
export function threadSummary(id: string, messages: readonly StoredMessage[]): JsonObject {
  const last = messages.at(-1)
  return {
    id,
    snippet: last === undefined ? '' : snippetOf(last.mime),
    historyId: String(Math.max(...messages.map(({ historyId }) => historyId))),
  }
}

/** The content of an attachment. Attachment ids differ from response to response, and all of them work. */
export function attachmentResource(message: StoredMessage, attachmentId: string): JsonObject {
  const [, id, partId] = Buffer.from(attachmentId, 'base64url').toString('latin1').split('|')
  const part = walkParts(message.mime).find((candidate) => candidate.partId === partId)
  if (id !== message.id || part === undefined) throw invalidArgument('Invalid attachment token')
  return { size: part.content.length, data: Buffer.from(part.content).toString('base64url') }
}

function partResource(id: string, part: MimePart): JsonObject {
  const { partId, mimeType, filename, headers, content, parts } = part
  const isContainer = mimeType.startsWith('multipart/') && parts.length > 0
  const isApart = filename !== '' || (!isContainer && !mimeType.startsWith('text/'))
  const body = isContainer
    ? { size: 0 }
    : isApart
      ? { attachmentId: attachmentIdOf(id, partId), size: content.length }
      : { size: content.length, ...(content.length > 0 && { data: Buffer.from(content).toString('base64url') }) }
  return {
    partId,
    mimeType,
    filename,
    headers,
    body,
    ...(parts.length > 0 && { parts: parts.map((child) => partResource(id, child)) }),
  }
}

function attachmentIdOf(messageId: string, partId: string): string {
  const nonce = randomBytes(24).toString('base64')
  return Buffer.from(`ANGjdJ${nonce}|${messageId}|${partId}`, 'latin1').toString('base64url')
}

/** The beginning of the text, with special characters escaped as Gmail does. */
export function snippetOf(mime: MimePart): string {
  const text = plainText(mime).replace(/\s+/g, ' ').trim()
  const cut = text.length <= snippetLength ? text : text.slice(0, snippetLength).replace(/\s\S*$/, '')
  return cut
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** The readable text of a message. */
export function plainText(mime: MimePart): string {
  return textOf(mime, 'text/plain') ?? stripTags(textOf(mime, 'text/html') ?? '')
}

function stripTags(html: string): string {
  return html
    .replace(/<(style|script|head)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
