/** What happened to the folders of mail, and which of them are watched. */
import type { Change } from '../../provider.ts'
import { ourId } from '../ids.ts'
import type { Session } from '../session.ts'
import type { FolderMark, LookedFolders } from '../watch/looked-folders.ts'
import { fromFolder, type MailFolder, mailFolder } from './mapping/folder.ts'
import type { WatchedFolder } from './watch-state.ts'
import { attributesOf } from './well-known-folders.ts'

/** A folder of mail that a look sees. */
export interface SeenFolder {
  /** As Exchange writes it. */
  ewsId: string
  id: string
  mark: FolderMark | undefined
  folder: MailFolder
}

/** Those that users see; the first ones are those that most comes to. */
export function seenFolders({ folders, wellKnown }: LookedFolders): SeenFolder[] {
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

const parentOf = ({ parentId }: MailFolder): { parent?: string } =>
  parentId === undefined ? {} : { parent: ourId(parentId) }

/** The folders as they are seen, with how far each was read, and what is told of them. */
export function foldersAfter(
  { grant, io }: Session,
  known: Readonly<Record<string, WatchedFolder>> | undefined,
  seen: readonly SeenFolder[],
  { wellKnown }: LookedFolders,
): FoldersAfter {
  const happenedAt = io.clock.now()
  const attributes = attributesOf(
    wellKnown,
    seen.map(({ folder }) => folder),
  )
  const folders: Record<string, WatchedFolder> = {}
  const changes: Change[] = []
  for (const { ewsId, id, folder } of seen) {
    const before = known?.[id]
    const { parent } = parentOf(folder)
    folders[id] = { ...before, name: folder.name, ...parentOf(folder) }
    if (known === undefined || (before?.name === folder.name && before.parent === parent)) continue
    const object = fromFolder(folder, grant.id, attributes.get(ewsId))
    changes.push({ trigger: before ? 'folder.updated' : 'folder.created', happenedAt, object })
  }
  for (const [id, { name }] of Object.entries(known ?? {})) {
    if (folders[id]) continue
    changes.push({
      trigger: 'folder.deleted',
      happenedAt,
      object: { id, name, grant_id: grant.id, object: 'folder' as const },
    })
  }
  return { folders, changes }
}
