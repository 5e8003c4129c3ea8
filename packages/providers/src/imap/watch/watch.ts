import type { ImapFlow } from 'imapflow'
import { deletedMessages } from '../../mail/deleted-messages.ts'
import { noPlaces } from '../../mail/message-places.ts'
import type { PlaceMemory } from '../../mail/tables.ts'
import type { ChangeSource, SinceOptions } from '../../provider.ts'
import type { MailChanges } from '../../shared/mail-and-parts.ts'
import { isLost, toApiError } from '../errors.ts'
import type { FolderState } from '../folder-state.ts'
import { askMailboxIds } from '../index/folder-list.ts'
import { beginAt, cursorAt, type FolderCursor, parseCursor, type WatchCursor, writeCursor } from '../mapping/cursor.ts'
import type { Session } from '../session.ts'
import { atOnce, ChangeScan, slackSeconds } from './change-scan.ts'
import { beginGathering, CorrespondentScan, hasUnreadNews, isGathering } from './correspondents.ts'
import { type Deletions, findDeletions } from './deletion-scan.ts'
import { folderChanges } from './folder-changes.ts'
import { differenceOf, hasLost } from './removed-messages.ts'
import { WatchConnection } from './watch-connection.ts'

/** With more folders, watching begins at the first poll instead of at sign-in. */
const maxFolders = 2_000

/** Pause between rounds that collect contacts from older mail. */
const gatheringPauseMs = 150

interface Watching {
  connection: WatchConnection
  inbox?: FolderState | undefined
  /** The folder states of the last poll. */
  polled: ReadonlyMap<string, FolderState>
  /** The cursor from which collecting contacts can continue without a poll. */
  gathering?: string | undefined
  /** Steps at which collecting lost the connection. */
  failedSteps: Set<string>
}

/** The watch connection of a session; closed with it. */
const watchings = new WeakMap<Session, Watching>()

function watchingOf(session: Session): Watching {
  const known = watchings.get(session)
  if (known) return known
  const { accounts, io, traits } = session
  const connection = new WatchConnection({
    account: async () => (await accounts()).imap,
    network: { resolve: io.resolve, secure: io.secure },
    traits,
    pollSeconds: io.pollSeconds,
  })
  const watching: Watching = { connection, polled: new Map(), failedSteps: new Set() }
  watchings.set(session, watching)
  io.signal.addEventListener('abort', () => void end(session), { once: true })
  return watching
}

async function end(session: Session): Promise<void> {
  const known = watchings.get(session)
  watchings.delete(session)
  await known?.connection[Symbol.asyncDispose]()
}

/** A lost connection is closed; the next poll opens a new one. */
async function onConnection<T>(session: Session, work: (watching: Watching) => Promise<T>): Promise<T> {
  try {
    return await work(watchingOf(session))
  } catch (error) {
    if (isLost(error)) await end(session)
    throw toApiError(error)
  }
}

export const changes: MailChanges<Session> = {
  since: (session, cursor, options) =>
    onConnection(session, async (watching) => {
      const watched: Session = { ...session, mailbox: watching.connection.mailbox }
      const isQuiet = cursor !== undefined && cursor === watching.gathering && !watching.connection.hasNews
      try {
        if (isQuiet) return await gatherPeople(watched, watching, parseCursor(cursor), options)
        watching.connection.startPoll()
        return await poll(watched, watching, cursor, options)
      } finally {
        watched.mailbox.forget()
      }
    }),

  wait: (session, signal, limitMs = Number.POSITIVE_INFINITY) =>
    onConnection(session, ({ connection, inbox, polled, gathering }) => {
      const maxMs = Math.min(limitMs, gathering === undefined ? Number.POSITIVE_INFINITY : gatheringPauseMs)
      return connection.wait(signal, (client) => isUnchanged(client, inbox), { polled, maxMs })
    }),
}

/** Whether the selected inbox is as it was polled. */
function isUnchanged({ mailbox }: ImapFlow, inbox: FolderState | undefined): boolean {
  if (!mailbox || !inbox) return false
  const { highestModseq } = mailbox
  const modseq = highestModseq === undefined || inbox.modseq === undefined || String(highestModseq) === inbox.modseq
  return modseq && mailbox.exists === inbox.messages && String(mailbox.uidValidity) === inbox.uidValidity
}

/** The initial cursor of an account that is being authenticated. */
export async function beginning(
  client: ImapFlow,
  list: (client: ImapFlow) => Promise<FolderState[]>,
  now: number,
): Promise<string | undefined> {
  const folders = await list(client)
  return folders.length > maxFolders ? undefined : writeCursor(cursorAt(folders, now))
}

/** Sets the server's folder ids, if it has them. New folders are queried first. */
async function nameFolders(
  { mailbox, io }: Session,
  states: readonly FolderState[],
  known: ReadonlyMap<string, FolderCursor>,
): Promise<void> {
  for (const state of states) {
    const at = known.get(state.path)
    if (at?.uidValidity === state.uidValidity) state.mailboxId = at.mailboxId
  }
  const unnamed = states.filter(
    ({ listedAs, isOpen, mailboxId }) => listedAs !== undefined && isOpen && mailboxId === undefined,
  )
  if (unnamed.length === 0) return
  const ordered = unnamed.toSorted((a, b) => Number(known.has(a.path)) - Number(known.has(b.path)))
  await mailbox.pool.use({ signal: io.signal }, (client) => askMailboxIds(client, ordered))
}

/** One round of collecting contacts, without other changes. */
async function gatherPeople(
  session: Session,
  watching: Watching,
  cursor: WatchCursor,
  options: { notBefore: number },
): Promise<SourceChanges> {
  const states = [...watching.polled.values()]
  const scan = new CorrespondentScan(session, cursor, options)
  const { people, isLost: isBroken } = await scan.round(states, watching.failedSteps)
  if (isBroken) watching.connection.requestPoll()
  const text = writeCursor(cursor)
  const isRead = !isGathering(cursor, states)
  watching.gathering = isRead ? undefined : text
  return { changes: [], people, cursor: text, isRead }
}

type SourceChanges = Awaited<ReturnType<ChangeSource<Session>['since']>>

const pathsOf = (states: Iterable<FolderState>): Set<string> => new Set(Array.from(states, ({ path }) => path))

/** How often folders are listed while they are being renamed. */
const maxListings = 3

/**
 * The current folders. During a rename, a listing may omit a folder. If a folder is missing, it is listed again until
 * two listings agree.
 */
async function listSettled(session: Session, polled: ReadonlyMap<string, FolderState>): Promise<FolderState[]> {
  const poll = (): Promise<FolderState[]> => session.mailbox.readFolders(session.io.signal)
  let before = pathsOf(polled.values())
  let states = await poll()
  for (let listings = 1; listings < maxListings; listings++) {
    const paths = pathsOf(states)
    if (before.isSubsetOf(paths)) break
    before = paths
    states = await poll()
  }
  return states
}

async function poll(
  session: Session,
  watching: Watching,
  text: string | undefined,
  { notBefore, places: memory }: SinceOptions,
): Promise<SourceChanges> {
  const now = Math.floor(session.io.clock.now() / 1000)
  const begun = text ?? session.io.credentials().watch_from
  const states = await listSettled(session, watching.polled)
  watching.inbox = states.find(({ use }) => use === '\\Inbox')
  watching.polled = new Map(states.map((state) => [state.path, state]))
  watching.gathering = undefined
  if (typeof begun !== 'string') {
    return { changes: [], cursor: writeCursor(cursorAt(states, now)) }
  }
  const cursor = parseCursor(begun)
  await nameFolders(session, states, cursor.folders)
  beginGathering(cursor, states)
  await session.mailbox.renew(states, session.io.signal)
  const lost = await hasLost(session, cursor.folders, states)
  const changes = folderChanges(session.grant.id, cursor, states, now)
  const found = new ChangeScan(session, cursor, {
    now,
    mayBeMoved: lost || cursor.isUnsettled,
    folders: states,
  })
  let more = false
  for (const state of states) {
    const at = cursor.folders.get(state.path) ?? {
      ...beginAt(state, now - slackSeconds),
      uidNext: 1,
      modseq: undefined,
      notNewBelow: state.uidNext || Number.MAX_SAFE_INTEGER,
    }
    // Folders that are left for later or cannot be opened are recorded too.
    cursor.folders.set(state.path, at)
    if (!state.isOpen) continue
    if (!isChanged(at, state)) {
      cursor.folders.set(state.path, { ...at, polledAt: now, mailboxId: state.mailboxId })
      continue
    }
    if (found.size >= atOnce) {
      cursor.folders.set(state.path, found.leave(state, at))
      more = true
      continue
    }
    const stands = await found.scanFolder(state, at)
    cursor.folders.set(state.path, stands)
    more ||= hasPending(stands)
  }
  await found.findCopies()
  // A listing is not atomic: a second one shows what left a folder in the meantime.
  const again =
    lost || found.hasAppended ? differenceOf(states, await session.mailbox.readFolders(session.io.signal)) : undefined
  if (again?.lost) found.takeForMoved()
  cursor.isUnsettled = lost && again?.grown === true
  changes.push(...(await found.report(notBefore)))
  const { deleted, places, ...left } = await deletionsOf(session, cursor, { states, memory })
  changes.push(...deletedMessages(deleted, { grantId: session.grant.id, happenedAt: now * 1000 }))
  prune(cursor)
  const next = writeCursor(cursor)
  if (more || left.more || (again?.changed && next !== text)) return { changes, cursor: next, places, more: true }
  // New mail is reported before contacts are collected from it.
  if (changes.length === 0) return { ...(await gatherPeople(session, watching, cursor, { notBefore })), places }
  watching.gathering = isGathering(cursor, states) ? next : undefined
  return { changes, cursor: next, places, ...(next !== text && hasUnreadNews(cursor, states) ? { more: true } : {}) }
}

/** Deleted messages, if the application subscribes to them. Otherwise the stored places are forgotten. */
async function deletionsOf(
  session: Session,
  cursor: WatchCursor,
  { states, memory }: { states: readonly FolderState[]; memory: PlaceMemory | undefined },
): Promise<Omit<Deletions, 'places'> & Pick<SourceChanges, 'places'>> {
  if (memory) return findDeletions(session, cursor, { states, memory })
  const isForgotten = cursor.places.size > 0
  cursor.places.clear()
  cursor.departures = { departed: [], count: 0 }
  return { deleted: [], more: false, ...(isForgotten ? { places: noPlaces } : {}) }
}

const hasPending = ({ came, changed }: FolderCursor): boolean => Boolean(came || changed)

const isChanged = (at: FolderCursor, state: FolderState): boolean =>
  hasPending(at) ||
  at.uidValidity !== state.uidValidity ||
  at.uidNext !== state.uidNext ||
  at.messages !== state.messages ||
  // Without a change counter, only a scan can detect changes.
  state.modseq === undefined ||
  at.modseq !== state.modseq

/** Removes ids that no folder can report again. */
function prune({ folders, recent, appended }: WatchCursor): void {
  const oldest = Math.min(...[...folders.values()].map(({ polledAt }) => polledAt)) - slackSeconds
  recent.prune(oldest)
  appended.prune(oldest)
}
