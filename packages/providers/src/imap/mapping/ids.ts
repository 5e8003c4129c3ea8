/**
 * Ids that identify a message rather than its place. So they survive a move and a reconnect, and Waypost needs no table to
 * find the message again. The key derives from data that every server returns without the bytes of a message:
 *
 *     s<base64url( 6 bytes of a hash | size | Message-ID )>   if the message has a usable Message-ID
 *     d<base64url( 6 bytes of a hash | size | date )>         otherwise; found again by day and size
 *
 * The hash covers Date, From and Subject. Different messages may still share a key; then a suffix distinguishes them:
 *
 *     <key>.c<base64url( 16 bytes of a hash )>                hash of all bytes of the message
 *     <key>.p<base64url( UID | 6 bytes of a hash )>           UID and hash of the folder, if bytes cannot be compared
 *
 * Earlier ids were `m<base64url( 6 bytes of a hash | Message-ID )>`, without the size. They are still accepted.
 *
 * The id of a thread is the Message-ID of its root, `t<base64url(Message-ID)>`. The id of a folder is its path if that is
 * safe in a URL, otherwise `path:<base64url(path)>`: many clients put ids into URLs without encoding them. Earlier ids
 * were the path in more cases; a path is still accepted as an id.
 */

import { hash as hashOf } from 'node:crypto'
import { notFound } from '../../shared/named-objects.ts'

/** The header fields that an id derives from, as written in the message. */
export const identityFields = ['message-id', 'date', 'from', 'subject', 'references', 'in-reply-to'] as const

export interface IdentityHeader {
  messageId?: string | undefined
  hash: Buffer
  /** Message-IDs of the ancestors, the root of the thread first; without angle brackets. */
  references: string[]
}

/** Longer Message-IDs make ids that do not fit into URLs; those messages are identified by date and size. */
const maxMessageIdLength = 250
const hashBytes = 6

/** Reads the identity from the header lines of `identityFields`. */
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

/** The Date header in Unix seconds, for servers that do not report when they received a message. */
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

/** Copies a string, so that it does not keep the string it was cut from in memory. */
const copyOf = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')

/** Collapses whitespace; most texts need no change. */
const collapse = (text: string): string => (/\s\s|[^\S ]/.test(text) ? text.replace(/\s+/g, ' ').trim() : text)

/** At most this many ids of References count: the first ones identify the thread, the last ones the parents. */
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

/** A Message-ID without its brackets, as some mail clients write it. */
const bareMessageId = (text: string | undefined): string | undefined =>
  text !== undefined && isUsable(text) ? copyOf(text) : undefined

/** Printable, without brackets, quotes and escapes. */
const isUsable = (id: string): boolean =>
  id.length <= maxMessageIdLength && /^[\x21\x23-\x3b\x3d\x3f-\x5b\x5d-\x7e]+$/.test(id)

/** Distinguishes messages with the same key. */
export interface Distinction {
  /** The hash of all its bytes. */
  content?: string | undefined
  /** Its place. */
  place?: string | undefined
}

/** The parsed id of a message. Ids of the earlier form have no size and therefore no key. */
export type MessageName = Distinction &
  (
    | { kind: 'message-id'; key: string; messageId: string; size: number; hash: Buffer }
    | { kind: 'message-id'; key?: undefined; messageId: string; hash: Buffer }
    | { kind: 'date'; key: string; date: number; size: number; hash: Buffer }
  )

const largestSize = 0xffff_ffff

/** Identifies a message without its bytes. */
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

/** The id of the message with these bytes, among several with the same key. */
export const idByContent = (key: string, content: string): string => `${key}.c${content}`

/** The id of the message at a place, among several with the same key. */
export const idByPlace = (key: string, at: Place, folder = folderMark(at)): string => `${key}.p${placeName(at, folder)}`

interface Place {
  path: string
  uidValidity: string
  uid: number
}

/** Identifies a folder together with its UIDVALIDITY. */
export const folderMark = ({ path, uidValidity }: Omit<Place, 'uid'>): Buffer =>
  hashOf('sha256', `${uidValidity}\n${path}`, 'buffer').subarray(0, 6)

export function placeName(at: Place, folder = folderMark(at)): string {
  const name = Buffer.alloc(10)
  name.writeUInt32BE(Math.min(at.uid, 0xffff_ffff))
  folder.copy(name, 4)
  return name.toString('base64url')
}

/** The UID of the message. */
export const uidOfPlace = (place: string): number => Buffer.from(place, 'base64url').readUInt32BE(0)

/** An id of the earlier form, without the size. */
export const earlierId = (messageId: string, hash: Buffer): string =>
  `m${Buffer.concat([hash, Buffer.from(messageId, 'latin1')]).toString('base64url')}`

/** Earlier ids of a message, which contain less. */
export function formerIds(id: string): string[] {
  const name = nameIn(id)
  if (!name?.key) return []
  const earlier = name.kind === 'message-id' ? [earlierId(name.messageId, name.hash)] : []
  return name.key === id ? earlier : [name.key, ...earlier]
}

/** Parses the id of a message; throws `not_found` if it is invalid. */
export function parseMessageId(id: string): MessageName {
  const name = nameIn(id)
  if (name) return name
  throw notFound('message')
}

const form = /^([msd][\w-]+)(?:\.(?:c([\w-]{22})|p([\w-]{14})))?$/

function nameIn(id: string): MessageName | undefined {
  const [, key = '', content, place] = form.exec(id) ?? []
  const bytes = Buffer.from(key.slice(1), 'base64url')
  const hash = bytes.subarray(0, hashBytes)
  const rest = bytes.subarray(hashBytes)
  const reported = { hash, content, place }
  if (key.startsWith('m') && key === id) {
    const messageId = rest.toString('latin1')
    return isUsable(messageId) ? { kind: 'message-id', messageId, hash } : undefined
  }
  if (key.startsWith('s') && rest.length > 4) {
    const messageId = rest.subarray(4).toString('latin1')
    return isUsable(messageId)
      ? { ...reported, kind: 'message-id', key, messageId, size: rest.readUInt32BE(0) }
      : undefined
  }
  if (key.startsWith('d') && rest.length === 12) {
    return { ...reported, kind: 'date', key, size: rest.readUInt32BE(0), date: Number(rest.readBigInt64BE(4)) }
  }
  return undefined
}

export const threadId = (root: string): string => `t${Buffer.from(root, 'latin1').toString('base64url')}`

/** The Message-ID or message id in a thread id; undefined if it is invalid. */
export function findThreadRoot(id: string): string | undefined {
  const root = /^t[\w-]+$/.test(id) ? Buffer.from(id.slice(1), 'base64url').toString('latin1') : ''
  return isUsable(root) ? root : undefined
}

export function parseThreadId(id: string): string {
  const root = findThreadRoot(id)
  if (root === undefined) throw notFound('thread')
  return root
}

const encoded = 'path:'

/** Unreserved characters only (RFC 3986 §2.3), without a leading dot, which a URL could lose. */
const plainPath = /^[\w~-][\w.~-]*$/

export const folderId = (path: string): string =>
  plainPath.test(path) ? path : `${encoded}${Buffer.from(path).toString('base64url')}`

/** The path of a folder id. */
export const folderPath = (id: string): string =>
  id.startsWith(encoded) ? Buffer.from(id.slice(encoded.length), 'base64url').toString() : id

/**
 * The id of the newest draft with a Message-ID: `r<base64url(Message-ID)>`, which stays the same when the draft is saved
 * again. A draft without Message-ID has its id as a message. So has an older draft that shares the Message-ID of a newer one.
 */
export const newestDraftId = (messageId: string): string => `r${Buffer.from(messageId, 'latin1').toString('base64url')}`

/** The draft id for a message id. */
export function draftIdOf(id: string): string {
  const name = parseMessageId(id)
  return name.kind === 'message-id' ? newestDraftId(name.messageId) : id
}

/** Parses the id of a draft. */
type DraftName = { kind: 'newest'; messageId: string } | (MessageName & { id: string })

/** Whether only drafts have ids like this. */
export const isDraftId = (id: string): boolean => id.startsWith('r')

export function parseDraftId(id: string): DraftName {
  if (/^r[\w-]+$/.test(id)) {
    const messageId = Buffer.from(id.slice(1), 'base64url').toString('latin1')
    if (/^[\x21-\x7e]{1,250}$/.test(messageId)) return { kind: 'newest', messageId }
  } else if (/^[sd]/.test(id)) return { ...parseMessageId(id), id }
  throw notFound('draft')
}
