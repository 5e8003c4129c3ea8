/**
 * Changes of the contacts of the address book, folder by folder. Exchange names the changed contacts, which are then
 * read as they are now. A moved contact leaves one folder and appears in another as another item; its search key
 * stays and shows that it was not deleted.
 */
import type { Change, SinceOptions } from '../../provider.ts'
import { type PartFound, pushedSeconds, type WatchedPart } from '../../shared/watched-parts.ts'
import { messageId, ourId, theirId } from '../ids.ts'
import type { SyncChange } from '../operations/sync.ts'
import { hasPart } from '../scopes.ts'
import type { Session } from '../session.ts'
import { field, property, propertyBytes } from '../types/paths.ts'
import { idAnd } from '../types/shapes.ts'
import { isQuiet, readSync, type SyncedFolder, settled } from '../watch/folder-sync.ts'
import { type PolledFolder, polledFolders } from '../watch/polled-folders.ts'
import { contactFoldersIn } from './contact-folders.ts'
import { shownContact } from './contact-lists.ts'
import { searchKey } from './contacts-api.ts'
import { KnownContacts, type StoredContacts } from './known-contacts.ts'
import { findByKeys, readContacts } from './named-contacts.ts'

export interface WatchedFolder extends SyncedFolder {
  known?: StoredContacts
}

export interface ContactsState {
  /** By id in the API. */
  folders: Record<string, WatchedFolder>
}

const shape = idAnd(field('item:DateTimeCreated'), field('item:LastModifiedTime'), property(searchKey))
const perCall = 512
/** Contacts per round; more take several rounds. */
const maxPerRound = 200
/** Pages of 512 contacts, when a folder is read as a whole. */
const maxPages = 100

/** The result of one poll. */
interface ContactPoll {
  /** The items to notify, by Exchange's ids. */
  changed: Set<string>
  /** Items that left their folder, by their ids in the API, with their search keys. */
  gone: Map<string, Buffer | undefined>
  /** The search keys of items that appeared, as base64. */
  come: Set<string>
  more: boolean
}

interface Reading {
  session: Session
  poll: ContactPoll
  /**
   * At the start of the watch: changes since this time are notified, in milliseconds; undefined for a folder that
   * appeared later.
   */
  from: number | undefined
}

/** The version of an item in a change. */
function versionOf(change: Extract<SyncChange, { kind: 'Create' | 'Update' }>) {
  const { Item: one } = change
  if (one?.kind !== 'Contact' || !one.ItemId) return undefined
  return {
    itemId: one.ItemId.Id,
    id: ourId(one.ItemId.Id),
    changeKey: one.ItemId.ChangeKey,
    searchKey: propertyBytes(one.ExtendedProperty, searchKey),
    changedAt: Math.max(one.LastModifiedTime ?? 0, one.DateTimeCreated ?? 0),
  }
}

/** Processes one change of a folder. */
function take(poll: ContactPoll, known: KnownContacts, change: SyncChange): void {
  if (change.kind === 'ReadFlagChange') return
  if (change.kind === 'Delete') {
    const id = ourId(change.ItemId.Id)
    // An item that is not recorded is a distribution list, unless there are more contacts than can be recorded.
    if (known.has(id) || known.isFull) poll.gone.set(id, known.keyOf(id))
    known.delete(id)
    return
  }
  const version = versionOf(change)
  if (!version) return
  if (!known.has(version.id) && version.searchKey) poll.come.add(version.searchKey.toString('base64'))
  known.add(version)
  poll.changed.add(version.itemId)
}

/** Compares all items of a folder with the records: at the start, and if Exchange has forgotten the sync state. */
async function readWhole(
  { session, poll, from }: Reading,
  id: string,
  before: WatchedFolder,
): Promise<WatchedFolder | undefined> {
  const isForgotten = before.known !== undefined
  const known = new KnownContacts(before.known)
  const now = new KnownContacts()
  let state: string | undefined
  for (let count = 0; count < maxPages; count += 1) {
    const page = await readSync(session, id, { state, shape, size: perCall })
    // Exchange forgot the state between two pages, so the next poll restarts.
    if (page === 'gone' || page === 'forgotten') return page === 'gone' ? undefined : before
    for (const change of page.changes) {
      const version = change.kind === 'Create' || change.kind === 'Update' ? versionOf(change) : undefined
      if (!version) continue
      now.add(version)
      const isOld = isForgotten ? known.isCurrent(version) : from !== undefined && version.changedAt < from
      if (isOld) continue
      poll.changed.add(version.itemId)
      if (version.searchKey) poll.come.add(version.searchKey.toString('base64'))
    }
    state = page.state
    if (!page.more) break
  }
  for (const gone of known.ids()) if (!now.has(gone)) poll.gone.set(gone, known.keyOf(gone))
  return { ...(state === undefined ? {} : { s: state }), known: now.stored() }
}

/** Reads the changes of a folder; returns its new record, or undefined if it was deleted. */
async function readChanges(
  reading: Reading,
  { id }: PolledFolder,
  before: WatchedFolder,
): Promise<WatchedFolder | undefined> {
  if (before.s === undefined) return readWhole(reading, id, before)
  const { session, poll } = reading
  const known = new KnownContacts(before.known)
  let state = before.s
  for (let isMore = true; isMore; ) {
    const page = await readSync(session, id, { state, shape, size: maxPerRound })
    if (page === 'gone') return undefined
    if (page === 'forgotten') {
      session.io.log.warn(
        { grant_id: session.grant.id },
        'Exchange has forgotten what a folder was like; it is compared',
      )
      return readWhole(reading, id, before)
    }
    for (const change of page.changes) take(poll, known, change)
    state = page.state
    isMore = page.more
    if (isMore && poll.changed.size >= maxPerRound) {
      poll.more = true
      return { s: state, known: known.stored(), more: 1 }
    }
  }
  return { s: state, known: known.stored() }
}

/** The contacts of a deleted folder were deleted, or moved before. */
function dropFolder(poll: ContactPoll, { known: stored }: WatchedFolder): void {
  const known = new KnownContacts(stored)
  for (const id of known.ids()) poll.gone.set(id, known.keyOf(id))
}

/** Notifies changed contacts as they are now. */
async function notifyChanged(session: Session, { changed }: ContactPoll): Promise<Change[]> {
  const happenedAt = session.io.clock.now()
  const read = await readContacts(session, [...changed])
  return read
    .flatMap((contact) => shownContact(session, contact))
    .map((object): Change => ({ trigger: 'contact.updated', object, happenedAt }))
}

/** Notifies contacts that are in no folder any more. A contact that may have been moved meanwhile is searched. */
async function notifyDeleted(
  session: Session,
  { gone, come }: ContactPoll,
  isKnown: (id: string) => boolean,
): Promise<Change[]> {
  const missing = [...gone].filter(([, key]) => key === undefined || !come.has(key.toString('base64')))
  const keys = missing.flatMap(([, key]) => key ?? [])
  const moved = await findByKeys(session, keys)
  const happenedAt = session.io.clock.now()
  return missing.flatMap(([id, key]): Change[] => {
    const elsewhere = key && moved.get(key.toString('base64'))
    // An item that was recorded before is another contact, of which this one was a copy.
    if (elsewhere && !isKnown(ourId(elsewhere))) return []
    const itemId = theirId(id) ?? ''
    const object = { id: messageId({ itemId, searchKey: key }), grant_id: session.grant.id, object: 'contact' as const }
    return [{ trigger: 'contact.deleted', object, happenedAt }]
  })
}

const second = 1000

async function since(
  session: Session,
  state: ContactsState | undefined,
  { notBefore, beganAt = notBefore }: SinceOptions,
): Promise<PartFound<ContactsState>> {
  const { folders: all, wellKnown } = await polledFolders(session)
  const ids = { defaultId: wellKnown.get('contacts'), trashId: wellKnown.get('deleteditems') }
  const watched = new Set(
    contactFoldersIn(
      all.map(({ folder }) => folder),
      ids,
    ).map(({ ewsId }) => ewsId),
  )
  const poll: ContactPoll = { changed: new Set(), gone: new Map(), come: new Set(), more: false }
  // Exchange reports times in seconds.
  const from = state ? undefined : Math.floor(beganAt / second) * second
  const folders: Record<string, WatchedFolder> = {}
  for (const polled of all) {
    if (!watched.has(polled.id)) continue
    const id = ourId(polled.id)
    const before = state?.folders[id] ?? {}
    if (isQuiet(before, polled.mark) || poll.more) {
      folders[id] = before
      continue
    }
    const after = await readChanges({ session, poll, from }, polled, before)
    if (after) folders[id] = { ...after, ...settled(before, polled.mark, session.io.clock.now()) }
    else dropFolder(poll, before)
  }
  for (const [id, folder] of Object.entries(state?.folders ?? {})) if (!folders[id]) dropFolder(poll, folder)
  const knownElsewhere = Object.values(state?.folders ?? {}).map(({ known }) => new KnownContacts(known))
  const isKnown = (id: string): boolean => knownElsewhere.some((known) => known.has(id))
  const changes = [...(await notifyChanged(session, poll)), ...(await notifyDeleted(session, poll, isKnown))]
  return {
    changes,
    state: { folders },
    ...(poll.more ? { more: true } : { again: Math.max(pushedSeconds, session.io.pollSeconds) }),
  }
}

export const contacts: WatchedPart<Session, ContactsState> = {
  name: 'contacts',
  isWatched: ({ grant }) => hasPart(grant, 'contacts'),
  since,
}
