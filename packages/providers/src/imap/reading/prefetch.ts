/**
 * Prefetches the page of a list. If the index already knows which messages the page will contain, they are fetched in
 * the packet that reads the folder states. The folder states still decide: a message is used only if its folder has
 * not changed. Flags are read by the request itself, as without a prefetch. ADR 0011 has the measured gain.
 */
import type { MessageListQuery } from '@waypost/contract'
import type { Entry, Fetched, Group, Marked } from '../entry.ts'
import { allCompleteSince, behind, type Position } from '../index/groups.ts'
import type { Prefetch } from '../index/read-folders.ts'
import { keysOf } from '../index/search.ts'
import { folderPath } from '../mapping/ids.ts'
import type { Session } from '../session.ts'
import { fetchPlaces, isFetchedWhole, type NeededParts, type Place, takeFromCache } from './read-messages.ts'

/** At most this many bytes may be fetched in vain. */
const maxPrefetchedBytes = 4 * 1024 * 1024

/** The prefetch of a list; undefined if its page is unknown or fully cached. */
export function prefetchFor(
  session: Session,
  query: MessageListQuery,
  { after, wanted }: { after: Position | undefined; wanted: NeededParts },
): Prefetch | undefined {
  if (!wanted.content || wanted.fields === 'raw_mime') return undefined
  const all = expected(session, query, after).flatMap(({ entries }) =>
    entries.map((entry, place): Place => ({ entry, primary: place === 0 })),
  )
  const path = all[0]?.entry.path
  if (path === undefined) return undefined
  const into = new Map(all.map(({ entry }): [Entry, Fetched] => [entry, { places: [] }]))
  const task = { wanted, into }
  let left = maxPrefetchedBytes
  const places = all.filter((place) => {
    const { entry, primary } = place
    if (entry.path !== path || (primary && !isFetchedWhole(entry, wanted))) return false
    left -= primary ? entry.size : 0
    return left >= 0 && !takeFromCache(session, place, task)
  })
  if (places.length === 0) return undefined
  let marked: Marked[] = []
  const read = new Map(places.map(({ entry }): [Entry, Fetched] => [entry, { places: [] }]))
  return {
    path,
    uids: new Set(places.map(({ entry }) => entry.uid)),
    // A failed prefetch is repeated by the ordinary fetch, which reports the error.
    async run(client) {
      marked = await fetchPlaces(session, client, { places, wanted, into: read }).catch(() => [])
    },
    keep({ modseq }) {
      session.mailbox.cache.putMarks(marked, modseq)
      session.prefetched = read
    },
  }
}

/** The page according to the indexes; empty if they do not reach far enough. */
function expected({ mailbox }: Session, query: MessageListQuery, after: Position | undefined): readonly Group[] {
  const { thread_id, received_after, received_before, limit } = query
  const isFiltered = [thread_id, received_after, received_before].some((filter) => filter !== undefined)
  const path = query.in === undefined ? undefined : folderPath(query.in)
  const indexes = mailbox.indexes().filter((index) => path === undefined || index.path === path)
  if (isFiltered || indexes.length === 0 || keysOf(query).length > 0) return []
  const known = mailbox.merged()
  const groups = path === undefined ? known.groups : known.inFolder(path)
  const page = after ? behind(groups, after, limit) : groups.slice(0, limit)
  const isFinal = (page.at(-1)?.date ?? 0) >= allCompleteSince(indexes)
  return isFinal ? page : []
}
