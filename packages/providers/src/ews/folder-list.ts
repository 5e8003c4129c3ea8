/** All folders of a mailbox, for mail, calendars and contacts: Exchange lists the whole tree by one call. */
import { ApiError } from '@waypost/platform/api-error'
import { FindFolder } from './operations/folders.ts'
import type { Session } from './session.ts'
import type { Folder } from './types/folder.ts'
import { type AnyFolderId, distinguished } from './types/ids.ts'
import { field, type Path, property, propertyBoolean, tag } from './types/paths.ts'
import { idAnd } from './types/shapes.ts'

/** Whether a folder is hidden (PidTagAttributeHidden). */
const hidden = tag('0x10F4', 'Boolean')

/** The requested fields of every folder. */
export const folderPaths: readonly Path[] = [
  field('folder:ParentFolderId'),
  field('folder:FolderClass'),
  field('folder:DisplayName'),
  property(hidden),
]

const perCall = 1000
const maxCalls = 20

export const isHidden = ({ ExtendedProperty }: Folder): boolean => propertyBoolean(ExtendedProperty, hidden) ?? false

interface FolderQuery {
  under?: AnyFolderId
  also?: readonly Path[]
  /** Only the direct children. */
  isShallow?: boolean
}

/** All folders below one at any depth; below the top of the mailbox if none is named. */
export async function listFolders(
  session: Session,
  { under = distinguished('msgfolderroot'), also = [], isShallow = false }: FolderQuery = {},
): Promise<Folder[]> {
  const found: Folder[] = []
  for (let count = 0; count < maxCalls; count += 1) {
    const { RootFolder: page } = await session.call(FindFolder, {
      Traversal: isShallow ? 'Shallow' : 'Deep',
      FolderShape: idAnd(...folderPaths, ...also),
      View: {
        kind: 'IndexedPageFolderView',
        MaxEntriesReturned: perCall,
        Offset: found.length,
        BasePoint: 'Beginning',
      },
      ParentFolderIds: [under],
    })
    const folders = page?.Folders ?? []
    found.push(...folders)
    if (page?.IncludesLastItemInRange !== false) return found
    // Some servers announce more folders and return none. The missing ones must not count as deleted.
    if (folders.length === 0) break
  }
  throw new ApiError('provider_unavailable', 'Exchange does not end its list of folders; try again')
}

/** The ids of the folders within one at any depth, including itself. */
export function subtreeOf(folders: readonly Folder[], id: string): Set<string> {
  const within = new Set([id])
  for (let size = 0; size !== within.size; ) {
    size = within.size
    for (const { FolderId, ParentFolderId } of folders) {
      if (FolderId && ParentFolderId && within.has(ParentFolderId.Id)) within.add(FolderId.Id)
    }
  }
  return within
}
