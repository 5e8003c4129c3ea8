import type { Folder } from '@waypost/contract'
import { type ExchangeFolder, folderFrom, folderUses } from '../../../mail/exchange/mapping.ts'
import { isHidden } from '../../folder-list.ts'
import type { Folder as EwsFolder } from '../../types/folder.ts'
import type { DistinguishedName } from '../../types/ids.ts'
import { field, type Path } from '../../types/paths.ts'
import type { WellKnownIds } from '../../well-known-folders.ts'
import { folderIdOf } from './names.ts'

/** The special-use attributes of folders that every mailbox has, by Exchange's names for them. */
export const uses = folderUses satisfies Partial<Record<DistinguishedName, string>>

/** The requested fields of mail folders, in addition to those of all folders. */
export const mailPaths: readonly Path[] = [
  field('folder:TotalCount'),
  field('folder:ChildFolderCount'),
  field('folder:UnreadCount'),
]

/** A folder of mail; its ids are Exchange's own. */
export interface MailFolder extends ExchangeFolder {
  isHidden: boolean
}

/** Folders for other purposes have a class; a folder without one is for mail. */
const isForMail = ({ kind, FolderClass = '' }: EwsFolder): boolean =>
  kind === 'Folder' && (FolderClass === '' || /^IPF(?:$|\.Note\b|\.Imap\b)/i.test(FolderClass))

/** A mail folder; undefined if the folder has another purpose. */
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

/** Outlook's names of the archive folder in its languages; no server reports it in another way. */
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

/** The rank of a name among those of an archive; lower is better, -1 if it is none. */
const archiveRank = (name: string): number => archiveNames.indexOf(name.trim().toLowerCase())

export const fromFolder = (folder: MailFolder, grantId: string, attribute: string | undefined): Folder =>
  folderFrom(
    {
      ...folder,
      id: folderIdOf(folder.id),
      parentId: folder.parentId === undefined ? undefined : folderIdOf(folder.parentId),
    },
    grantId,
    attribute,
  )

/**
 * The special-use attributes of folders by id. Servers do not report the archive: it is a folder at the top with its
 * name.
 */
export function attributesOf(ids: WellKnownIds, folders: readonly MailFolder[]): Map<string, string> {
  const known = Object.entries(uses).flatMap(([name, use]): [string, string][] => {
    const id = ids.get(name as keyof typeof uses)
    return id === undefined ? [] : [[id, use]]
  })
  const root = ids.get('msgfolderroot')
  const [archive] = folders
    .filter(
      ({ id, parentId, name }) => parentId === root && archiveRank(name) >= 0 && !known.some(([own]) => own === id),
    )
    .sort((a, b) => archiveRank(a.name) - archiveRank(b.name))
  return new Map([...known, ...(archive ? [[archive.id, '\\Archive'] as const] : [])])
}
