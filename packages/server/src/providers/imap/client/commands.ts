/**
 * Commands as the adapter gives them. imapflow has no methods for some, which go through its own call for extensions; and
 * of others it answers with nothing, and no error, when the connection is gone: an empty answer then means a lost one.
 */
import type { FetchOptions, FetchQueryObject, ImapFlow } from 'imapflow'
import { ConnectionFailed } from '../../mail/connection-failed.ts'
import { isRefused } from '../errors.ts'
import { fetchResponses } from './fast-responses.ts'
import { type Attribute, internals, type Untagged } from './internals.ts'
import type { FetchedMessage } from './response-parser.ts'

export const atom = (value: string): Attribute => ({ type: 'ATOM', value })

/** Runs a command; `untagged` hears the responses of a name that come before it is done. */
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

/** Throws where the connection was lost, or the folder is not selected any more. */
export function checkOpen(client: ImapFlow): void {
  if (!client.usable || !client.mailbox) throw new ConnectionFailed('connect', 'the connection was lost')
}

/** A command line that is longer is too long for some servers (RFC 7162 §4). */
const maxSetLength = 4_000
/** So often a fetch that a server refuses is tried in smaller pieces. */
const maxPieces = 40

export interface FetchUse extends FetchOptions {
  /** Hears of messages that the server does not give out, each alone; without it they are left out. */
  refused?(uid: number): void
  /** Hears every answer as it comes, before it is known whether more belongs to it. */
  arrived?: ((message: FetchedMessage) => void) | undefined
}

/**
 * Fetches messages of the selected folder by their UIDs. Servers may tell of one message in several answers, and between
 * them of marks of others that changed: what belongs together comes together, and what was not asked for not at all. A
 * message that a server does not give out, as it refuses to convert it, keeps none of the others back.
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

/** Fetches one message by its UID. */
export async function fetchOneByUid(
  client: ImapFlow,
  uid: number,
  query: FetchQueryObject,
): Promise<FetchedMessage | undefined> {
  const messages = await fetchByUid(client, String(uid), { uid: true, ...query })
  return messages.find((message) => message.uid === uid)
}

/** What says that an answer is one to a question, and not about marks that changed. */
const telling = ['headers', 'source', 'bodyParts', 'bodyStructure', 'size', 'internalDate'] as const

function together(messages: readonly FetchedMessage[], query: FetchQueryObject): FetchedMessage[] {
  const byUid = new Map<number, FetchedMessage>()
  for (const message of messages) {
    if (!message.uid) continue
    const known = byUid.get(message.uid)
    byUid.set(message.uid, known ? { ...known, ...message, ...partsOf(known, message) } : message)
  }
  const asked = telling.filter((name) => query[name])
  return [...byUid.values()].filter(
    (message) => asked.length === 0 || asked.some((name) => (name === 'bodyStructure' ? 'structure' : name) in message),
  )
}

const partsOf = (a: FetchedMessage, b: FetchedMessage): Pick<FetchedMessage, 'bodyParts'> =>
  a.bodyParts && b.bodyParts ? { bodyParts: new Map([...a.bodyParts, ...b.bodyParts]) } : {}

/** A sequence set as several, none of them too long for a line. */
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

/** A set of UIDs as two; one that cannot be taken apart as itself. */
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
