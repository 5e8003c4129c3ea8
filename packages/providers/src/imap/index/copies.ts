/** Finds further copies of messages, and distinguishes real copies from messages that only share the key. */

import { createHash, type Hash } from 'node:crypto'
import type { ImapFlow } from 'imapflow'
import { inGroups } from '../../shared/pieces.ts'
import { fetchByUid, fetchOneByUid } from '../client/commands.ts'
import { type Entry, type Group, smallMessage } from '../entry.ts'
import { isRefused } from '../errors.ts'
import type { Session } from '../session.ts'
import { type FolderIndex, uidSet } from './folder-index.ts'
import { undecided } from './same-message.ts'
import { header, type Keys, nearby, searchUidsOfAny } from './search.ts'

const daySeconds = 86_400

/** Bytes read at a time to compare messages. */
const comparedBytes = 32 * 1024 * 1024

/**
 * Compares the bytes of messages with the same key, unless the server identifies them. It takes as many of the first
 * groups as `comparedBytes` allows. Returns whether anything was read; then the groups must be rebuilt.
 */
export async function compare(session: Session, groups: readonly Group[]): Promise<boolean> {
  const open: Entry[] = []
  let bytes = 0
  for (const { entries } of groups) {
    const some = undecided(entries)
    bytes += some.reduce((sum, { size }) => sum + size, 0)
    if (open.length > 0 && bytes > comparedBytes) break
    open.push(...some)
  }
  await readBytesOf(session, open)
  return open.length > 0
}

/** Reads the hashes of messages that have none yet. */
export async function readBytesOf({ mailbox, io }: Session, entries: readonly Entry[]): Promise<void> {
  const unread = entries.filter(({ digest }) => digest === undefined)
  if (unread.length === 0) return
  const byPath = Map.groupBy(unread, ({ path }) => path)
  await Promise.all(
    byPath
      .entries()
      .map(([path, some]) => mailbox.in(path, { signal: io.signal }, (client) => readDigests(client, some))),
  )
  mailbox.regroup()
}

/**
 * Messages with all copies in the indexes. A list does not search for others: that would take as long as reading
 * every folder.
 */
export const indexedCopies = (session: Session, groups: readonly Group[]): Promise<Group[]> =>
  Promise.all(groups.map((group) => withIndexedPlaces(session, group)))

const isBeyond = ({ date }: Group, { completeSince }: FolderIndex): boolean => date - daySeconds < completeSince

/** If a folder has more matches for one message, only the newest are read. */
export const maxFound = 500

/** Finds copies of messages that are older than the indexes. */
export async function completeCopies(session: Session, groups: readonly Group[]): Promise<Group[]> {
  const { mailbox, io } = session
  await Promise.all(
    mailbox.indexes().map(async (index) => {
      const old = groups.filter((group) => isBeyond(group, index))
      if (old.length === 0) return
      await mailbox.onIndex(index.path, io.signal, async (client) => {
        const uids = await searchUidsOfAny(client, old.map(keysOfGroup))
        return index.add(client, uids.slice(-maxFound * old.length))
      })
    }),
  )
  return indexedCopies(session, groups)
}

/** A message with all its copies in the indexes. */
async function withIndexedPlaces(session: Session, group: Group): Promise<Group> {
  const { mailbox } = session
  const [first] = group.entries
  let own = first && mailbox.merged().messageAt(first)
  if (!first || !own || own.entries === group.entries) return group
  if (own.id === first.key && (await compare(session, [own]))) own = mailbox.merged().messageAt(first)
  return own ? { ...own, date: group.date } : group
}

const keysOfGroup = ({ entries: [entry] }: Group): Keys =>
  entry?.messageId === undefined ? nearby(entry?.date ?? 0, entry?.size ?? 0) : header('Message-ID', entry.messageId)

/** Bytes of small messages fetched at a time. */
const batchBytes = 4 * 1024 * 1024
/** Bytes of a large message fetched at a time. */
const pieceBytes = 512 * 1024
/** Messages that are too large to be parsed (docs/mail.md) are not compared either. */
const largestBytes = 40 * 1024 * 1024

/**
 * Reads messages of the selected folder and records their hashes; an empty hash if the server does not return the
 * bytes.
 */
async function readDigests(client: ImapFlow, entries: readonly Entry[]): Promise<void> {
  const small = entries.filter(({ size }) => size <= smallMessage)
  for (const batch of inGroups(small, ({ size }) => size, batchBytes)) await readSmall(client, batch)
  for (const entry of entries) {
    if (entry.size > smallMessage && entry.size <= largestBytes) entry.digest = await readLarge(client, entry)
  }
  for (const entry of entries) entry.digest ??= ''
}

async function readSmall(client: ImapFlow, entries: readonly Entry[]): Promise<void> {
  const byUid = new Map(entries.map((entry) => [entry.uid, entry]))
  await fetchByUid(
    client,
    uidSet([...byUid.keys()]),
    { uid: true, source: true },
    {
      refused: () => undefined,
      arrived(message) {
        const entry = byUid.get(message.uid)
        if (entry && 'source' in message) entry.digest = digestOf(createHash('sha256').update(message.source ?? ''))
      },
    },
  )
}

async function readLarge(client: ImapFlow, { uid, size }: Entry): Promise<string> {
  const hash = createHash('sha256')
  try {
    for (let start = 0; ; ) {
      const message = await fetchOneByUid(client, uid, { source: { start, maxLength: pieceBytes } })
      if (!message) return ''
      const bytes = message.source ?? Buffer.alloc(0)
      hash.update(bytes)
      start += bytes.length
      // Fewer bytes mean the end. More mean the whole message, from servers that ignore the range.
      if (bytes.length !== pieceBytes) return digestOf(hash)
      if (start > 2 * size + pieceBytes) return ''
    }
  } catch (error) {
    if (isRefused(error)) return ''
    throw error
  }
}

const digestOf = (hash: Hash): string => hash.digest().subarray(0, 16).toString('base64url')
