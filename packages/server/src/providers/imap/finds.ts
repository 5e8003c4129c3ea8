/** What one look around a mailbox found: messages that came, and messages that changed, each of them once. */
import type { Message } from '@waypost/contract'
import type { ImapFlow } from 'imapflow'
import { mayBeReport } from '../../formats/dsn-suspicion.ts'
import type { Report } from '../../formats/parse-worker.ts'
import type { Change } from '../provider.ts'
import { completeCopies } from './candidates.ts'
import { fetchByUid } from './command.ts'
import { threadIdsOf } from './conversations.ts'
import type { FolderState } from './directory.ts'
import { type Entry, entryOf, indexQuery, uidSet } from './folder-index.ts'
import { type Group, groupEntries } from './mailbox.ts'
import { beginAt, type FolderCursor, recentHash, type WatchCursor } from './mapping/cursor.ts'
import { fromReading } from './mapping/message.ts'
import { readAll } from './reading.ts'
import { since as receivedSince, searchUids } from './search.ts'
import type { Session } from './session.ts'

/** Clocks of servers differ by less. */
export const slackSeconds = 3600
/** Within this of the making of a grant, times alone do not say which was first. */
const clockSeconds = 60
/** Without a count of changes, marks of messages older than this are not compared. */
const comparedSeconds = 30 * 86_400
/** Reports carry at most the message that they are about; what is larger is none. */
const reportBytes = 40 * 1024 * 1024

/** What was found in one round, each message once. */
export class Finds {
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

  /** Older than the grant: never told of. Where the clocks leave it open, how the folder was when watching began decides. */
  #isOld({ path, uid, date }: Entry): boolean {
    const created = this.#session.grant.created_at ?? 0
    if (Math.abs(date - created) > clockSeconds) return date < created
    const [uidValidity, uidNext] = this.#cursor.begun.get(path) ?? ['', 0]
    return uidValidity === this.#cursor.folders.get(path)?.uidValidity && uid < uidNext
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
    const told = readings.map((reading, place) => {
      const { grant, io } = this.#session
      const names = { grantId: grant.id, threadId: threads[place] ?? '' }
      const at = { ...names, fields: 'standard', shown: io.shown } as const
      const object: Message = fromReading(reading, at)
      return { trigger, object, happenedAt: Math.max(reading.group.date * 1000, notBefore), group: reading.group }
    })
    const suspects = trigger === 'message.created' ? told.filter(({ object }) => mayBeReport(object)) : []
    const reports = await this.#reports(suspects.map(({ group }) => group))
    return told.map(({ group, ...change }) => {
      const { messageId, references = [] } = group.entries[0] ?? {}
      return { ...change, names: { messageId, references }, report: reports.get(group.id) }
    })
  }

  /** What mail systems say in these messages of others, by the ids of the messages. */
  async #reports(groups: readonly Group[]): Promise<Map<string, Report>> {
    const { parse, signal } = this.#session.io
    const fits = groups.filter(({ entries }) => entries.every(({ size }) => size <= reportBytes))
    const read = await readAll(this.#session, fits, { fields: 'raw_mime', content: true })
    const found = read.flatMap(({ group, raw }) => (raw ? [{ id: group.id, source: raw }] : []))
    const inputs = found.map(({ source }) => ({ source }))
    const outcomes = await parse.run<{ source: Buffer }, Report | undefined>('report', inputs, { signal })
    return new Map(
      found.flatMap(({ id }, place) => {
        const outcome = outcomes[place]
        return outcome?.ok && outcome.value ? [[id, outcome.value] as const] : []
      }),
    )
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
