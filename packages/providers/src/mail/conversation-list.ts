/**
 * Lists of threads at providers that only list messages. Threads are ordered by their newest matching message. For
 * each message the whole conversation is read. A conversation whose newest match is on an earlier page was listed
 * there.
 */
import type { Thread } from '@waypost/contract'
import { after, isBefore, type ListPlace, type Position } from './position.ts'

/** Messages to read per page of threads, and how many times at most. */
const maxRounds = 10
export const scanned = 100

/** A conversation with at least one message, newest first. */
export interface Conversation<M> {
  id: string
  messages: M[]
}

/** Whether the newest match of a conversation is not on an earlier page. */
export type FirstMatch<M> = (conversation: Conversation<M>) => boolean

export interface ConversationList<M> {
  start: Position | undefined
  limit: number
  signal: AbortSignal
  placeOf(message: M): ListPlace
  /** The id of its conversation; empty if it has none. */
  conversationOf(message: M): string
  /** Matching messages from a position on. */
  page(position: Position | undefined): Promise<{ messages: readonly M[]; next?: Position }>
  /** Whether a message matches; used on later pages. */
  matches: ((message: M) => boolean) | undefined
  /** The threads of the conversations of some messages, in their order, without hidden ones. */
  threads(firsts: ReadonlyMap<string, M>, isShown: FirstMatch<M>): Promise<readonly Thread[]>
}

export async function listConversations<M>(of: ConversationList<M>): Promise<{ items: Thread[]; next?: Position }> {
  const { start, limit } = of
  const items: Thread[] = []
  const seen = new Set<string>()
  let position = start
  for (let round = 0; round < maxRounds; round++) {
    const page = await of.page(position)
    const { firsts, last } = firstsOf(of, page.messages, { seen, position, limit: limit - items.length })
    items.push(...(await of.threads(firsts, isFirstMatch(of, firsts))))
    const isCut = last !== undefined
    if (!isCut && page.next === undefined) return { items }
    position = last ?? page.next
    if (items.length >= limit) break
    of.signal.throwIfAborted()
  }
  return { items, ...(position ? { next: position } : {}) }
}

/** The first message of each new conversation, up to a maximum, and where the next one begins. */
function firstsOf<M>(
  { placeOf, conversationOf }: ConversationList<M>,
  messages: readonly M[],
  { seen, position, limit }: { seen: Set<string>; position: Position | undefined; limit: number },
): { firsts: Map<string, M>; last?: Position } {
  const firsts = new Map<string, M>()
  let last = position
  for (const message of messages) {
    const id = conversationOf(message)
    if (id !== '' && !seen.has(id)) {
      if (firsts.size === limit) return { firsts, ...(last ? { last } : {}) }
      seen.add(id)
      firsts.set(id, message)
    }
    last = after(last, placeOf(message))
  }
  return { firsts }
}

const isFirstMatch =
  <M>({ start, matches, placeOf }: ConversationList<M>, firsts: ReadonlyMap<string, M>): FirstMatch<M> =>
  ({ id, messages }) => {
    if (start === undefined || !matches) return true
    const first = firsts.get(id)
    const firstId = first && placeOf(first).id
    const newest = messages.find((message) => placeOf(message).id === firstId || matches(message))
    return newest === undefined || !isBefore(start, placeOf(newest))
  }
