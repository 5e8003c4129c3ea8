/**
 * Parses responses before imapflow does. imapflow turns every response into a tree, writes it as text again for a
 * log, and for FETCH makes text of it once more for each item. That takes longer than the rest of a list. Here,
 * responses in the ordinary form, which nearly all have, are parsed once from left to right. All others are passed to
 * imapflow.
 *
 * Long responses are never passed to imapflow, because it would block the event loop. A body structure is returned as
 * raw bytes for the parser threads. A long status is cut to its first words. Other long responses are skipped, or
 * fail the fetch that they belong to. Between responses the event loop gets a turn.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FetchOptions, FetchQueryObject, ImapFlow } from 'imapflow'
import { internals } from './internals.ts'
import {
  type FetchedMessage,
  maxImapflowBytes,
  type Response,
  readFetch,
  readLongSearch,
  readPlain,
} from './response-parser.ts'

type Hear = (message: FetchedMessage) => void

/** The running FETCH of each connection, and whether one of its responses was too long. */
const hearers = new WeakMap<ImapFlow, { hear: Hear; isTooLong: boolean }>()

/** Time to parse responses without giving the event loop a turn. */
const turnMs = 10
let paused = 0

/** Must be called before the connection is opened. */
export function readFastResponses(client: ImapFlow): void {
  const inside = internals(client)
  const others = inside.handleResponse?.bind(client)
  const handlerOf = inside.getUntaggedHandler?.bind(client)
  if (!others || !handlerOf) return
  inside.handleResponse = async (response) => {
    if (performance.now() - paused > turnMs) {
      await nextTurn()
      paused = performance.now()
    }
    const hearer = hearers.get(client)
    const message = hearer && readFetch(response)
    if (message) {
      remember(client, message)
      hearer.hear(message)
      return true
    }
    if (isBeyond(client, response)) return true
    const plain = (await readLongSearch(response)) ?? readPlain(response)
    const handler = plain && handlerOf(plain.command, plain.attributes)
    if (!handler) {
      const short = shortOf(response)
      if (short) return others(short)
      if (hearer && isFetch(response)) hearer.isTooLong = true
      return true
    }
    // A response that makes no sense is skipped.
    await handler(plain).catch(() => undefined)
    return true
  }
}

/** Folders received in the running LIST of each connection. */
const listings = new WeakMap<ImapFlow, { reported: number; max: number }>()

/**
 * Runs a LIST. With more than `max` folders it closes the connection and returns `more`, because imapflow would
 * query the status of each folder.
 */
export async function listUpTo<T>(client: ImapFlow, max: number, list: () => Promise<T>): Promise<T | 'more'> {
  const listing = { reported: 0, max }
  listings.set(client, listing)
  try {
    const listed = await list()
    return listing.reported > max ? 'more' : listed
  } catch (error) {
    if (listing.reported > max) return 'more'
    throw error
  } finally {
    listings.delete(client)
  }
}

const listed = /^\* X?LIST /i

function isBeyond(client: ImapFlow, { payload }: Response): boolean {
  const listing = listings.get(client)
  if (!listing || !listed.test(payload.toString('latin1', 0, 10))) return false
  if (++listing.reported === listing.max + 1) client.close()
  return listing.reported > listing.max
}

/** Fetches messages of the selected folder and calls `hear` for each response. */
export async function fetchResponses(
  client: ImapFlow,
  { range, query, options }: { range: string; query: FetchQueryObject; options: FetchOptions },
  hear: Hear,
): Promise<void> {
  if (hearers.has(client)) throw new Error('A connection does one thing at a time')
  const hearer = { hear, isTooLong: false }
  hearers.set(client, hearer)
  try {
    for await (const { bodyStructure: _, ...message } of client.fetch(range, query, options)) hear(message)
  } finally {
    hearers.delete(client)
  }
  if (hearer.isTooLong) throw Object.assign(new Error('an answer is too long to be read'), { code: 'ResponseTooLarge' })
}

/** Whether a FETCH is running. It receives every FETCH response that the server sends. */
export const isFetching = (client: ImapFlow): boolean => hearers.has(client)

const status = /^(?:[^\s()]{1,100} (?:OK|NO|BAD|BYE|PREAUTH)|\+)(?= |$)/i

/**
 * A response that imapflow can parse quickly: a short one unchanged, a long status cut to its first words, otherwise
 * undefined.
 */
function shortOf(response: Response): Response | undefined {
  const { payload, literals } = response
  if (payload.length <= maxImapflowBytes && literals.length < 1_000) return response
  // Servers report changed flags without a request.
  const reported = readFetch(response)
  if (reported) {
    const text = `* ${reported.seq} FETCH (UID ${reported.uid} FLAGS (${[...(reported.flags ?? [])].slice(0, 20).join(' ')}))`
    return { payload: Buffer.from(text, 'latin1'), literals: [] }
  }
  const words = status.exec(payload.toString('latin1', 0, 120))?.[0]
  return words === undefined ? undefined : { payload: Buffer.from(`${words} `, 'latin1'), literals: [] }
}

const isFetch = ({ payload }: Response): boolean => /^\* \d+ FETCH /i.test(payload.toString('latin1', 0, 30))

/** Updates the state that imapflow would derive from the response. */
function remember({ mailbox }: ImapFlow, { uid, modseq = 0n }: FetchedMessage): void {
  if (!mailbox) return
  if (uid >= (mailbox.uidNext || 0)) mailbox.uidNext = uid + 1
  if (modseq > (mailbox.highestModseq || 0n)) mailbox.highestModseq = modseq
}
