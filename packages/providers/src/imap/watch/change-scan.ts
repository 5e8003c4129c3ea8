/** Collects the changes of one poll: new and changed messages, each once. */
import type { Message } from '@waypost/contract'
import type { ImapFlow } from 'imapflow'
import { happenedAt } from '../../mail/message-notifications.ts'
import type { Change } from '../../provider.ts'
import { fetchByUid } from '../client/commands.ts'
import type { FetchedMessage } from '../client/response-parser.ts'
import type { Entry, Group } from '../entry.ts'
import type { FolderState } from '../folder-state.ts'
import { threadIdsOf } from '../index/conversations.ts'
import { compare, completeCopies } from '../index/copies.ts'
import { FolderIndex, uidSet } from '../index/folder-index.ts'
import { groupEntries } from '../index/groups.ts'
import { since as receivedSince, searchUids } from '../index/search.ts'
import { beginAt, type FolderCursor, numbersOf, type WatchCursor } from '../mapping/cursor.ts'
import { fromReading } from '../reading/message.ts'
import { readAll } from '../reading/read-messages.ts'
import type { Session } from '../session.ts'
import { Appended, clockSeconds, isOlderThanGrant } from './appended-messages.ts'
import { readArrived } from './arrived-mail.ts'

/** Clocks of servers differ by less. */
export const slackSeconds = 3600
/** On servers without a change counter, flags of older messages are not compared. */
const comparedSeconds = 30 * 86_400
/** More messages are reported in several rounds. */
export const atOnce = 100
/** Messages read at a time, whether they are reported or not. */
const entriesAtOnce = 100

export interface ScanOptions {
  /** Unix seconds. */
  now: number
  /** Messages left folders since the last poll, so a new message with an old date may be one of them. */
  mayBeMoved: boolean
  folders: readonly FolderState[]
}

export class ChangeScan {
  readonly #session: Session
  readonly #cursor: WatchCursor
  readonly #now: number
  readonly #mayBeMoved: boolean
  /** The special use of each folder. */
  readonly #uses: ReadonlyMap<string, string | undefined>
  /** Messages that may be new although their date is old; `#new` has those that are, once checked. */
  readonly #appended: Appended
  #new: Group[] = []
  readonly #come: Entry[] = []
  readonly #changed: Entry[] = []
  /** Changed messages with a new UID whose key was reported before: the same message, or another one. */
  readonly #again = new Set<Entry>()

  constructor(session: Session, cursor: WatchCursor, { now, mayBeMoved, folders }: ScanOptions) {
    this.#uses = new Map(folders.map(({ path, use }) => [path, use]))
    this.#session = session
    this.#cursor = cursor
    this.#now = now
    this.#mayBeMoved = mayBeMoved
    this.#appended = new Appended(session, cursor)
  }

  get size(): number {
    return this.#come.length + this.#changed.length + this.#appended.entries.length
  }

  /** Whether there are new messages with an old date. */
  get hasAppended(): boolean {
    return this.#new.length > 0
  }

  /** The cursor of a folder that is left for the next round. */
  leave(state: FolderState, at: FolderCursor): FolderCursor {
    return this.#mayBeMoved ? { ...at, notNewBelow: state.uidNext || Number.MAX_SAFE_INTEGER } : at
  }

  /** Scans one folder, up to the limit of one round; returns its new cursor. */
  async scanFolder(state: FolderState, at: FolderCursor): Promise<FolderCursor> {
    const { mailbox, io } = this.#session
    return mailbox.in(state.path, { signal: io.signal }, async (client) => {
      const same = at.uidValidity === state.uidValidity
      const { uids: marked, ...marks } = await this.#marks(client, state, same ? at : undefined)
      const fresh = same ? await this.#fresh(client, state, at) : await this.#renumbered(client, state, at)
      const came = same ? ascending([...numbersOf(at.came), ...fresh]) : fresh
      const changed = same ? ascending([...numbersOf(at.changed), ...marked]) : []
      const notNewBelow = same && !this.#mayBeMoved ? at.notNewBelow : Number.MAX_SAFE_INTEGER
      const rest = {
        came: await this.#take(client, state, came, (entry) => this.#judge(entry, at, notNewBelow)),
        changed: await this.#take(client, state, changed, (entry) => this.#addChanged(entry)),
      }
      const isDone = rest.came === '' && rest.changed === ''
      // If a server does not report UIDNEXT, it is the UID after the last one seen.
      const uidNext = state.uidNext || Math.max(same ? at.uidNext : 0, ...fresh.slice(-1).map((uid) => uid + 1))
      const left = rest.came === '' ? {} : { notNewBelow: Math.min(notNewBelow ?? 0, uidNext) || undefined }
      return { ...beginAt(state, isDone ? this.#now : at.polledAt), uidNext, ...marks, ...rest, ...left }
    })
  }

  /** New UIDs of a folder. If there are many and they may be moved, those older than the grant are left out. */
  async #fresh(client: ImapFlow, state: FolderState, at: FolderCursor): Promise<number[]> {
    // Messages that arrived after the listing are left for the next poll.
    const last = state.uidNext === 0 ? Number.POSITIVE_INFINITY : state.uidNext - 1
    const from = Math.max(at.uidNext, 1)
    if (state.messages === 0 || last < from) return []
    if (last - from < entriesAtOnce) return Array.from({ length: last - from + 1 }, (_, place) => from + place)
    const young = this.#mayBeMoved ? receivedSince((this.#session.grant.created_at ?? 0) - clockSeconds) : []
    const uids = await searchUids(client, [{ word: 'UID' }, { word: `${from}:*` }, ...young])
    return uids.filter((uid) => uid >= from && uid <= last)
  }

  /** New messages of a folder whose UIDVALIDITY changed. */
  async #renumbered(client: ImapFlow, state: FolderState, at: FolderCursor): Promise<number[]> {
    if (state.messages === 0) return []
    const uids = await searchUids(client, receivedSince(at.polledAt - slackSeconds))
    const entries = await this.#entriesOf(client, state, uids)
    return ascending(entries.filter((entry) => !this.#isOld(entry) && this.#hasCome(entry, at)).map(({ uid }) => uid))
  }

  /** Classifies messages until there are enough to report; returns the remaining UIDs. */
  async #take(
    client: ImapFlow,
    state: FolderState,
    uids: readonly number[],
    judge: (entry: Entry) => void,
  ): Promise<string> {
    let done = 0
    for (; done < uids.length && this.size < atOnce; done += entriesAtOnce) {
      const some = uids.slice(done, done + entriesAtOnce)
      for (const entry of await this.#entriesOf(client, state, some)) judge(entry)
    }
    return uidSet(uids.slice(done))
  }

  /** Index entries of messages in the selected folder. The indexes may have been cleared with a lost connection. */
  async #entriesOf(client: ImapFlow, state: FolderState, uids: readonly number[]): Promise<Entry[]> {
    const index = this.#session.mailbox.indexes().find(({ path }) => path === state.path) ?? new FolderIndex(state)
    return index.add(client, uids)
  }

  /** Classifies a message with a new UID: arrived, or already present before. */
  #judge(entry: Entry, at: FolderCursor, notNewBelow = 0): void {
    const isOld = this.#isOld(entry)
    if (!isOld && this.#hasCome(entry, at)) this.#come.push(entry)
    else if (!this.#isReported(entry.key) && this.#appended.takes(entry, notNewBelow)) return
    else if (!isOld) {
      this.#changed.push(entry)
      if (entry.date >= at.polledAt - slackSeconds) this.#again.add(entry)
    }
  }

  #hasCome({ key, date }: Entry, at: FolderCursor): boolean {
    return !this.#isReported(key) && date >= at.polledAt - slackSeconds
  }

  #isReported(id: string): boolean {
    return this.#cursor.recent.has(id)
  }

  #addChanged(entry: Entry): void {
    if (!this.#isOld(entry)) this.#changed.push(entry)
  }

  #isOld(entry: Entry): boolean {
    return isOlderThanGrant(entry, this.#cursor, this.#session.grant.created_at ?? 0)
  }

  /** Messages whose flags changed. `at` is the previous cursor; undefined after a change of UIDVALIDITY. */
  async #marks(
    client: ImapFlow,
    { modseq, messages }: FolderState,
    at: FolderCursor | undefined,
  ): Promise<Pick<FolderCursor, 'unseen' | 'flagged'> & { uids: number[] }> {
    if (modseq !== undefined && countsChanges(client)) {
      if (at?.modseq === undefined || at.modseq === modseq || at.uidNext <= 1 || messages === 0) return { uids: [] }
      const since = BigInt(at.modseq)
      const options = { changedSince: since }
      const changed = await fetchByUid(client, `1:${at.uidNext - 1}`, { uid: true, flags: true }, options)
      const isChanged = (message: FetchedMessage): boolean =>
        message.uid < at.uidNext && (message.modseq === undefined || message.modseq > since)
      return { uids: changed.filter(isChanged).map(({ uid }) => uid) }
    }
    const recent = receivedSince(this.#session.io.clock.now() / 1000 - comparedSeconds)
    const unseen = uidSet(await searchUids(client, [...recent, { word: 'UNSEEN' }]))
    const flagged = uidSet(await searchUids(client, [...recent, { word: 'FLAGGED' }]))
    if (at?.unseen === undefined) return { uids: [], unseen, flagged }
    const differing = [...difference(at.unseen, unseen), ...difference(at.flagged, flagged)]
    // Deleted messages differ too; the server leaves them out of the fetch.
    return { uids: differing.filter((uid) => uid < at.uidNext), unseen, flagged }
  }

  /** Checks which messages with an old date are new to the mailbox. */
  async findCopies(): Promise<void> {
    this.#new = await this.#appended.withoutCopies(await this.#apart(this.#appended.entries))
  }

  /** Treats all messages with an old date as moved. */
  takeForMoved(): void {
    this.#new = []
  }

  /** The changes of this round: new messages, then changed ones, each once. */
  async report(notBefore: number): Promise<Change[]> {
    const appended = new Set(this.#new.flatMap(({ entries }) => entries))
    this.#changed.push(...this.#appended.entries.filter((entry) => !appended.has(entry) && !this.#isOld(entry)))
    const come = await this.#apart(this.#come)
    const places = new Set(come.flatMap(({ entries }) => entries))
    const others = await completeCopies(this.#session, await this.#apart(this.#changed))
    const changed = others.filter(({ entries }) => !entries.some((entry) => places.has(entry)))
    const isNew = ({ id, entries }: Group): boolean =>
      entries.every((entry) => this.#again.has(entry) && entry.key !== id) && !this.#isReported(id)
    const created = [...come, ...changed.filter(isNew)]
    const updated = changed.filter((group) => !isNew(group))
    for (const { id, date, entries } of created) {
      for (const name of [id, ...entries.map(({ key }) => key)]) this.#cursor.recent.add(name, date)
    }
    this.#appended.recordReported(this.#new, this.#now)
    const reported = await Promise.all([
      this.#messages('message.created', [...created, ...this.#new].reverse(), notBefore),
      this.#messages('message.updated', updated.reverse(), notBefore),
    ])
    return reported.flat()
  }

  /** Groups entries into messages. */
  async #apart(entries: readonly Entry[]): Promise<Group[]> {
    while (await compare(this.#session, groupEntries(entries))) this.#session.io.signal.throwIfAborted()
    return groupEntries(entries)
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
    const { grant, io } = this.#session
    const reported = readings.map((reading, place) => {
      const names = { grantId: grant.id, threadId: threads[place] ?? '' }
      const message: Message = fromReading(reading, { ...names, fields: 'standard', shown: io.shown })
      return { message, group: reading.group, isHtml: reading.parsed?.isHtml }
    })
    const arrived = trigger === 'message.created' ? reported : []
    const { reports, itip } = await readArrived(this.#session, arrived, this.#uses)
    return reported.map(({ group, message, isHtml }) => {
      const { messageId, references = [] } = group.entries[0] ?? {}
      return {
        trigger,
        object: message,
        happenedAt: happenedAt(message, notBefore),
        names: { messageId, references },
        isHtml,
        report: reports.get(group.id),
        itip: itip.get(group.id),
      }
    })
  }
}

/**
 * Whether the server can report changes of the selected folder since a counter: some count without CONDSTORE enabled.
 */
const countsChanges = ({ enabled, mailbox }: ImapFlow): boolean =>
  enabled.has('CONDSTORE') && mailbox !== false && !mailbox.noModseq

const ascending = (uids: readonly number[]): number[] => [...new Set(uids)].sort((a, b) => a - b)

/** The numbers that are in exactly one of two sets. */
const difference = (before: string | undefined, after: string): Set<number> =>
  numbersOf(before).symmetricDifference(numbersOf(after))
