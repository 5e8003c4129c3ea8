/**
 * The messages that a list may show, newest first over all folders, as far back as anybody asks.
 *
 * Without a filter they come from the indexes, which are made to reach further back as the list does. With one the
 * server searches each folder; where much matches, the search too goes back window by window. A prefix of the list is
 * final once every folder is known that far: with a day to spare, so that copies received a little apart are one.
 */
import type { Message, MessageListQuery, ThreadListQuery } from '@waypost/contract'
import { hasSubject, hasWords } from '../../mail/filters.ts'
import type { Entry } from '../entry.ts'
import { folderOf, refreshFolders, type Session } from '../session.ts'
import type { FolderState } from './directory.ts'
import type { FolderIndex } from './folder-index.ts'
import { firstOf, groupEntries, knownFrom } from './groups.ts'
import type { Beside } from './look.ts'
import type { Group } from './message-group.ts'
import { all, before, type Keys, keysOf, refuseBadSearch, searchUids, since, withoutForeign } from './search.ts'

const daySeconds = 86_400

export interface MessageSearch {
  folders: readonly FolderState[]
  /** Judges a message by its text and header, where the server could not search for what the query asks. */
  judge?: ((message: Message) => boolean) | undefined
  /** Those that are final, newest first. */
  groups(): Group[]
  /** Whether there are more behind them. */
  readonly more: boolean
  extend(): Promise<void>
}

type Query = Partial<MessageListQuery & ThreadListQuery>

/** The messages that a query's filters let through; what the server judges too generously is left in. */
export async function messageSearchOf(session: Session, query: Query, beside?: Beside): Promise<MessageSearch> {
  const folders = await refreshFolders(session, beside)
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

/** What is left to be judged of the words that a query looks for, where the server searched for the rest. */
function judgeOf({ subject, q }: Query, rest: Query): MessageSearch['judge'] {
  const [title, words] = [rest.subject === undefined ? subject : undefined, rest.q === undefined ? q : undefined]
  if (title === undefined && words === undefined) return undefined
  return (message) =>
    (title === undefined || hasSubject(message, title)) && (words === undefined || hasWords(message, words))
}

async function searching(session: Session, scope: Scope, query: Query): Promise<MessageSearch> {
  const keys = keysOf(query)
  if (keys.length > 0) return fromSearch(session, { ...scope, query, keys })
  // What lies further back than the indexes reach is found without reading all that is newer.
  const isFarBack = query.received_before !== undefined && query.received_before < knownFrom(scope.indexes)
  return isFarBack ? fromSearch(session, { ...scope, query, keys: all }) : fromIndexes(session, scope, query)
}

interface Scope {
  folders: readonly FolderState[]
  indexes: readonly FolderIndex[]
  within: FolderState | undefined
}

function fromIndexes(session: Session, { folders, indexes, within }: Scope, query: Query): MessageSearch {
  const { received_after: after = Number.NEGATIVE_INFINITY, received_before: until = Number.POSITIVE_INFINITY } = query
  const isBounded = query.received_after !== undefined || query.received_before !== undefined
  return {
    folders,
    groups() {
      const from = knownFrom(indexes)
      const known = session.mailbox.groups()
      const final = known.slice(
        0,
        firstOf(known, ({ date }) => date < from),
      )
      const inside = within ? final.filter(({ entries }) => entries.some(({ path }) => path === within.path)) : final
      return isBounded ? inside.filter(({ date }) => date > after && date < until) : inside
    },
    get more() {
      return indexes.some((index) => !index.isWhole) && knownFrom(indexes) > after
    },
    async extend() {
      const reach = Math.max(...indexes.map((index) => index.wholeFrom))
      const nearest = indexes.filter((index) => !index.isWhole && index.wholeFrom >= reach - 30 * daySeconds)
      await Promise.all(nearest.map((index) => session.mailbox.extend(index, session.io.signal)))
    },
  }
}

/** More matches than this in one folder are taken window by window. */
const manyMatches = 1_500
const windowDays = [14, 60, 240, 960, 3840]

interface Searched {
  wholeFrom: number
  entries: Entry[]
}

async function fromSearch(session: Session, scope: Scope & { query: Query; keys: Keys }): Promise<MessageSearch> {
  const { folders, indexes, within, query } = scope
  const chosen = indexes.filter(({ path }) => !within || path === within.path)
  const lower = query.received_after
  const bounds: Keys = [
    ...(lower === undefined ? [] : since(lower)),
    ...(query.received_before === undefined ? [] : before(query.received_before)),
  ]
  let step = 0
  let searched: Searched[] = []
  const run = async (): Promise<void> => {
    const days = windowDays[step++]
    const newest = query.received_before ?? session.io.clock.now() / 1000
    const from = days === undefined ? Number.NEGATIVE_INFINITY : newest - days * daySeconds
    const one = (index: FolderIndex, place: number): Searched | Promise<Searched> => {
      const before = searched[place]
      if (before?.wholeFrom === Number.NEGATIVE_INFINITY) return before
      return searchFolder(session, index, {
        keys: [...scope.keys, ...bounds],
        from,
        hasMany: before !== undefined || (scope.keys === all && index.state.messages > manyMatches),
        isNative: query.search_query_native !== undefined,
      })
    }
    searched = await Promise.all(chosen.map(one))
  }
  await run()
  return {
    folders,
    groups() {
      const from = knownFrom(searched)
      return groupEntries(searched.flatMap(({ entries }) => entries)).filter(({ date }) => date >= from)
    },
    get more() {
      return searched.some(({ wholeFrom }) => wholeFrom !== Number.NEGATIVE_INFINITY)
    },
    extend: run,
  }
}

async function searchFolder(
  session: Session,
  index: FolderIndex,
  { keys, from, hasMany, isNative }: { keys: Keys; from: number; hasMany: boolean; isNative: boolean },
): Promise<Searched> {
  const { mailbox, io } = session
  // A search in the server's own language is shown to the server even where nothing can be found: it may be wrong.
  if (index.state.messages === 0 && !(isNative && index.state.use === '\\Inbox')) {
    return { wholeFrom: Number.NEGATIVE_INFINITY, entries: [] }
  }
  return mailbox.inTurn(index.path, () =>
    mailbox.in(index.path, { signal: io.signal }, async (client) => {
      const isAll = from === Number.NEGATIVE_INFINITY
      const uids = hasMany && !isAll ? undefined : await searchUids(client, keys)
      if (uids && (isAll || uids.length <= manyMatches)) {
        return { wholeFrom: Number.NEGATIVE_INFINITY, entries: await index.add(client, uids) }
      }
      return { wholeFrom: from, entries: await index.add(client, await searchUids(client, [...keys, ...since(from)])) }
    }),
  )
}
