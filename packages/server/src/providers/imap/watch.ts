/**
 * What changed in a mailbox, from cursors alone: no mail is kept to compare with.
 *
 * A message with a UID that was not there before has come, or was moved or copied. It has come if it was received after
 * the folder was last looked at (with an hour to spare for clocks), and was not told of lately under another place;
 * otherwise it was moved, and is told as changed. Changes of marks are found by the server's count of changes (CONDSTORE),
 * or by comparing which messages of the last month are unread and starred. A message that is gone is not told.
 */
import type { Message } from '@waypost/contract'
import type { ImapFlow } from 'imapflow'
import type { Change, ChangeSource } from '../provider.ts'
import { accountsOfGrant } from './account.ts'
import { completeCopies } from './candidates.ts'
import { fetchByUid } from './command.ts'
import { threadIdsOf } from './conversations.ts'
import type { FolderState } from './directory.ts'
import { isLost, toApiError } from './errors.ts'
import { type Entry, entryOf, indexQuery, uidSet } from './folder-index.ts'
import { type Group, groupEntries } from './mailbox.ts'
import {
  attributesOf,
  beginAt,
  type FolderCursor,
  parseCursor,
  recentHash,
  type WatchCursor,
  writeCursor,
} from './mapping/cursor.ts'
import { fromState } from './mapping/folder.ts'
import { fromReading } from './mapping/message.ts'
import { readAll } from './reading.ts'
import { since as receivedSince, searchUids } from './search.ts'
import type { Session } from './session.ts'
import { WatchLine } from './watch-line.ts'

/** Clocks of servers differ by less. */
const slackSeconds = 3600
const recentAtMost = 4_096
/** Without a count of changes, marks of messages older than this are not compared. */
const comparedSeconds = 30 * 86_400
/** More messages than this are told in several rounds. */
const atOnce = 100

interface Watching {
  line: WatchLine
  inbox?: FolderState | undefined
}

/** The line of a session that watches; ended with it. */
const lines = new WeakMap<Session, Watching>()

function watchingOf(session: Session): Watching {
  const known = lines.get(session)
  if (known) return known
  const { grant, io } = session
  const line = new WatchLine({
    account: () => accountsOfGrant(grant, io.credentials()).imap,
    ways: { resolve: io.resolve, secure: io.secure },
    pollSeconds: io.pollSeconds,
  })
  const watching: Watching = { line }
  lines.set(session, watching)
  io.signal.addEventListener('abort', () => void end(session), { once: true })
  return watching
}

async function end(session: Session): Promise<void> {
  const known = lines.get(session)
  lines.delete(session)
  await known?.line[Symbol.asyncDispose]()
}

/** A failure ends the line: the next look begins with a new one. */
async function onLine<T>(session: Session, work: (watching: Watching) => Promise<T>): Promise<T> {
  try {
    return await work(watchingOf(session))
  } catch (error) {
    if (isLost(error)) await end(session)
    throw toApiError(error)
  }
}

export const changes: ChangeSource<Session> = {
  since: (session, cursor, options) =>
    onLine(session, async (watching) => {
      watching.line.looking()
      const watched: Session = { ...session, mailbox: watching.line.mailbox }
      try {
        return await lookAround(watched, watching, cursor, options)
      } finally {
        watched.mailbox.forget()
      }
    }),

  wait: (session, signal) =>
    onLine(session, ({ line, inbox }) =>
      line.wait(signal, (client) => {
        const { mailbox } = client
        if (!mailbox || !inbox) return false
        const modseq =
          mailbox.highestModseq === undefined ||
          inbox.modseq === undefined ||
          String(mailbox.highestModseq) === inbox.modseq
        return modseq && mailbox.exists === inbox.messages && String(mailbox.uidValidity) === inbox.uidValidity
      }),
    ),
}

/** Where watching begins, for an account that is just being authenticated. */
export async function beginning(
  client: ImapFlow,
  list: (client: ImapFlow) => Promise<FolderState[]>,
  now: number,
): Promise<string> {
  const folders = await list(client)
  const begun = folders.slice(0, 200).map((state) => [state.path, beginAt(state, now)] as const)
  return writeCursor({ folders: new Map(begun), recent: new Map() })
}

async function lookAround(
  session: Session,
  watching: Watching,
  text: string | undefined,
  { notBefore }: { notBefore: number },
) {
  const now = Math.floor(session.io.clock.now() / 1000)
  const begun = text ?? session.io.credentials().watch_from
  const states = await session.mailbox.look(session.io.signal)
  watching.inbox = states.find(({ use }) => use === '\\Inbox')
  if (typeof begun !== 'string') {
    const folders = states.map((state) => [state.path, beginAt(state, now)] as const)
    return { changes: [], cursor: writeCursor({ folders: new Map(folders), recent: new Map() }) }
  }
  const cursor = parseCursor(begun)
  await session.mailbox.renew(states, session.io.signal)
  const changes = folderChanges(session, cursor, states, now)
  const found = new Finds(session, cursor)
  let more = false
  for (const state of states) {
    const at = cursor.folders.get(state.path) ?? {
      ...beginAt(state, now - slackSeconds),
      uidNext: 1,
      modseq: undefined,
    }
    if (!isChanged(at, state)) {
      cursor.folders.set(state.path, { ...at, lookedAt: now })
      continue
    }
    if (found.size >= atOnce) {
      more = true
      continue
    }
    cursor.folders.set(state.path, await found.lookInto(state, at, now))
  }
  changes.push(...(await found.tell(notBefore)))
  prune(cursor)
  return { changes, cursor: writeCursor(cursor), ...(more ? { more } : {}) }
}

const isChanged = (at: FolderCursor, state: FolderState): boolean =>
  at.uidValidity !== state.uidValidity ||
  at.uidNext !== state.uidNext ||
  at.messages !== state.messages ||
  // Without a count of changes a look is the only way to know.
  state.modseq === undefined ||
  at.modseq !== state.modseq

function folderChanges(session: Session, cursor: WatchCursor, states: readonly FolderState[], now: number): Change[] {
  const changes: Change[] = []
  const happenedAt = now * 1000
  const tell = (trigger: 'folder.created' | 'folder.updated', state: FolderState): void => {
    changes.push({ trigger, happenedAt, object: fromState(state, session.grant.id) })
  }
  const paths = new Set(states.map(({ path }) => path))
  for (const state of states) {
    const known = cursor.folders.get(state.path)
    if (!known) tell('folder.created', state)
    else if (known.attributes !== attributesOf(state)) {
      known.attributes = attributesOf(state)
      tell('folder.updated', state)
    }
  }
  for (const path of cursor.folders.keys()) {
    if (paths.has(path)) continue
    cursor.folders.delete(path)
    const { id, name, grant_id, object } = fromState(goneFolder(path), session.grant.id)
    changes.push({ trigger: 'folder.deleted', happenedAt, object: { id, name, grant_id, object } })
  }
  return changes
}

const goneFolder = (path: string): FolderState => ({
  path,
  delimiter: '',
  attributes: [],
  messages: 0,
  unseen: 0,
  uidNext: 0,
  uidValidity: '',
})

/** What was found in one round, each message once. */
class Finds {
  readonly #session: Session
  readonly #cursor: WatchCursor
  readonly #come: Entry[] = []
  readonly #changed: Entry[] = []

  constructor(session: Session, cursor: WatchCursor) {
    this.#session = session
    this.#cursor = cursor
  }

  get size(): number {
    return this.#come.length + this.#changed.length
  }

  /** Looks into one folder; answers where it stands then. */
  async lookInto(state: FolderState, at: FolderCursor, now: number): Promise<FolderCursor> {
    const { mailbox, io } = this.#session
    return mailbox.in(state.path, { signal: io.signal }, async (client) => {
      const same = at.uidValidity === state.uidValidity
      const from = same ? at.uidNext : 1
      const fresh = state.messages === 0 ? [] : await fetchEntries(client, state.path, `${from}:*`)
      // What came after the look is left for the next one, which then knows of all its changes.
      const came = fresh.filter(({ uid }) => uid >= from && uid < state.uidNext)
      for (const entry of came) this.#judge(entry, at, same)
      const marks = await this.#marks(client, state, same ? at : undefined)
      return { ...beginAt(state, now), ...marks }
    })
  }

  /** Whether a message with a new UID has come, or was here before. */
  #judge(entry: Entry, at: FolderCursor, same: boolean): void {
    if (this.#isOld(entry)) return
    const told = this.#cursor.recent.has(recentHash(entry.id))
    if (!told && entry.date >= at.lookedAt - slackSeconds) this.#come.push(entry)
    // A folder that was numbered anew has moved nothing.
    else if (same) this.#changed.push(entry)
  }

  /** Older than the grant: never told of. */
  #isOld(entry: Entry): boolean {
    return entry.date < (this.#session.grant.created_at ?? 0) - 60
  }

  /** Adds the messages whose marks changed; `at` is where the folder stood, none when it was numbered anew. */
  async #marks(client: ImapFlow, state: FolderState, at: FolderCursor | undefined): Promise<Partial<FolderCursor>> {
    const { path } = state
    if (state.modseq !== undefined) {
      if (at?.modseq === undefined || at.modseq === state.modseq || at.uidNext <= 1) return {}
      const options = { changedSince: BigInt(at.modseq) }
      const changed = await fetchByUid(client, `1:${at.uidNext - 1}`, { uid: true, flags: true }, options)
      await this.#add(
        client,
        path,
        changed.map(({ uid }) => uid).filter((uid) => uid < at.uidNext),
      )
      return {}
    }
    const recent = receivedSince(this.#session.io.clock.now() / 1000 - comparedSeconds)
    const unseen = uidSet(await searchUids(client, [...recent, { word: 'UNSEEN' }]))
    const flagged = uidSet(await searchUids(client, [...recent, { word: 'FLAGGED' }]))
    if (at?.unseen !== undefined) {
      const differing = [...difference(at.unseen, unseen), ...difference(at.flagged, flagged)]
      // Messages that are gone differ too; the server leaves them out.
      await this.#add(
        client,
        path,
        differing.filter((uid) => uid < at.uidNext),
      )
    }
    return { unseen, flagged }
  }

  async #add(client: ImapFlow, path: string, uids: readonly number[]): Promise<void> {
    if (uids.length === 0) return
    const entries = await fetchEntries(client, path, uidSet(uids))
    this.#changed.push(...entries.filter((entry) => !this.#isOld(entry)))
  }

  /** The messages of this round as they are now: those that came, then those that changed, each once. */
  async tell(notBefore: number): Promise<Change[]> {
    const come = groupEntries(this.#come)
    const ids = new Set(come.map(({ id }) => id))
    const changed = groupEntries(this.#changed.filter(({ id }) => !ids.has(id)))
    for (const { id, date } of come) this.#cursor.recent.set(recentHash(id), date)
    const told = await Promise.all([
      this.#messages('message.created', come.reverse(), notBefore),
      changed.length === 0
        ? []
        : this.#messages('message.updated', await completeCopies(this.#session, changed.reverse()), notBefore),
    ])
    return told.flat()
  }

  async #messages(
    trigger: 'message.created' | 'message.updated',
    groups: readonly Group[],
    notBefore: number,
  ): Promise<Change[]> {
    if (groups.length === 0) return []
    const readings = await readAll(this.#session, groups, { fields: 'standard', content: true })
    const threads = await threadIdsOf(
      this.#session,
      readings.map(({ group }) => group),
    )
    return readings.map((reading, place) => {
      const at = { grantId: this.#session.grant.id, threadId: threads[place] ?? '', fields: 'standard' } as const
      const object: Message = fromReading(reading, at)
      return { trigger, object, happenedAt: Math.max(reading.group.date * 1000, notBefore) }
    })
  }
}

async function fetchEntries(client: ImapFlow, path: string, range: string): Promise<Entry[]> {
  const messages = await fetchByUid(client, range, indexQuery)
  return messages.flatMap((message) => entryOf(path, message) ?? [])
}

/** The numbers that are in one of two sets only. */
function difference(before: string | undefined, after: string): number[] {
  const a = numbersOf(before ?? '')
  const b = numbersOf(after)
  return [...a.symmetricDifference(b)]
}

function numbersOf(set: string): Set<number> {
  const numbers = new Set<number>()
  for (const range of set === '' ? [] : set.split(',')) {
    const [from = 0, to = from] = range.split(':').map(Number)
    for (let uid = from; uid <= to && numbers.size < 100_000; uid++) numbers.add(uid)
  }
  return numbers
}

/** Forgets what no folder can bring up again. */
function prune({ folders, recent }: WatchCursor): void {
  const oldest = Math.min(...[...folders.values()].map(({ lookedAt }) => lookedAt)) - slackSeconds
  for (const [hash, date] of recent) if (date < oldest) recent.delete(hash)
  for (const hash of [...recent.keys()].slice(0, Math.max(0, recent.size - recentAtMost))) recent.delete(hash)
}
