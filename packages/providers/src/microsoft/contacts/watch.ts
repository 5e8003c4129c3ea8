/**
 * Changes of the contacts of the address book, by a delta query for each folder every five minutes. A delta names the
 * changed contacts, which are then read as they are now. A contact that left a folder and is in another was moved;
 * one that is in none was deleted. If Graph has forgotten the link of a folder, its changed contacts are recognized
 * by their dates, and deletions in that time are not noticed.
 */
import { ApiError } from '@waypost/platform/api-error'
import type { Change, SinceOptions } from '../../provider.ts'
import { isMalformed } from '../../shared/answer.ts'
import { hasAnyScope, type PartFound, type WatchedPart } from '../../shared/watched-parts.ts'
import { isMissing, needsResync } from '../errors.ts'
import { type DeltaPage, deltaPage } from '../graph-pages.ts'
import { mailboxPath, type Session } from '../session.ts'
import { addressBookScopes, contactQuery, graphContact } from './contacts-api.ts'
import { fromGraphContact } from './mapping/contact.ts'
import { pictureUrl } from './pictures.ts'
import {
  changedContact,
  type FolderChanges,
  firstContacts,
  pageSize,
  readDeletedContacts,
  readFolderChanges,
} from './watched-folders.ts'

export interface WatchedFolder {
  /** The delta link; empty if the folder was not read yet. */
  link: string
  /** This round has more pages. */
  more?: true
  /**
   * The watch started, or Graph has forgotten the link: only contacts that changed after this time are notified, in
   * milliseconds.
   */
  after?: number
}

export interface ContactsState {
  /** The delta link of the folders. */
  tree: string
  /** By id. */
  folders: Record<string, WatchedFolder>
  /**
   * When the links were issued, in milliseconds. Links without changes are reused for a while, so that nothing is
   * written.
   */
  taken: number
  /** The newest change that was seen, in milliseconds of Microsoft's clock. */
  newest: number
}

const everySeconds = 300
/** Graph does not document how long links are valid. They are renewed after this time even without changes. */
const linkMs = 86_400_000
/** Pages of one folder that one poll reads. */
const maxPages = 10
const prefer = [`odata.maxpagesize=${pageSize}`]
const scopes = new Set(addressBookScopes)
/** When each session last polled, in milliseconds. */
const polled = new WeakMap<Session, number>()

type ContactDelta = { id: string; '@removed'?: unknown; lastModifiedDateTime?: string }

/** The result of one poll. */
interface ContactPoll {
  /** The contacts to notify, in the order in which they were first named. */
  ids: Set<string>
  newest: number
  more: boolean
}

const changedAt = ({ lastModifiedDateTime: at }: ContactDelta): number => Date.parse(at ?? '') || 0

/** Takes what a page tells. */
function take(poll: ContactPoll, { after }: WatchedFolder, items: readonly ContactDelta[]): void {
  for (const item of items) {
    const at = changedAt(item)
    poll.newest = Math.max(poll.newest, at)
    if (after === undefined || at > after) poll.ids.add(item.id)
  }
}

/** The next page of a folder. If Graph has forgotten the link, the folder restarts. */
async function pageOf(
  session: Session,
  id: string,
  folder: WatchedFolder,
  newest: number,
): Promise<{ folder: WatchedFolder; page: DeltaPage<ContactDelta> }> {
  const anew = () => deltaPage(session, firstContacts(session, id), changedContact)
  if (folder.link === '') return { folder, page: await anew() }
  try {
    return { folder, page: await deltaPage(session, { link: folder.link, prefer }, changedContact) }
  } catch (error) {
    if (!needsResync(error)) throw error
    return { folder: { ...folder, after: folder.after ?? newest }, page: await anew() }
  }
}

/** Reads the changes of a folder; returns how to continue, or undefined if it was deleted. */
async function readChanges(
  session: Session,
  id: string,
  before: WatchedFolder,
  poll: ContactPoll,
  newest: number,
): Promise<WatchedFolder | undefined> {
  let folder = before
  for (let count = 0; count < maxPages; count += 1) {
    const read = await pageOf(session, id, folder, newest).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })
    if (read === undefined) return undefined
    const { page } = read
    take(poll, read.folder, page.items)
    if (page.next === undefined) return { link: page.delta ?? folder.link }
    folder = { ...read.folder, link: page.next, more: true }
  }
  poll.more = true
  return folder
}

/**
 * The folders as they are now. All contacts of a new folder are new in the address book; at the start of the watch
 * only later ones are notified.
 */
async function foldersAfter(
  session: Session,
  state: ContactsState | undefined,
  { there, gone, whole }: FolderChanges,
  poll: ContactPoll,
  beganAt: number,
): Promise<Record<string, WatchedFolder>> {
  const folders: Record<string, WatchedFolder> = { ...state?.folders }
  for (const id of there) folders[id] ??= state ? { link: '' } : { link: '', after: beganAt }
  const lost = whole ? Object.keys(folders).filter((id) => !there.includes(id)) : []
  for (const id of new Set([...gone, ...lost])) {
    if (!folders[id]) continue
    delete folders[id]
    for (const contact of await readDeletedContacts(session, id)) poll.ids.add(contact)
  }
  return folders
}

/**
 * The contacts as they are now, 20 per request. A contact that is in none of the folders, or does not exist, was
 * deleted.
 */
async function tell(session: Session, ids: readonly string[], folders: ReadonlySet<string>): Promise<Change[]> {
  const happenedAt = session.io.clock.now()
  const calls = ids.map((id) => ({
    path: mailboxPath(session, `contacts/${encodeURIComponent(id)}`),
    query: contactQuery,
  }))
  const answers = await session.batch(calls, graphContact)
  return ids.flatMap((id, place): Change[] => {
    const answer = answers[place]
    if (answer instanceof ApiError && isMalformed(answer)) return []
    if (answer instanceof ApiError && !isMissing(answer)) throw answer
    if (answer instanceof ApiError || !answer || !folders.has(answer.parentFolderId ?? '')) {
      const object = { id, grant_id: session.grant.id, object: 'contact' as const }
      return [{ trigger: 'contact.deleted', object, happenedAt }]
    }
    const object = fromGraphContact(answer, session.grant.id, pictureUrl(session, id))
    return [{ trigger: 'contact.updated', object, happenedAt }]
  })
}

async function inspect(
  session: Session,
  state: ContactsState | undefined,
  { now, beganAt }: { now: number; beganAt: number },
): Promise<PartFound<ContactsState>> {
  const poll: ContactPoll = { ids: new Set(), newest: state?.newest ?? 0, more: false }
  const tree = await readFolderChanges(session, state?.tree)
  const folders = await foldersAfter(session, state, tree, poll, beganAt)
  const known = new Set(Object.keys(folders))
  for (const [id, folder] of Object.entries(folders)) {
    const after = await readChanges(session, id, folder, poll, state?.newest ?? 0)
    if (after) folders[id] = after
    else delete folders[id]
  }
  const changes = await tell(session, [...poll.ids], known)
  const isQuiet = changes.length === 0 && !poll.more && !hasNew(state, folders)
  if (state && isQuiet && now - state.taken < linkMs) return { changes, state, again: everySeconds }
  const next: ContactsState = { tree: tree.link, folders, taken: now, newest: poll.newest }
  return { changes, state: next, ...(poll.more ? { more: true } : { again: everySeconds }) }
}

/** Whether there are other folders than before, or some that were not read to their end. */
const hasNew = (state: ContactsState | undefined, folders: ContactsState['folders']): boolean => {
  const before = Object.entries(state?.folders ?? {})
  return before.length !== Object.keys(folders).length || before.some(([id, { link }]) => !folders[id] || link === '')
}

async function since(
  session: Session,
  state: ContactsState | undefined,
  { notBefore, beganAt = notBefore }: SinceOptions,
): Promise<PartFound<ContactsState>> {
  const now = session.io.clock.now()
  const left = (polled.get(session) ?? 0) + everySeconds * 1000 - now
  if (state && left > 0 && !isUnfinished(state)) return { changes: [], state, again: Math.ceil(left / 1000) }
  const found = await inspect(session, state, { now, beganAt })
  polled.set(session, now)
  return found
}

/** Whether a folder is in the middle of a round. */
const isUnfinished = ({ folders }: ContactsState): boolean => Object.values(folders).some(({ more }) => more)

export const contacts: WatchedPart<Session, ContactsState> = {
  name: 'contacts',
  polled: true,
  isWatched: (session) => hasAnyScope(session, scopes),
  since,
}
