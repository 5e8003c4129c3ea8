/**
 * Commands of the adapter. Some have no method in imapflow and run through its private `exec`. Others return nothing,
 * without an error, when the connection is lost: so an empty result is checked with `checkOpen`.
 */
import type { FetchOptions, FetchQueryObject, ImapFlow } from 'imapflow'
import { ConnectionFailed } from '../../mail/connection-failed.ts'
import { isRefused } from '../errors.ts'
import { fetchResponses } from './fast-responses.ts'
import { type Attribute, internals, type Untagged } from './internals.ts'
import type { FetchedMessage } from './response-parser.ts'

export const atom = (value: string): Attribute => ({ type: 'ATOM', value })

/** Runs a command. `untagged` has a listener for each kind of untagged response that arrives before its end. */
export async function execute(
  client: ImapFlow,
  command: string,
  attributes: readonly Attribute[],
  untagged: Record<string, (untagged: Untagged) => void> = {},
): Promise<void> {
  const listeners = Object.entries(untagged).map(
    ([name, listen]) => [name, async (response: Untagged) => listen(response)] as const,
  )
  const { exec } = internals(client)
  if (!exec) throw new Error('this version of imapflow has no exec')
  const response = await exec.call(client, command, attributes, { untagged: Object.fromEntries(listeners) })
  response.next()
}

/** Throws if the connection was lost or no folder is selected. */
export function checkOpen(client: ImapFlow): void {
  if (!client.usable || !client.mailbox) throw new ConnectionFailed('connect', 'the connection was lost')
}

/** Some servers reject longer command lines (RFC 7162 §4). */
const maxSetLength = 4_000
/** How often a refused fetch is split into smaller ones. */
const maxPieces = 40

export interface FetchUse extends FetchOptions {
  /** Called for each message that the server refuses to return. Without it, such messages are left out. */
  refused?(uid: number): void
  /** Called for every response as it arrives. A later response may add more to the same message. */
  arrived?: ((message: FetchedMessage) => void) | undefined
}

/**
 * Fetches messages of the selected folder by UID. Servers may send several responses for one message, and in between
 * flags of other messages that changed. The result has one entry per message and only requested messages. One message
 * that the server refuses, for example because it cannot convert it, does not affect the others.
 */
export async function fetchByUid(
  client: ImapFlow,
  range: string,
  query: FetchQueryObject,
  { refused, arrived, ...options }: FetchUse = {},
): Promise<FetchedMessage[]> {
  const found: FetchedMessage[] = []
  const open = cut(range)
  let pieces = maxPieces
  let refusal: unknown
  for (let piece = open.shift(); piece !== undefined; piece = open.shift()) {
    try {
      const messages: FetchedMessage[] = []
      await fetchResponses(client, { range: piece, query, options: { ...options, uid: true } }, (message) => {
        messages.push(message)
        arrived?.(message)
      })
      checkOpen(client)
      found.push(...together(messages, query))
    } catch (error) {
      if (!isRefused(error)) throw error
      refusal = error
      const halves = halve(piece)
      if (halves.length > 1) {
        if (pieces-- === 0) throw error
        open.unshift(...halves)
      } else if (refused && /^\d+$/.test(piece)) refused(Number(piece))
      else if (piece.includes('*')) throw error
    }
  }
  if (refusal !== undefined && found.length === 0 && !refused) throw refusal
  return found
}

export async function fetchOneByUid(
  client: ImapFlow,
  uid: number,
  query: FetchQueryObject,
): Promise<FetchedMessage | undefined> {
  const messages = await fetchByUid(client, String(uid), { uid: true, ...query })
  return messages.find((message) => message.uid === uid)
}

/** Items that show that a response belongs to this fetch and is not just a flag change. */
const telling = ['headers', 'source', 'bodyParts', 'bodyStructure', 'size', 'internalDate'] as const

function together(messages: readonly FetchedMessage[], query: FetchQueryObject): FetchedMessage[] {
  const byUid = new Map<number, FetchedMessage>()
  for (const message of messages) {
    if (!message.uid) continue
    const known = byUid.get(message.uid)
    byUid.set(message.uid, known ? { ...known, ...message, ...partsOf(known, message) } : message)
  }
  const requested = telling.filter((name) => query[name])
  return [...byUid.values()].filter(
    (message) =>
      requested.length === 0 || requested.some((name) => (name === 'bodyStructure' ? 'structure' : name) in message),
  )
}

const partsOf = (a: FetchedMessage, b: FetchedMessage): Pick<FetchedMessage, 'bodyParts'> =>
  a.bodyParts && b.bodyParts ? { bodyParts: new Map([...a.bodyParts, ...b.bodyParts]) } : {}

/** Splits a sequence set so that each part fits into a command line. */
function cut(set: string): string[] {
  if (set.length <= maxSetLength) return [set]
  const sets: string[] = []
  let from = 0
  while (set.length - from > maxSetLength) {
    const comma = set.lastIndexOf(',', from + maxSetLength)
    if (comma <= from) break
    sets.push(set.slice(from, comma))
    from = comma + 1
  }
  return [...sets, set.slice(from)]
}

/** Splits a set of UIDs into two; a set that cannot be split is returned unchanged. */
function halve(set: string): string[] {
  const ranges = set.split(',')
  if (ranges.length > 1) {
    const half = ranges.length >> 1
    return [ranges.slice(0, half).join(','), ranges.slice(half).join(',')]
  }
  const [from = 0, to = from] = set.split(':').map(Number)
  if (!(to > from)) return [set]
  const half = Math.floor((from + to) / 2)
  const range = (first: number, last: number): string => (first === last ? `${first}` : `${first}:${last}`)
  return [range(from, half), range(half + 1, to)]
}

/**
 * Makes imapflow select a folder without listing it first. It lists each folder once per connection, but the account's
 * folders are already listed on another connection of the pool.
 */
export function skipListing(client: ImapFlow, path: string): void {
  const { folders } = internals(client)
  if (folders instanceof Map && !folders.has(path)) folders.set(path, {})
}
