/** The folders of a mailbox: a tree next to the list, or a select field on a phone. */
import { Link } from 'wouter'
import { count } from '../../format.ts'
import { isFor, type ShownFolder } from './folder-tree.ts'
import { MailIcon, type MailIconName } from './mail-icons.tsx'
import { everywhere, type MailPlace, searchOf } from './place.ts'

const icons: readonly (readonly [attribute: string, icon: MailIconName])[] = [
  ['\\Inbox', 'inbox'],
  ['\\Drafts', 'draft'],
  ['\\Sent', 'sent'],
  ['\\Junk', 'junk'],
  ['\\Trash', 'trash'],
  ['\\Archive', 'archive'],
]

interface FoldersProps {
  folders: readonly ShownFolder[]
  current: string
  place: MailPlace
  /** Path of the mailbox page. */
  at: string
}

/** Link to a folder. */
const pageOf = (at: string, place: MailPlace, folder: string): string =>
  `${at}${searchOf({ ...place, folder, open: undefined, filter: {} })}`

const badge = (unread: number): string => (unread > 999 ? '999+' : count(unread))

export function FolderTree({ folders, current, place, at }: FoldersProps) {
  return (
    <nav className="mail-folders" aria-label="Folders">
      {folders.map(({ folder, name, depth }) => {
        const icon = icons.find(([attribute]) => isFor(folder, attribute))?.[1] ?? 'folder'
        const unread = isFor(folder, '\\Drafts') ? 0 : (folder.unread_count ?? 0)
        return (
          <Link
            key={folder.id}
            href={pageOf(at, place, folder.id)}
            aria-current={folder.id === current ? 'page' : undefined}
            style={{ paddingInlineStart: 8 + Math.min(depth, 6) * 14 }}
            title={folder.name}
          >
            <MailIcon name={icon} />
            <span className="folder-name">{name}</span>
            {unread > 0 && (
              <span className="folder-count">
                {badge(unread)}
                <span className="hidden"> unread</span>
              </span>
            )}
          </Link>
        )
      })}
      <Link href={pageOf(at, place, everywhere)} aria-current={current === everywhere ? 'page' : undefined}>
        <MailIcon name="archive" />
        <span className="folder-name">All folders</span>
      </Link>
    </nav>
  )
}

/** The folders as a select field. */
export function FolderChoice({
  folders,
  current,
  onChoose,
}: Pick<FoldersProps, 'folders' | 'current'> & { onChoose(folder: string): void }) {
  return (
    <label className="mail-folder-choice">
      <span className="hidden">Folder</span>
      <select className="input" value={current} onChange={(event) => onChoose(event.currentTarget.value)}>
        {folders.map(({ folder, name, depth }) => (
          <option key={folder.id} value={folder.id}>
            {'\u00a0\u00a0'.repeat(depth)}
            {name}
            {folder.unread_count ? ` (${badge(folder.unread_count)})` : ''}
          </option>
        ))}
        <option value={everywhere}>All folders</option>
      </select>
    </label>
  )
}
