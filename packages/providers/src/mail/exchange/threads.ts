/** Threads are the conversations of Exchange: all messages of one conversation, in any folder. */
import type { Thread, ThreadListQuery } from '@waypost/contract'
import type { JsonValue } from '@waypost/platform/json/guard'
import type { Operations, Page } from '../../operations.ts'
import { notFound } from '../../shared/named-objects.ts'
import { type Conversation, listConversations, scanned } from '../conversation-list.ts'
import { hasWords } from '../filters.ts'
import { readPosition, stored } from '../position.ts'
import type { Filters } from '../search.ts'
import { isWithinTimes, threadFrom } from '../thread.ts'
import { changeMessages, type ExchangeMail, type ExchangeMailbox, type ExchangeSession, folderOf } from './mail-api.ts'

/** The provider searches at most this many messages for the continuation of a list. */
const maxHits = 1000

type Matches<M> = (message: M) => boolean

export interface ThreadSearch<B, M, W> {
  /** The fields of messages that name their conversation. */
  conversationFields: W
  conversationOf(message: M): string
  /** Whether a message passes all filters except search words. */
  matcher(mailbox: B, filters: Filters): Matches<M> | Promise<Matches<M>>
  /** Whether the provider's search has to answer the filters, because messages do not contain what they ask for. */
  needsSearch(filters: Filters): boolean
  /** Throws if the filters cannot be combined. */
  checkFilters(filters: Filters): void
}

/** A message is an object, so that it can be a key of a map. */
interface Threads<S, B extends ExchangeMailbox, M extends object, W> {
  mail: ExchangeMail<S, B, M, W>
  search: ThreadSearch<B, M, W>
}

/** Conversations as threads, in their order. The text of the latest message is read now. */
async function threadsFrom<S, B extends ExchangeMailbox, M extends object, W>(
  { mail }: Threads<S, B, M, W>,
  mailbox: B,
  conversations: readonly Conversation<M>[],
): Promise<Thread[]> {
  if (conversations.length === 0) return []
  const latest = conversations.flatMap(({ messages: [first] }) => first ?? [])
  const read = await mail.withTexts(mailbox, latest)
  const whole = new Map(latest.map((message, place) => [message, read[place] ?? message]))
  const sent = await mail.sentFolder(mailbox)
  const isInSent = ({ folders = [] }: { folders?: string[] }): boolean => folders.includes(sent)
  return conversations.flatMap(({ id, messages }) => {
    const members = messages.map((each) => ({
      message: mail.messageOf(mailbox, whole.get(each) ?? each),
      draftId: mail.isDraft(each) ? mail.idOf(each) : undefined,
    }))
    return threadFrom(id, { grant: mailbox.session.grant, isInSent }, members) ?? []
  })
}

/** A condition for the messages of a list that continues. */
async function matchesOf<S, B extends ExchangeMailbox, M extends object, W>(
  { mail, search }: Threads<S, B, M, W>,
  mailbox: B,
  filters: Filters,
): Promise<Matches<M>> {
  if (!search.needsSearch(filters)) return search.matcher(mailbox, filters)
  const folder = folderOf(filters)
  const all = { mailbox, folder, filters, position: undefined, limit: maxHits, wanted: mail.wanted.names }
  const hits = new Set((await mail.listMessages(all)).messages.map((message) => mail.placeOf(message).id))
  return (message) => hits.has(mail.placeOf(message).id)
}

async function listThreads<S extends ExchangeSession, B extends ExchangeMailbox, M extends object, W>(
  threads: Threads<S, B, M, W>,
  session: S,
  { query, at }: { query: ThreadListQuery; at: JsonValue | undefined },
): Promise<Page<Thread>> {
  const { mail, search } = threads
  const { limit, page_token: _, ...filters } = query
  const mailbox = mail.mailboxFor(session, query)
  if (filters.thread_id !== undefined) return { items: await listOne(threads, mailbox, filters.thread_id, filters) }
  const start = readPosition(at)
  const folder = folderOf(filters)
  const wanted = search.conversationFields
  const { items, next } = await listConversations<M>({
    start,
    limit,
    signal: session.io.signal,
    placeOf: mail.placeOf,
    conversationOf: search.conversationOf,
    matches: start && (await matchesOf(threads, mailbox, filters)),
    page: (position) => mail.listMessages({ mailbox, folder, filters, position, limit: scanned, wanted }),
    async threads(firsts, isShown) {
      const found = await mail.readConversations(mailbox, [...firsts.keys()])
      const shown = [...firsts.keys()].flatMap((id) => found.get(id) ?? []).filter(isShown)
      return (await threadsFrom(threads, mailbox, shown)).filter((thread) => isWithinTimes(thread, filters))
    },
  })
  return { items, ...(next ? { next: stored(next) } : {}) }
}

/** The thread with an id, if it exists and passes the other filters. */
async function listOne<S, B extends ExchangeMailbox, M extends object, W>(
  threads: Threads<S, B, M, W>,
  mailbox: B,
  id: string,
  filters: Filters,
): Promise<Thread[]> {
  const { mail, search } = threads
  search.checkFilters(filters)
  const conversation = (await mail.readConversations(mailbox, [id])).get(id)
  if (!conversation) return []
  const { q } = filters
  const candidates = conversation.messages.filter(await search.matcher(mailbox, filters))
  const hasWordsIn = async (words: string): Promise<boolean> =>
    (await mail.withTexts(mailbox, candidates)).some((message) => hasWords(mail.messageOf(mailbox, message), words))
  const isFound = q === undefined ? candidates.length > 0 : await hasWordsIn(q)
  const found = isFound ? await threadsFrom(threads, mailbox, [conversation]) : []
  return found.filter((thread) => isWithinTimes(thread, filters))
}

export function threadOperations<S extends ExchangeSession, B extends ExchangeMailbox, M extends object, W>(
  mail: ExchangeMail<S, B, M, W>,
  search: ThreadSearch<B, M, W>,
): Operations<S>['threads'] {
  const threads = { mail, search }
  const readOne = async (mailbox: B, id: string): Promise<Conversation<M>> => {
    const conversation = (await mail.readConversations(mailbox, [id])).get(id)
    if (!conversation) throw notFound('thread')
    return conversation
  }
  const threadFromOne = async (mailbox: B, conversation: Conversation<M>): Promise<Thread> => {
    const [thread] = await threadsFrom(threads, mailbox, [conversation])
    if (!thread) throw notFound('thread')
    return thread
  }
  return {
    list: (session, query, at) => listThreads(threads, session, { query, at }),

    async get(session, at) {
      const mailbox = mail.mailboxFor(session, at)
      return threadFromOne(mailbox, await readOne(mailbox, at.thread_id))
    },

    async update(session, at, change) {
      const mailbox = mail.mailboxFor(session, at)
      const { id, messages } = await readOne(mailbox, at.thread_id)
      return threadFromOne(mailbox, { id, messages: await changeMessages(mail, mailbox, { messages, change }) })
    },

    async delete(session, at) {
      const mailbox = mail.mailboxFor(session, at)
      const { messages } = await readOne(mailbox, at.thread_id)
      await mail.moveAll(mailbox, messages, await mail.trashOf(mailbox))
    },
  }
}
