/** Changes of the mail folders, and the list of watched folders. */

import type { Change } from '../../provider.ts'
import { listChanges } from '../../shared/list-changes.ts'
import { ourId } from '../ids.ts'
import type { Session } from '../session.ts'
import type { SyncedFolder } from '../watch/folder-sync.ts'
import type { FolderMark, PolledFolders } from '../watch/polled-folders.ts'
import { attributesOf, fromFolder, type MailFolder, mailFolder } from './mapping/folder.ts'

/** The state of a folder, stored in the cursor. */
export interface WatchedFolder extends SyncedFolder {
  name: string
  /** The id of its parent in the API. */
  parent?: string
}

/** A mail folder of a poll. */
export interface SeenFolder {
  /** Exchange's id. */
  ewsId: string
  id: string
  mark: FolderMark | undefined
  folder: MailFolder
}

/** The visible folders; those with the most traffic come first. */
export function seenFolders({ folders, wellKnown }: PolledFolders): SeenFolder[] {
  const first = [wellKnown.get('inbox'), wellKnown.get('sentitems')]
  const rank = ({ ewsId }: SeenFolder): number => (first.indexOf(ewsId) + first.length + 1) % (first.length + 1)
  return folders
    .flatMap(({ id, mark, folder: each }): SeenFolder[] => {
      const folder = mailFolder(each)
      return folder && !folder.isHidden ? [{ ewsId: id, id: ourId(id), mark, folder }] : []
    })
    .sort((a, b) => rank(a) - rank(b))
}

export interface FoldersAfter {
  folders: Record<string, WatchedFolder>
  changes: Change[]
}

/** The folders as they are now, with how far each was read, and the notifications of what changed. */
export function foldersAfter(
  { grant, io }: Session,
  before: Readonly<Record<string, WatchedFolder>> | undefined,
  seen: readonly SeenFolder[],
  { wellKnown }: PolledFolders,
): FoldersAfter {
  const attributes = attributesOf(
    wellKnown,
    seen.map(({ folder }) => folder),
  )
  const listed = seen.map(({ ewsId, folder }) => fromFolder(folder, grant.id, attributes.get(ewsId)))
  const folders = listed.map(({ id, name, parent_id: parent }): [string, WatchedFolder] => [
    id,
    { ...before?.[id], name, ...(parent === undefined ? {} : { parent }) },
  ])
  const recorded = Object.entries(before ?? {}).map(
    ([id, { name, parent }]) => [id, { name, parent_id: parent }] as const,
  )
  const changes = listChanges({
    kind: 'folder',
    grantId: grant.id,
    happenedAt: io.clock.now(),
    recorded: before && new Map(recorded),
    listed,
  })
  return { folders: Object.fromEntries(folders), changes }
}
