/**
 * Drafts: the messages in the Drafts folder, whoever wrote them. IMAP changes no message, so that saving a draft is adding
 * the new form and then removing the old one: a draft may be there twice for a moment, the newest counts, and never not
 * at all.
 */
import type { Draft, DraftListQuery } from '@waypost/contract'
import { ApiError } from '../../lib/api-error.ts'
import type { JsonValue } from '../../lib/json-guard.ts'
import { passes } from '../message-filters.ts'
import type { DraftLetter, Operations, Page } from '../operations.ts'
import { unreadable } from '../unreadable.ts'
import { candidatesOf, nearby } from './candidates.ts'
import { removeForEver } from './changing.ts'
import { fetchOneByUid } from './command.ts'
import { threadIdsOf } from './conversations.ts'
import type { FolderState } from './directory.ts'
import type { Entry } from './folder-index.ts'
import type { Group } from './groups.ts'
import { draftId, fromMessage, noDraft, parseDraftId } from './mapping/draft.ts'
import { folderId } from './mapping/ids.ts'
import { fromReading } from './mapping/message.ts'
import { nextGroups, positionOf } from './messages.ts'
import { type Reading, readAll } from './reading.ts'
import { header, searchUids } from './search.ts'
import { look, type Session, speaking, spoken } from './session.ts'

const draftsOf = (folders: readonly FolderState[]): FolderState | undefined =>
  folders.find(({ use }) => use === '\\Drafts')

const groupOf = (entry: Entry): Group => ({ id: entry.id, date: entry.date, entries: [entry] })

/** Reads drafts where they lie; copies elsewhere are messages. */
async function readDrafts(
  session: Session,
  entries: readonly Entry[],
): Promise<{ draft: Draft; entry: Entry; reading: Reading }[]> {
  const readings = await readAll(session, entries.map(groupOf), { fields: 'standard', content: true })
  const threads = await threadIdsOf(
    session,
    readings.map(({ group }) => group),
  )
  return readings.flatMap((reading, place) => {
    const [entry] = reading.group.entries
    const names = { grantId: session.grant.id, threadId: threads[place] ?? '' }
    const at = { ...names, fields: 'standard', shown: session.io.shown } as const
    return entry ? [{ draft: fromMessage(fromReading(reading, at), entry), entry, reading }] : []
  })
}

async function list(session: Session, query: DraftListQuery, at: JsonValue | undefined): Promise<Page<Draft>> {
  const folder = draftsOf(await look(session))
  if (!folder) return { items: [] }
  const { thread_id: thread, subject, to, cc, bcc, any_email, starred, unread, has_attachment } = query
  const filters = { subject, to, cc, bcc, any_email, starred, unread, has_attachment }
  const candidates = await candidatesOf(session, { ...filters, in: folderId(folder.path) })
  const items: Draft[] = []
  const seen = new Set<string>()
  let after = positionOf(at)
  for (;;) {
    const { groups, more } = await nextGroups(candidates, after, query.limit - items.length)
    const entries = groups.flatMap((group) => newestIn(folder, group) ?? [])
    for (const { draft, reading } of await readDrafts(session, entries)) {
      if (reading.problem) session.io.remark('x-unreadable-messages', draft.id)
      const isWanted =
        passes({ ...draft, object: 'message' }, filters) && (thread ?? draft.thread_id) === draft.thread_id
      // Newest first: what comes later under the same name is an older form.
      if (isWanted && !seen.has(draft.id)) items.push(draft)
      seen.add(draft.id)
    }
    const last = groups.at(-1)
    if (last) after = { date: last.date, id: last.id }
    if (!more || !after) return { items }
    if (items.length >= query.limit) return { items, next: [after.date, after.id] }
    session.io.signal.throwIfAborted()
  }
}

const newestIn = ({ path }: FolderState, { entries }: Group): Entry | undefined =>
  newest(entries.filter((entry) => entry.path === path))

const newest = (entries: readonly Entry[]): Entry | undefined => entries.toSorted((a, b) => b.uid - a.uid)[0]

/** Every form of a draft that is there. The folders are listed anew, so that nothing is missed. */
async function formsOf(session: Session, id: string): Promise<Entry[]> {
  const name = parseDraftId(id)
  const { mailbox, io } = session
  const folders = await look(session)
  const folder = draftsOf(folders)
  if (!folder) return []
  const indexes = await mailbox.renew(folders, io.signal)
  const index = indexes.find(({ path }) => path === folder.path)
  if (!index) return []
  const keys = name.kind === 'message-id' ? header('Message-ID', name.messageId) : nearby(name.date, name.size)
  const found = await mailbox.inTurn(folder.path, () =>
    mailbox.in(folder.path, { signal: io.signal }, async (client) => index.add(client, await searchUids(client, keys))),
  )
  // Servers search for parts of a header.
  return found.filter((entry) => draftId(entry) === id)
}

/** The draft as it was saved last. */
export async function locateDraft(session: Session, id: string): Promise<Group> {
  const entry = newest(await formsOf(session, id))
  if (!entry) throw noDraft()
  return groupOf(entry)
}

async function get(session: Session, id: string): Promise<Draft> {
  const { entries } = await locateDraft(session, id)
  const [found] = await readDrafts(session, entries)
  if (!found) throw noDraft()
  if (found.reading.problem) throw unreadable(found.reading.problem)
  return found.draft
}

/** Adds a draft to the folder; answers it as it is there then. */
async function save(session: Session, letter: DraftLetter, starred: boolean): Promise<Draft> {
  const { mailbox, io } = session
  const path = draftsOf(await look(session))?.path ?? (await makeFolder(session))
  const { source } = letter
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  const flags = ['\\Draft', '\\Seen', ...(starred ? ['\\Flagged'] : [])]
  const added = await mailbox.pool.use({ signal: io.signal }, (client) => client.append(path, bytes, flags))
  if (!added) throw new ApiError('provider_refused', 'the mail server did not keep the draft')
  return get(session, draftId({ id: '', messageId: letter.messageId }))
}

async function makeFolder({ mailbox, io }: Session): Promise<string> {
  const made = await mailbox.pool.use({ signal: io.signal }, (client) => client.mailboxCreate('Drafts'))
  return made.path
}

export const drafts: Operations<Session>['drafts'] = spoken({
  list,
  get: (session, at) => get(session, at.draft_id),
  create: (session, letter) => save(session, letter, letter.starred ?? false),

  async update(session, at, letter) {
    const old = await formsOf(session, at.draft_id)
    const last = newest(old)
    if (!last) throw noDraft()
    const saved = await save(session, letter, letter.starred ?? (await isStarred(session, last)))
    await removeForEver(session, old.map(groupOf), [])
    return saved
  },

  async delete(session, at) {
    const forms = await formsOf(session, at.draft_id)
    if (forms.length === 0) throw noDraft()
    await removeForEver(session, forms.map(groupOf), [])
  },
} satisfies Operations<Session>['drafts'])

const isStarred = ({ mailbox, io }: Session, { path, uid }: Entry): Promise<boolean> =>
  mailbox.in(path, { signal: io.signal }, async (client) => {
    const message = await fetchOneByUid(client, uid, { flags: true })
    return message?.flags?.has('\\Flagged') ?? false
  })

/** The bytes of a draft. */
export const draftSource = (session: Session, at: { draft_id: string }): Promise<Uint8Array> =>
  speaking(async () => {
    const draft = await locateDraft(session, at.draft_id)
    const [reading] = await readAll(session, [draft], { fields: 'raw_mime', content: true })
    if (!reading?.raw) throw noDraft()
    return reading.raw
  })
