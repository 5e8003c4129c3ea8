/**
 * The folders of contacts. Every mailbox has a default one, and others may be anywhere. Exchange has further ones for
 * itself (recipients, chat contacts), which are hidden or of a class of their own.
 */

import { ApiError } from '@waypost/platform/api-error'
import type { OutlookFolder } from '../../contacts/outlook.ts'
import { notFound } from '../../shared/named-objects.ts'
import { isHidden, listFolders, subtreeOf } from '../folder-list.ts'
import { ourId } from '../ids.ts'
import type { Session } from '../session.ts'
import type { Folder } from '../types/folder.ts'
import { wellKnownIds } from '../well-known-folders.ts'

/** Its ids are those of the API. */
export interface ContactFolder extends OutlookFolder {
  /** Exchange's id. */
  ewsId: string
}

/** The folders of contacts among all of a mailbox, the default one first. */
export function contactFoldersIn(
  folders: readonly Folder[],
  { defaultId, trashId }: { defaultId: string | undefined; trashId: string | undefined },
): ContactFolder[] {
  const trashed = trashId === undefined ? new Set<string>() : subtreeOf(folders, trashId)
  const found = folders.flatMap((folder): ContactFolder[] => {
    const { FolderId, ParentFolderId, FolderClass, DisplayName } = folder
    if (!FolderId || trashed.has(FolderId.Id)) return []
    const isDefault = FolderId.Id === defaultId
    if (!isDefault && (FolderClass?.toLowerCase() !== 'ipf.contact' || isHidden(folder))) return []
    const parentId = ParentFolderId && ourId(ParentFolderId.Id)
    return [{ ewsId: FolderId.Id, id: ourId(FolderId.Id), name: DisplayName ?? '', parentId, isDefault }]
  })
  return found.sort((a, b) => Number(b.isDefault) - Number(a.isDefault))
}

/** All of them, by one call. */
export async function contactFolders(session: Session): Promise<ContactFolder[]> {
  const [folders, known] = await Promise.all([listFolders(session), wellKnownIds(session)])
  return contactFoldersIn(folders, { defaultId: known.get('contacts'), trashId: known.get('deleteditems') })
}

/** The folder with an id; throws if there is none. */
export function needFolder(folders: readonly ContactFolder[], id: string): ContactFolder {
  const found = folders.find((folder) => folder.id === id)
  if (!found) throw notFound('contact group')
  return found
}

export function defaultFolderOf(folders: readonly ContactFolder[]): ContactFolder {
  const found = folders.find(({ isDefault }) => isDefault)
  if (!found) throw new ApiError('not_found', 'this mailbox has no folder of contacts')
  return found
}
