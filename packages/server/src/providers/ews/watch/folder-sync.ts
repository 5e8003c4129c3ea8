/** What changed in one folder, by SyncFolderItems: how far it was read is kept in the cursor of a watch. */
import { hasCode, isMissing } from '../errors.ts'
import { type SyncChange, SyncFolderItems } from '../operations/sync.ts'
import type { Session } from '../session.ts'
import { folder } from '../types/ids.ts'
import type { ItemShape } from '../types/shapes.ts'
import type { FolderMark } from './looked-folders.ts'

/** How far a folder was read, as it is kept. */
export interface SyncedFolder {
  /** Where Exchange goes on; absent where it was not read yet. */
  s?: string
  /** The mark that the folder had at the last look. */
  m?: string
  /** When that mark was first seen, in milliseconds, until the folder was read some time after. */
  t?: number
  /** There is more to be read. */
  more?: 1
  /** While all that is in it is read: only what is newer is told, in milliseconds. */
  from?: number
}

/** Exchange tells times in seconds: what changes in the second of a look leaves the mark as it is. */
const secondMs = 2_000
/** The server's clock and ours differ by less. */
const clocksMs = 300_000

/** Whether nothing happened in a folder since it was read. */
export const isQuiet = ({ s, m, t, more }: SyncedFolder, mark: FolderMark | undefined): boolean =>
  s !== undefined && more === undefined && mark !== undefined && m === mark.text && t === undefined

/** What is kept of the mark of a folder that was read at a time. One that may not have been its last is looked at once more. */
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

/** One page of what changed; `forgotten` where Exchange does not know the state any more, `gone` where there is no such folder. */
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
    // A server that says that there is more and does not get on has no more.
    return { changes, state: next, more: isLast === false && (changes.length > 0 || next !== state) }
  } catch (error) {
    if (state !== undefined && hasCode(error, 'ErrorInvalidSyncStateData')) return 'forgotten'
    if (isMissing(error) || hasCode(error, 'ErrorSyncFolderNotFound')) return 'gone'
    throw error
  }
}
