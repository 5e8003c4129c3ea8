/**
 * Changes of the mail of an account, folder by folder. The cursor stores the sync states of the folders together with the
 * messages that were notified, so each change is notified once. A moved message leaves one folder and appears in another as
 * another item; its lasting name shows that it is not new. If Exchange no longer knows a sync state, the folder is read as a
 * whole and new and changed messages are recognized by their dates.
 */

import { deletedMessages } from '../../mail/deleted-messages.ts'
import { isArrival, messageNotifications } from '../../mail/exchange/message-notifications.ts'
import type { Departures } from '../../mail/message-places.ts'
import { isUndecided, noPlaces } from '../../mail/message-places.ts'
import type { ToldMessages } from '../../mail/reported-messages.ts'
import { recentOf, slackSeconds, withRecent } from '../../mail/reported-messages.ts'
import type { SinceOptions } from '../../provider.ts'
import { type PartFound, pushedSeconds, type WatchedPart } from '../../shared/watched-parts.ts'
import { messagePlace } from '../ids.ts'
import type { SyncChange } from '../operations/sync.ts'
import { hasPart } from '../scopes.ts'
import type { Session } from '../session.ts'
import { field } from '../types/paths.ts'
import { idAnd } from '../types/shapes.ts'
import { isQuiet, readSync, settled } from '../watch/folder-sync.ts'
import { polledFolders } from '../watch/polled-folders.ts'
import { FolderDeletions } from './folder-deletions.ts'
import { type MailItem, mailboxFor, mailIn } from './mail-api.ts'
import { itemIdOf, namePaths, placeOf } from './mapping/names.ts'
import { notifiedMail } from './message-notifications.ts'
import type { WatchedFolder } from './watched-folders.ts'
import { foldersAfter, type SeenFolder, seenFolders } from './watched-folders.ts'

/** The state of watching the mail of an account, stored in the cursor. */
export interface MailState extends ToldMessages {
  /** By id in the API. */
  folders: Record<string, WatchedFolder>
  /** The newest change that was seen, in milliseconds of the server's clock. */
  newest: number
  /** If deletions are notified: messages that left their places, and the number of stored places. */
  departures?: Departures
}

const shape = idAnd(...namePaths, field('item:LastModifiedTime'))
/** Messages per round; more take several rounds. */
const maxPerRound = 200
const changesPerCall = 200
/** Items per call when a folder is read as a whole. */
const itemsPerCall = 512
/** Folders that one poll reads; the others follow in the next round. */
const maxFoldersRead = 50
/** A mailbox with more folders has changes in the others that are not notified. */
const maxFoldersWatched = 1_000

/** The result of one poll. */
interface PolledChanges {
  /** Lasting names by item id. */
  arrived: Map<string, string>
  changed: Set<string>
  newest: number
  /** Undefined if deletions are not notified. */
  deletions: FolderDeletions | undefined
}

/** A message of a change. */
interface ChangedMessage {
  itemId: string
  name: string
  /** Milliseconds; undefined if it was never received. */
  received: number | undefined
  modified: number
}

function namedOf(item: MailItem): ChangedMessage | undefined {
  if (item.IsDraft || !item.ItemId) return undefined
  return {
    itemId: itemIdOf(item),
    name: placeOf(item).id,
    received: item.DateTimeReceived,
    modified: item.LastModifiedTime ?? 0,
  }
}

/** Decides whether a message of a change arrived, changed or neither. */
function judgeOf(state: MailState) {
  const recent = recentOf(state)
  return ({ from }: WatchedFolder, folderId: string, change: SyncChange, found: PolledChanges): void => {
    found.deletions?.note(folderId, change)
    if (change.kind === 'Delete') return
    if (change.kind === 'ReadFlagChange') {
      if (from === undefined) found.changed.add(change.ItemId.Id)
      return
    }
    const [item] = mailIn(change.Item ? [change.Item] : [])
    const named = item && namedOf(item)
    if (!named) return
    found.newest = Math.max(found.newest, named.modified)
    const since = from === undefined ? state.at - slackSeconds * 1000 : from - 1000
    if (isArrival(named, { recent, since })) {
      found.arrived.set(named.itemId, named.name)
    } else if (from === undefined || (state.newest > 0 && named.modified > state.newest)) {
      // A folder that is read as a whole also contains messages that did not change.
      found.changed.add(named.itemId)
    }
  }
}

/** A folder that is read from the start because Exchange no longer knows its sync state. */
function restarted({ io, grant }: Session, { s: _, from: __, ...folder }: WatchedFolder, from: number): WatchedFolder {
  io.log.warn(
    { grant_id: grant.id },
    'Exchange no longer knows the state of a folder; new messages are found by their dates',
  )
  return { ...folder, from, more: 1 }
}

/** Reads folders as a whole, because the places of their messages are not stored yet. */
function readAgain(folders: MailState['folders'], from: number): void {
  for (const [id, { s: _, ...folder }] of Object.entries(folders)) folders[id] = { ...folder, from, more: 1 }
}

interface Reading {
  session: Session
  state: MailState
  notBefore: number
  found: PolledChanges
  judge: ReturnType<typeof judgeOf>
}

/** Reads one page of a folder; returns how far it is read then. */
async function readFolder(
  { session, state, notBefore, found, judge }: Reading,
  { id, ewsId, mark }: SeenFolder,
  before: WatchedFolder,
): Promise<WatchedFolder> {
  const size = before.from === undefined ? changesPerCall : itemsPerCall
  const page = await readSync(session, ewsId, { state: before.s, shape, size })
  // A folder that was just deleted is missing at the next poll.
  if (page === 'gone') return before
  if (page === 'forgotten') return restarted(session, before, Math.max(notBefore, state.at - slackSeconds * 1000))
  for (const change of page.changes) judge(before, id, change, found)
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
  { notBefore, places }: SinceOptions,
): Promise<PartFound<MailState>> {
  const now = session.io.clock.now()
  const polled = await polledFolders(session)
  const seen = seenFolders(polled).slice(0, maxFoldersWatched)
  const { folders, changes } = foldersAfter(session, known?.folders, seen, polled)
  const state: MailState = known ?? { folders, at: now, recent: {}, newest: 0 }
  // The first poll notifies the messages since the grant was created.
  if (!known) for (const folder of Object.values(folders)) folder.from = notBefore
  else if (places && !known.departures) readAgain(folders, Math.max(notBefore, state.at - slackSeconds * 1000))
  const deletions = places && new FolderDeletions(session, places, state.departures)
  const found: PolledChanges = { arrived: new Map(), changed: new Set(), newest: state.newest, deletions }
  const reading: Reading = { session, state, notBefore, found, judge: judgeOf(state) }
  let left = maxFoldersRead
  for (const each of seen) {
    const before = folders[each.id]
    if (!before || isQuiet(before, each.mark)) continue
    // The others are read in the next round.
    if (left-- <= 0 || found.arrived.size + found.changed.size >= maxPerRound) folders[each.id] = { ...before, more: 1 }
    else folders[each.id] = await readFolder(reading, each, before)
  }
  for (const id of Object.keys(state.folders)) if (!folders[id]) deletions?.forget(id)
  const isRest = Object.values(folders).some((folder) => folder.more)
  const settled = await deletions?.settle(!isRest)
  const more = isRest || (settled !== undefined && isUndecided(settled))
  const arrived = [...found.arrived.keys()]
  const changed = [...found.changed].filter((itemId) => !found.arrived.has(itemId))
  const messages = await messageNotifications(notifiedMail, mailboxFor(session), { arrived, changed, notBefore })
  const notified = messages.flatMap(({ trigger, object: { id, date } }) => {
    const name = trigger === 'message.created' ? found.arrived.get(messagePlace(id)?.itemId ?? '') : undefined
    return name === undefined ? [] : [{ id: name, date }]
  })
  const deleted = deletedMessages(settled?.deleted ?? [], { grantId: session.grant.id, happenedAt: now })
  const isNotified = messages.length + changes.length > 0 || more
  const at = more || (known && !isNotified) ? state.at : now
  const departures = settled && { departures: { departed: settled.departed, count: settled.count } }
  const next = withRecent({ folders, at, recent: state.recent, newest: found.newest, ...departures }, notified)
  return {
    changes: [...changes, ...messages, ...deleted],
    state: next,
    places: settled?.changes ?? (state.departures && noPlaces),
    ...(more ? { more } : { again: Math.max(pushedSeconds, session.io.pollSeconds) }),
  }
}

export const mail: WatchedPart<Session, MailState> = {
  name: 'mail',
  isWatched: ({ grant }) => hasPart(grant, 'messages'),
  since,
}
