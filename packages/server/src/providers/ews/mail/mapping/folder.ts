import type { Folder } from '@waypost/contract'
import { isHidden } from '../../folder-list.ts'
import type { Folder as EwsFolder } from '../../types/folder.ts'
import type { DistinguishedName } from '../../types/ids.ts'
import { field, type Path } from '../../types/paths.ts'
import { folderIdOf } from './names.ts'

/** What the folders that every mailbox has are for, by Exchange's names for them. */
export const uses = {
  inbox: '\\Inbox',
  sentitems: '\\Sent',
  drafts: '\\Drafts',
  deleteditems: '\\Trash',
  junkemail: '\\Junk',
} as const satisfies Partial<Record<DistinguishedName, string>>

/** What is asked of folders of mail beside what is asked of all. */
export const mailPaths: readonly Path[] = [
  field('folder:TotalCount'),
  field('folder:ChildFolderCount'),
  field('folder:UnreadCount'),
]

/** A folder of mail, with what is known of it. */
export interface MailFolder {
  /** As Exchange writes it. */
  id: string
  parentId: string | undefined
  name: string
  total: number | undefined
  unread: number | undefined
  children: number | undefined
  isHidden: boolean
}

/** Folders for other things than mail say so; one that says nothing is for mail. */
const isForMail = ({ kind, FolderClass = '' }: EwsFolder): boolean =>
  kind === 'Folder' && (FolderClass === '' || /^IPF(?:$|\.Note\b|\.Imap\b)/i.test(FolderClass))

/** A folder of mail; undefined where it is for something else. */
export function mailFolder(folder: EwsFolder): MailFolder | undefined {
  const { FolderId: id } = folder
  if (id === undefined || !isForMail(folder)) return undefined
  return {
    id: id.Id,
    parentId: folder.ParentFolderId?.Id,
    name: folder.DisplayName ?? '',
    total: folder.TotalCount,
    unread: 'UnreadCount' in folder ? folder.UnreadCount : undefined,
    children: folder.ChildFolderCount,
    isHidden: isHidden(folder),
  }
}

/** What Outlook calls the folder that it moves to the archive, in the languages that it comes in; no server names it otherwise. */
const archiveNames = [
  'archive',
  'archiv',
  'archives',
  'archivo',
  'archivar',
  'archivio',
  'arquivo',
  'arquivar',
  'archief',
  'arkiv',
  'arkisto',
  'archiwum',
  'archív',
  'archívum',
  'arhiva',
  'arhivă',
  'arşiv',
  'архив',
  'архів',
  'αρχείο',
  'アーカイブ',
  '存档',
  '封存',
  '보관',
]

/** How far a name is one of an archive: the nearer to the beginning, the better; -1 where it is none. */
export const archiveRank = (name: string): number => archiveNames.indexOf(name.trim().toLowerCase())

/** A folder as ours; `attribute` says what it is for. */
export const fromFolder = (folder: MailFolder, grantId: string, attribute: string | undefined): Folder => ({
  id: folderIdOf(folder.id),
  grant_id: grantId,
  object: 'folder',
  name: folder.name,
  attributes: attribute === undefined ? [] : [attribute],
  ...(folder.parentId === undefined ? {} : { parent_id: folderIdOf(folder.parentId) }),
  ...(folder.children === undefined ? {} : { child_count: folder.children }),
  ...(folder.total === undefined ? {} : { total_count: folder.total }),
  ...(folder.unread === undefined ? {} : { unread_count: folder.unread }),
})
