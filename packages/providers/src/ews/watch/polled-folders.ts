/**
 * All folders of the mailbox at one poll, with a mark of the contents of each. It is one call, and the only one if
 * nothing changed: a folder with an unchanged mark is not read.
 */
import { createHash } from 'node:crypto'
import { listFolders } from '../folder-list.ts'
import type { Session } from '../session.ts'
import type { Folder } from '../types/folder.ts'
import { field, property, propertyText, tag } from '../types/paths.ts'
import { type WellKnownIds, wellKnownIds } from '../well-known-folders.ts'

/** The last change in a folder (PidTagLocalCommitTimeMax), and the number of deletions (PidTagDeletedCountTotal). */
const lastCommit = tag('0x670A', 'SystemTime')
const deletedCount = tag('0x670B', 'Integer')

const also = [field('folder:TotalCount'), field('folder:UnreadCount'), property(lastCommit), property(deletedCount)]

export interface PolledFolders {
  /** The folders with an id. */
  folders: readonly PolledFolder[]
  wellKnown: WellKnownIds
}

export interface PolledFolder {
  /** Exchange's id. */
  id: string
  folder: Folder
  /** Absent if the server does not report the last change in the folder. */
  mark: FolderMark | undefined
}

export interface FolderMark {
  /** Differs after each change in the folder, except within one second. */
  text: string
  /** The time of the last change, in milliseconds of the server's clock. */
  at: number
}

export function markOf(folder: Folder): FolderMark | undefined {
  const { TotalCount, ExtendedProperty } = folder
  const committed = propertyText(ExtendedProperty, lastCommit)
  const at = Date.parse(committed ?? '')
  if (Number.isNaN(at)) return undefined
  const unread = 'UnreadCount' in folder ? folder.UnreadCount : undefined
  const parts = [committed, TotalCount, unread, propertyText(ExtendedProperty, deletedCount)]
  return { text: createHash('sha256').update(parts.join(' ')).digest('base64url').slice(0, 8), at }
}

/** The folders of the current poll, by session. */
const polls = new WeakMap<Session, Promise<PolledFolders>>()

/** Another poll begins: the first part that needs the folders reads them again. */
export const beginPoll = (session: Session): void => void polls.delete(session)

export function polledFolders(session: Session): Promise<PolledFolders> {
  const known = polls.get(session)
  if (known) return known
  const polling = poll(session)
  polls.set(session, polling)
  return polling
}

async function poll(session: Session): Promise<PolledFolders> {
  // The ids of well-known folders are requested once.
  const [folders, wellKnown] = await Promise.all([listFolders(session, { also }), wellKnownIds(session)])
  return {
    folders: folders.flatMap((folder) =>
      folder.FolderId ? [{ id: folder.FolderId.Id, folder, mark: markOf(folder) }] : [],
    ),
    wellKnown,
  }
}
