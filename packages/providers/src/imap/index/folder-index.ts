/**
 * An index of the newest messages of one folder: their places and identities, never their content. It exists only in
 * memory while the account is in use, and is checked against the server's counts before each use.
 *
 * The index contains every message received since `completeSince`. Older messages are added window by window when a list
 * reaches them, with SEARCH SINCE, which every server supports. It may also contain single older messages that a search
 * has found.
 */
import type { ImapFlow } from 'imapflow'
import { checkOpen, fetchByUid } from '../client/commands.ts'
import type { FetchedMessage } from '../client/response-parser.ts'
import type { Entry } from '../entry.ts'
import { isRefused } from '../errors.ts'
import { type FolderState, hasSameMessages } from '../folder-state.ts'
import { dateIn, identityFields, messageKey, readIdentity } from '../mapping/ids.ts'
import { nameCrowded } from './same-message.ts'
import { all, type Keys, searchDay, searchUids } from './search.ts'

/** Folders with at most this many messages are read at once. */
const smallFolder = 1_000
const firstWindow = 300
/** SEARCH uses days of an unknown time zone, so its result is complete only from this much later on. */
const zoneSeconds = 26 * 3600
const daySeconds = 86_400
const fetchAtOnce = 2_000

let revisions = 0

export class FolderIndex {
  readonly path: string
  state: FolderState
  readonly #byUid = new Map<number, Entry>()
  #completeSince = Number.POSITIVE_INFINITY
  /** The day from which messages were searched; undefined if all were. */
  #since: string | undefined
  /** Changes with the content of the index; unique among all indexes. */
  revision = ++revisions

  constructor(state: FolderState) {
    this.path = state.path
    this.state = state
  }

  get completeSince(): number {
    return this.state.messages === 0 ? Number.NEGATIVE_INFINITY : this.#completeSince
  }
  get isComplete(): boolean {
    return this.completeSince === Number.NEGATIVE_INFINITY
  }
  /** Whether the folder was not read yet. */
  get #isUnread(): boolean {
    return this.#completeSince === Number.POSITIVE_INFINITY && this.#byUid.size === 0
  }
  get entries(): Iterable<Entry> {
    return this.#byUid.values()
  }
  get size(): number {
    return this.#byUid.size
  }
  get(uid: number): Entry | undefined {
    return this.#byUid.get(uid)
  }

  /**
   * Adopts a newer state with the same messages. Returns false if the messages differ, so that `renew` must read them
   * first. The state never goes back to an older one.
   */
  follow(state: FolderState): boolean {
    if (state.seenAt < this.state.seenAt) return true
    if (!this.#isUnread && !hasSameMessages(this.state, state)) return false
    this.state = state
    return true
  }

  /** Adopts a newer state: removes deleted messages and reads new ones. The folder is selected. */
  async renew(client: ImapFlow, state: FolderState): Promise<void> {
    if (this.state.uidValidity !== state.uidValidity) {
      this.state = state
      this.revision = ++revisions
      this.#byUid.clear()
      this.#completeSince = Number.POSITIVE_INFINITY
      this.#since = undefined
      return
    }
    if (!this.#isUnread) {
      const present = new Set(await searchUids(client, this.#windowKeys()))
      // Single messages below the window may be deleted or not; they are searched again when needed.
      for (const uid of this.#byUid.keys()) if (!present.has(uid)) this.#byUid.delete(uid)
      this.revision = ++revisions
      await this.#read(
        client,
        [...present].filter((uid) => !this.#byUid.has(uid)),
      )
    }
    // Last, so that a failure before is repeated.
    this.state = state
    this.revision = ++revisions
  }

  /** Extends the index further back, or completely; does nothing if it is complete. The folder is selected. */
  async extend(client: ImapFlow, { allTheWay = false } = {}): Promise<void> {
    if (this.isComplete) return
    const { messages } = this.state
    const further =
      this.#completeSince === Number.POSITIVE_INFINITY ? firstWindow : Math.max(firstWindow, this.#byUid.size * 3)
    const wanted = allTheWay ? messages : further
    if (messages <= smallFolder || wanted >= messages) {
      this.#since = undefined
      await this.#readWindow(client, Number.NEGATIVE_INFINITY)
      return
    }
    // Includes the extra day that lists need, so that the first window is enough where much mail arrives.
    const date = (await dateAt(client, messages - wanted)) - zoneSeconds - daySeconds
    // For folders that are not in order of date, this goes back at least a week.
    const bounded = Math.min(date, this.#completeSince - 7 * daySeconds)
    this.#since = searchDay(bounded)
    await this.#readWindow(client, bounded + zoneSeconds)
  }

  /** Extends the index back to a date; lists are final from that date on. The folder is selected. */
  async reach(client: ImapFlow, date: number): Promise<void> {
    const from = date - daySeconds
    if (this.completeSince <= from) return
    this.#since = searchDay(from - zoneSeconds)
    await this.#readWindow(client, from)
  }

  /** Adds single messages of any age. The folder is selected. */
  async add(client: ImapFlow, uids: readonly number[]): Promise<Entry[]> {
    await this.#read(
      client,
      uids.filter((uid) => !this.#byUid.has(uid)),
    )
    return uids.flatMap((uid) => this.#byUid.get(uid) ?? [])
  }

  #windowKeys(): Keys {
    return this.#since === undefined ? all : [{ word: 'SINCE' }, { word: this.#since }]
  }

  async #readWindow(client: ImapFlow, completeSince: number): Promise<void> {
    const isAtOnce = this.#since === undefined && this.#byUid.size === 0 && this.state.messages <= smallFolder
    if (!isAtOnce || !(await this.#readAtOnce(client))) {
      const uids = await searchUids(client, this.#windowKeys())
      await this.#read(
        client,
        uids.filter((uid) => !this.#byUid.has(uid)),
      )
    }
    this.#completeSince = Math.min(this.#completeSince, completeSince)
    this.revision = ++revisions
  }

  /** Reads a complete folder without a search; false if the server refuses. */
  async #readAtOnce(client: ImapFlow): Promise<boolean> {
    try {
      await this.#readRange(client, '1:*')
      return true
    } catch (error) {
      if (!isRefused(error)) throw error
      return false
    }
  }

  async #read(client: ImapFlow, uids: readonly number[]): Promise<void> {
    for (let at = 0; at < uids.length; at += fetchAtOnce) {
      await this.#readRange(client, uidSet(uids.slice(at, at + fetchAtOnce)))
    }
  }

  async #readRange(client: ImapFlow, range: string): Promise<void> {
    const entries = (await fetchByUid(client, range, indexQuery)).flatMap(
      (message) => entryOf(this.state, message) ?? [],
    )
    nameCrowded(entries)
    for (const entry of entries) this.#byUid.set(entry.uid, entry)
    this.revision = ++revisions
  }
}

const indexQuery = { uid: true, internalDate: true, size: true, headers: [...identityFields] }

/** The index entry of a fetched message. */
function entryOf({ path, uidValidity }: FolderState, message: FetchedMessage): Entry | undefined {
  const { uid, internalDate, size = 0, headers, emailId } = message
  if (uid === undefined) return undefined
  const received = Math.floor(new Date(internalDate ?? Number.NaN).getTime() / 1000)
  const date = Number.isNaN(received) ? dateIn(headers || '') : received
  const identity = readIdentity(headers || '')
  const { messageId, references } = identity
  const key = messageKey(identity, { date, size })
  return { path, uidValidity, uid, date, size, key, emailId, messageId, references }
}

/** When the message with this sequence number was received. */
async function dateAt(client: ImapFlow, sequence: number): Promise<number> {
  const [message] = await client.fetchAll(String(sequence), { internalDate: true })
  checkOpen(client)
  const date = new Date(message?.internalDate ?? 0).getTime()
  return Math.floor(date / 1000) || 0
}

/** UIDs as a sequence set with ranges: `1:3,7`. */
export function uidSet(uids: readonly number[]): string {
  const sorted = [...uids].sort((a, b) => a - b)
  const ranges: string[] = []
  for (let at = 0; at < sorted.length; ) {
    let end = at
    while (sorted[end + 1] === (sorted[end] ?? 0) + 1) end++
    ranges.push(end === at ? `${sorted[at]}` : `${sorted[at]}:${sorted[end]}`)
    at = end + 1
  }
  return ranges.join(',')
}
