/**
 * Reads messages: small ones whole, of large ones the header, the structure and the text, so that attachments stay where
 * they are. What strangers wrote is parsed apart (`io.parse`): a message that cannot be read is marked, alone.
 */
import type { MessageFields } from '@waypost/contract'
import type { FetchMessageObject, FetchQueryObject, ImapFlow } from 'imapflow'
import { bodyParts, MAX_RAW_BYTES, type PartNode } from '../../formats/mime.ts'
import type { LeanMessage } from '../../formats/parse-worker.ts'
import { ApiError } from '../../lib/api-error.ts'
import { fetchByUid, fetchOneByUid } from './command.ts'
import { isRefused, isUnreadable } from './errors.ts'
import { type Entry, uidSet } from './folder-index.ts'
import type { Group } from './mailbox.ts'
import { fromStructure } from './mapping/structure.ts'
import type { Session } from './session.ts'

/** Messages up to this size are fetched whole: one way there and back, and no structure to be parsed here. */
export const smallMessage = 128 * 1024
/** Of a text part of a large message at most so much is read. */
const textBytes = 2 * 1024 * 1024

/** Text in more pieces than this is cut off. */
const partsAtMost = 50

/** What a list or a get needs of a message. */
export interface Wanted {
  fields: MessageFields
  /** Whether the text, the snippet or the attachments are asked for. */
  content: boolean
}

/** A message as it was read. */
export interface Reading {
  group: Group
  unread: boolean
  starred: boolean
  draft: boolean
  parsed?: LeanMessage
  raw?: Buffer
  /** Why it could not be read. */
  problem?: string
}

interface Fetched {
  /** The places where it was found, with its marks there. */
  places: { entry: Entry; flags: Set<string> }[]
  source?: Buffer | undefined
  /** Of a large message, which is read by parts. */
  header?: Buffer
  /** Messages are parsed while the next ones are fetched. */
  parsing?: Promise<Parsed>
}

type Parsed = Pick<Reading, 'parsed' | 'problem'>

interface Place {
  entry: Entry
  /** The copy that is read; of the others only the marks are. */
  primary: boolean
}

/** Reads messages; those that are gone by now are left out, and so are places where one is not any more. */
export async function readAll(session: Session, groups: readonly Group[], wanted: Wanted): Promise<Reading[]> {
  const fetched = new Map(groups.map(({ id }): [string, Fetched] => [id, { places: [] }]))
  // Where a copy is gone, the next one is read.
  for (let copy = 0; ; copy++) {
    const open = groups.filter(({ id, entries }) => copy < entries.length && !isRead(fetched.get(id)))
    if (open.length === 0) break
    const places = open.flatMap(({ entries }) =>
      entries.map((entry, at) => ({ entry, primary: at === copy })).filter((place) => copy === 0 || place.primary),
    )
    await fetchAll(session, places, wanted, fetched)
  }
  const readings = groups.map(async (group): Promise<Reading[]> => {
    const { places, source, parsing } = fetched.get(group.id) ?? { places: [] }
    if (!source && !parsing) return []
    const marked = (flag: string): boolean => places.some(({ flags }) => flags.has(flag))
    return [
      {
        group: { ...group, entries: placesOf(places) },
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

const placesOf = (places: Fetched['places']): Entry[] => [...new Set(places.map(({ entry }) => entry))]

async function fetchAll(
  session: Session,
  places: readonly Place[],
  wanted: Wanted,
  into: ReadonlyMap<string, Fetched>,
): Promise<void> {
  const { mailbox, io } = session
  const byPath = Map.groupBy(
    places.filter((place) => !takeFromShelf(session, place, wanted, into)),
    ({ entry }) => entry.path,
  )
  const one = ([path, some]: [string, Place[]]): Promise<void> =>
    mailbox.in(path, { signal: io.signal }, (client) => fetchPlaces(session, client, { places: some, wanted, into }))
  await Promise.all(byPath.entries().map(one))
  const large = places.flatMap(({ entry, primary }) => {
    const slot = into.get(entry.id)
    return primary && slot?.header && !slot.parsing ? [{ entry, slot, wanted }] : []
  })
  for (const each of large) await readParts(session, each)
}

/** A message that was read before, where its text is all that is wanted. */
function knownMessage(shelf: Session['mailbox']['shelf'], entry: Entry, wanted: Wanted): [Entry, LeanMessage][] {
  if (wanted.fields === 'raw_mime' || asksForHeaders(wanted)) return []
  const known = shelf.get(entry)
  return known ? [[entry, known]] : []
}

/** So many messages are fetched at a time; those before are parsed in the meantime. */
const fetchAtOnce = 25

interface Plan {
  places: readonly Place[]
  wanted: Wanted
  into: ReadonlyMap<string, Fetched>
}

/** Fills in what is known of a place without asking; answers whether that is all. */
function takeFromShelf(
  { mailbox }: Session,
  { entry, primary }: Place,
  wanted: Wanted,
  into: ReadonlyMap<string, Fetched>,
): boolean {
  const flags = mailbox.shelf.marks(entry, mailbox.modseqOf(entry.path))
  const [known] = primary ? knownMessage(mailbox.shelf, entry, wanted) : []
  const slot = into.get(entry.id)
  if (!flags || !slot || (primary && !known)) return false
  slot.places.push({ entry, flags })
  if (known) slot.parsing = Promise.resolve({ parsed: known[1] })
  return true
}

async function fetchPlaces(session: Session, client: ImapFlow, { places, wanted, into }: Plan): Promise<void> {
  const { mailbox } = session
  const { shelf } = mailbox
  const byUid = new Map(places.map(({ entry }) => [entry.uid, entry]))
  // As it was at a look before the marks are read: what changes in between makes it another.
  const modseq = mailbox.modseqOf(places[0]?.entry.path ?? '')
  const refused = (uid: number): void => {
    const entry = byUid.get(uid)
    const slot = entry && into.get(entry.id)
    if (!slot) return
    slot.places.push({ entry, flags: new Set() })
    slot.parsing ??= Promise.resolve({ problem: 'the mail server does not give it out' })
  }
  const found = async (
    some: readonly Place[],
    query: FetchQueryObject,
  ): Promise<{ message: FetchMessageObject; slot: Fetched }[]> => {
    if (some.length === 0) return []
    const range = uidSet(some.map(({ entry }) => entry.uid))
    const messages = await fetchByUid(client, range, { uid: true, flags: true, ...query }, { refused })
    return messages.flatMap((message) => {
      const entry = byUid.get(message.uid)
      const slot = entry && into.get(entry.id)
      if (!slot) return []
      const flags = message.flags ?? new Set()
      slot.places.push({ entry, flags })
      shelf.putMarks(entry, flags, modseq)
      return [{ message, slot }]
    })
  }
  const primary = places.filter((place) => place.primary)
  const known = new Map(primary.flatMap(({ entry }) => knownMessage(shelf, entry, wanted)))
  const [whole, parts] = split(
    primary.filter(({ entry }) => !known.has(entry)),
    wanted,
  )
  const headers = asksForHeaders(wanted)
  for (let at = 0; at < whole.length; at += fetchAtOnce) {
    const some = await found(whole.slice(at, at + fetchAtOnce), { source: true })
    // A message without a byte has no source, and is one all the same.
    const read = some.flatMap(({ message, slot }) =>
      'source' in message ? [{ source: message.source || Buffer.alloc(0), slot }] : [],
    )
    if (wanted.fields === 'raw_mime') for (const { source, slot } of read) slot.source = source
    else
      startParsing(
        session,
        'message',
        read.map(({ source, slot }) => ({ slot, input: { source, headers } })),
      )
  }
  await found(
    places.filter((place) => !place.primary || known.has(place.entry)),
    {},
  )
  for (const [entry, parsed] of known) {
    const slot = into.get(entry.id)
    if (slot?.places.some((place) => place.entry === entry)) slot.parsing = Promise.resolve({ parsed })
  }
  for (const { message, slot } of await found(parts, { headers: true })) {
    slot.header = message.headers || Buffer.alloc(0)
  }
}

/** Reads the text of a large message: its structure first, then the parts that are shown. */
async function readParts(session: Session, { entry, slot, wanted }: { entry: Entry; slot: Fetched; wanted: Wanted }) {
  const { mailbox, io } = session
  const parse = (structure: PartNode, texts: { part: string; bytes: Uint8Array }[]): void => {
    const input = { header: slot.header, structure, texts, headers: asksForHeaders(wanted) }
    startParsing(session, 'assemble', [{ slot, input }])
  }
  if (!wanted.content) return parse(noStructure, [])
  try {
    const isRead = await mailbox.in(entry.path, { signal: io.signal }, async (client) => {
      const { bodyStructure } = (await fetchOneByUid(client, entry.uid, { bodyStructure: true })) ?? {}
      if (!bodyStructure || !/^[^/]+\/[^/]+$/.test(bodyStructure.type)) return false
      const structure = fromStructure(bodyStructure)
      parse(structure, await fetchTexts(client, entry.uid, bodyParts(structure).slice(0, partsAtMost)))
      return true
    })
    if (isRead) return
  } catch (error) {
    // A structure that is made to hurt is the fault of its message alone.
    if (!isUnreadable(error) && !isRefused(error)) throw error
  }
  await readWhole(session, { entry, slot, wanted })
}

/** Reads a large message that the server cannot take apart: its bytes may still say what it is. */
async function readWhole(session: Session, { entry, slot, wanted }: { entry: Entry; slot: Fetched; wanted: Wanted }) {
  const { mailbox, io } = session
  if (entry.size > MAX_RAW_BYTES) {
    slot.parsing = Promise.resolve({ problem: 'its structure cannot be read' })
    return
  }
  const message = await mailbox.in(entry.path, { signal: io.signal }, (client) =>
    fetchOneByUid(client, entry.uid, { source: true }),
  )
  if (!message?.source) return
  const { source } = message
  startParsing(session, 'message', [{ slot, input: { source, headers: asksForHeaders(wanted) } }])
  // One of these at a time is held.
  await slot.parsing
}

const asksForHeaders = ({ fields }: Wanted): boolean =>
  fields === 'include_headers' || fields === 'include_basic_headers'

/** Which messages are fetched whole, and which by parts. */
function split<P extends { entry: Entry }>(places: readonly P[], { fields, content }: Wanted): [P[], P[]] {
  if (fields === 'raw_mime') return [[...places], []]
  if (!content) return [[], [...places]]
  const { whole = [], parts = [] } = Object.groupBy(places, ({ entry }) =>
    entry.size <= smallMessage ? 'whole' : 'parts',
  )
  return [whole, parts]
}

async function fetchTexts(
  client: ImapFlow,
  uid: number,
  parts: readonly string[],
): Promise<{ part: string; bytes: Uint8Array }[]> {
  if (parts.length === 0) return []
  const query = { bodyParts: parts.map((key) => ({ key, start: 0, maxLength: textBytes })) }
  const message = await fetchOneByUid(client, uid, query)
  const found = message?.bodyParts ?? new Map<string, Buffer>()
  return parts.flatMap((part) => {
    const bytes = found.get(part.toLowerCase()) ?? found.get(part)
    return bytes ? [{ part, bytes }] : []
  })
}

/** Has messages parsed apart from this thread; each is alone in its fate. */
function startParsing(session: Session, kind: string, some: readonly { slot: Fetched; input: unknown }[]): void {
  if (some.length === 0) return
  const { parse, signal, log } = session.io
  const inputs = some.map(({ input }) => input)
  const done = parse.run<unknown, LeanMessage>(kind, inputs, { signal })
  for (const [at, { slot }] of some.entries()) {
    slot.parsing = done.then((results): Parsed => {
      const result = results[at]
      if (result?.ok) {
        shelve(session, slot, result.value, kind)
        return { parsed: result.value }
      }
      const { reason = 'broken', message = '' } = result ?? {}
      log.warn({ grant_id: session.grant.id, reason, problem: message }, 'a message could not be parsed')
      return { problem: problems[reason] ?? message }
    })
    // It is waited for once all are fetched.
    slot.parsing.catch(() => undefined)
  }
}

/** Whole messages are kept for the next who asks; of others perhaps only the header was read. */
function shelve({ mailbox }: Session, { places }: Fetched, message: LeanMessage, kind: string): void {
  const [first] = places
  if (first && kind === 'message') mailbox.shelf.put(first.entry, message)
}

/** What is told of a failure that is not the message's own word. */
const problems: Partial<Record<string, string>> = {
  deadline: 'it takes too long to parse',
  crashed: 'it takes too much memory to parse',
  broken: 'it cannot be parsed',
}

/** For those who want the header alone. */
const noStructure: PartNode = {
  part: '1',
  type: 'text/plain',
  contentType: 'text/plain',
  parameters: {},
  filename: null,
  encoding: '7bit',
  size: 0,
}

/** The error for a message that cannot be read. */
export const unreadable = (problem: string): ApiError =>
  new ApiError('provider_refused', `this message cannot be read: ${problem}; fields=raw_mime gives its bytes`)
