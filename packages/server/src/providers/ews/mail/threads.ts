import type { Thread, ThreadChange, ThreadListQuery } from '@waypost/contract'
import type { JsonValue } from '../../../lib/json/guard.ts'
import { type FirstMatch, listConversations, lookedThrough } from '../../mail/conversation-list.ts'
import { hasWords } from '../../mail/filters.ts'
import { readPosition, stored } from '../../mail/position.ts'
import type { Filters } from '../../mail/search.ts'
import { isWithinTimes } from '../../mail/thread.ts'
import type { Operations, Page } from '../../operations.ts'
import { notFound } from '../../shared/named-objects.ts'
import type { Session } from '../session.ts'
import { type Conversation, readConversations, threadsFrom } from './conversations.ts'
import { folderOf, type Listing, listMessages } from './listing.ts'
import { type Mailbox, type MailItem, mailboxFor } from './mail-api.ts'
import { folderOfId, itemIdOf, placeOf, threadIdOf } from './mapping/names.ts'
import { passesRow, passesWhole, searchOf } from './mapping/query.ts'
import { envelope, nothingButNames, wantedFields } from './mapping/wanted.ts'
import { markAll, marksOf, moveAll, targetIn, trashOf } from './message-changes.ts'
import { messageOf } from './messages.ts'
import { readItems } from './reading.ts'

const maxHits = 1000

type Matches = (item: MailItem) => boolean

/** Whether a message passes the filters of a list of threads, but for words. */
function matcher(mailbox: Mailbox, { q: _, ...filters }: Filters): Matches {
  const named = folderOf(filters)
  const folder = named === undefined ? undefined : folderOfId(named)
  return (item) =>
    passesRow(item, filters) &&
    passesWhole(messageOf(mailbox, item), filters) &&
    (named === undefined || item.ParentFolderId?.Id === folder)
}

/** The same for what only Exchange can tell: it is asked for all that it finds. */
async function matchesOf(listing: Pick<Listing, 'mailbox' | 'folder' | 'filters'>): Promise<Matches> {
  const { q, search_query_native: native } = listing.filters
  if (q === undefined && native === undefined) return matcher(listing.mailbox, listing.filters)
  const all = { ...listing, position: undefined, limit: maxHits, wanted: nothingButNames }
  const hits = new Set((await listMessages(all)).messages.map((item) => placeOf(item).id))
  return (item) => hits.has(placeOf(item).id)
}

async function list(session: Session, query: ThreadListQuery, at: JsonValue | undefined): Promise<Page<Thread>> {
  const { limit, page_token: _, ...filters } = query
  const mailbox = mailboxFor(session, query)
  if (filters.thread_id !== undefined) return { items: await listOne(mailbox, filters.thread_id, filters) }
  const start = readPosition(at)
  const folder = folderOf(filters)
  const { items, next } = await listConversations<MailItem>({
    start,
    limit,
    signal: session.io.signal,
    placeOf,
    conversationOf: threadIdOf,
    matches: start && (await matchesOf({ mailbox, folder, filters })),
    page: (position) =>
      listMessages({ mailbox, folder, filters, position, limit: lookedThrough, wanted: wantedFields('thread_id') }),
    threads: (firsts, isShown) => threadsOf(mailbox, firsts, { filters, isShown }),
  })
  return { items, ...(next ? { next: stored(next) } : {}) }
}

async function threadsOf(
  mailbox: Mailbox,
  firsts: ReadonlyMap<string, MailItem>,
  { filters, isShown }: { filters: Filters; isShown: FirstMatch<MailItem> },
): Promise<Thread[]> {
  const found = await readConversations(mailbox, [...firsts.keys()])
  const shown = [...firsts.keys()].flatMap((id) => found.get(id) ?? []).filter(isShown)
  return (await threadsFrom(mailbox, shown)).filter((thread) => isWithinTimes(thread, filters))
}

/** The thread with an id, if it is there and passes the other filters. */
async function listOne(mailbox: Mailbox, id: string, filters: Filters): Promise<Thread[]> {
  searchOf(filters)
  const conversation = (await readConversations(mailbox, [id])).get(id)
  if (!conversation) return []
  const { q } = filters
  const candidates = conversation.messages.filter(matcher(mailbox, filters))
  const isFound = q === undefined ? candidates.length > 0 : await hasWordsIn(mailbox, candidates, q)
  const threads = isFound ? await threadsFrom(mailbox, [conversation]) : []
  return threads.filter((thread) => isWithinTimes(thread, filters))
}

/** Whether words stand in one of some messages, whose texts are read for it. */
async function hasWordsIn(mailbox: Mailbox, items: readonly MailItem[], q: string): Promise<boolean> {
  const wanted = { fields: new Set([...envelope.fields, 'body' as const]) }
  const read = await readItems(mailbox, items.map(itemIdOf), wanted)
  return read.some((item) => hasWords(messageOf(mailbox, item), q))
}

async function readOne(mailbox: Mailbox, id: string): Promise<Conversation> {
  const conversation = (await readConversations(mailbox, [id])).get(id)
  if (!conversation) throw notFound('thread')
  return conversation
}

async function one(mailbox: Mailbox, conversation: Conversation): Promise<Thread> {
  const [thread] = await threadsFrom(mailbox, [conversation])
  if (!thread) throw notFound('thread')
  return thread
}

/** Changes all messages of a conversation. */
async function changeAll(
  mailbox: Mailbox,
  { id, messages }: Conversation,
  change: ThreadChange,
): Promise<Conversation> {
  const target = targetIn(change)
  const there = target === undefined ? messages : await moveAll(mailbox, messages, target)
  const changes = there.map((item) => ({ item, marks: marksOf(item, change) }))
  return { id, messages: await markAll(mailbox, changes) }
}

export const threads: Operations<Session>['threads'] = {
  list,

  async get(session, at) {
    const mailbox = mailboxFor(session, at)
    return one(mailbox, await readOne(mailbox, at.thread_id))
  },

  async update(session, at, change) {
    const mailbox = mailboxFor(session, at)
    return one(mailbox, await changeAll(mailbox, await readOne(mailbox, at.thread_id), change))
  },

  async delete(session, at) {
    const mailbox = mailboxFor(session, at)
    const { messages } = await readOne(mailbox, at.thread_id)
    await moveAll(mailbox, messages, await trashOf(mailbox))
  },
}
