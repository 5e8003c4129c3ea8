/** A draft has an id that stays, and contains another message each time it is saved. */
import type { Draft, DraftListQuery } from '@waypost/contract'
import type { JsonValue } from '@waypost/platform/json/guard'
import { object, type Read, readableItems, text } from '@waypost/platform/json/reader'
import { passes } from '../../mail/filters.ts'
import { draftFrom } from '../../mail/message.ts'
import type { Filters } from '../../mail/search.ts'
import { unreadable } from '../../mail/unreadable.ts'
import type { Operations, OutgoingDraft, Page } from '../../operations.ts'
import { notFound } from '../../shared/named-objects.ts'
import type { Session } from '../session.ts'
import { needLabel } from './folders.ts'
import {
  foundOf,
  type GmailDraft,
  gmailDraft,
  gmailId,
  idPath,
  isMetadataOnly,
  labelledMessage,
  me,
  orNotFound,
} from './gmail-api.ts'
import { listInRounds } from './listing.ts'
import { fromReading, isReply } from './mapping/message.ts'
import { bytesOf } from './mapping/part.ts'
import { uploadMessage } from './message-upload.ts'
import { parentThread } from './parent-thread.ts'
import { fullBytes, type NeededParts, queryOf, type Reading, rawBytes, understand } from './reading.ts'

/** The answer after saving a draft. */
const savedDraft = object({ id: gmailId, message: labelledMessage }, {})
type SavedDraft = Read<typeof savedDraft>
const savedDrafts = object({}, { drafts: readableItems(savedDraft) })

const standard: NeededParts = { fields: 'standard', format: 'full' }

const pathOf = (id: string): string => `${me}/drafts/${idPath('draft', id)}`

/** The fields to request of a draft; those of its message are the same as of a message. */
function draftQuery(session: Session, wanted: NeededParts): Record<string, string> {
  const { fields = '', format = '' } = queryOf(session, wanted)
  return { format: String(format), fields: `id,message(${String(fields)})` }
}

const fetchDraft = (session: Session, id: string, wanted: NeededParts): Promise<GmailDraft> => {
  const maxBytes = wanted.format === 'raw' ? rawBytes : fullBytes
  const query = draftQuery(session, wanted)
  return orNotFound('draft', () => session.call('gmail', 'GET', pathOf(id), { query, maxBytes, read: gmailDraft }))
}

interface ReadDraft {
  draft: Draft
  reading: Reading
}

async function readDrafts(session: Session, found: readonly GmailDraft[]): Promise<ReadDraft[]> {
  const { grant, io } = session
  const readings = await understand(
    session,
    found.map(({ message }) => message),
    standard,
  )
  return found.flatMap(({ id }, place) => {
    const reading = readings[place]
    if (!reading) return []
    const message = fromReading(reading, { grantId: grant.id, fields: 'standard', shown: io.shown })
    return [{ draft: draftFrom(message, { id, isReply: isReply(reading.headers) }), reading }]
  })
}

/** The draft with an id, with its message as Gmail returns it. */
export async function readDraft(session: Session, id: string): Promise<ReadDraft> {
  const [found] = await readDrafts(session, [await fetchDraft(session, id, standard)])
  if (!found) throw notFound('draft')
  if (found.reading.problem) throw unreadable(found.reading.problem)
  return found
}

async function list(session: Session, query: DraftListQuery, at: JsonValue | undefined): Promise<Page<Draft>> {
  const { limit, thread_id: thread, subject, to, cc, bcc, any_email, starred, unread, has_attachment } = query
  const filters: Filters = { subject, to, cc, bcc, any_email, starred, unread, has_attachment }
  if (query.in !== undefined) await needLabel(session, query.in)
  return listInRounds(session, 'drafts', { filters, limit, at }, async (listed) => {
    const ids = listed.filter(({ threadId }) => thread === undefined || threadId === thread)
    const calls = ids.map(({ id }) => ({ path: pathOf(id), query: draftQuery(session, standard) }))
    const found = await readDrafts(session, foundOf(await session.batch('gmail', calls, gmailDraft)))
    return found.flatMap(({ draft, reading }) => {
      if (reading.problem) session.io.setResponseHeader('x-unreadable-messages', draft.id)
      const isWanted =
        (thread === undefined || draft.thread_id === thread) &&
        (query.in === undefined || draft.folders?.includes(query.in) === true)
      return isWanted && passes({ ...draft, object: 'message' }, filters) ? [draft] : []
    })
  })
}

const uploadMs = 120_000

/** Saves the bytes of a draft, in the thread of the message that it answers. */
async function save(
  session: Session,
  { method, path }: { method: 'POST' | 'PUT'; path: string },
  draft: OutgoingDraft,
): Promise<SavedDraft> {
  const threadId = await parentThread(session, draft)
  const body = threadId === undefined ? undefined : { message: { threadId } }
  const query = { fields: 'id,message(id,labelIds)' }
  const call = { method, path, query, body, read: savedDraft, deadlineMs: uploadMs }
  return orNotFound('draft', () => uploadMessage(session, call, draft))
}

/** The draft that an earlier attempt saved under a Message-ID. */
async function findStored(session: Session, messageId: string): Promise<SavedDraft | undefined> {
  const query = { q: `rfc822msgid:${messageId}`, maxResults: 1, fields: 'drafts(id,message(id,labelIds))' }
  const { drafts: found = [] } = await session.call('gmail', 'GET', `${me}/drafts`, { query, read: savedDrafts })
  return found[0]
}

/** Stars or unstars a saved draft. */
async function star(session: Session, { message }: SavedDraft, starred: boolean): Promise<void> {
  if ((message.labelIds?.includes('STARRED') ?? false) === starred) return
  const body = starred ? { addLabelIds: ['STARRED'] } : { removeLabelIds: ['STARRED'] }
  await session.execute('gmail', 'POST', `${me}/messages/${message.id}/modify`, { query: { fields: 'id' }, body })
}

export const drafts: Operations<Session>['drafts'] = {
  list,
  get: async (session, at) => (await readDraft(session, at.draft_id)).draft,

  async create(session, draft) {
    const there = draft.once?.again ? await findStored(session, draft.messageId) : undefined
    const saved = there ?? (await save(session, { method: 'POST', path: `${me}/drafts` }, draft))
    await star(session, saved, draft.starred ?? false)
    return (await readDraft(session, saved.id)).draft
  },

  async update(session, at, draft) {
    const { message } = await fetchDraft(session, at.draft_id, { fields: 'standard', format: 'minimal' })
    const saved = await save(session, { method: 'PUT', path: pathOf(at.draft_id) }, draft)
    await star(session, saved, draft.starred ?? message.labelIds?.includes('STARRED') ?? false)
    return (await readDraft(session, saved.id)).draft
  },

  async delete(session, at) {
    await orNotFound('draft', () => session.execute('gmail', 'DELETE', pathOf(at.draft_id)))
  },
}

/** The bytes of a draft. */
export async function draftSource(session: Session, at: { draft_id: string }): Promise<Uint8Array> {
  const { message } = await fetchDraft(session, at.draft_id, { fields: 'raw_mime', format: 'raw' })
  return bytesOf(message.raw ?? '')
}

const draft = object({ id: gmailId, message: object({ id: gmailId }, {}) }, {})
const answer = object({}, { drafts: readableItems(draft), nextPageToken: text })

const perPage = 500
const maxPages = 10

/** The draft ids of messages that are drafts. Only lists of drafts contain both ids. */
export async function draftIdsOf(session: Session, messageIds: readonly string[]): Promise<Map<string, string>> {
  const wanted = new Set(isMetadataOnly(session) ? [] : messageIds)
  const found = new Map<string, string>()
  let pageToken: string | undefined
  for (let page = 0; page < maxPages && found.size < wanted.size; page++) {
    const query = {
      maxResults: perPage,
      pageToken,
      includeSpamTrash: true,
      fields: 'drafts(id,message/id),nextPageToken',
    }
    const { drafts = [], nextPageToken } = await session.call('gmail', 'GET', `${me}/drafts`, { query, read: answer })
    for (const { id, message } of drafts) if (wanted.has(message.id)) found.set(message.id, id)
    if (!nextPageToken) break
    pageToken = nextPageToken
  }
  return found
}
