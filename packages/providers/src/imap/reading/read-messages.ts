/**
 * Reads messages: small ones completely, large ones by header, structure and text. For cached messages only the flags
 * are fetched, and not even these if their folder has not changed.
 */
import type { MessageFields } from '@waypost/contract'
import type { LeanMessage } from '@waypost/formats/parse-worker'
import type { FetchQueryObject, ImapFlow } from 'imapflow'
import { fetchByUid } from '../client/commands.ts'
import type { FetchedMessage } from '../client/response-parser.ts'
import { type Entry, type Fetched, type Group, type Marked, type Parsed, smallMessage } from '../entry.ts'
import { uidSet } from '../index/folder-index.ts'
import type { Session } from '../session.ts'
import { headerPiece, type LargeMessage, readLarge } from './large-messages.ts'
import { type Piece, startParsing } from './parsing.ts'
import { piecesOf } from './pieces.ts'

const megabyte = 1024 * 1024
/** Larger ones are fetched in pieces: a larger answer closes the connection. */
export const wholeAtOnce = 32 * megabyte
/** The maximum of `raw_mime`, as at other providers. */
const maxWhole = 210 * megabyte
/** Messages parsed in one batch, while the next ones arrive. */
const parsedAtOnce = 25

/** The parts of a message that a request needs. */
export interface NeededParts {
  fields: MessageFields
  /** Whether the text, the snippet or the attachments are needed. */
  content: boolean
}

/** A message that was read, or the reason why it could not be. */
export interface Reading extends Parsed {
  group: Group
  unread: boolean
  starred: boolean
  draft: boolean
  raw?: Buffer
}

export interface Place {
  entry: Entry
  /** Whether this copy is read. Of the others only the flags are. */
  primary: boolean
}

/** What to read, and where to store it. */
export interface Task {
  wanted: NeededParts
  into: ReadonlyMap<Entry, Fetched>
}

/** Reads messages. Deleted messages and deleted copies are left out. */
export async function readAll(session: Session, groups: readonly Group[], wanted: NeededParts): Promise<Reading[]> {
  const into = new Map<Entry, Fetched>()
  for (const { entries } of groups) {
    const slot: Fetched = { places: [] }
    for (const entry of entries) into.set(entry, slot)
  }
  const slotOf = ({ entries: [first] }: Group): Fetched | undefined => first && into.get(first)
  // If a copy was deleted, the next one is read.
  for (let copy = 0; ; copy++) {
    const open = groups.filter((group) => copy < group.entries.length && !isRead(slotOf(group)))
    if (open.length === 0) break
    const places = open.flatMap(({ entries }) =>
      entries.map((entry, at) => ({ entry, primary: at === copy })).filter((place) => copy === 0 || place.primary),
    )
    await fetchAll(session, places, { wanted, into })
  }
  const readings = groups.map(async (group): Promise<Reading[]> => {
    const { places, source, parsing } = slotOf(group) ?? { places: [] }
    if (!source && !parsing) return []
    const marked = (flag: string): boolean => places.some(({ flags }) => flags.has(flag))
    return [
      {
        group: { ...group, entries: [...new Set(places.map(({ entry }) => entry))] },
        unread: places.some(({ flags }) => !flags.has('\\Seen')),
        starred: marked('\\Flagged'),
        draft: marked('\\Draft'),
        ...(source ? { raw: source } : {}),
        ...(await parsing),
      },
    ]
  })
  return (await Promise.all(readings)).flat()
}

const isRead = (fetched: Fetched | undefined): boolean =>
  fetched?.source !== undefined || fetched?.parsing !== undefined

async function fetchAll(session: Session, places: readonly Place[], task: Task): Promise<void> {
  const { mailbox, io } = session
  const { prefetched } = session
  const byPath = Map.groupBy(
    places.filter((place) => !takePrefetched(prefetched, place, task) && !takeFromCache(session, place, task)),
    ({ entry }) => entry.path,
  )
  const one = ([path, some]: [string, Place[]]): Promise<void> =>
    mailbox.in(path, { signal: io.signal }, async (client, state) => {
      mailbox.cache.putMarks(await fetchPlaces(session, client, { places: some, ...task }), state?.modseq)
    })
  await Promise.all(byPath.entries().map(one))
  const headers = asksForHeaders(task.wanted)
  const large = places.flatMap(({ entry, primary }): LargeMessage[] => {
    const slot = task.into.get(entry)
    return primary && slot?.header && !slot.parsing ? [{ entry, slot, headers }] : []
  })
  if (task.wanted.content) await readLarge(session, large)
  else startParsing(session, 'assemble', large.map(headerPiece))
}

/** Uses the prefetched data of a copy; returns whether it is complete. */
function takePrefetched(
  prefetched: ReadonlyMap<Entry, Fetched> | undefined,
  { entry, primary }: Place,
  { into }: Task,
): boolean {
  const slot = into.get(entry)
  const { places = [], parsing } = prefetched?.get(entry) ?? {}
  // A response that broke off before the flags is read again.
  if (!slot || places.length === 0 || (primary && !parsing)) return false
  slot.places.push(...places)
  if (parsing) slot.parsing ??= parsing
  return true
}

/** Uses the cached data of a copy; returns whether it is complete. */
export function takeFromCache({ mailbox }: Session, { entry, primary }: Place, { wanted, into }: Task): boolean {
  const flags = mailbox.cache.marks(entry, mailbox.modseqOf(entry.path))
  const known = primary ? knownMessage(mailbox.cache, entry, wanted) : undefined
  const slot = into.get(entry)
  if (!flags || !slot || (primary && !known)) return false
  slot.places.push({ entry, flags })
  if (known) slot.parsing = Promise.resolve({ parsed: known })
  return true
}

/** A cached message, if only its text is needed. */
function knownMessage(cache: Session['mailbox']['cache'], entry: Entry, wanted: NeededParts): LeanMessage | undefined {
  return wanted.fields === 'raw_mime' || asksForHeaders(wanted) ? undefined : cache.get(entry)
}

/** Reads copies in the selected folder. Returns the flags. */
export async function fetchPlaces(
  session: Session,
  client: ImapFlow,
  { places, wanted, into }: Task & { places: readonly Place[] },
): Promise<Marked[]> {
  const { mailbox } = session
  const marked: Marked[] = []
  const byUid = new Map(places.map(({ entry }) => [entry.uid, entry]))
  const slotOf = (uid: number): { entry: Entry; slot: Fetched } | undefined => {
    const entry = byUid.get(uid)
    const slot = entry && into.get(entry)
    return slot && { entry, slot }
  }
  const refused = (uid: number): void => {
    const { entry, slot } = slotOf(uid) ?? {}
    if (!entry || !slot) return
    slot.places.push({ entry, flags: new Set() })
    slot.parsing ??= Promise.resolve({ problem: 'the mail server does not give it out' })
  }
  const ask = async (
    some: readonly Place[] | undefined,
    query: FetchQueryObject,
    arrived?: (message: FetchedMessage) => void,
  ): Promise<FetchedMessage[]> => {
    if (!some) return []
    const range = uidSet(some.map(({ entry }) => entry.uid))
    const messages = await fetchByUid(client, range, { uid: true, flags: true, ...query }, { refused, arrived })
    for (const { uid, flags = new Set<string>() } of messages) {
      const { entry, slot } = slotOf(uid) ?? {}
      if (!entry || !slot) continue
      slot.places.push({ entry, flags })
      marked.push({ entry, flags })
    }
    return messages
  }

  const known = new Map<Entry, LeanMessage>()
  const { whole, large, parts, marks } = Object.groupBy(places, ({ entry, primary }) => {
    const read = primary ? knownMessage(mailbox.cache, entry, wanted) : undefined
    if (read) known.set(entry, read)
    if (read || !primary) return 'marks'
    return !isFetchedWhole(entry, wanted) ? 'parts' : entry.size > wholeAtOnce ? 'large' : 'whole'
  })
  const parser = parserOf(session, wanted)
  await ask(whole, { source: true }, (message) => {
    const { entry, slot } = slotOf(message.uid) ?? {}
    if (!entry || !slot || isRead(slot) || !('source' in message)) return
    // An empty message has no source but still counts.
    const source = message.source || Buffer.alloc(0)
    if (wanted.fields === 'raw_mime') slot.source = source
    else parser.add({ entry, slot, source })
  })
  parser.end()
  for (const { uid } of await ask(large, {})) {
    const { entry, slot } = slotOf(uid) ?? {}
    if (!entry || !slot || isRead(slot)) continue
    if (entry.size > maxWhole) slot.parsing = Promise.resolve({ problem: tooLarge(entry) })
    else slot.source = Buffer.concat(await Array.fromAsync(piecesOf(client, entry)))
  }
  for (const { uid } of await ask(marks, {})) {
    const { entry, slot } = slotOf(uid) ?? {}
    const parsed = entry && known.get(entry)
    if (slot && parsed) slot.parsing ??= Promise.resolve({ parsed })
  }
  for (const { uid, headers } of await ask(parts, { headers: true })) {
    const { slot } = slotOf(uid) ?? {}
    if (slot) slot.header = headers || Buffer.alloc(0)
  }
  return marked
}

const tooLarge = ({ size }: Entry): string =>
  `it has ${Math.ceil(size / megabyte)} MB, and raw_mime returns at most ${maxWhole / megabyte} MB; export the messages instead`

interface Parser {
  add(message: { entry: Entry; slot: Fetched; source: Buffer }): void
  /** No more messages follow. */
  end(): void
}

/** Parses messages in batches as they arrive. */
function parserOf(session: Session, wanted: NeededParts): Parser {
  const headers = asksForHeaders(wanted)
  let waiting: Piece[] = []
  const end = (): void => {
    startParsing(session, 'message', waiting)
    waiting = []
  }
  return {
    add({ entry, slot, source }) {
      waiting.push({ entry, slot, input: { source, headers } })
      if (waiting.length >= parsedAtOnce) end()
    },
    end,
  }
}

const asksForHeaders = ({ fields }: NeededParts): boolean =>
  fields === 'include_headers' || fields === 'include_basic_headers'

export const isFetchedWhole = ({ size }: Entry, { fields, content }: NeededParts): boolean =>
  fields === 'raw_mime' || (content && size <= smallMessage)
