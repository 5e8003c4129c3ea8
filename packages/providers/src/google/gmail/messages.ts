import type { Message, MessageListQuery, MessageQuery } from '@waypost/contract'
import type { JsonValue } from '@waypost/platform/json/guard'
import { list as listOf, object, text } from '@waypost/platform/json/reader'
import { cleanMessages } from '../../mail/clean.ts'
import { passes } from '../../mail/filters.ts'
import { depthOf, type Filters, passesSearch } from '../../mail/search.ts'
import { unreadable } from '../../mail/unreadable.ts'
import type { MailChange, Operations, Page } from '../../operations.ts'
import { ifNotFound } from '../../shared/named-objects.ts'
import type { Session } from '../session.ts'
import { badFolders, type GmailMessage, idPath, isInvalidLabel, mailScope, me, orNotFound } from './gmail-api.ts'
import { checkWithinThread, type ListedId, listInRounds, tokenOf } from './listing.ts'
import { isNothing, labelChange, missing } from './mapping/label.ts'
import { fromReading } from './mapping/message.ts'
import { type Format, type NeededParts, type Reading, readMessage, readMessages } from './reading.ts'
import { sendThroughGmail } from './sending.ts'
import { messagesOfThread } from './threads.ts'

/** Fields that labels provide, and fields that headers provide. */
const fromLabels = new Set([
  'id',
  'grant_id',
  'object',
  'thread_id',
  'date',
  'unread',
  'starred',
  'folders',
  'metadata',
])
const fromHeaders = new Set(['subject', 'from', 'to', 'cc', 'bcc', 'reply_to', 'headers', 'tracking_options'])

/** The smallest format that contains the requested fields. */
function formatOf({ fields, select }: Partial<Pick<MessageQuery, 'fields' | 'select'>>): Format {
  if (fields === 'raw_mime') return 'raw'
  if (!select || select.length === 0 || select.some((name) => !fromLabels.has(name) && !fromHeaders.has(name))) {
    return 'full'
  }
  return select.some((name) => fromHeaders.has(name)) ? 'metadata' : 'minimal'
}

const formats: readonly Format[] = ['minimal', 'metadata', 'full']
const ofDepth = { labels: 'minimal', headers: 'metadata', content: 'full' } as const
const more = (a: Format, b: Format): Format => (formats.indexOf(a) > formats.indexOf(b) ? a : b)

const standard: NeededParts = { fields: 'standard', format: 'full' }

const messageOf = (session: Session, reading: Reading, fields: NeededParts['fields'] = 'standard'): Message =>
  fromReading(reading, { grantId: session.grant.id, fields, shown: session.io.shown })

async function list(session: Session, query: MessageListQuery, at: JsonValue | undefined): Promise<Page<Message>> {
  const { limit, page_token: _, metadata_pair: __, ...filters } = query
  if (filters.thread_id !== undefined) return listThread(session, query, at)
  return listInRounds(session, 'messages', { filters, limit, at }, (ids) => readListed(session, ids, filters))
}

/** The messages of a page that pass the filters, with the requested fields. */
async function readListed(session: Session, ids: readonly ListedId[], filters: Filters): Promise<Message[]> {
  const fields = filters.fields ?? 'standard'
  const format = formatOf(filters)
  const depth = depthOf(filters)
  if (isNamesAlone(filters) && depth === 'labels') {
    return ids.map(({ id, threadId }) => ({ id, grant_id: session.grant.id, object: 'message', thread_id: threadId }))
  }
  if (format !== 'raw') return readPassing(session, ids, { fields, format: more(format, ofDepth[depth]) }, filters)
  const passing =
    depth === 'labels' ? ids : await readPassing(session, ids, { ...standard, format: ofDepth[depth] }, filters)
  const raws = await readMessages(
    session,
    passing.map(({ id }) => id),
    { fields, format },
  )
  return raws.map((reading) => messageOf(session, reading, fields))
}

/** Whether the list itself contains all requested fields. */
function isNamesAlone({ select, received_after, received_before }: Filters): boolean {
  const known = new Set(['id', 'grant_id', 'object', 'thread_id'])
  const timed = received_after !== undefined || received_before !== undefined
  return !timed && select !== undefined && select.length > 0 && select.every((name) => known.has(name))
}

async function readPassing(
  session: Session,
  ids: readonly { id: string }[],
  wanted: NeededParts,
  filters: Filters,
): Promise<Message[]> {
  const readings = await readMessages(
    session,
    ids.map(({ id }) => id),
    wanted,
  )
  for (const { problem, message } of readings)
    if (problem) session.io.setResponseHeader('x-unreadable-messages', message.id)
  return readings.map((reading) => messageOf(session, reading, wanted.fields)).filter((each) => passes(each, filters))
}

/** The matching messages of one thread, newest first. */
async function listThread(
  session: Session,
  { limit, ...query }: MessageListQuery,
  at: JsonValue | undefined,
): Promise<Page<Message>> {
  const { page_token: _, metadata_pair: __, thread_id = '', ...filters } = query
  checkWithinThread(session, { ...filters, thread_id })
  const fields = filters.fields ?? 'standard'
  // A thread that does not exist has no messages.
  const readings = await messagesOfThread(session, thread_id, fields).catch(ifNotFound([]))
  const found = readings
    .map((reading) => messageOf(session, reading, fields === 'raw_mime' ? 'standard' : fields))
    .filter((message) => passes(message, filters) && passesSearch(message, filters))
  const after = tokenOf(at)
  const start = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1
  const page = found.slice(start, start + limit)
  const last = page.at(-1)
  const next = last && start + limit < found.length ? { next: last.id } : {}
  if (fields !== 'raw_mime') return { items: page, ...next }
  const raws = await readMessages(
    session,
    page.map(({ id }) => id),
    { fields, format: 'raw' },
  )
  return { items: raws.map((reading) => messageOf(session, reading, fields)), ...next }
}

/** Reads one message; throws if it cannot be parsed. */
async function readOne(session: Session, id: string, wanted: NeededParts): Promise<Reading> {
  const reading = await orNotFound('message', () => readMessage(session, id, wanted))
  if (reading.problem) throw unreadable(reading.problem)
  return reading
}

const labelsAlone = object({}, { labelIds: listOf(text) })

/** Changes the labels of a message; returns the labels that it has then. */
async function relabel(session: Session, message: GmailMessage, change: MailChange): Promise<string[]> {
  const labels = message.labelIds ?? []
  const wanted = missing(labelChange(labels, change), labels)
  if (isNothing(wanted)) return labels
  const path = `${me}/messages/${message.id}/modify`
  const query = { fields: 'labelIds' }
  try {
    const { labelIds } = await session.call('gmail', 'POST', path, { query, body: wanted, read: labelsAlone })
    return labelIds ?? []
  } catch (error) {
    throw change.folders && isInvalidLabel(error) ? badFolders() : error
  }
}

export const messages: Operations<Session>['messages'] = {
  list,
  send: sendThroughGmail,

  async get(session, at) {
    const fields = at.fields ?? 'standard'
    return messageOf(session, await readOne(session, at.message_id, { fields, format: formatOf(at) }), fields)
  },

  async clean(session, _at, { message_id: ids, ...options }) {
    const wanted = [...new Set(ids.map((id) => idPath('message', id)))]
    const readings = new Map((await readMessages(session, wanted, standard)).map((each) => [each.message.id, each]))
    const read = ids.map((id) => {
      const reading = readings.get(id)
      return reading && { ...reading, message: messageOf(session, reading) }
    })
    return cleanMessages(session.io, read, options)
  },

  async update(session, at, change) {
    const reading = await readOne(session, at.message_id, standard)
    const labelIds = await orNotFound('message', () => relabel(session, reading.message, change))
    return messageOf(session, { ...reading, message: { ...reading.message, labelIds } })
  },

  async delete(session, at) {
    const path = `${me}/messages/${idPath('message', at.message_id)}`
    await orNotFound('message', () =>
      at.hard_delete
        ? session.execute('gmail', 'DELETE', path, { scopes: [mailScope] })
        : session.execute('gmail', 'POST', `${path}/trash`, { query: { fields: 'id' } }),
    )
  },
}
