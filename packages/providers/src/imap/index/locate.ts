/** Finds the current places of a message by its id. */

import { ApiError } from '@waypost/platform/api-error'
import { notFound } from '../../shared/named-objects.ts'
import type { Entry, Group } from '../entry.ts'
import type { FolderState } from '../folder-state.ts'
import { earlierId, formerIds, type MessageName, parseMessageId, placeName, uidOfPlace } from '../mapping/ids.ts'
import { refreshFolders, type Session } from '../session.ts'
import { compare, completeCopies, maxFound, readBytesOf } from './copies.ts'
import type { FolderIndex } from './folder-index.ts'
import { groupEntries, newestFirst } from './groups.ts'
import { areSame } from './same-message.ts'
import { before, header, type Keys, larger, nearby, searchUids, since, smaller } from './search.ts'

export interface Located {
  group: Group
  folders: readonly FolderState[]
}

/** All copies of the message with this id. */
export async function locate(session: Session, id: string): Promise<Located> {
  const { groups, folders } = await named(session, parseMessageId(id))
  const [group, ...others] = groups
  if (!group) throw notFound('message')
  if (others.length > 0) throw ambiguous(groups)
  return { group, folders }
}

/**
 * All copies of a message, for reading only: if an id of the earlier form matches several messages, this returns the
 * oldest one.
 */
export async function locateToRead(session: Session, id: string): Promise<Located> {
  const name = parseMessageId(id)
  if (name.key !== undefined) return locate(session, id)
  const { groups, folders } = await named(session, name)
  const group = groups.at(-1)
  if (!group) throw notFound('message')
  return { group, folders }
}

/** Finds a message again after a change that may have moved it to other folders. */
export async function locateAgain(session: Session, old: Group, paths: ReadonlySet<string>): Promise<Located> {
  const [first] = old.entries
  if (!first) throw notFound('message')
  const { groups, folders } = await named(session, parseMessageId(first.key))
  const isSame = ({ entries }: Group): boolean => entries.some((entry) => areSame(entry, first))
  const group =
    groups.find(({ id }) => id === old.id) ??
    (groups.length === 1 ? groups[0] : undefined) ??
    groups.find(isSame) ??
    lastIn(groups, paths)
  if (!group) throw notFound('message')
  return { group, folders }
}

/** The newest messages of some folders: they have the highest UIDs. */
function lastIn(groups: readonly Group[], paths: ReadonlySet<string>): Group | undefined {
  const uidIn = ({ entries }: Group): number =>
    entries.reduce((last, { path, uid }) => (paths.has(path) ? Math.max(last, uid) : last), 0)
  const [last] = groups.filter((group) => uidIn(group) > 0).toSorted((a, b) => uidIn(b) - uidIn(a))
  return last
}

const maxNamed = 10

const ambiguous = (groups: readonly Group[]): ApiError =>
  new ApiError(
    'conflict',
    `message_id: ${groups.length} different messages have this id; say which is meant: ${groups
      .slice(0, maxNamed)
      .map(({ id }) => id)
      .join(', ')}`,
  )

/** The messages that an id may mean, newest first. Searches the indexes first, then the server folder by folder. */
async function named(session: Session, name: MessageName): Promise<{ groups: Group[]; folders: FolderState[] }> {
  const { mailbox, io } = session
  const folders = await refreshFolders(session)
  const indexes = await mailbox.renew(folders, io.signal)
  const found = await placesOf(session, name, indexes)
  // Now the indexes contain all messages with these keys.
  const keys = new Set(found.map(({ key }) => key))
  const families = (): Group[] =>
    [...keys].map((key) => {
      const own = found.filter((entry) => entry.key === key)
      // The indexes are cleared when the connection is lost.
      return mailbox.merged().family(key) ?? { id: key, date: Math.max(...own.map(({ date }) => date)), entries: own }
    })
  await compareAll(session, families)
  const known = mailbox.merged()
  const places = families().flatMap(({ entries }) => entries)
  const meant = name.place === undefined ? places : places.filter((entry) => isAt(entry, name.place ?? ''))
  const reported = [...new Set(meant.flatMap((entry) => known.messageAt(entry) ?? []))]
  const groups = reported.length > 0 ? reported.sort(newestFirst) : groupEntries(meant)
  if (name.content === undefined) return { groups, folders }
  await readBytesOf(
    session,
    groups.flatMap(({ entries }) => entries.slice(0, 1)),
  )
  return { groups: groups.filter(({ entries }) => entries.some(({ digest }) => digest === name.content)), folders }
}

const isAt = (entry: Entry, place: string): boolean => entry.uid === uidOfPlace(place) && placeName(entry) === place

/** Reads as much as necessary: the caller needs one message. */
async function compareAll(session: Session, families: () => Group[]): Promise<void> {
  while (await compare(session, families())) session.io.signal.throwIfAborted()
}

/** The entries that an id may mean. */
async function placesOf(session: Session, name: MessageName, indexes: readonly FolderIndex[]): Promise<Entry[]> {
  const { key } = name
  const search = (keys: Keys): Promise<Entry[]> => searchIn(session, indexes, { keys, isMeant: isMeantBy(name) })
  if (key === undefined) {
    const known = session.mailbox.merged().groups.flatMap(({ entries }) => entries.filter(isMeantBy(name)))
    return [...known, ...(await search(header('Message-ID', name.messageId)))]
  }
  const known = session.mailbox.merged().family(key)
  if (known) {
    const [whole] = await completeCopies(session, [known])
    return whole?.entries ?? known.entries
  }
  const { size } = name
  const [exact, wide] =
    name.kind === 'message-id'
      ? [
          [...header('Message-ID', name.messageId), ...larger(size - 1), ...smaller(size + 1)],
          header('Message-ID', name.messageId),
        ]
      : [nearby(name.date, size), [...since(name.date), ...before(name.date)]]
  const found = await search(exact)
  // Some servers search by other sizes than they report.
  return found.length > 0 ? found : search(wide)
}

const isMeantBy =
  (name: MessageName) =>
  ({ key, messageId }: Entry): boolean =>
    name.key !== undefined
      ? key === name.key
      : messageId === name.messageId && formerIds(key).includes(earlierId(name.messageId, name.hash))

/** Searches every folder whose index is incomplete. */
async function searchIn(
  { mailbox, io }: Session,
  indexes: readonly FolderIndex[],
  { keys, isMeant }: { keys: Keys; isMeant: (entry: Entry) => boolean },
): Promise<Entry[]> {
  const found = await Promise.all(
    indexes
      .filter((index) => !index.isComplete)
      .map((index) =>
        mailbox.onIndex(index.path, io.signal, async (client) =>
          index.add(client, (await searchUids(client, keys)).slice(-maxFound)),
        ),
      ),
  )
  return found.flat().filter(isMeant)
}
