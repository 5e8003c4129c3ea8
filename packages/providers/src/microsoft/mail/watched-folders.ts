/** Changes of the folders of a mailbox, and the list of watched folders. */

import { ApiError } from '@waypost/platform/api-error'
import type { Change } from '../../provider.ts'
import { listChanges } from '../../shared/list-changes.ts'
import { type Delta, type DeltaItem, readDeltas, treeCall } from './delta.ts'
import type { GraphFolder, Mailbox } from './mail-api.ts'
import { fromFolder } from './mapping/folder.ts'
import { attributesOf, wellKnownIds } from './well-known-folders.ts'

/** The state of a folder, stored in the cursor. */
export interface WatchedFolder {
  name: string
  parent?: string
  /** The delta link of its messages, as a path of Graph; absent if it was not read yet. */
  link?: string
  /** While the whole folder is read: only messages since this time are notified, in milliseconds. */
  from?: number
}

const maxPages = 50

/** The changes of the folders up to the end of a round. */
interface TreeChanges {
  items: DeltaItem[]
  link: string
  /** Whether these are all folders, so that missing ones were deleted. */
  isWhole: boolean
}

/** Reads the changes of the folders; `first` is the page that was already read. */
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
    // Graph forgot the link between two pages, so the round restarts.
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

/** A folder of a delta, which contains only the fields that changed. */
function mergedFolder({ id, displayName, parentFolderId }: DeltaItem, before: WatchedFolder | undefined): GraphFolder {
  const parent = parentFolderId ?? before?.parent
  return {
    id,
    displayName: displayName ?? before?.name ?? '',
    ...(parent === undefined ? {} : { parentFolderId: parent }),
  }
}

/** The watched folders after changes, and the notifications of them. */
export async function applyTreeChanges(
  mailbox: Mailbox,
  before: Readonly<Record<string, WatchedFolder>>,
  { items, isWhole }: TreeChanges,
): Promise<FoldersAfter> {
  if (items.length === 0 && !isWhole) return { folders: { ...before }, changes: [] }
  const attributes = attributesOf(await wellKnownIds(mailbox))
  const { grant, io } = mailbox.session
  const isRemoved = (item: DeltaItem): boolean => item['@removed'] !== undefined || item.isHidden === true
  const listed = items.filter((item) => !isRemoved(item)).map((item) => mergedFolder(item, before[item.id]))
  const there = new Set(listed.map(({ id }) => id))
  const removed = items.filter(isRemoved).map(({ id }) => id)
  const deleted = isWhole ? Object.keys(before).filter((id) => !there.has(id)) : removed
  const folders: Record<string, WatchedFolder> = { ...before }
  for (const id of deleted) delete folders[id]
  for (const { id, displayName: name = '', parentFolderId: parent } of listed) {
    folders[id] = { ...before[id], name, ...(parent === undefined ? {} : { parent }) }
  }
  const changes = listChanges({
    kind: 'folder',
    grantId: grant.id,
    happenedAt: io.clock.now(),
    recorded: new Map(Object.entries(before).map(([id, { name, parent }]) => [id, { name, parent_id: parent }])),
    listed: listed.map((folder) => fromFolder(folder, grant.id, attributes.get(folder.id))),
    deleted,
  })
  return { folders, changes }
}
