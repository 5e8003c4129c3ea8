/**
 * Collects contacts from the addresses in an account's mail, folder by folder: first from new mail, then from older
 * mail, newest first. A round reads the headers of 200 messages, so that new mail never waits long. The progress is
 * stored in the watch cursor. Spam, trash and drafts are skipped.
 */
import type { Address } from '@waypost/formats/mime/addresses'
import type { ImapFlow } from 'imapflow'
import type { Correspondent } from '../../contacts/tables.ts'
import { fetchByUid } from '../client/commands.ts'
import type { FetchedMessage } from '../client/response-parser.ts'
import { isLost, isRefused, isUnreadable } from '../errors.ts'
import type { FolderState } from '../folder-state.ts'
import { uidSet } from '../index/folder-index.ts'
import { searchUids } from '../index/search.ts'
import type { GatheredRange, WatchCursor } from '../mapping/cursor.ts'
import type { Session } from '../session.ts'

/** Messages per round, messages per fetch, and the number of people that ends a round early. */
const roundMessages = 200
const atOnce = 100
const roundPeople = 1_000
/** Older messages read per account, the newest of each folder. */
const maxOlder = 20_000
/**
 * UIDs can have large gaps: the first search covers this many, later ones more if few are found, at most
 * `maxSearches` per round.
 */
const firstWidth = 2_000
const maxSearches = 50

const fields = ['from', 'to', 'cc', 'bcc']
const unread = new Set(['\\Junk', '\\Trash', '\\Drafts', '\\Flagged', '\\Important'])

/** The progress in one folder. */
interface Gathering {
  state: FolderState
  range: GatheredRange
  /** The UID of the next message. */
  uidNext: number
}

/** The next UIDs to read: from `low`, below `high`. New mail is read oldest first, older mail newest first. */
interface Step extends Gathering {
  low: number
  high: number
  isNews: boolean
}

/** Starts collecting in new folders, at the current position of the watch. */
export function beginGathering({ folders, gathered }: WatchCursor, states: readonly FolderState[]): void {
  const paths = new Set(states.map(({ path }) => path))
  for (const path of gathered.keys()) if (!paths.has(path)) gathered.delete(path)
  for (const { path, uidValidity, uidNext, use } of states) {
    if (use !== undefined && unread.has(use)) continue
    if (gathered.get(path)?.uidValidity === uidValidity) continue
    const at = folders.get(path)
    const from = at?.uidValidity === uidValidity ? at.uidNext : uidNext
    // If the server does not report UIDNEXT, the watch determines it.
    if (from > 0) gathered.set(path, { uidValidity, from, to: from, older: 0 })
    else gathered.delete(path)
  }
}

function openFolders({ folders, gathered }: WatchCursor, states: readonly FolderState[]): Gathering[] {
  return states.flatMap((state) => {
    const range = gathered.get(state.path)
    return range && state.isOpen ? [{ state, range, uidNext: folders.get(state.path)?.uidNext ?? 0 }] : []
  })
}

const isBehind = ({ range, uidNext }: Gathering): boolean => range.to < uidNext

/** Whether there is new mail to read. */
export const hasUnreadNews = (cursor: WatchCursor, states: readonly FolderState[]): boolean =>
  openFolders(cursor, states).some(isBehind)

/** The next step, if any. */
function nextStep(cursor: WatchCursor, states: readonly FolderState[], width = firstWidth): Step | undefined {
  const open = openFolders(cursor, states)
  const news = open.find(isBehind)
  if (news) {
    const { to } = news.range
    return { ...news, low: to, high: Math.min(news.uidNext, to + width), isNews: true }
  }
  if (open.reduce((sum, { range }) => sum + range.older, 0) >= maxOlder) return undefined
  const older = open.filter(({ range }) => range.from > 1)
  const [least] = older.toSorted((a, b) => a.range.older - b.range.older)
  if (!least) return undefined
  const { from } = least.range
  return { ...least, low: Math.max(from - width, 1), high: from, isNews: false }
}

/** Whether there is more to read. */
export const isGathering = (cursor: WatchCursor, states: readonly FolderState[]): boolean =>
  nextStep(cursor, states) !== undefined

/** The progress in a folder after some messages of a step were read. */
function rangeAfter({ range, low, high, isNews }: Step, read: readonly number[], found: number): GatheredRange {
  const isWhole = read.length === found
  if (isNews) return { ...range, to: isWhole ? high : (read.at(-1) ?? high - 1) + 1 }
  return { ...range, from: isWhole ? low : (read[0] ?? low), older: range.older + read.length }
}

const numbers = (low: number, high: number): number[] => Array.from({ length: high - low }, (_, place) => low + place)

/** The UIDs of a step; a small range needs no search. */
async function uidsOf(client: ImapFlow, { low, high }: Step): Promise<number[]> {
  if (high - low <= atOnce) return numbers(low, high)
  const uids = await searchUids(client, [{ word: 'UID' }, { word: `${low}:${high - 1}` }])
  return uids.filter((uid) => uid >= low && uid < high)
}

/** The addresses in messages; unreadable messages have none. */
async function peopleOf(
  { io }: Session,
  messages: readonly FetchedMessage[],
  isNews: (at: number) => boolean,
): Promise<Correspondent[]> {
  const inputs = messages.map(({ headers }) => ({ header: headers || Buffer.alloc(0) }))
  const outcomes = await io.parse.run<unknown, Address[]>('correspondents', inputs, { signal: io.signal })
  return messages.flatMap(({ internalDate }, place): Correspondent[] => {
    const outcome = outcomes[place]
    const at = Math.floor(new Date(internalDate ?? 0).getTime() / 1000) || 0
    if (!outcome?.ok) return []
    return outcome.value.map(({ email, name = '' }) => ({ email, name, at, isNews: isNews(at) }))
  })
}

export interface GatheredPeople {
  people: Correspondent[]
  /** The connection was lost. */
  isLost: boolean
}

/** One round. Moves the cursor forward; messages that a server refuses are skipped. */
export class CorrespondentScan {
  readonly #session: Session
  readonly #cursor: WatchCursor
  readonly #notBefore: number

  constructor(session: Session, cursor: WatchCursor, { notBefore }: { notBefore: number }) {
    this.#session = session
    this.#cursor = cursor
    this.#notBefore = notBefore
  }

  /** `failedSteps` has the steps where the connection was lost before; they are skipped. */
  async round(states: readonly FolderState[], failedSteps: Set<string>): Promise<GatheredPeople> {
    const people: Correspondent[] = []
    let messages = 0
    let width = firstWidth
    const isEnough = (): boolean => messages >= roundMessages || people.length >= roundPeople
    for (let searches = 0; !isEnough() && searches < maxSearches; searches++) {
      const step = nextStep(this.#cursor, states, width)
      if (!step) break
      const place = `${step.state.path} ${step.low} ${step.high}`
      try {
        const { read, met } = await this.#read(step)
        messages += read
        width = read < atOnce ? 4 * width : firstWidth
        people.push(...met)
      } catch (error) {
        const { io } = this.#session
        if (io.signal.aborted || !(isLost(error) || isRefused(error) || isUnreadable(error))) throw error
        const lost = isLost(error) || isUnreadable(error)
        if (lost && !failedSteps.has(place)) {
          failedSteps.add(place)
          return { people, isLost: true }
        }
        io.log.info({ error, grant_id: this.#session.grant.id }, 'some messages could not be read for contacts')
        this.#moveOn(step, rangeAfter(step, [], 0))
        if (lost) return { people, isLost: true }
      }
    }
    return { people, isLost: false }
  }

  async #read(step: Step): Promise<{ read: number; met: Correspondent[] }> {
    const { mailbox, io } = this.#session
    const { state, isNews } = step
    if (state.messages === 0) {
      this.#moveOn(step, rangeAfter(step, [], 0))
      return { read: 0, met: [] }
    }
    const use = { signal: io.signal, uidValidity: state.uidValidity }
    const { read, found, messages } = await mailbox.in(state.path, use, async (client) => {
      const uids = await uidsOf(client, step)
      const some = isNews ? uids.slice(0, atOnce) : uids.slice(-atOnce)
      const query = { uid: true, internalDate: true, headers: fields }
      const given = some.length === 0 ? [] : await fetchByUid(client, uidSet(some), query, { refused: () => undefined })
      return { read: some, found: uids.length, messages: given }
    })
    const isReported = (at: number): boolean => isNews && at * 1000 >= this.#notBefore
    const met = await peopleOf(this.#session, messages, isReported)
    this.#moveOn(step, rangeAfter(step, read, found))
    return { read: messages.length, met }
  }

  #moveOn({ state }: Step, range: GatheredRange): void {
    this.#cursor.gathered.set(state.path, range)
  }
}
