/** Changes messages where they lie: all copies of a message alike. */
import type { ImapFlow } from 'imapflow'
import type { MailChange } from '../operations.ts'
import { checkOpen, execute } from './command.ts'
import type { FolderState } from './directory.ts'
import { refusedWith } from './errors.ts'
import { type Entry, uidSet } from './folder-index.ts'
import type { Group } from './groups.ts'
import { locate } from './locate.ts'
import { searchUids } from './search.ts'
import { folderOf, type Session } from './session.ts'

/** Runs `work` for the places of each folder. */
async function byFolder(
  session: Session,
  entries: readonly Entry[],
  work: (client: ImapFlow, uids: string) => Promise<unknown>,
): Promise<void> {
  for (const [path, places] of Map.groupBy(entries, (entry) => entry.path)) {
    await session.mailbox.in(path, { signal: session.io.signal }, async (client) => {
      // imapflow says only that a change failed; the response code says why.
      let code = ''
      const hear = (response: { code?: string | undefined }): void => {
        code = response.code?.toUpperCase() ?? ''
      }
      client.on('response', hear)
      try {
        const done = await work(client, uidSet(places.map(({ uid }) => uid)))
        if (!done) checkOpen(client)
        if (done === false) throw refusedWith(code, {}, `the mail server did not make the change in ${path}`)
      } finally {
        client.off('response', hear)
      }
    })
  }
}

/** Applies a change to messages: folders first, then the marks on what is there then. */
export async function changeGroups(
  session: Session,
  groups: readonly Group[],
  change: MailChange,
  folders: readonly FolderState[],
): Promise<void> {
  const targets = change.folders?.map((id) => folderOf(folders, id, 'folders').path)
  const { unread, starred } = change
  const entries = groups.flatMap((group) => group.entries)
  // Marks go with a message when it is moved or copied.
  const mark = async (flag: string, on: boolean): Promise<void> =>
    byFolder(session, entries, (client, uids) =>
      on ? client.messageFlagsAdd(uids, [flag], { uid: true }) : client.messageFlagsRemove(uids, [flag], { uid: true }),
    )
  if (unread !== undefined) await mark('\\Seen', !unread)
  if (starred !== undefined) await mark('\\Flagged', starred)
  if (targets)
    for (const group of groups) await place(session, group, { targets: new Set(targets), views: viewsOf(folders) })
}

const viewsOf = (folders: readonly FolderState[]): Set<string> =>
  new Set(folders.flatMap(({ path, isView }) => (isView ? [path] : [])))

interface Goal {
  targets: ReadonlySet<string>
  views: ReadonlySet<string>
  /** A view counts as a place where there is no other: what goes to the trash is in no view any more. */
  leavesViews?: boolean
}

/** Brings a message into exactly these folders, beside the views that show it: it is never in none of them. */
async function place(session: Session, { entries }: Group, { targets, views, leavesViews }: Goal): Promise<void> {
  const missing = [...targets].filter((path) => !entries.some((entry) => entry.path === path))
  const outside = entries.filter((entry) => !targets.has(entry.path))
  const lying = outside.filter(({ path }) => !views.has(path))
  const surplus = lying.length === 0 && leavesViews ? outside.slice(0, 1) : lying
  const stays = entries.find((entry) => targets.has(entry.path))
  // What is moved stands for the last copy that is needed; the others are copied before.
  const [moved] = surplus
  const movedTo = moved ? missing.at(-1) : undefined
  const source = stays ?? moved ?? entries[0]
  for (const path of missing) {
    if (source && path !== movedTo)
      await byFolder(session, [source], (client, uid) => client.messageCopy(uid, path, { uid: true }))
  }
  if (moved && movedTo !== undefined) await byFolder(session, [moved], (client, uid) => moveUids(client, uid, movedTo))
  await remove(session, movedTo === undefined ? surplus : surplus.filter((entry) => entry !== moved))
}

const remove = (session: Session, entries: readonly Entry[]): Promise<void> => byFolder(session, entries, removeUids)

async function moveUids(client: ImapFlow, uids: string, to: string): Promise<unknown> {
  if (client.capabilities.has('MOVE')) return client.messageMove(uids, to, { uid: true })
  const copied = await client.messageCopy(uids, to, { uid: true })
  return copied && removeUids(client, uids)
}

/**
 * Removes messages for ever. Without UIDPLUS a server can only remove all that are marked as deleted: those that somebody
 * else has marked, and perhaps wants back, lose the mark for the moment.
 */
async function removeUids(client: ImapFlow, uids: string): Promise<boolean> {
  if (client.capabilities.has('UIDPLUS')) return client.messageDelete(uids, { uid: true })
  await client.noop()
  const others = uidSet(
    await searchUids(client, [{ word: 'DELETED' }, { word: 'NOT' }, { word: 'UID' }, { word: uids }]),
  )
  const deleted = ['\\Deleted']
  if (others !== '') await client.messageFlagsRemove(others, deleted, { uid: true })
  try {
    if (!(await client.messageFlagsAdd(uids, deleted, { uid: true }))) return false
    await execute(client, 'EXPUNGE', [])
    return true
  } finally {
    if (others !== '' && client.usable) await client.messageFlagsAdd(others, deleted, { uid: true })
  }
}

/** Moves messages to the trash; what is there already stays. */
export async function moveToTrash(
  session: Session,
  groups: readonly Group[],
  folders: readonly FolderState[],
): Promise<void> {
  const trash = await trashOf(session, folders)
  const goal = { targets: new Set([trash]), views: viewsOf(folders), leavesViews: true }
  for (const group of groups) await place(session, group, goal)
}

async function trashOf(session: Session, folders: readonly FolderState[]): Promise<string> {
  const known = folders.find((folder) => folder.use === '\\Trash')
  if (known) return known.path
  const made = await session.mailbox.pool.use({ signal: session.io.signal }, (client) => client.mailboxCreate('Trash'))
  return made.path
}

/**
 * Removes messages for ever. Servers that show all mail in one folder put away what is removed from another: there a
 * message goes by way of the trash.
 */
export async function removeForEver(
  session: Session,
  groups: readonly Group[],
  folders: readonly FolderState[],
): Promise<void> {
  const views = viewsOf(folders)
  const isShown = ({ entries }: Group): boolean => entries.some(({ path }) => views.has(path))
  const shown = groups.filter(isShown)
  await remove(
    session,
    groups.filter((group) => !isShown(group)).flatMap((group) => group.entries),
  )
  if (shown.length === 0) return
  await moveToTrash(session, shown, folders)
  const trash = await trashOf(session, folders)
  for (const { id } of shown) {
    const { group } = await locate(session, id)
    await remove(
      session,
      group.entries.filter(({ path }) => path === trash),
    )
  }
}
