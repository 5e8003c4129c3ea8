import type { Message, MessageFields, Thread, ThreadListQuery } from '@waypost/contract'
import type { JsonValue } from '@waypost/platform/json/guard'
import { list as listOf, object } from '@waypost/platform/json/reader'
import { passes } from '../../mail/filters.ts'
import { type Filters, passesSearch } from '../../mail/search.ts'
import { isWithinTimes, threadFrom } from '../../mail/thread.ts'
import type { Operations, Page } from '../../operations.ts'
import { ifNotFound, notFound } from '../../shared/named-objects.ts'
import type { Session } from '../session.ts'
import { draftIdsOf } from './drafts.ts'
import {
  badFolders,
  foundOf,
  type GmailThread,
  gmailThread,
  idPath,
  isInvalidLabel,
  labelledMessage,
  me,
  orNotFound,
} from './gmail-api.ts'
import { checkWithinThread, listInRounds } from './listing.ts'
import { isNothing, labelChange } from './mapping/label.ts'
import { dateOf, fromReading } from './mapping/message.ts'
import { fullBytes, type NeededParts, queryOf, type Reading, understand } from './reading.ts'

/** A thread whose labels were changed. */
const relabelled = object({}, { messages: listOf(labelledMessage) })

const standard: NeededParts = { fields: 'standard', format: 'full' }

/** The query parameters for a thread; those of its messages are the same as of a single message. */
function threadQuery(session: Session, wanted: NeededParts): Record<string, string | readonly string[]> {
  const { fields = '', ...query } = queryOf(session, wanted)
  return { ...query, fields: `id,messages(${String(fields)})` }
}

async function fetchThread(session: Session, id: string, wanted: NeededParts): Promise<GmailThread> {
  const path = `${me}/threads/${idPath('thread', id)}`
  const query = threadQuery(session, wanted)
  const thread = await orNotFound('thread', () =>
    session.call('gmail', 'GET', path, { query, maxBytes: fullBytes, read: gmailThread }),
  )
  if (!thread.messages?.length) throw notFound('thread')
  return thread
}

/** The messages of threads, newest first in each. */
async function readThreads(
  session: Session,
  threads: readonly GmailThread[],
  wanted: NeededParts,
): Promise<Reading[][]> {
  const ordered = threads.map(({ messages = [] }) =>
    messages
      .map((message, place) => ({ message, place }))
      .sort((a, b) => dateOf(b.message) - dateOf(a.message) || b.place - a.place)
      .map(({ message }) => message),
  )
  const readings = await understand(session, ordered.flat(), wanted)
  let end = 0
  return ordered.map(({ length }) => {
    end += length
    return readings.slice(end - length, end)
  })
}

/** The messages of the thread with an id. */
export async function messagesOfThread(session: Session, id: string, fields: MessageFields): Promise<Reading[]> {
  const wanted: NeededParts = { fields: fields === 'raw_mime' ? 'standard' : fields, format: 'full' }
  const [readings = []] = await readThreads(session, [await fetchThread(session, id, wanted)], wanted)
  return readings
}

/** Maps threads in their order; those that do not pass the filters are left out. */
async function threadsFrom(session: Session, found: readonly GmailThread[], filters: Filters): Promise<Thread[]> {
  const { grant, io } = session
  const drafts = found.flatMap(({ messages = [] }) => messages.filter(({ labelIds }) => labelIds?.includes('DRAFT')))
  const draftIds = await draftIdsOf(
    session,
    drafts.map(({ id }) => id),
  )
  const at = { grantId: grant.id, fields: 'standard', shown: io.shown } as const
  const readings = await readThreads(session, found, standard)
  // A thread that is requested by id was not searched for, so all filters are checked.
  const unsearched = filters.thread_id === undefined ? { in: filters.in } : filters
  return found.flatMap(({ id }, place) => {
    const members = (readings[place] ?? []).map((reading) => ({
      message: fromReading(reading, at),
      draftId: draftIds.get(reading.message.id),
    }))
    const isInSent = ({ folders: labels = [] }: Message): boolean => labels.includes('SENT')
    const thread = threadFrom(id, { grant, isInSent }, members)
    const isFound = members.some(({ message }) => passes(message, filters) && passesSearch(message, unsearched))
    return thread && isFound && isWithinTimes(thread, filters) ? [thread] : []
  })
}

async function list(session: Session, query: ThreadListQuery, at: JsonValue | undefined): Promise<Page<Thread>> {
  const { limit, page_token: _, ...filters } = query
  if (filters.thread_id !== undefined) return { items: await listOne(session, filters.thread_id, filters) }
  return listInRounds(session, 'threads', { filters, limit, at }, async (ids) => {
    const query = threadQuery(session, standard)
    const calls = ids.map(({ id }) => ({ path: `${me}/threads/${idPath('thread', id)}`, query }))
    return threadsFrom(session, foundOf(await session.batch('gmail', calls, gmailThread)), filters)
  })
}

/** The thread with an id, if it exists and passes the other filters. */
async function listOne(session: Session, id: string, filters: Filters): Promise<Thread[]> {
  checkWithinThread(session, filters)
  return fetchThread(session, id, standard)
    .then((thread) => threadsFrom(session, [thread], filters))
    .catch(ifNotFound([]))
}

async function one(session: Session, thread: GmailThread): Promise<Thread> {
  const [found] = await threadsFrom(session, [thread], {})
  if (!found) throw notFound('thread')
  return found
}

export const threads: Operations<Session>['threads'] = {
  list,

  async get(session, at) {
    return one(session, await fetchThread(session, at.thread_id, standard))
  },

  async update(session, at, change) {
    const thread = await fetchThread(session, at.thread_id, standard)
    const labels = [...new Set(thread.messages?.flatMap(({ labelIds = [] }) => labelIds))]
    const body = labelChange(labels, change)
    if (isNothing(body)) return one(session, thread)
    const path = `${me}/threads/${thread.id}/modify`
    const changed = await orNotFound('thread', () =>
      session.call('gmail', 'POST', path, { query: { fields: 'messages(id,labelIds)' }, body, read: relabelled }),
    ).catch((error: unknown) => {
      throw change.folders && isInvalidLabel(error) ? badFolders() : error
    })
    const labelsOf = new Map(changed.messages?.map(({ id, labelIds = [] }) => [id, labelIds]))
    const messages = thread.messages?.map((message) => ({
      ...message,
      labelIds: labelsOf.get(message.id) ?? message.labelIds ?? [],
    }))
    return one(session, { ...thread, ...(messages ? { messages } : {}) })
  },

  async delete(session, at) {
    const path = `${me}/threads/${idPath('thread', at.thread_id)}/trash`
    await orNotFound('thread', () => session.execute('gmail', 'POST', path, { query: { fields: 'id' } }))
  },
}
