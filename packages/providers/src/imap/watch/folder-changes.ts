/** Detects folders that were created, deleted, renamed or changed since the last poll. Pure except for the cursor. */
import type { Change } from '../../provider.ts'
import { listChanges, recordedAttributes } from '../../shared/list-changes.ts'
import { type FolderState, fromState } from '../folder-state.ts'
import type { FolderCursor, WatchCursor } from '../mapping/cursor.ts'
import { folderId } from '../mapping/ids.ts'

export function folderChanges(
  grantId: string,
  cursor: WatchCursor,
  states: readonly FolderState[],
  now: number,
): Change[] {
  const happenedAt = now * 1000
  const renamed = renamedFolders(cursor.folders, states)
  const renames = states.flatMap((state): Change[] => {
    const formerPath = renamed.get(state.path)
    if (formerPath === undefined) return []
    follow(cursor, formerPath, state.path)
    const object = { ...fromState(state, grantId), former_id: folderId(formerPath) }
    return [{ trigger: 'folder.updated', happenedAt, object }]
  })
  const changes = listChanges({
    kind: 'folder',
    grantId,
    happenedAt,
    recorded: new Map(
      [...cursor.folders].map(([path, { attributes }]) => [folderId(path), { name: path, attributes }] as const),
    ),
    listed: states.filter(({ path }) => !renamed.has(path)).map((state) => fromState(state, grantId)),
  })
  for (const state of states) {
    const known = cursor.folders.get(state.path)
    if (known) known.attributes = recordedAttributes(state)
  }
  const paths = new Set(states.map(({ path }) => path))
  for (const path of cursor.folders.keys()) if (!paths.has(path)) cursor.folders.delete(path)
  return [...renames, ...changes]
}

/** The mail of a renamed folder is scanned again: each message is now in a folder with another id. */
function follow({ folders, begun }: WatchCursor, from: string, to: string): void {
  folders.delete(from)
  const began = begun.get(from)
  if (!began) return
  begun.delete(from)
  begun.set(to, began)
}

/**
 * Renamed folders: new path → former path. Folder ids of the server decide if it has them. Otherwise a renamed folder
 * keeps its UIDVALIDITY and its messages (RFC 3501 §6.3.5). If several match, the one with the same last path segment
 * is chosen.
 */
export function renamedFolders(
  known: ReadonlyMap<string, FolderCursor>,
  states: readonly FolderState[],
): Map<string, string> {
  const paths = new Set(states.map(({ path }) => path))
  const gone = new Map([...known].filter(([path]) => !paths.has(path)))
  const renamed = new Map<string, string>()
  if (gone.size === 0) return renamed
  const sharing = Map.groupBy(known.values(), ({ uidValidity }) => uidValidity)
  const come = states.filter(({ path, isOpen }) => isOpen && !known.has(path))
  for (const isMeant of [hasSameId, hasSameName, () => true]) {
    for (const state of come) {
      if (renamed.has(state.path)) continue
      const isOnly = (sharing.get(state.uidValidity)?.length ?? 0) === 1
      const [former] = [...gone].find(([path, at]) => isMeant(path, state, at) && isSameFolder(at, state, isOnly)) ?? []
      if (former === undefined) continue
      gone.delete(former)
      renamed.set(state.path, former)
    }
  }
  return renamed
}

/** Some servers use one UIDVALIDITY for all folders; then only the messages identify a folder. */
function isSameFolder(at: FolderCursor, state: FolderState, isOnly: boolean): boolean {
  const { uidValidity, uidNext, messages, mailboxId } = state
  if (at.mailboxId && mailboxId) return at.mailboxId === mailboxId
  if (uidValidity === '' || at.uidValidity !== uidValidity || uidNext < at.uidNext) return false
  return isOnly || (messages > 0 && at.messages === messages && at.uidNext === uidNext)
}

const hasSameId = (_: string, { mailboxId }: FolderState, at: FolderCursor): boolean =>
  Boolean(mailboxId) && at.mailboxId === mailboxId

/** Whether two paths have the same last segment, like folders inside a renamed one. */
const hasSameName = (former: string, { path, delimiter }: FolderState): boolean =>
  delimiter !== '' && former.split(delimiter).at(-1) === path.split(delimiter).at(-1)
