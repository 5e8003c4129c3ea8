/**
 * The page that a list is about to show, as far as it can be known before the folders are looked at, is fetched with the
 * same packet that asks for the look. What the look says counts: a message is shown if it is where it was, and what came
 * in between is read as ever. The marks that are shown were asked for by this request, as they are without this.
 */
import type { MessageListQuery } from '@waypost/contract'
import type { Entry } from '../entry.ts'
import { allCompleteSince, behind, type Position } from '../index/groups.ts'
import type { Group } from '../index/message-group.ts'
import type { Prefetch } from '../index/read-folders.ts'
import { keysOf } from '../index/search.ts'
import { folderPath } from '../mapping/ids.ts'
import type { Session } from '../session.ts'
import type { Fetched, Marked } from './fetched.ts'
import { fetchPlaces, isFetchedWhole, type Place, takeFromCache, type Wanted } from './read-messages.ts'

/** So many bytes of messages may turn out to have been read for nothing. */
const maxPrefetchedBytes = 4 * 1024 * 1024

/** What to ask for beside the look of a list; undefined where nothing is expected, or nothing has to be asked for. */
export function prefetchFor(
  session: Session,
  query: MessageListQuery,
  { after, wanted }: { after: Position | undefined; wanted: Wanted },
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
    // What fails is asked for again, and fails there for whoever waits for it.
    async run(client) {
      marked = await fetchPlaces(session, client, { places, wanted, into: read }).catch(() => [])
    },
    keep({ modseq }) {
      session.mailbox.cache.putMarks(marked, modseq)
      session.prefetched = read
    },
  }
}

/** The page as the indexes know it; none where they would have to be read further first. */
function expected({ mailbox }: Session, query: MessageListQuery, after: Position | undefined): readonly Group[] {
  const { thread_id, received_after, received_before, limit } = query
  const isFiltered = [thread_id, received_after, received_before].some((filter) => filter !== undefined)
  const path = query.in === undefined ? undefined : folderPath(query.in)
  const indexes = mailbox.indexes().filter((index) => path === undefined || index.path === path)
  if (isFiltered || indexes.length === 0 || keysOf(query).length > 0) return []
  const known = mailbox.known()
  const groups = path === undefined ? known.groups : known.inFolder(path)
  const page = after ? behind(groups, after, limit) : groups.slice(0, limit)
  const isFinal = (page.at(-1)?.date ?? 0) >= allCompleteSince(indexes)
  return isFinal ? page : []
}
