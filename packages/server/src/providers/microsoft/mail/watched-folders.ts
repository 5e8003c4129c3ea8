/** What happens to the folders of a mailbox, and which of them are watched. */

import { ApiError } from '../../../lib/api-error.ts'
import type { Change } from '../../provider.ts'
import { type Delta, type DeltaItem, readDeltas, treeCall } from './delta.ts'
import type { Mailbox } from './mail-api.ts'
import { fromFolder } from './mapping/folder.ts'
import type { WatchedFolder } from './watch-state.ts'
import { attributesOf, wellKnownIds } from './well-known-folders.ts'

const maxPages = 50

/** What was read of the folders to the end of a round. */
interface TreeChanges {
  items: DeltaItem[]
  link: string
  /** Whether these are all folders, and what is not among them is gone. */
  isWhole: boolean
}

/** Reads what happened to the folders; `first` is the page that was read already, if one was. */
export async function readTreeChanges(
  mailbox: Mailbox,
  first: Delta | 'resync' | ApiError | undefined,
): Promise<TreeChanges> {
  if (first instanceof ApiError) throw first
  const isWhole = first === undefined || first === 'resync'
  const items = isWhole ? [] : [...first.items]
  let link = isWhole ? undefined : first.link
  let more = isWhole || first.more
  for (let count = 0; more && count < maxPages; count++) {
    const [page] = await readDeltas(mailbox, [treeCall(mailbox, link)])
    if (page instanceof ApiError) throw page
    // Forgotten between two pages: it begins anew.
    if (page === undefined || page === 'resync') return readTreeChanges(mailbox, undefined)
    items.push(...page.items)
    link = page.link
    more = page.more
  }
  return { items, link: link ?? '', isWhole }
}

export interface FoldersAfter {
  folders: Record<string, WatchedFolder>
  changes: Change[]
}

/** The folders after what happened to them, and what is told of it. */
export async function applyTreeChanges(
  mailbox: Mailbox,
  known: Readonly<Record<string, WatchedFolder>>,
  { items, isWhole }: TreeChanges,
): Promise<FoldersAfter> {
  const folders: Record<string, WatchedFolder> = { ...known }
  const changes: Change[] = []
  const seen = new Set<string>()
  const attributes = items.length > 0 ? attributesOf(await wellKnownIds(mailbox)) : new Map<string, string>()
  const { grant, io } = mailbox.session
  const happenedAt = io.clock.now()
  const drop = (id: string): void => {
    const gone = folders[id]
    delete folders[id]
    if (!gone) return
    const object = { id, name: gone.name, grant_id: grant.id, object: 'folder' } as const
    changes.push({ trigger: 'folder.deleted', happenedAt, object })
  }
  for (const item of items) {
    const { id, displayName, parentFolderId: parent } = item
    if (item['@removed'] !== undefined || item.isHidden) {
      drop(id)
      continue
    }
    seen.add(id)
    const before = folders[id]
    const name = displayName ?? before?.name ?? ''
    const isSame = before?.name === name && (parent === undefined || before.parent === parent)
    folders[id] = { ...before, name, ...(parent === undefined ? {} : { parent }) }
    if (isSame) continue
    const object = fromFolder(
      { id, displayName: name, ...(parent ? { parentFolderId: parent } : {}) },
      grant.id,
      attributes.get(id),
    )
    changes.push({ trigger: before ? 'folder.updated' : 'folder.created', happenedAt, object })
  }
  if (isWhole) for (const id of Object.keys(known)) if (!seen.has(id)) drop(id)
  return { folders, changes }
}
