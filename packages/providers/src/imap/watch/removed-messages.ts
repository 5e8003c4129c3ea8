/**
 * Detects that messages left folders between two polls. If so, a new message in another folder may have been moved
 * there: a server does not report where a message was before.
 */
import type { FolderState } from '../folder-state.ts'
import { searchUids } from '../index/search.ts'
import type { FolderCursor } from '../mapping/cursor.ts'
import type { Session } from '../session.ts'
import { renamedFolders } from './folder-changes.ts'

type Seen = Pick<FolderState, 'uidValidity' | 'uidNext' | 'messages'>

/** `unknown` if the counts cannot decide: some servers leave gaps between UIDs or do not report UIDNEXT. */
export function lossOf(
  before: Seen,
  after: (Seen & Pick<FolderState, 'isOpen'>) | undefined,
): 'none' | 'some' | 'unknown' {
  if (before.messages === 0) return 'none'
  if (!after?.isOpen || after.uidValidity !== before.uidValidity || after.messages < before.messages) return 'some'
  if (after.uidNext === 0) return 'unknown'
  return after.messages >= before.messages + after.uidNext - before.uidNext ? 'none' : 'unknown'
}

/** Whether a folder has fewer messages than it had plus those that arrived. */
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

/** Number of messages with this UID or a higher one. */
async function countFrom({ mailbox, io }: Session, { path }: FolderState, from: number): Promise<number> {
  const keys = [{ word: 'UID' }, { word: `${from}:*` }]
  const uids = await mailbox.in(path, { signal: io.signal }, (client) => searchUids(client, keys))
  // For a range beyond the end, servers return the last message.
  return uids.filter((uid) => uid >= from).length
}

/** How the folders changed between two consecutive listings. */
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
