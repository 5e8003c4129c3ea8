/**
 * Finds messages that were deleted, for applications that subscribe to this. A place is a UID in a folder. Each poll
 * stores the places of new messages. If a folder has fewer messages than it had plus those that arrived, the stored
 * UIDs are compared with those that exist. Drafts and messages older than the grant have no stored places. If a folder
 * disappears or its UIDVALIDITY changes, its places are forgotten: then nothing says which messages were deleted.
 */
import type { ImapFlow } from 'imapflow'
import { PlaceBook, placeHash } from '../../mail/message-places.ts'
import type { KnownPlace, PlaceChanges, PlaceMemory } from '../../mail/tables.ts'
import type { FolderState } from '../folder-state.ts'
import { FolderIndex } from '../index/folder-index.ts'
import { since as receivedSince, searchUids } from '../index/search.ts'
import type { FolderPlaces, WatchCursor } from '../mapping/cursor.ts'
import type { Session } from '../session.ts'
import { clockSeconds, isOlderThanGrant } from './appended-messages.ts'
import { lossOf } from './removed-messages.ts'

/** Messages whose places are stored in one round. */
const roundMessages = 1_000
/** Messages that leave one folder in one round. */
const roundDepartures = 500

export interface Deletions {
  deleted: string[]
  places: PlaceChanges
  /** Another round follows at once. */
  more: boolean
}

const folderName = (path: string, uidValidity: string): string => placeHash(`${uidValidity}\n${path}`)

/** One round. Moves the places in the cursor forward. */
export async function findDeletions(
  session: Session,
  cursor: WatchCursor,
  { states, memory }: { states: readonly FolderState[]; memory: PlaceMemory },
): Promise<Deletions> {
  const book = new PlaceBook(memory, cursor.departures)
  const scan = new DeletionScan(session, cursor, { book, memory })
  forgetMissing(cursor, states, book)
  for (const state of states) {
    if (!state.isOpen || state.use === '\\Drafts') continue
    cursor.places.set(state.path, await scan.scanFolder(state, knownOf(cursor, state, book)))
  }
  const { deleted, changes, ...departures } = await book.settle(!scan.more)
  cursor.departures = departures
  return { deleted, places: changes, more: scan.more || departures.departed.length > 0 }
}

function forgetMissing({ places }: WatchCursor, states: readonly FolderState[], book: PlaceBook): void {
  const paths = new Set(states.flatMap(({ path, use }) => (use === '\\Drafts' ? [] : [path])))
  for (const [path, { uidValidity }] of places) {
    if (paths.has(path)) continue
    book.forget(folderName(path, uidValidity))
    places.delete(path)
  }
}

/** The stored places of a folder; none if its UIDVALIDITY changed. */
function knownOf({ places }: WatchCursor, state: FolderState, book: PlaceBook): FolderPlaces {
  const { path, uidValidity, uidNext } = state
  const at = places.get(path)
  if (at && at.uidValidity === uidValidity && (uidNext === 0 || uidNext >= at.uidNext)) return at
  if (at) book.forget(folderName(path, at.uidValidity))
  return { uidValidity, uidNext: 1, messages: 0 }
}

class DeletionScan {
  readonly #session: Session
  readonly #cursor: WatchCursor
  readonly #book: PlaceBook
  readonly #memory: PlaceMemory
  #left = roundMessages
  /** A folder was not read completely. */
  more = false

  constructor(session: Session, cursor: WatchCursor, { book, memory }: { book: PlaceBook; memory: PlaceMemory }) {
    this.#session = session
    this.#cursor = cursor
    this.#book = book
    this.#memory = memory
  }

  async scanFolder(state: FolderState, at: FolderPlaces): Promise<FolderPlaces> {
    if (state.messages === at.messages && state.uidNext === at.uidNext && state.uidNext !== 0) return at
    const known =
      lossOf(at, state) === 'none' ? [] : await this.#memory.inFolder(folderName(state.path, state.uidValidity))
    const { mailbox, io } = this.#session
    return mailbox.in(state.path, { signal: io.signal, uidValidity: state.uidValidity }, async (client) => {
      const isCompared = await this.#compare(client, known)
      const uidNext = await this.#record(client, state, at.uidNext)
      const isRead = isCompared && uidNext >= state.uidNext
      if (!isRead) this.more = true
      // With the old count, the folder is compared again.
      return { uidValidity: state.uidValidity, uidNext, messages: isCompared ? state.messages : at.messages }
    })
  }

  /** Finds stored places that are empty; false if there are more. */
  async #compare(client: ImapFlow, known: readonly KnownPlace[]): Promise<boolean> {
    if (known.length === 0) return true
    const uids = known.map(({ place }) => Number(place))
    const low = uids.reduce((min, uid) => Math.min(min, uid))
    const high = uids.reduce((max, uid) => Math.max(max, uid))
    const present = new Set(await searchUids(client, [{ word: 'UID' }, { word: `${low}:${high}` }]))
    const gone = known.filter(({ place }) => !present.has(Number(place)))
    this.#book.leave(gone.slice(0, roundDepartures))
    return gone.length <= roundDepartures
  }

  /** Stores the places of new messages; returns the UID from which the next round continues. */
  async #record(client: ImapFlow, state: FolderState, from: number): Promise<number> {
    const created = this.#session.grant.created_at ?? 0
    const last = state.uidNext === 0 ? Number.POSITIVE_INFINITY : state.uidNext - 1
    if (state.messages === 0 || last < from) return Math.max(state.uidNext, from)
    const keys = [{ word: 'UID' }, { word: `${from}:*` }, ...receivedSince(created - clockSeconds)]
    const uids = (await searchUids(client, keys)).filter((uid) => uid >= from && uid <= last).sort((a, b) => a - b)
    const some = uids.slice(0, Math.max(this.#left, 0))
    this.#left -= some.length
    const index = this.#session.mailbox.indexes().find(({ path }) => path === state.path) ?? new FolderIndex(state)
    const folder = folderName(state.path, state.uidValidity)
    for (const entry of await index.add(client, some)) {
      if (isOlderThanGrant(entry, this.#cursor, created)) continue
      this.#book.add({ folder, place: String(entry.uid), id: entry.key, date: entry.date })
    }
    const next = (some.at(-1) ?? from - 1) + 1
    if (some.length < uids.length) {
      this.more = true
      return next
    }
    return Math.max(state.uidNext, next)
  }
}
