/** Changes messages in place, all copies alike. */
import { ApiError } from '@waypost/platform/api-error'
import type { ImapFlow } from 'imapflow'
import type { MailChange } from '../operations.ts'
import { checkOpen, execute } from './client/commands.ts'
import type { Entry, Group } from './entry.ts'
import { refusedWith } from './errors.ts'
import type { FolderState } from './folder-state.ts'
import { readBytesOf } from './index/copies.ts'
import { uidSet } from './index/folder-index.ts'
import { locateAgain } from './index/locate.ts'
import { areSame, undecided } from './index/same-message.ts'
import { searchUids } from './index/search.ts'
import { folderOf, type Session } from './session.ts'

/** Runs `work` for the copies in each folder. */
async function byFolder(
  session: Session,
  entries: readonly Entry[],
  work: (client: ImapFlow, uids: string) => Promise<unknown>,
): Promise<void> {
  for (const [path, places] of Map.groupBy(entries, (entry) => entry.path)) {
    await session.mailbox.in(path, { signal: session.io.signal }, async (client) => {
      // imapflow only reports that a change failed; the response code has the reason.
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

/** Applies a change: folders first, then flags. */
export async function changeGroups(
  session: Session,
  groups: readonly Group[],
  change: MailChange,
  folders: readonly FolderState[],
): Promise<void> {
  const targets = change.folders?.map((id) => folderOf(folders, id, 'folders').path)
  const { unread, starred } = change
  const entries = groups.flatMap((group) => group.entries)
  // Flags are kept when a message is moved or copied.
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
  /** The other copies are moved to the one that is in place. A view counts as a place only if there is no other. */
  toTrash?: boolean
}

/**
 * Moves a message into exactly these folders (views excluded). It is never in no folder at all. All copies are moved.
 * A copy is deleted only if the message leaves one folder and stays in another.
 */
async function place(session: Session, { entries }: Group, { targets, views, toTrash }: Goal): Promise<void> {
  if (undecided(entries).length > 0) throw new Error('copies are compared before they are changed')
  const staying = entries.filter((entry) => targets.has(entry.path))
  const outside = entries.filter((entry) => !targets.has(entry.path))
  const lying = outside.filter(({ path }) => !views.has(path))
  const leaving = lying.length === 0 && toTrash ? outside.slice(0, 1) : lying
  const missing = [...targets].filter((path) => !staying.some((entry) => entry.path === path))
  const movedTo = leaving.length === 0 ? undefined : (missing.at(-1) ?? (toTrash ? [...targets].at(-1) : undefined))
  const source = staying[0] ?? leaving[0] ?? entries[0]
  for (const path of missing) {
    if (source && path !== movedTo)
      await byFolder(session, [source], (client, uid) => client.messageCopy(uid, path, { uid: true }))
  }
  if (movedTo !== undefined) await moveAll(session, leaving, movedTo)
  else await removeCopies(session, leaving, staying)
}

/** Moves all copies of a message. On some servers, moving the first one also moves the others. */
async function moveAll(session: Session, [first, ...others]: readonly Entry[], to: string): Promise<void> {
  if (!first) return
  await byFolder(session, [first], (client, uid) => moveUids(client, uid, to))
  await byFolder(session, others, async (client, uids) => {
    await client.noop()
    const left = await searchUids(client, [{ word: 'UID' }, { word: uids }])
    return left.length === 0 || moveUids(client, uidSet(left), to)
  })
}

/** Deletes copies of a message after checking that another copy exists. */
async function removeCopies(session: Session, copies: readonly Entry[], staying: readonly Entry[]): Promise<void> {
  if (copies.length === 0) return
  for (const { path, uid } of staying) {
    const { signal } = session.io
    const found = await session.mailbox.in(path, { signal }, async (client) => {
      await client.noop()
      return searchUids(client, [{ word: 'UID' }, { word: String(uid) }])
    })
    if (found.includes(uid)) return remove(session, copies)
  }
  throw new ApiError('conflict', 'another program changed the message meanwhile; nothing was removed, try again')
}

const remove = (session: Session, entries: readonly Entry[]): Promise<void> => byFolder(session, entries, removeUids)

async function moveUids(client: ImapFlow, uids: string, to: string): Promise<unknown> {
  if (client.capabilities.has('MOVE')) return client.messageMove(uids, to, { uid: true })
  const copied = await client.messageCopy(uids, to, { uid: true })
  return copied && removeUids(client, uids)
}

/**
 * Deletes messages permanently. Without UIDPLUS a server can only delete all messages with \Deleted. So the flag is
 * removed temporarily from messages that another program has marked.
 */
async function removeUids(client: ImapFlow, uids: string): Promise<boolean> {
  if (client.capabilities.has('UIDPLUS')) return client.messageDelete(uids, { uid: true })
  await client.noop()
  // Some servers cannot search with NOT.
  const own = new Set(await searchUids(client, [{ word: 'UID' }, { word: uids }]))
  const others = uidSet((await searchUids(client, [{ word: 'DELETED' }])).filter((uid) => !own.has(uid)))
  const deleted = ['\\Deleted']
  if (others !== '' && !(await client.messageFlagsRemove(others, deleted, { uid: true }))) return false
  try {
    if (!(await client.messageFlagsAdd(uids, deleted, { uid: true }))) return false
    await execute(client, 'EXPUNGE', [])
    return true
  } finally {
    if (others !== '' && client.usable) await client.messageFlagsAdd(others, deleted, { uid: true })
  }
}

/** Moves messages to the trash; those already there stay. */
export async function moveToTrash(
  session: Session,
  groups: readonly Group[],
  folders: readonly FolderState[],
): Promise<void> {
  const trash = await trashOf(session, folders)
  const goal = { targets: new Set([trash]), views: viewsOf(folders), toTrash: true }
  for (const group of groups) await place(session, group, goal)
}

async function trashOf(session: Session, folders: readonly FolderState[]): Promise<string> {
  const known = folders.find((folder) => folder.use === '\\Trash')
  if (known) return known.path
  const made = await session.mailbox.pool.use({ signal: session.io.signal }, (client) => client.mailboxCreate('Trash'))
  return made.path
}

/**
 * Deletes messages permanently. Servers with an all-mail folder only archive a deleted message, so there it is moved
 * to the trash first.
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
  // Reads the identity of the message first, so that it can be found in the trash.
  await readBytesOf(
    session,
    shown.flatMap(({ entries }) => entries.filter(({ emailId }) => emailId === undefined).slice(0, 1)),
  )
  await moveToTrash(session, shown, folders)
  const trash = await trashOf(session, folders)
  for (const old of shown) {
    const { group } = await locateAgain(session, old, new Set([trash]))
    const there = group.entries.filter(({ path }) => path === trash)
    await readBytesOf(
      session,
      there.filter(({ emailId }) => emailId === undefined),
    )
    await remove(
      session,
      there.filter((entry) => old.entries.some((known) => areSame(entry, known))),
    )
  }
}
