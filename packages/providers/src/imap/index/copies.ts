/** Finds further copies of messages, and distinguishes real copies from messages that only share the key. */

import type { Entry } from '../entry.ts'
import type { Session } from '../session.ts'
import { readDigests } from './digests.ts'
import type { FolderIndex } from './folder-index.ts'
import type { Group } from './message-group.ts'
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
      await mailbox.inTurn(index.path, () =>
        mailbox.in(index.path, { signal: io.signal }, async (client) => {
          const uids = await searchUidsOfAny(client, old.map(keysOfGroup))
          return index.add(client, uids.slice(-maxFound * old.length))
        }),
      )
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
