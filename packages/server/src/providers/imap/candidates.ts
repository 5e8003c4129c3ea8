/**
 * The messages that a list may show, newest first over all folders, as far back as anybody asks.
 *
 * Without a filter they come from the indexes, which are made to reach further back as the list does. With one the
 * server searches each folder; where much matches, the search too goes back window by window. A prefix of the list is
 * final once every folder is known that far: with a day to spare, so that copies received a little apart are one.
 */
import type { MessageListQuery, ThreadListQuery } from '@waypost/contract'
import type { FolderState } from './directory.ts'
import type { Entry, FolderIndex } from './folder-index.ts'
import { type Group, groupEntries } from './mailbox.ts'
import {
  all,
  before,
  header,
  type Keys,
  keysOf,
  larger,
  refuseBadSearch,
  searchUids,
  searchUidsOfAny,
  since,
  smaller,
  withoutForeign,
} from './search.ts'
import { folderOf, look, type Session } from './session.ts'

const daySeconds = 86_400

export interface Candidates {
  folders: readonly FolderState[]
  /** What the subject must hold, where the server could not search for it. */
  subject?: string | undefined
  /** Those that are final, newest first. */
  groups(): Group[]
  /** Whether there are more behind them. */
  readonly more: boolean
  extend(): Promise<void>
}

type Query = Partial<MessageListQuery & ThreadListQuery>

/** The messages that a query's filters let through; what the server judges too generously is left in. */
export async function candidatesOf(session: Session, query: Query): Promise<Candidates> {
  const folders = await look(session)
  const within = query.in === undefined ? undefined : folderOf(folders, query.in, 'in')
  const indexes = await session.mailbox.renew(folders, session.io.signal)
  const scope = { folders, indexes, within }
  try {
    return await searching(session, scope, query)
  } catch (error) {
    const rest = withoutForeign(error, query)
    if (!rest) throw refuseBadSearch(error, query)
    const found = await searching(session, scope, rest)
    return Object.assign(found, { subject: rest.subject === undefined ? query.subject : undefined })
  }
}

async function searching(session: Session, scope: Scope, query: Query): Promise<Candidates> {
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

/** The time from which on all folders are known. */
const knownFrom = (indexes: readonly { wholeFrom: number }[]): number =>
  Math.max(Number.NEGATIVE_INFINITY, ...indexes.map((index) => index.wholeFrom)) + daySeconds

function fromIndexes(session: Session, { folders, indexes, within }: Scope, query: Query): Candidates {
  const { received_after: after = Number.NEGATIVE_INFINITY, received_before: until = Number.POSITIVE_INFINITY } = query
  const isBounded = query.received_after !== undefined || query.received_before !== undefined
  return {
    folders,
    groups() {
      const from = knownFrom(indexes)
      const known = session.mailbox.groups()
      const end = known.findIndex((group) => group.date < from)
      const final = end === -1 ? known : known.slice(0, end)
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
  index: FolderIndex
  wholeFrom: number
  entries: Entry[]
}

async function fromSearch(session: Session, scope: Scope & { query: Query; keys: Keys }): Promise<Candidates> {
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
    const one = (index: FolderIndex) =>
      searchFolder(session, index, {
        keys: [...scope.keys, ...bounds],
        from,
        isNative: query.search_query_native !== undefined,
      })
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
  { keys, from, isNative }: { keys: Keys; from: number; isNative: boolean },
): Promise<Searched> {
  const { mailbox, io } = session
  // A search in the server's own language is shown to the server even where nothing can be found: it may be wrong.
  if (index.state.messages === 0 && !(isNative && index.state.use === '\\Inbox')) {
    return { index, wholeFrom: Number.NEGATIVE_INFINITY, entries: [] }
  }
  return mailbox.inTurn(index.path, () =>
    mailbox.in(index.path, { signal: io.signal }, async (client) => {
      let uids = await searchUids(client, keys)
      let wholeFrom = Number.NEGATIVE_INFINITY
      if (uids.length > manyMatches && from !== Number.NEGATIVE_INFINITY) {
        uids = await searchUids(client, [...keys, ...since(from)])
        wholeFrom = from
      }
      return { index, wholeFrom, entries: await index.add(client, uids) }
    }),
  )
}

/** Finds copies that the indexes do not know of: for messages older than the indexes reach. */
export async function completeCopies(session: Session, groups: readonly Group[]): Promise<Group[]> {
  const { mailbox, io } = session
  const found = new Map(
    groups.map((group) => [group.id, new Map(group.entries.map((entry) => [placeOf(entry), entry]))]),
  )
  await Promise.all(
    mailbox.indexes().map(async (index) => {
      for (const entry of index.entries) found.get(entry.id)?.set(placeOf(entry), entry)
      const old = groups.filter((group) => group.date - daySeconds < index.wholeFrom)
      if (index.isWhole || old.length === 0) return
      const entries = await mailbox.inTurn(index.path, () =>
        mailbox.in(index.path, { signal: io.signal }, async (client) =>
          index.add(client, await searchUidsOfAny(client, old.map(keysOfGroup))),
        ),
      )
      for (const entry of entries) found.get(entry.id)?.set(placeOf(entry), entry)
    }),
  )
  return groups.map((group) => ({ ...group, entries: [...(found.get(group.id)?.values() ?? group.entries)] }))
}

const placeOf = ({ path, uid }: Entry): string => `${uid}\n${path}`

const keysOfGroup = ({ entries: [entry] }: Group): Keys =>
  entry?.messageId === undefined ? nearby(entry?.date ?? 0, entry?.size ?? 0) : header('Message-ID', entry.messageId)

/** Messages of a size that were received on a day. */
export const nearby = (date: number, size: number): Keys => [
  ...since(date),
  ...before(date),
  ...larger(size - 1),
  ...smaller(size + 1),
]
