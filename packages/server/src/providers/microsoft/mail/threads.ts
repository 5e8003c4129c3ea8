import type { Thread, ThreadChange, ThreadListQuery } from '@waypost/contract'
import { ApiError } from '../../../lib/api-error.ts'
import type { JsonValue } from '../../../lib/json/guard.ts'
import { type FirstMatch, listConversations, lookedThrough } from '../../mail/conversation-list.ts'
import { hasSubject, hasWords, passes } from '../../mail/filters.ts'
import { folderIn } from '../../mail/one-folder.ts'
import { readPosition, stored } from '../../mail/position.ts'
import type { Filters } from '../../mail/search.ts'
import { isWithinTimes } from '../../mail/thread.ts'
import type { Operations, Page } from '../../operations.ts'
import { notFound } from '../../shared/named-objects.ts'
import type { Session } from '../session.ts'
import { type Conversation, readConversations, threadsFrom } from './conversations.ts'
import { folderOf, type Listing, listMessages } from './listing.ts'
import { type GraphMessage, graphMessage, type Mailbox, mailboxFor } from './mail-api.ts'
import type { WellKnown } from './mapping/folder.ts'
import { placeOf } from './mapping/position.ts'
import { envelope, nothingButNames } from './mapping/properties.ts'
import { searchOf } from './mapping/query.ts'
import { badFolder, changePath, marksOf } from './message-changes.ts'
import { messageOf } from './messages.ts'
import { readMessages } from './reading.ts'
import { wellKnownIds } from './well-known-folders.ts'

const maxHits = 1000

type Matches = (message: GraphMessage) => boolean

/** Whether a message passes the filters of a list of threads, but for words. */
async function matcher(mailbox: Mailbox, filters: Filters): Promise<Matches> {
  const named = folderOf(filters)
  const folder = named === undefined ? undefined : ((await wellKnownIds(mailbox)).get(named as WellKnown) ?? named)
  const { has_attachment: files, subject, ...others } = filters
  return (message) => {
    const shown = messageOf(mailbox, message)
    return (
      passes(shown, others) &&
      (subject === undefined || hasSubject(shown, subject)) &&
      (files === undefined || files === (message.hasAttachments ?? false)) &&
      (folder === undefined || message.parentFolderId === folder)
    )
  }
}

/** The same for what only Graph can tell: it is asked for all that it finds. */
async function matchesOf(listing: Pick<Listing, 'mailbox' | 'folder' | 'filters'>): Promise<Matches> {
  const search = searchOf(listing.filters)
  if ('terms' in search && !search.isNative) return matcher(listing.mailbox, listing.filters)
  const all = { ...listing, position: undefined, limit: maxHits, wanted: nothingButNames }
  const hits = new Set((await listMessages(all)).messages.map(({ id }) => id))
  return ({ id }) => hits.has(id)
}

async function list(session: Session, query: ThreadListQuery, at: JsonValue | undefined): Promise<Page<Thread>> {
  const { limit, page_token: _, ...filters } = query
  const mailbox = mailboxFor(session, query)
  if (filters.thread_id !== undefined) return { items: await listOne(mailbox, filters.thread_id, filters) }
  const start = readPosition(at)
  const folder = folderOf(filters)
  const { items, next } = await listConversations<GraphMessage>({
    start,
    limit,
    signal: session.io.signal,
    placeOf,
    conversationOf: ({ conversationId = '' }) => conversationId,
    matches: start && (await matchesOf({ mailbox, folder, filters })),
    page: (position) => listMessages({ mailbox, folder, filters, position, limit: lookedThrough, wanted: envelope }),
    threads: (firsts, isShown) => threadsOf(mailbox, firsts, { filters, isShown }),
  })
  return { items, ...(next ? { next: stored(next) } : {}) }
}

async function threadsOf(
  mailbox: Mailbox,
  firsts: ReadonlyMap<string, GraphMessage>,
  { filters, isShown }: { filters: Filters; isShown: FirstMatch<GraphMessage> },
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
  const matches = await matcher(mailbox, filters)
  const candidates = conversation.messages.filter(matches)
  const isFound = q === undefined ? candidates.length > 0 : await hasWordsIn(mailbox, candidates, q)
  const threads = isFound ? await threadsFrom(mailbox, [conversation]) : []
  return threads.filter((thread) => isWithinTimes(thread, filters))
}

/** Whether words stand in one of some messages, whose texts are read for it. */
async function hasWordsIn(mailbox: Mailbox, messages: readonly GraphMessage[], q: string): Promise<boolean> {
  const wanted = { properties: ['id', 'body'], attachments: false }
  const ids = messages.map(({ id }) => id)
  const bodies = new Map((await readMessages(mailbox, ids, wanted)).map(({ id, body }) => [id, body]))
  return messages.some((message) => {
    const body = bodies.get(message.id)
    return hasWords(messageOf(mailbox, body ? { ...message, body } : message), q)
  })
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

/** Puts messages into a folder, all but those that are there; answers where they are then. */
async function moveAll(
  mailbox: Mailbox,
  messages: readonly GraphMessage[],
  folder: string,
): Promise<Map<string, string>> {
  const moved = messages.filter(({ parentFolderId }) => parentFolderId !== folder)
  const calls = moved.map(({ id }) => ({
    method: 'POST' as const,
    path: `${changePath(mailbox, id)}/move`,
    body: { destinationId: folder },
  }))
  const answers = await mailbox.session.batch(calls, graphMessage)
  const places = new Map<string, string>()
  for (const [place, answer] of answers.entries()) {
    const { id = '' } = moved[place] ?? {}
    if (answer instanceof ApiError) throw badFolder(answer)
    places.set(id, answer.parentFolderId ?? folder)
  }
  return places
}

/** Changes all messages of a conversation. */
async function changeAll(
  mailbox: Mailbox,
  { id, messages }: Conversation,
  change: ThreadChange,
): Promise<Conversation> {
  const folder = folderIn(change, 'Microsoft')
  const places = folder === undefined ? new Map<string, string>() : await moveAll(mailbox, messages, folder)
  const marked = messages.flatMap((message) => {
    const marks = marksOf(message, change)
    return Object.keys(marks).length > 0 ? [{ id: message.id, marks }] : []
  })
  const calls = marked.map(({ id: messageId, marks }) => ({
    method: 'PATCH' as const,
    path: changePath(mailbox, messageId),
    body: marks,
  }))
  for (const answer of await mailbox.session.batch(calls, graphMessage)) if (answer instanceof ApiError) throw answer
  const marks = new Map(marked.map((each) => [each.id, each.marks]))
  return {
    id,
    messages: messages.map((message) => {
      const parentFolderId = places.get(message.id) ?? message.parentFolderId
      return { ...message, ...marks.get(message.id), ...(parentFolderId === undefined ? {} : { parentFolderId }) }
    }),
  }
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
    await moveAll(mailbox, messages, (await wellKnownIds(mailbox)).get('deleteditems') ?? 'deleteditems')
  },
}
