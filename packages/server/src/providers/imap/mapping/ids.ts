/**
 * Ids that name a message and not the place where it lies, so that they survive a move and a reconnect, and can be found
 * again without a table of ours:
 *
 *     m<base64url( 6 bytes of a hash | Message-ID )>     where the message has a usable Message-ID
 *     d<base64url( 6 bytes of a hash | size | date )>    where it has none: found again by day and size
 *
 * The hash is over Date, From and Subject: two different messages with one Message-ID (a mailing list's copy, a careless
 * sender) stay two, and copies of one message in several folders, or delivered twice, are one.
 *
 * Threads are named by the Message-ID of their first message, `t<base64url(Message-ID)>`. Folders are named by their
 * path; a path that a client could decode once too often is written in base64url.
 */
import { hash as hashOf } from 'node:crypto'
import { ApiError } from '../../../lib/api-error.ts'

/** The header fields that an id is made of, as they stand in the message. */
export const identityFields = ['message-id', 'date', 'from', 'subject', 'references', 'in-reply-to'] as const

export interface IdentityHeader {
  messageId?: string | undefined
  hash: Buffer
  /** Message-IDs of the messages this one answers, the first of the thread first; without brackets. */
  references: string[]
}

/** Longer Message-IDs make ids that do not fit into addresses; those messages are named by day and size. */
const longestMessageId = 250
const hashBytes = 6

/** Reads what an id is made of from the header lines that a server sent for `identityFields`. */
export function readIdentity(header: Buffer | string): IdentityHeader {
  const fields = readFields(header.toString('latin1'))
  const parts = ['date', 'from', 'subject'].map((name) => collapse(fields.get(name) ?? ''))
  const hash = hashOf('sha256', parts.join('\n'), 'buffer').subarray(0, hashBytes)
  const references = messageIds(fields.get('references') ?? '')
  for (const id of messageIds(fields.get('in-reply-to') ?? '').slice(0, 1)) {
    if (!references.includes(id)) references.push(id)
  }
  const messageId = messageIds(fields.get('message-id') ?? '')[0] ?? bareMessageId(fields.get('message-id'))
  return { messageId, hash, references }
}

/** When a message says that it was written, Unix seconds: for servers that do not say when they received it. */
export function dateIn(header: Buffer | string): number {
  const written = Date.parse(readFields(header.toString('latin1')).get('date') ?? '')
  return Number.isNaN(written) ? 0 : Math.floor(written / 1000)
}

function readFields(text: string): Map<string, string> {
  const fields = new Map<string, string>()
  const unfolded = /\n[ \t]/.test(text) ? text.replace(/\r?\n(?=[ \t])/g, ' ') : text
  for (const line of unfolded.split('\n')) {
    const colon = line.indexOf(':')
    if (colon <= 0) continue
    const name = line.slice(0, colon).trim().toLowerCase()
    if (!fields.has(name)) fields.set(name, line.slice(colon + 1).trim())
  }
  return fields
}

/** A text that does not keep the whole it was cut out of in memory. */
const copyOf = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')

/** With one blank for many; most texts are so already. */
const collapse = (text: string): string => (/\s\s|[^\S ]/.test(text) ? text.replace(/\s+/g, ' ').trim() : text)

/** At most this many ids of a References header count; the first ones name the thread, the last ones the parents. */
const referencesAtMost = 100

function messageIds(text: string): string[] {
  const found: string[] = []
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    const end = text.indexOf('>', at)
    if (end === -1) break
    const id = text.slice(at + 1, end).trim()
    if (isUsable(id)) found.push(copyOf(id))
    at = end
  }
  return found.length <= referencesAtMost ? found : [...found.slice(0, 20), ...found.slice(-80)]
}

/** A Message-ID without its brackets, as some programs write it. */
const bareMessageId = (text: string | undefined): string | undefined =>
  text !== undefined && isUsable(text) ? copyOf(text) : undefined

/** Printable, and without brackets, quotes and escapes. */
const isUsable = (id: string): boolean =>
  id.length <= longestMessageId && /^[\x21\x23-\x3b\x3d\x3f-\x5b\x5d-\x7e]+$/.test(id)

/** What an id says of its message. */
export type MessageName =
  | { kind: 'message-id'; messageId: string; hash: Buffer }
  | { kind: 'date'; date: number; size: number; hash: Buffer }

export function messageId(identity: IdentityHeader, at: { date: number; size: number }): string {
  if (identity.messageId !== undefined) {
    return `m${Buffer.concat([identity.hash, Buffer.from(identity.messageId, 'latin1')]).toString('base64url')}`
  }
  const facts = Buffer.alloc(12)
  facts.writeUInt32BE(Math.min(at.size, 0xffff_ffff), 0)
  facts.writeBigInt64BE(BigInt(at.date), 4)
  return `d${Buffer.concat([identity.hash, facts]).toString('base64url')}`
}

/** The name in an id, or the error that there is no such message. */
export function parseMessageId(id: string): MessageName {
  const bytes = /^[md][\w-]+$/.test(id) ? Buffer.from(id.slice(1), 'base64url') : Buffer.alloc(0)
  const hash = bytes.subarray(0, hashBytes)
  const rest = bytes.subarray(hashBytes)
  if (id.startsWith('m') && rest.length > 0) {
    const text = rest.toString('latin1')
    if (isUsable(text)) return { kind: 'message-id', messageId: text, hash }
  }
  if (id.startsWith('d') && rest.length === 12) {
    return { kind: 'date', size: rest.readUInt32BE(0), date: Number(rest.readBigInt64BE(4)), hash }
  }
  throw new ApiError('not_found', 'no message with this id')
}

export const threadId = (root: string): string => `t${Buffer.from(root, 'latin1').toString('base64url')}`

/** The Message-ID, or the id of the one message, that a thread's id names. */
export function parseThreadId(id: string): string {
  const root = /^t[\w-]+$/.test(id) ? Buffer.from(id.slice(1), 'base64url').toString('latin1') : ''
  if (isUsable(root)) return root
  throw new ApiError('not_found', 'no thread with this id')
}

const encoded = 'path:'

export const folderId = (path: string): string =>
  path.includes('%') || path.startsWith(encoded) || path.startsWith('.')
    ? `${encoded}${Buffer.from(path).toString('base64url')}`
    : path

/** The path that a folder's id names. */
export const folderPath = (id: string): string =>
  id.startsWith(encoded) ? Buffer.from(id.slice(encoded.length), 'base64url').toString() : id
