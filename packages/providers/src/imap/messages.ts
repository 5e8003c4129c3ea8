import type { Message, MessageFields, MessageListQuery, MessageQuery, ThreadListQuery } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import type { JsonValue } from '@waypost/platform/json/guard'
import { cleanMessages } from '../mail/clean.ts'
import { passes } from '../mail/filters.ts'
import { unreadable } from '../mail/unreadable.ts'
import type { MessageSource, Operations, Page, WholeMessage } from '../operations.ts'
import { notFound } from '../shared/named-objects.ts'
import type { Group } from './entry.ts'
import { membersOf, threadIdsOf } from './index/conversations.ts'
import { compare, indexedCopies } from './index/copies.ts'
import { behind, type Position } from './index/groups.ts'
import { locate, locateAgain, locateToRead } from './index/locate.ts'
import { type MessageSearch, messageSearchOf } from './index/message-search.ts'
import { keysOf } from './index/search.ts'
import { findThreadRoot } from './mapping/ids.ts'
import { changeGroups, moveToTrash, removeForEver } from './message-updates.ts'
import { fromReading } from './reading/message.ts'
import { piecesOf, streamOf } from './reading/pieces.ts'
import { prefetchFor } from './reading/prefetch.ts'
import { type NeededParts, type Reading, readAll, wholeAtOnce } from './reading/read-messages.ts'
import { submitMessage } from './sending.ts'
import { allWithApiErrors, folderOf, type Session } from './session.ts'

/** Fields that need the text of a message. */
const contentFields = new Set(['body', 'snippet', 'attachments'])

const wantedOf = (
  query: Pick<MessageQuery, 'fields' | 'select'> & { has_attachment?: boolean | undefined },
): NeededParts => ({
  fields: query.fields ?? 'standard',
  content:
    query.has_attachment !== undefined ||
    !query.select ||
    query.select.length === 0 ||
    query.select.some((name) => contentFields.has(name)),
})

/** Reads messages and maps them to API objects. */
export async function messagesOf(
  session: Session,
  groups: readonly Group[],
  wanted: NeededParts,
): Promise<{ message: Message; reading: Reading; group: Group }[]> {
  const whole = await indexedCopies(session, groups)
  const requested = new Map(whole.map(({ id }, place) => [id, groups[place]]))
  const readings = await readAll(session, whole, wanted)
  const threads = await threadIdsOf(
    session,
    readings.map(({ group }) => group),
  )
  return readings.map((reading, place) => ({
    reading,
    group: requested.get(reading.group.id) ?? reading.group,
    message: fromReading(reading, {
      grantId: session.grant.id,
      threadId: threads[place] ?? '',
      fields: wanted.fields,
      shown: session.io.shown,
    }),
  }))
}

export const positionOf = (value: JsonValue | undefined): Position | undefined => {
  if (!Array.isArray(value)) return undefined
  const [date, id] = value
  return typeof date === 'number' && typeof id === 'string' ? { date, id } : undefined
}

/** Up to `count` candidates after a position. Each one is certainly a single message. */
export async function nextGroups(
  session: Session,
  candidates: MessageSearch,
  after: Position | undefined,
  count: number,
): Promise<{ groups: Group[]; more: boolean }> {
  for (;;) {
    const groups = candidates.groups()
    const rest = after ? behind(groups, after, count + 1) : groups.slice(0, count + 1)
    if (rest.length <= count && candidates.more) await candidates.extend()
    else if (!(await compare(session, rest))) return { groups: rest.slice(0, count), more: rest.length > count }
    session.io.signal.throwIfAborted()
  }
}

/** A filter with few matches ends the page early, with a cursor for the next one. */
export const pageBudgetMs = 20_000
/** Bytes of complete messages per page; one larger message is allowed. */
const rawBytes = 32 * 1024 * 1024

async function list(session: Session, query: MessageListQuery, at: JsonValue | undefined): Promise<Page<Message>> {
  let after = positionOf(at)
  const candidates =
    query.thread_id === undefined
      ? await messageSearchOf(session, query, prefetchFor(session, query, { after, wanted: wantedOf(query) }))
      : await ofThread(session, query)
  if (!candidates) return { items: [] }
  const begun = performance.now()
  const items: Message[] = []
  let left = query.fields === 'raw_mime' ? rawBytes : Number.POSITIVE_INFINITY
  for (;;) {
    const { groups, more } = await nextGroups(session, candidates, after, query.limit - items.length)
    const fitting = groups.slice(0, 1)
    left -= sizeOf(groups[0])
    for (const group of groups.slice(1)) {
      left -= sizeOf(group)
      if (left < 0) break
      fitting.push(group)
    }
    items.push(...(await readMatching(session, fitting, { query, judge: candidates.judge })))
    const last = fitting.at(-1)
    if (last) after = { date: last.date, id: last.id }
    if (!after || (!more && fitting.length === groups.length)) return { items }
    if (items.length >= query.limit || left < 0 || performance.now() - begun > pageBudgetMs) {
      return { items, next: [after.date, after.id] }
    }
    session.io.signal.throwIfAborted()
  }
}

const sizeOf = (group: Group | undefined): number => group?.entries[0]?.size ?? 0

/** Filters that need the header or text of a message. */
const judged = ['from', 'to', 'cc', 'bcc', 'any_email', 'has_attachment'] as const

/** Reads candidates and drops those that do not match the filters. */
async function readMatching(
  session: Session,
  groups: readonly Group[],
  { query, judge }: { query: MessageListQuery; judge: MessageSearch['judge'] },
): Promise<Message[]> {
  const usual = wantedOf(query)
  const wanted = judge ? { ...usual, content: true } : usual
  const isJudged = judge !== undefined || judged.some((name) => query[name] !== undefined)
  if (wanted.fields === 'raw_mime' && isJudged) {
    // Raw bytes cannot be filtered, so the messages are read and filtered first.
    const whole = await readMatching(session, groups, { query: { ...query, fields: 'standard' }, judge })
    const ids = new Set(whole.map(({ id }) => id))
    return (await messagesOf(session, groups, wanted)).flatMap(({ message }) => (ids.has(message.id) ? [message] : []))
  }
  return (await messagesOf(session, groups, wanted)).flatMap(({ message, reading }) => {
    if (reading.problem) session.io.setResponseHeader('x-unreadable-messages', reading.group.id)
    reportShortened(session, reading)
    if (judge && !judge(message)) return []
    return passes(requested(message, reading), query) ? [message] : []
  })
}

/** Reports that parts of a message are left out, under the id in the response. */
export function reportShortened({ io }: Session, { parsed, group }: Reading, id = group.id): void {
  if (parsed?.isShortened) io.setResponseHeader('x-shortened-messages', id)
}

/** Adds the fields that filters need if the response only has the raw bytes. */
const requested = (message: Message, { group, unread, starred }: Reading): Message =>
  message.date === undefined ? { ...message, date: group.date, unread, starred } : message

/** The messages of one thread as candidates; undefined if the id is not a thread id. */
export async function ofThread(
  session: Session,
  query: Partial<MessageListQuery & ThreadListQuery>,
): Promise<MessageSearch | undefined> {
  const { thread_id, ...filters } = query
  const root = findThreadRoot(thread_id ?? '')
  if (root === undefined) return undefined
  const { folders } = await messageSearchOf(session, { in: filters.in })
  const members = (await membersOf(session, [root])).get(root) ?? []
  const found = { folders, more: false, extend: async () => undefined }
  if (keysOf(filters).length === 0) {
    const within = filters.in === undefined ? undefined : folderOf(folders, filters.in, 'in')
    const inside = members.filter(({ entries }) => !within || entries.some(({ path }) => path === within.path))
    return { ...found, groups: () => inside }
  }
  const matching = await messageSearchOf(session, filters)
  // A thread is small, so all matches are read.
  while (matching.more) await matching.extend()
  const places = new Set(matching.groups().flatMap(({ entries }) => entries))
  const groups = members.filter(({ entries }) => entries.some((entry) => places.has(entry)))
  return { ...found, judge: matching.judge, groups: () => groups }
}

async function get(
  session: Session,
  at: { message_id: string } & MessageQuery & WholeMessage,
): Promise<Message & MessageSource> {
  const { group } = await locateToRead(session, at.message_id)
  const [entry] = group.entries
  if (at.source && entry && entry.size > wholeAtOnce) {
    const message = await one(session, group, { fields: 'standard', content: false })
    return { ...message, source: await streamOf(session, entry.path, (client) => piecesOf(client, entry)) }
  }
  return one(session, group, wantedOf(at))
}

async function one(session: Session, group: Group, wanted: NeededParts): Promise<Message> {
  const [found] = await messagesOf(session, [group], wanted)
  if (!found) throw notFound('message')
  if (found.reading.problem) throw unreadable(found.reading.problem, wanted.fields === 'raw_mime' ? '' : undefined)
  reportShortened(session, found.reading)
  return found.message
}

const standard: NeededParts = { fields: 'standard' satisfies MessageFields, content: true }

export const messages: Operations<Session>['messages'] = allWithApiErrors({
  list,
  get,
  send: submitMessage,

  async clean(session, _at, { message_id: ids, ...options }) {
    const groups = new Map<string, Group>()
    for (const id of new Set(ids)) groups.set(id, (await locateToRead(session, id)).group)
    const distinct = new Map(groups.values().map((group) => [group.id, group]))
    const found = await messagesOf(session, [...distinct.values()], standard)
    const read = new Map(found.map(({ message, reading, group }) => [group.id, { ...reading, message }]))
    return cleanMessages(
      session.io,
      ids.map((id) => read.get(groups.get(id)?.id ?? '')),
      options,
    )
  },

  async update(session, at, change) {
    if (change.folders?.length === 0)
      throw invalidField('folders', 'a message must be in at least one folder; name one')
    const { group, folders } = await locate(session, at.message_id)
    await changeGroups(session, [group], change, folders)
    const paths = new Set(change.folders?.map((id) => folderOf(folders, id, 'folders').path))
    const { group: changed } = await locateAgain(session, group, paths)
    return one(session, changed, standard)
  },

  async delete(session, at) {
    const { group, folders } = await locate(session, at.message_id)
    if (at.hard_delete) await removeForEver(session, [group], folders)
    else await moveToTrash(session, [group], folders)
  },
} satisfies Operations<Session>['messages'])
