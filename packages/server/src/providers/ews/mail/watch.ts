/**
 * What happens to the mail of an account, folder by folder: each change is told once, because where Exchange goes on is kept
 * with what was told. A message that is moved goes from one folder and comes to another as another item: by what stays with
 * it, it is known that it is no new one. Where Exchange has forgotten what a folder was like, what came or changed since the
 * last look is found among all that is in it.
 */
import { recentOf, slackSeconds, withRecent } from '../../mail/told-messages.ts'
import type { SinceOptions } from '../../provider.ts'
import { type PartFound, pushedSeconds, type WatchedPart } from '../../shared/watched-parts.ts'
import { messagePlace } from '../ids.ts'
import type { SyncChange } from '../operations/sync.ts'
import { hasPart } from '../scopes.ts'
import type { Session } from '../session.ts'
import { field } from '../types/paths.ts'
import { idAnd } from '../types/shapes.ts'
import { isQuiet, readSync, settled } from '../watch/folder-sync.ts'
import { lookedFolders } from '../watch/looked-folders.ts'
import { type MailItem, mailboxFor, mailIn } from './mail-api.ts'
import { itemIdOf, namePaths, placeOf } from './mapping/names.ts'
import { messageNotifications } from './message-notifications.ts'
import type { MailState, WatchedFolder } from './watch-state.ts'
import { foldersAfter, type SeenFolder, seenFolders } from './watched-folders.ts'

const shape = idAnd(...namePaths, field('item:LastModifiedTime'))
/** So many messages are told at a time; more in several rounds. */
const toldAtOnce = 200
const changesPerCall = 200
/** Of a folder that is read as a whole. */
const itemsPerCall = 512
/** So many folders are read at a look. */
const mostRead = 50
/** So many are watched; those of a mailbox with more have not all of their changes told. */
const mostWatched = 1_000

/** What one look finds: items by their ids, with the names that stay with them. */
interface Found {
  come: Map<string, string>
  changed: Set<string>
  newest: number
}

/** A message that Exchange names. */
interface Named {
  itemId: string
  name: string
  /** Milliseconds; undefined where it was never received. */
  received: number | undefined
  modified: number
}

function namedOf(item: MailItem): Named | undefined {
  if (item.IsDraft || !item.ItemId) return undefined
  return {
    itemId: itemIdOf(item),
    name: placeOf(item).id,
    received: item.DateTimeReceived,
    modified: item.LastModifiedTime ?? 0,
  }
}

/** Says of the changes of a folder which messages came or changed. */
function judgeOf(state: MailState) {
  const recent = recentOf(state)
  const isNewSince = ({ name, received }: Named, since: number): boolean =>
    !recent.has(name) && received !== undefined && received >= since
  return ({ from }: WatchedFolder, change: SyncChange, found: Found): void => {
    if (change.kind === 'Delete') return
    if (change.kind === 'ReadFlagChange') {
      if (from === undefined) found.changed.add(change.ItemId.Id)
      return
    }
    const [item] = mailIn(change.Item ? [change.Item] : [])
    const named = item && namedOf(item)
    if (!named) return
    found.newest = Math.max(found.newest, named.modified)
    if (isNewSince(named, from === undefined ? state.at - slackSeconds * 1000 : from - 1000)) {
      found.come.set(named.itemId, named.name)
    } else if (from === undefined || (state.newest > 0 && named.modified > state.newest)) {
      // Not all that is in a folder has changed.
      found.changed.add(named.itemId)
    }
  }
}

/** A folder that is read from its beginning because Exchange has forgotten what it was like. */
function anew({ io, grant }: Session, { s: _, from: __, ...folder }: WatchedFolder, from: number): WatchedFolder {
  io.log.warn(
    { grant_id: grant.id },
    'Exchange has forgotten what a folder was like; messages are looked for by their dates',
  )
  return { ...folder, from, more: 1 }
}

interface Reading {
  session: Session
  state: MailState
  notBefore: number
  found: Found
  judge: ReturnType<typeof judgeOf>
}

/** One page of a folder: how far it is read then. */
async function readFolder(
  { session, state, notBefore, found, judge }: Reading,
  { ewsId, mark }: SeenFolder,
  before: WatchedFolder,
): Promise<WatchedFolder> {
  const size = before.from === undefined ? changesPerCall : itemsPerCall
  const page = await readSync(session, ewsId, { state: before.s, shape, size })
  // One that is just going is not there at the next look.
  if (page === 'gone') return before
  if (page === 'forgotten') return anew(session, before, Math.max(notBefore, state.at - slackSeconds * 1000))
  for (const change of page.changes) judge(before, change, found)
  const { name, parent, from } = before
  return {
    name,
    ...(parent === undefined ? {} : { parent }),
    s: page.state,
    ...(page.more ? { more: 1, ...(from === undefined ? {} : { from }) } : {}),
    ...settled(before, mark, session.io.clock.now()),
  }
}

async function since(
  session: Session,
  known: MailState | undefined,
  { notBefore }: SinceOptions,
): Promise<PartFound<MailState>> {
  const now = session.io.clock.now()
  const looked = await lookedFolders(session)
  const seen = seenFolders(looked).slice(0, mostWatched)
  const { folders, changes } = foldersAfter(session, known?.folders, seen, looked)
  const state: MailState = known ?? { folders, at: now, recent: {}, newest: 0 }
  // Where watching begins, what came since the grant was made is told.
  if (!known) for (const folder of Object.values(folders)) folder.from = notBefore
  const found: Found = { come: new Map(), changed: new Set(), newest: state.newest }
  const reading: Reading = { session, state, notBefore, found, judge: judgeOf(state) }
  let left = mostRead
  for (const each of seen) {
    const before = folders[each.id]
    if (!before || isQuiet(before, each.mark)) continue
    // The others are read in the next round.
    if (left-- <= 0 || found.come.size + found.changed.size >= toldAtOnce) folders[each.id] = { ...before, more: 1 }
    else folders[each.id] = await readFolder(reading, each, before)
  }
  const more = Object.values(folders).some((folder) => folder.more)
  const come = [...found.come.keys()]
  const changed = [...found.changed].filter((itemId) => !found.come.has(itemId))
  const messages = await messageNotifications(mailboxFor(session), { come, changed, notBefore })
  const told = messages.flatMap(({ trigger, object: { id, date } }) => {
    const name = trigger === 'message.created' ? found.come.get(messagePlace(id)?.itemId ?? '') : undefined
    return name === undefined ? [] : [{ id: name, date }]
  })
  const isTold = messages.length + changes.length > 0 || more
  const at = more || (known && !isTold) ? state.at : now
  const next = withRecent({ folders, at, recent: state.recent, newest: found.newest }, told)
  return {
    changes: [...changes, ...messages],
    state: next,
    ...(more ? { more } : { again: Math.max(pushedSeconds, session.io.pollSeconds) }),
  }
}

export const mail: WatchedPart<Session, MailState> = {
  name: 'mail',
  isWatched: ({ grant }) => hasPart(grant, 'messages'),
  since,
}
