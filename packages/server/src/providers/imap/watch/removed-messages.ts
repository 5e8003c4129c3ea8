/**
 * Whether messages left folders between two looks. While any did, a message that is new to another folder may be one of
 * them: what a server tells of a message does not say where it was before.
 */
import type { FolderState } from '../index/folder-list.ts'
import { searchUids } from '../index/search.ts'
import type { FolderCursor } from '../mapping/cursor.ts'
import type { Session } from '../session.ts'
import { renamedFolders } from './folder-changes.ts'

type Seen = Pick<FolderState, 'uidValidity' | 'uidNext' | 'messages'>

/** `unknown` where the counts leave it open: not every server gives out UIDs without gaps, or says which comes next. */
export function lossOf(
  before: Seen,
  after: (Seen & Pick<FolderState, 'isOpen'>) | undefined,
): 'none' | 'some' | 'unknown' {
  if (before.messages === 0) return 'none'
  if (!after?.isOpen || after.uidValidity !== before.uidValidity || after.messages < before.messages) return 'some'
  if (after.uidNext === 0) return 'unknown'
  return after.messages >= before.messages + after.uidNext - before.uidNext ? 'none' : 'unknown'
}

/** Whether a folder holds fewer messages than it held, and got, since the last look. */
export async function hasLost(
  session: Session,
  known: ReadonlyMap<string, FolderCursor>,
  states: readonly FolderState[],
): Promise<boolean> {
  const byPath = new Map(states.map((state) => [state.path, state]))
  for (const [path, former] of renamedFolders(known, states)) {
    const state = byPath.get(path)
    if (state) byPath.set(former, state)
  }
  const open: [FolderCursor, FolderState][] = []
  for (const [path, at] of known) {
    const state = byPath.get(path)
    const loss = lossOf(at, state)
    if (loss === 'some') return true
    if (loss === 'unknown' && state) open.push([at, state])
  }
  for (const [at, state] of open)
    if (state.messages < at.messages + (await countFrom(session, state, at.uidNext))) return true
  return false
}

/** How many messages have a UID from one on. */
async function countFrom({ mailbox, io }: Session, { path }: FolderState, from: number): Promise<number> {
  const keys = [{ word: 'UID' }, { word: `${from}:*` }]
  const uids = await mailbox.in(path, { signal: io.signal }, (client) => searchUids(client, keys))
  // A server gives the last message for a range beyond it.
  return uids.filter((uid) => uid >= from).length
}

/** How the folders changed from one look to another that followed at once. */
export function differenceOf(
  before: readonly FolderState[],
  after: readonly FolderState[],
): { lost: boolean; grown: boolean; changed: boolean } {
  const now = new Map(after.map((state) => [state.path, state]))
  const known = new Set(before.map(({ path }) => path))
  const lost = before.some((state) => lossOf(state, now.get(state.path)) !== 'none')
  const grown =
    after.some(({ path }) => !known.has(path)) ||
    before.some((state) => {
      const { uidNext = 0, messages = 0 } = now.get(state.path) ?? {}
      return uidNext > state.uidNext || messages > state.messages
    })
  return { lost, grown, changed: lost || grown }
}
