import type { Folder } from '@waypost/contract'
import type { GraphFolder } from '../mail-api.ts'

/** What the folders that every mailbox has are for, by Graph's names for them. */
export const uses = {
  inbox: '\\Inbox',
  sentitems: '\\Sent',
  drafts: '\\Drafts',
  deleteditems: '\\Trash',
  junkemail: '\\Junk',
  archive: '\\Archive',
} as const
export type WellKnown = keyof typeof uses

/** A folder as ours; `attribute` says what it is for. */
export const fromFolder = (folder: GraphFolder, grantId: string, attribute: string | undefined): Folder => ({
  id: folder.id,
  grant_id: grantId,
  object: 'folder',
  name: folder.displayName ?? '',
  attributes: attribute === undefined ? [] : [attribute],
  ...(folder.parentFolderId === undefined ? {} : { parent_id: folder.parentFolderId }),
  ...(folder.childFolderCount === undefined ? {} : { child_count: folder.childFolderCount }),
  ...(folder.totalItemCount === undefined ? {} : { total_count: folder.totalItemCount }),
  ...(folder.unreadItemCount === undefined ? {} : { unread_count: folder.unreadItemCount }),
})
