/**
 * The candidates of a list, newest first over all folders, as far back as requested.
 *
 * Without a filter they come from the indexes, which are extended as the list goes back. With a filter the server searches
 * each folder; if there are many matches, they are read window by window. The beginning of the list is final once every
 * folder is indexed that far, plus a day, so that copies received at slightly different times are one message.
 */
import type { Message, MessageListQuery, ThreadListQuery } from '@waypost/contract'
import { hasSubject, hasWords } from '../../mail/filters.ts'
import { checkOpen, fetchByUid } from '../client/commands.ts'
import type { Entry, Group } from '../entry.ts'
import { isRefused } from '../errors.ts'
import type { FolderState } from '../folder-state.ts'
import { folderOf, refreshFolders, type Session } from '../session.ts'
import { type FolderIndex, uidSet } from './folder-index.ts'
import { allCompleteSince, firstOf, groupEntries } from './groups.ts'
import type { Prefetch } from './read-folders.ts'
import { all, before, type Keys, keysOf, refuseBadSearch, searchUids, since, withoutForeign } from './search.ts'

const daySeconds = 86_400

export interface MessageSearch {
  folders: readonly FolderState[]
  /** Checks a message here if the server could not search for the words of the query. */
  judge?: ((message: Message) => boolean) | undefined
  /** Final results, newest first. */
  groups(): Group[]
  /** Whether there are more results. */
  readonly more: boolean
  extend(): Promise<void>
}

type Query = Partial<MessageListQuery & ThreadListQuery>

/** The messages that match a query. Matches that the server includes too generously are filtered later. */
export async function messageSearchOf(session: Session, query: Query, prefetch?: Prefetch): Promise<MessageSearch> {
  const folders = await refreshFolders(session, prefetch)
  const within = query.in === undefined ? undefined : folderOf(folders, query.in, 'in')
  const indexes = await session.mailbox.renew(folders, session.io.signal)
  const scope = { folders, indexes, within }
  try {
    return await searching(session, scope, query)
  } catch (error) {
    const rest = withoutForeign(error, query)
    if (!rest) throw refuseBadSearch(error, query)
    const found = await searching(session, scope, rest)
    return Object.assign(found, { judge: judgeOf(query, rest) })
  }
}

/** Checks the words that the server could not search for. */
function judgeOf({ subject, q }: Query, rest: Query): MessageSearch['judge'] {
  const [title, words] = [rest.subject === undefined ? subject : undefined, rest.q === undefined ? q : undefined]
  if (title === undefined && words === undefined) return undefined
  return (message) =>
    (title === undefined || hasSubject(message, title)) && (words === undefined || hasWords(message, words))
}

async function searching(session: Session, scope: Scope, query: Query): Promise<MessageSearch> {
  const keys = keysOf(query)
  if (keys.length > 0) return fromSearch(session, { ...scope, query, keys })
  // Messages older than the indexes are searched without reading everything newer.
  const reached = allCompleteSince(chosenOf(scope))
  const isFarBack = query.received_before !== undefined && query.received_before < reached
  return isFarBack ? fromSearch(session, { ...scope, query, keys: all }) : fromIndexes(session, scope, query)
}

interface Scope {
  folders: readonly FolderState[]
  indexes: readonly FolderIndex[]
  within: FolderState | undefined
}

/** The indexes of the folders in the query. */
const chosenOf = ({ indexes, within }: Scope): readonly FolderIndex[] =>
  within ? indexes.filter(({ path }) => path === within.path) : indexes

function fromIndexes(session: Session, scope: Scope, query: Query): MessageSearch {
  const { folders, within } = scope
  const { mailbox, io } = session
  const indexes = chosenOf(scope)
  const { received_after: after = Number.NEGATIVE_INFINITY, received_before: until = Number.POSITIVE_INFINITY } = query
  const isBounded = query.received_after !== undefined || query.received_before !== undefined
  return {
    folders,
    groups() {
      const from = allCompleteSince(indexes)
      const known = within ? mailbox.merged().inFolder(within.path) : mailbox.merged().groups
      const final = known.slice(
        0,
        firstOf(known, ({ date }) => date < from),
      )
      return isBounded ? final.filter(({ date }) => date > after && date < until) : final
    },
    get more() {
      return indexes.some((index) => !index.isComplete) && allCompleteSince(indexes) > after
    },
    async extend() {
      const open = indexes.filter((index) => !index.isComplete)
      if (!within && mailbox.isLarge) {
        const known = indexes.reduce((sum, { size }) => sum + size, 0)
        const tails = open.map((index) => ({ index, count: index.state.messages, tail: tailOfFolder(index) }))
        const date = await dateOfNewest(session, tails, Math.max(firstWindow, 3 * known))
        await Promise.all(open.map((index) => mailbox.reach(index, io.signal, date)))
        return
      }
      const reach = Math.max(...indexes.map((index) => index.completeSince))
      const nearest = open.filter((index) => index.completeSince >= reach - 30 * daySeconds)
      await Promise.all(nearest.map((index) => mailbox.extend(index, io.signal)))
    },
  }
}

/** The last messages of a folder by sequence number. */
const tailOfFolder =
  ({ state: { messages } }: FolderIndex) =>
  (count: number): Range => ({ places: `${Math.max(1, messages - count + 1)}:*` })

/** More matches are read window by window. */
const manyMatches = 1_500
/** The number of newest messages in the first window. Each further window has three times as many. */
const firstWindow = 150

/** The matches in one folder. */
interface Searched {
  index: FolderIndex
  uids: readonly number[]
  entries: Entry[]
}

/**
 * Searches each folder on the server. If there are many matches, the newest are read first, from a date that is
 * estimated from the last messages of the folders.
 */
async function fromSearch(session: Session, scope: Scope & { query: Query; keys: Keys }): Promise<MessageSearch> {
  const { folders, query } = scope
  const { mailbox, io } = session
  const bounds: Keys = [
    ...(query.received_after === undefined ? [] : since(query.received_after)),
    ...(query.received_before === undefined ? [] : before(query.received_before)),
  ]
  const keys = [...scope.keys, ...bounds]
  const chosen = chosenOf(scope).filter(({ state }) => mayMatch(state, query))
  const searched = await Promise.all(
    chosen.map(
      async (index): Promise<Searched> => ({ index, uids: await searchFolder(session, index, keys), entries: [] }),
    ),
  )
  const matches = searched.reduce((sum, { uids }) => sum + uids.length, 0)
  let completeSince = Number.POSITIVE_INFINITY
  let wanted = firstWindow
  const extend = async (): Promise<void> => {
    const isAll = matches <= manyMatches || wanted >= matches
    const tails = searched.map(({ index, uids }) => ({ index, count: uids.length, tail: tailOfUids(uids) }))
    const date = isAll ? Number.NEGATIVE_INFINITY : await dateOfNewest(session, tails, wanted)
    wanted *= 3
    await Promise.all(
      searched.map(async (each) => {
        if (each.uids.length > 0) each.entries = await readSince(each, date)
      }),
    )
    completeSince = Math.min(completeSince, date)
  }
  await extend()
  return {
    folders,
    groups: () => groupEntries(searched.flatMap(({ entries }) => entries)).filter(({ date }) => date >= completeSince),
    get more() {
      return completeSince !== Number.NEGATIVE_INFINITY
    },
    extend,
  }

  /** The matches of a folder since a date. */
  function readSince({ index, uids }: Searched, date: number): Promise<Entry[]> {
    return mailbox.onIndex(index.path, io.signal, async (client) => {
      if (date === Number.NEGATIVE_INFINITY) return index.add(client, uids)
      const recent = new Set(await searchUids(client, since(date - daySeconds)))
      return index.add(
        client,
        uids.filter((uid) => recent.has(uid)),
      )
    })
  }
}

/** The last `count` UIDs. */
const tailOfUids =
  (uids: readonly number[]) =>
  (count: number): Range => ({ uids: uidSet(uids.slice(-count)) })

/** Whether a folder can have matches according to its counts. */
function mayMatch({ messages, unseen, use }: FolderState, { unread, search_query_native: native }: Query): boolean {
  // A native search is always sent to the inbox, so that the server can report syntax errors.
  if (native !== undefined && use === '\\Inbox') return true
  if (messages === 0 || (unread === true && unseen === 0)) return false
  return unread !== false || unseen < messages
}

const searchFolder = ({ mailbox, io }: Session, index: FolderIndex, keys: Keys): Promise<number[]> =>
  mailbox.in(index.path, { signal: io.signal }, (client) => searchUids(client, keys))

/** Messages by UID, or by sequence number. */
type Range = { uids: string } | { places: string }

interface Tail {
  index: FolderIndex
  /** Number of messages to choose from. */
  count: number
  /** The newest `count` of them. */
  tail(count: number): Range
}

/** Dates are read from at most this many folders. */
const maxFolders = 30
/** More dates are requested than wanted, because folders differ in how much of their mail is new. */
const spare = 4

/**
 * A date since which `wanted` messages were received, in Unix seconds; minus infinity if there are fewer. Folders are not
 * sorted by date, so the date is estimated from the last messages of the largest folders.
 */
async function dateOfNewest(session: Session, tails: readonly Tail[], wanted: number): Promise<number> {
  const largest = tails.toSorted((a, b) => b.count - a.count).slice(0, maxFolders)
  const all = largest.reduce((sum, { count }) => sum + count, 0)
  const dates = await Promise.all(
    largest
      .filter(({ count }) => count > 0)
      .map(({ index, count, tail }) =>
        datesOf(session, index, tail(Math.min(count, wanted, Math.ceil((spare * wanted * count) / all)))),
      ),
  )
  const newest = dates.flat().sort((a, b) => b - a)
  return newest[wanted - 1] ?? Number.NEGATIVE_INFINITY
}

const datesOf = ({ mailbox, io }: Session, { path }: FolderIndex, range: Range): Promise<number[]> =>
  mailbox.in(path, { signal: io.signal }, async (client) => {
    const requested = { internalDate: true }
    const fetching =
      'uids' in range ? fetchByUid(client, range.uids, requested) : client.fetchAll(range.places, requested)
    // A server may refuse if the messages were deleted in the meantime.
    const messages = await fetching.catch((error: unknown) => {
      if (!isRefused(error)) throw error
      return []
    })
    checkOpen(client)
    return messages.map(({ internalDate }) => Math.floor(new Date(internalDate ?? 0).getTime() / 1000) || 0)
  })
