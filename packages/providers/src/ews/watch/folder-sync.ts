/** The changes in one folder, by SyncFolderItems; the cursor of a watch stores the sync state. */
import { hasCode, isMissing } from '../errors.ts'
import { type SyncChange, SyncFolderItems } from '../operations/sync.ts'
import type { Session } from '../session.ts'
import { folder } from '../types/ids.ts'
import type { ItemShape } from '../types/shapes.ts'
import type { FolderMark } from './polled-folders.ts'

/** The stored state of a folder. */
export interface SyncedFolder {
  /** The sync state; absent if the folder was not read yet. */
  s?: string
  /** The mark of the folder at the last poll. */
  m?: string
  /** When that mark was first seen, in milliseconds, until the folder was read some time after. */
  t?: number
  /** There are more changes. */
  more?: 1
  /** While the whole folder is read: only newer items are notified, in milliseconds. */
  from?: number
}

/** Exchange reports times in seconds: a second change within the second of a poll does not change the mark. */
const secondMs = 2_000
/** Tolerance for differences between the server's clock and ours. */
const clocksMs = 300_000

/** Whether nothing happened in a folder since it was read. */
export const isQuiet = ({ s, m, t, more }: SyncedFolder, mark: FolderMark | undefined): boolean =>
  s !== undefined && more === undefined && mark !== undefined && m === mark.text && t === undefined

/** The stored mark of a folder that was read. If it may not be final, the folder is read once more. */
export function settled(
  before: SyncedFolder,
  mark: FolderMark | undefined,
  now: number,
): Pick<SyncedFolder, 'm' | 't'> {
  if (mark === undefined) return {}
  const seen = before.m === mark.text ? (before.t ?? 0) : now
  const isLast = now - seen >= secondMs || now - mark.at >= clocksMs
  return isLast ? { m: mark.text } : { m: mark.text, t: seen }
}

export interface SyncPage {
  changes: SyncChange[]
  state: string
  more: boolean
}

/**
 * One page of changes; `forgotten` if Exchange does not know the state any more, `gone` if the folder does not exist.
 */
export async function readSync(
  session: Session,
  id: string,
  { state, shape, size }: { state: string | undefined; shape: ItemShape; size: number },
): Promise<SyncPage | 'forgotten' | 'gone'> {
  try {
    const answer = await session.call(SyncFolderItems, {
      ItemShape: shape,
      SyncFolderId: folder(id),
      ...(state === undefined ? {} : { SyncState: state }),
      MaxChangesReturned: size,
    })
    const { Changes: changes = [], SyncState: next = state ?? '', IncludesLastItemInRange: isLast } = answer
    // A server that announces more and makes no progress has no more.
    return { changes, state: next, more: isLast === false && (changes.length > 0 || next !== state) }
  } catch (error) {
    if (state !== undefined && hasCode(error, 'ErrorInvalidSyncStateData')) return 'forgotten'
    if (isMissing(error) || hasCode(error, 'ErrorSyncFolderNotFound')) return 'gone'
    throw error
  }
}
