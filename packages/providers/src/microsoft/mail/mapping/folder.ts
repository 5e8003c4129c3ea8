import type { Folder } from '@waypost/contract'
import { folderFrom, folderUses } from '../../../mail/exchange/mapping.ts'
import type { GraphFolder } from '../mail-api.ts'

/** The special-use attributes of folders that every mailbox has, by Graph's names for them. */
export const uses = { ...folderUses, archive: '\\Archive' } as const
export type WellKnown = keyof typeof uses

export const fromFolder = (folder: GraphFolder, grantId: string, attribute: string | undefined): Folder =>
  folderFrom(
    {
      id: folder.id,
      parentId: folder.parentFolderId,
      name: folder.displayName ?? '',
      total: folder.totalItemCount,
      unread: folder.unreadItemCount,
      children: folder.childFolderCount,
    },
    grantId,
    attribute,
  )
