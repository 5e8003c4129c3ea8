/**
 * Whom the mail of an account names, gathered folder by folder: first in what has come since the last time, then in what was
 * there before, from the newest on. A round reads the headers of two hundred messages, so that nothing that arrives waits
 * long behind it; how far it got stands in the cursor of the watch. Spam, deleted mail and drafts name nobody.
 */
import type { ImapFlow } from 'imapflow'
import type { Address } from '../../../formats/mime/addresses.ts'
import type { Correspondent } from '../../contacts/correspondent.ts'
import { fetchByUid } from '../client/commands.ts'
import type { FetchedMessage } from '../client/response-parser.ts'
import { isLost, isRefused, isUnreadable } from '../errors.ts'
import { uidSet } from '../index/folder-index.ts'
import type { FolderState } from '../index/folder-list.ts'
import { searchUids } from '../index/search.ts'
import type { GatheredRange, WatchCursor } from '../mapping/cursor.ts'
import type { Session } from '../session.ts'

/** Messages that one round reads, so many at a time, unless they name more people than are taken down at once. */
const roundMessages = 200
const atOnce = 100
const roundPeople = 1_000
/** Messages of before that are read of an account, the newest of each folder. */
const maxOlder = 20_000
/** UIDs may lie far apart: so many are searched at first, more where few are found, and so often in one round. */
const firstWidth = 2_000
const maxSearches = 50

const fields = ['from', 'to', 'cc', 'bcc']
const unread = new Set(['\\Junk', '\\Trash', '\\Drafts', '\\Flagged', '\\Important'])

/** A folder whose people are gathered, as it stands. */
interface Gathering {
  state: FolderState
  range: GatheredRange
  /** The UID that the next message will have. */
  uidNext: number
}

/** What is read next: UIDs from `low` up to, not including, `high`; of what came the oldest first, else the newest. */
interface Step extends Gathering {
  low: number
  high: number
  isNews: boolean
}

/** Where gathering begins in folders that are new to it: at the place that the watch has come to. */
export function beginGathering({ folders, gathered }: WatchCursor, states: readonly FolderState[]): void {
  const paths = new Set(states.map(({ path }) => path))
  for (const path of gathered.keys()) if (!paths.has(path)) gathered.delete(path)
  for (const { path, uidValidity, uidNext, use } of states) {
    if (use !== undefined && unread.has(use)) continue
    if (gathered.get(path)?.uidValidity === uidValidity) continue
    const at = folders.get(path)
    const from = at?.uidValidity === uidValidity ? at.uidNext : uidNext
    // Of a server that does not say what comes next the watch finds out.
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

/** Whether there is mail that came and was not read yet. */
export const hasUnreadNews = (cursor: WatchCursor, states: readonly FolderState[]): boolean =>
  openFolders(cursor, states).some(isBehind)

/** What is to be read next, if anything is. */
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

/** Where a folder stands once some messages of a step were read, of those that the step has. */
function rangeAfter({ range, low, high, isNews }: Step, read: readonly number[], found: number): GatheredRange {
  const isWhole = read.length === found
  if (isNews) return { ...range, to: isWhole ? high : (read.at(-1) ?? high - 1) + 1 }
  return { ...range, from: isWhole ? low : (read[0] ?? low), older: range.older + read.length }
}

const numbers = (low: number, high: number): number[] => Array.from({ length: high - low }, (_, place) => low + place)

/** The UIDs of a step; the server is asked where they are not few anyway. */
async function uidsOf(client: ImapFlow, { low, high }: Step): Promise<number[]> {
  if (high - low <= atOnce) return numbers(low, high)
  const uids = await searchUids(client, [{ word: 'UID' }, { word: `${low}:${high - 1}` }])
  return uids.filter((uid) => uid >= low && uid < high)
}

/** Whom messages name; what cannot be read names nobody. */
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

export interface Gathered {
  people: Correspondent[]
  /** The connection was lost on the way. */
  isLost: boolean
}

/** One round of gathering. The cursor is moved on; what a server does not give out is passed over. */
export class CorrespondentScan {
  readonly #session: Session
  readonly #cursor: WatchCursor
  readonly #notBefore: number

  constructor(session: Session, cursor: WatchCursor, { notBefore }: { notBefore: number }) {
    this.#session = session
    this.#cursor = cursor
    this.#notBefore = notBefore
  }

  /** `stumbled` is where the connection was lost before: there it goes on behind. */
  async round(states: readonly FolderState[], stumbled: Set<string>): Promise<Gathered> {
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
        if (lost && !stumbled.has(place)) {
          stumbled.add(place)
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
    const isTold = (at: number): boolean => isNews && at * 1000 >= this.#notBefore
    const met = await peopleOf(this.#session, messages, isTold)
    this.#moveOn(step, rangeAfter(step, read, found))
    return { read: messages.length, met }
  }

  #moveOn({ state }: Step, range: GatheredRange): void {
    this.#cursor.gathered.set(state.path, range)
  }
}
