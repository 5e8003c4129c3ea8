/**
 * Ids that name a message and not the place where it lies, so that they survive a move and a reconnect, and can be found
 * again without a table of ours. What they are made of is the key, which follows from what every server tells of a message
 * without its bytes:
 *
 *     s<base64url( 6 bytes of a hash | size | Message-ID )>   where the message has a usable Message-ID
 *     d<base64url( 6 bytes of a hash | size | date )>         where it has none: found again by day and size
 *
 * The hash is over Date, From and Subject. Different messages may still share a key; what tells them apart stands behind it:
 *
 *     <key>.c<base64url( 16 bytes of a hash )>                of all bytes of the message
 *     <key>.p<base64url( UID | 6 bytes of a hash )>           of the folder: where bytes cannot be compared
 *
 * Earlier ids were `m<base64url( 6 bytes of a hash | Message-ID )>`, without the size. They are still read.
 *
 * Threads are named by the Message-ID of their first message, `t<base64url(Message-ID)>`. Folders are named by their
 * path where it stands in an address as it is, and else by `path:<base64url(path)>`: many clients put ids into addresses
 * without encoding them. Earlier ids were the path in more cases; a path is still taken for an id.
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
const maxReferences = 100

function messageIds(text: string): string[] {
  const found: string[] = []
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    const end = text.indexOf('>', at)
    if (end === -1) break
    const id = text.slice(at + 1, end).trim()
    if (isUsable(id)) found.push(copyOf(id))
    at = end
  }
  return found.length <= maxReferences ? found : [...found.slice(0, 20), ...found.slice(-80)]
}

/** A Message-ID without its brackets, as some programs write it. */
const bareMessageId = (text: string | undefined): string | undefined =>
  text !== undefined && isUsable(text) ? copyOf(text) : undefined

/** Printable, and without brackets, quotes and escapes. */
const isUsable = (id: string): boolean =>
  id.length <= longestMessageId && /^[\x21\x23-\x3b\x3d\x3f-\x5b\x5d-\x7e]+$/.test(id)

/** What tells messages with one key apart. */
export interface Distinction {
  /** The hash of all its bytes. */
  content?: string | undefined
  /** Where it lies. */
  place?: string | undefined
}

/** What an id says of its message; the key is missing in ids of the earlier form, which do not say the size. */
export type MessageName = Distinction &
  (
    | { kind: 'message-id'; key: string; messageId: string; size: number; hash: Buffer }
    | { kind: 'message-id'; key?: undefined; messageId: string; hash: Buffer }
    | { kind: 'date'; key: string; date: number; size: number; hash: Buffer }
  )

const largestSize = 0xffff_ffff

/** What names a message as far as a server tells of it without its bytes. */
export function messageKey(identity: IdentityHeader, at: { date: number; size: number }): string {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(Math.min(at.size, largestSize))
  if (identity.messageId !== undefined) {
    return `s${Buffer.concat([identity.hash, size, Buffer.from(identity.messageId, 'latin1')]).toString('base64url')}`
  }
  const date = Buffer.alloc(8)
  date.writeBigInt64BE(BigInt(at.date))
  return `d${Buffer.concat([identity.hash, size, date]).toString('base64url')}`
}

/** The id of the one message with these bytes, among several with one key. */
export const idByContent = (key: string, content: string): string => `${key}.c${content}`

/** The id of the one message at a place, among several with one key. */
export const idByPlace = (key: string, at: Place, folder = folderMark(at)): string => `${key}.p${placeName(at, folder)}`

interface Place {
  path: string
  uidValidity: string
  uid: number
}

/** What tells a folder, and the numbers in it, from others. */
export const folderMark = ({ path, uidValidity }: Omit<Place, 'uid'>): Buffer =>
  hashOf('sha256', `${uidValidity}\n${path}`, 'buffer').subarray(0, 6)

export function placeName(at: Place, folder = folderMark(at)): string {
  const name = Buffer.alloc(10)
  name.writeUInt32BE(Math.min(at.uid, 0xffff_ffff))
  folder.copy(name, 4)
  return name.toString('base64url')
}

/** The number that the message of a place has there. */
export const uidOfPlace = (place: string): number => Buffer.from(place, 'base64url').readUInt32BE(0)

/** An id of the earlier form, which says nothing of the size. */
export const earlierId = (messageId: string, hash: Buffer): string =>
  `m${Buffer.concat([hash, Buffer.from(messageId, 'latin1')]).toString('base64url')}`

/** The ids that a message may have been known by before: those that say less of it. */
export function formerIds(id: string): string[] {
  const name = nameIn(id)
  if (!name?.key) return []
  const earlier = name.kind === 'message-id' ? [earlierId(name.messageId, name.hash)] : []
  return name.key === id ? earlier : [name.key, ...earlier]
}

/** The name in an id, or the error that there is no such message. */
export function parseMessageId(id: string): MessageName {
  const name = nameIn(id)
  if (name) return name
  throw new ApiError('not_found', 'no message with this id')
}

const form = /^([msd][\w-]+)(?:\.(?:c([\w-]{22})|p([\w-]{14})))?$/

function nameIn(id: string): MessageName | undefined {
  const [, key = '', content, place] = form.exec(id) ?? []
  const bytes = Buffer.from(key.slice(1), 'base64url')
  const hash = bytes.subarray(0, hashBytes)
  const rest = bytes.subarray(hashBytes)
  const told = { hash, content, place }
  if (key.startsWith('m') && key === id) {
    const messageId = rest.toString('latin1')
    return isUsable(messageId) ? { kind: 'message-id', messageId, hash } : undefined
  }
  if (key.startsWith('s') && rest.length > 4) {
    const messageId = rest.subarray(4).toString('latin1')
    return isUsable(messageId) ? { ...told, kind: 'message-id', key, messageId, size: rest.readUInt32BE(0) } : undefined
  }
  if (key.startsWith('d') && rest.length === 12) {
    return { ...told, kind: 'date', key, size: rest.readUInt32BE(0), date: Number(rest.readBigInt64BE(4)) }
  }
  return undefined
}

export const threadId = (root: string): string => `t${Buffer.from(root, 'latin1').toString('base64url')}`

/** The Message-ID, or the id of the one message, that a thread's id names; undefined where it names none. */
export function findThreadRoot(id: string): string | undefined {
  const root = /^t[\w-]+$/.test(id) ? Buffer.from(id.slice(1), 'base64url').toString('latin1') : ''
  return isUsable(root) ? root : undefined
}

export function parseThreadId(id: string): string {
  const root = findThreadRoot(id)
  if (root === undefined) throw new ApiError('not_found', 'no thread with this id')
  return root
}

const encoded = 'path:'

/** Unreserved characters alone (RFC 3986 §2.3), and no dot in front, where an address could lose it. */
const plainPath = /^[\w~-][\w.~-]*$/

export const folderId = (path: string): string =>
  plainPath.test(path) ? path : `${encoded}${Buffer.from(path).toString('base64url')}`

/** The path that a folder's id names. */
export const folderPath = (id: string): string =>
  id.startsWith(encoded) ? Buffer.from(id.slice(encoded.length), 'base64url').toString() : id
