/**
 * Hears the answers of a server before imapflow does. imapflow takes every response apart into a tree, writes it down again
 * for a log, and of FETCH makes it a text once more for each item: that takes longer than all else that is done for a list.
 * Responses of the plain form, which nearly all are, are read here, once and from left to right; all others are left to
 * imapflow, and so is everything where it does not let itself be overheard.
 *
 * What is long is never left to imapflow, which would hold up the whole process with it: a structure is kept as it stands,
 * for the threads that parse; of a status the words are enough; the rest is passed over, or fails the fetch that it
 * belongs to. Between answers the process gets to others.
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

/** Who is told of the messages that a connection fetches, and of an answer that is too long to be read. */
const hearers = new WeakMap<ImapFlow, { hear: Hear; isTooLong: boolean }>()

/** So long answers are read without a pause. */
const turnMs = 10
let paused = 0

/** Overhears a connection, from now on. */
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
    // One that nobody can make sense of is passed over.
    await handler(plain).catch(() => undefined)
    return true
  }
}

/** How many folders a connection was told of in a listing. */
const listings = new WeakMap<ImapFlow, { told: number; most: number }>()

/**
 * Runs a listing of folders, or says `more` where there are more than so many: then the connection is closed, because
 * imapflow would ask for the state of each.
 */
export async function listUpTo<T>(client: ImapFlow, most: number, list: () => Promise<T>): Promise<T | 'more'> {
  const listing = { told: 0, most }
  listings.set(client, listing)
  try {
    const listed = await list()
    return listing.told > most ? 'more' : listed
  } catch (error) {
    if (listing.told > most) return 'more'
    throw error
  } finally {
    listings.delete(client)
  }
}

const listed = /^\* X?LIST /i

function isBeyond(client: ImapFlow, { payload }: Response): boolean {
  const listing = listings.get(client)
  if (!listing || !listed.test(payload.toString('latin1', 0, 10))) return false
  if (++listing.told === listing.most + 1) client.close()
  return listing.told > listing.most
}

/** Fetches messages of the selected folder; `hear` is told of each as it comes. */
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

/** Whether a FETCH is under way. It receives every FETCH response that the server sends. */
export const isFetching = (client: ImapFlow): boolean => hearers.has(client)

const status = /^(?:[^\s()]{1,100} (?:OK|NO|BAD|BYE|PREAUTH)|\+)(?= |$)/i

/** A response that imapflow can take apart in no time: as it is, or of a long status its words; none of anything else. */
function shortOf(response: Response): Response | undefined {
  const { payload, literals } = response
  if (payload.length <= maxImapflowBytes && literals.length < 1_000) return response
  // Marks that changed are told of without having been asked for.
  const told = readFetch(response)
  if (told) {
    const text = `* ${told.seq} FETCH (UID ${told.uid} FLAGS (${[...(told.flags ?? [])].slice(0, 20).join(' ')}))`
    return { payload: Buffer.from(text, 'latin1'), literals: [] }
  }
  const words = status.exec(payload.toString('latin1', 0, 120))?.[0]
  return words === undefined ? undefined : { payload: Buffer.from(`${words} `, 'latin1'), literals: [] }
}

const isFetch = ({ payload }: Response): boolean => /^\* \d+ FETCH /i.test(payload.toString('latin1', 0, 30))

/** What imapflow learns of the folder from answers. */
function remember({ mailbox }: ImapFlow, { uid, modseq = 0n }: FetchedMessage): void {
  if (!mailbox) return
  if (uid >= (mailbox.uidNext || 0)) mailbox.uidNext = uid + 1
  if (modseq > (mailbox.highestModseq || 0n)) mailbox.highestModseq = modseq
}
