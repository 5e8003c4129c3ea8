/**
 * What one look sees: all folders of the mailbox, whatever is in them, with a mark of what each holds. It is one call, and
 * all that a look costs where nothing happened: a folder whose mark is as it was is not read.
 */
import { createHash } from 'node:crypto'
import { listFolders } from '../folder-list.ts'
import type { Session } from '../session.ts'
import type { Folder } from '../types/folder.ts'
import { field, property, propertyText, tag } from '../types/paths.ts'
import { type WellKnownIds, wellKnownIds } from '../well-known-folders.ts'

/** When something in a folder last changed (PidTagLocalCommitTimeMax), and how many went from it (PidTagDeletedCountTotal). */
const lastCommit = tag('0x670A', 'SystemTime')
const deletedCount = tag('0x670B', 'Integer')

const also = [field('folder:TotalCount'), field('folder:UnreadCount'), property(lastCommit), property(deletedCount)]

export interface LookedFolders {
  /** Those that Exchange names. */
  folders: readonly LookedFolder[]
  wellKnown: WellKnownIds
}

export interface LookedFolder {
  /** As Exchange writes it. */
  id: string
  folder: Folder
  /** Absent where the server does not say when something in the folder last changed. */
  mark: FolderMark | undefined
}

export interface FolderMark {
  /** Another one whenever something in the folder is another, but within one second. */
  text: string
  /** When that last was, in milliseconds of the server's clock. */
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

/** What the parts of an account see at one look, by session. */
const looks = new WeakMap<Session, Promise<LookedFolders>>()

/** Another look begins: folders are read anew by whoever asks first. */
export const beginLook = (session: Session): void => void looks.delete(session)

export function lookedFolders(session: Session): Promise<LookedFolders> {
  const known = looks.get(session)
  if (known) return known
  const looking = look(session)
  looks.set(session, looking)
  return looking
}

async function look(session: Session): Promise<LookedFolders> {
  // The ids of those that every mailbox has are asked for once.
  const [folders, wellKnown] = await Promise.all([listFolders(session, { also }), wellKnownIds(session)])
  return {
    folders: folders.flatMap((folder) =>
      folder.FolderId ? [{ id: folder.FolderId.Id, folder, mark: markOf(folder) }] : [],
    ),
    wellKnown,
  }
}
