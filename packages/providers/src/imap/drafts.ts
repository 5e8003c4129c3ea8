/**
 * Drafts: the messages in the Drafts folder, regardless of the program that wrote them. IMAP cannot change a message,
 * so saving a draft adds the new version and then removes the old one. A draft may exist twice for a moment but never
 * disappears.
 */

import type { Draft, DraftListQuery } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { JsonValue } from '@waypost/platform/json/guard'
import { passes } from '../mail/filters.ts'
import { draftFrom } from '../mail/message.ts'
import { unreadable } from '../mail/unreadable.ts'
import type { Operations, OutgoingDraft, Page } from '../operations.ts'
import { notFound } from '../shared/named-objects.ts'
import { appendMessage } from './client/append.ts'
import { fetchOneByUid } from './client/commands.ts'
import type { Entry, Group } from './entry.ts'
import { isRefused } from './errors.ts'
import type { FolderState } from './folder-state.ts'
import { threadIdsOf } from './index/conversations.ts'
import { compare } from './index/copies.ts'
import { groupEntries } from './index/groups.ts'
import { messageSearchOf } from './index/message-search.ts'
import { header, nearby, searchUids } from './index/search.ts'
import { folderId, newestDraftId, parseDraftId } from './mapping/ids.ts'
import { removeForEver } from './message-updates.ts'
import { nextGroups, positionOf, reportShortened } from './messages.ts'
import { fromReading } from './reading/message.ts'
import { type Reading, readAll } from './reading/read-messages.ts'
import { allWithApiErrors, folderOf, refreshFolders, type Session, withApiErrors } from './session.ts'

const draftsOf = (folders: readonly FolderState[]): FolderState | undefined =>
  folders.find(({ use }) => use === '\\Drafts')

/** A draft and its copies in the Drafts folder; copies elsewhere are messages. */
interface Form {
  id: string
  group: Group
}

/** The messages of the Drafts folder as drafts, each with its id. The folder is indexed as far as needed. */
function formsOf({ mailbox }: Session, { path }: FolderState, groups: readonly Group[]): Form[] {
  const index = mailbox.indexes().find((each) => each.path === path)
  const newest = new Map<string, number>()
  const lying = groups.flatMap(({ entries }) => entries.filter((entry) => entry.path === path))
  for (const { messageId, uid } of [...(index?.entries ?? []), ...lying]) {
    if (messageId !== undefined) newest.set(messageId, Math.max(uid, newest.get(messageId) ?? 0))
  }
  return groups.flatMap(({ id, entries }) => {
    const there = entries.filter((entry) => entry.path === path).toSorted((a, b) => b.uid - a.uid)
    const [last] = there
    if (!last) return []
    const isNewest = last.messageId !== undefined && newest.get(last.messageId) === last.uid
    const name = isNewest && last.messageId !== undefined ? newestDraftId(last.messageId) : id
    return [{ id: name, group: { id, date: last.date, entries: there } }]
  })
}

async function readDrafts(session: Session, forms: readonly Form[]): Promise<{ draft: Draft; reading: Reading }[]> {
  const ids = new Map(forms.map(({ id, group }) => [group.id, id]))
  const readings = await readAll(
    session,
    // The flags of the newest copy.
    forms.map(({ group }) => ({ ...group, entries: group.entries.slice(0, 1) })),
    { fields: 'standard', content: true },
  )
  const threads = await threadIdsOf(
    session,
    readings.map(({ group }) => group),
  )
  return readings.flatMap((reading, place) => {
    const { group } = reading
    const [entry] = group.entries
    const names = { grantId: session.grant.id, threadId: threads[place] ?? '' }
    const at = { ...names, fields: 'standard', shown: session.io.shown } as const
    const id = ids.get(group.id) ?? group.id
    if (!entry) return []
    const draft = draftFrom(fromReading(reading, at), { id, isReply: entry.references.length > 0 })
    return [{ draft: { ...draft, date: entry.date }, reading }]
  })
}

/** A larger folder is indexed further as pages are listed. */
const maxKnown = 1_000

async function list(session: Session, query: DraftListQuery, at: JsonValue | undefined): Promise<Page<Draft>> {
  const folders = await refreshFolders(session)
  const folder = draftsOf(folders)
  const within = query.in === undefined ? folder : folderOf(folders, query.in, 'in')
  // Copies in other folders are messages.
  if (!folder || within !== folder) return { items: [] }
  const { thread_id: thread, subject, to, cc, bcc, any_email, starred, unread, has_attachment } = query
  const filters = { subject, to, cc, bcc, any_email, starred, unread, has_attachment }
  const candidates = await messageSearchOf(session, { ...filters, in: folderId(folder.path) })
  const index = session.mailbox.indexes().find(({ path }) => path === folder.path)
  if (index && index.state.messages <= maxKnown)
    await session.mailbox.extend(index, session.io.signal, { allTheWay: true })
  const items: Draft[] = []
  let after = positionOf(at)
  for (;;) {
    const { groups, more } = await nextGroups(session, candidates, after, query.limit - items.length)
    for (const { draft, reading } of await readDrafts(session, formsOf(session, folder, groups))) {
      if (reading.problem) session.io.setResponseHeader('x-unreadable-messages', draft.id)
      const message = { ...draft, object: 'message' } as const
      const isJudgedWell = !candidates.judge || candidates.judge(message)
      const isWanted = isJudgedWell && passes(message, filters) && (thread ?? draft.thread_id) === draft.thread_id
      if (!isWanted) continue
      reportShortened(session, reading, draft.id)
      items.push(draft)
    }
    const last = groups.at(-1)
    if (last) after = { date: last.date, id: last.id }
    if (!more || !after) return { items }
    if (items.length >= query.limit) return { items, next: [after.date, after.id] }
    session.io.signal.throwIfAborted()
  }
}

const isNamed =
  (id: string) =>
  (form: Form): boolean =>
    form.id === id || form.group.id === id

/** The draft with this id, if it exists. */
const findForm = async (session: Session, id: string): Promise<Form | undefined> =>
  (await findForms(session, id)).find(isNamed(id))

/**
 * The draft with this id and the other versions under its Message-ID. Lists the folders again so that none is missed.
 */
async function findForms(session: Session, id: string): Promise<Form[]> {
  const name = parseDraftId(id)
  const { mailbox, io } = session
  const folders = await refreshFolders(session)
  const folder = draftsOf(folders)
  if (!folder) return []
  const indexes = await mailbox.renew(folders, io.signal)
  const index = indexes.find(({ path }) => path === folder.path)
  if (!index) return []
  const keys = name.kind === 'date' ? nearby(name.date, name.size) : header('Message-ID', name.messageId)
  const found = await mailbox.onIndex(folder.path, io.signal, async (client) =>
    index.add(client, await searchUids(client, keys)),
  )
  // Servers also match parts of a header.
  const meant = found.filter(({ key, messageId }) =>
    name.kind === 'newest' ? messageId === name.messageId : key === name.key,
  )
  while (await compare(session, groupEntries(meant))) io.signal.throwIfAborted()
  return formsOf(session, folder, groupEntries(meant))
}

async function locateForm(session: Session, id: string): Promise<Form> {
  const form = await findForm(session, id)
  if (!form) throw notFound('draft')
  return form
}

/** The newest version of the draft. */
export const locateDraft = async (session: Session, id: string): Promise<Group> => (await locateForm(session, id)).group

async function get(session: Session, id: string): Promise<Draft> {
  const [found] = await readDrafts(session, [await locateForm(session, id)])
  if (!found) throw notFound('draft')
  if (found.reading.problem) throw unreadable(found.reading.problem)
  reportShortened(session, found.reading, found.draft.id)
  return found.draft
}

/** Adds a draft to the folder; returns it as stored. */
async function save(session: Session, draft: OutgoingDraft, starred: boolean): Promise<Draft> {
  const { mailbox, io } = session
  const path = draftsOf(await refreshFolders(session))?.path ?? (await makeFolder(session))
  const flags = ['\\Draft', '\\Seen', ...(starred ? ['\\Flagged'] : [])]
  const added = await mailbox.pool.use({ signal: io.signal }, (client) => appendMessage(client, path, draft, { flags }))
  if (!added) throw new ApiError('provider_refused', 'the mail server did not store the draft')
  return get(session, newestDraftId(draft.messageId))
}

async function makeFolder({ mailbox, io }: Session): Promise<string> {
  const made = await mailbox.pool.use({ signal: io.signal }, (client) => client.mailboxCreate('Drafts'))
  return made.path
}

export const drafts: Operations<Session>['drafts'] = allWithApiErrors({
  list,
  get: (session, at) => get(session, at.draft_id),
  async create(session, draft) {
    const id = newestDraftId(draft.messageId)
    const retained = draft.once?.again ? await findForm(session, id) : undefined
    return retained ? get(session, id) : save(session, draft, draft.starred ?? false)
  },

  async update(session, at, draft) {
    if (draft.once?.again && (await finishReplacing(session, at.draft_id))) return get(session, at.draft_id)
    const { id, group } = await locateForm(session, at.draft_id)
    const [old] = group.entries
    if (!old) throw notFound('draft')
    // With the same Message-ID it would look like a new version of the other draft.
    if (old.messageId !== undefined && id !== newestDraftId(old.messageId)) {
      throw new ApiError('conflict', 'draft_id: a newer draft has the same Message-ID; send or delete one of the two')
    }
    const starred = draft.starred ?? (await flagsOf(session, old)).has('\\Flagged')
    if (draft.once) await markReplaced(session, old)
    const saved = await save(session, draft, starred)
    await removeForEver(session, [group], [])
    return saved
  },

  async delete(session, at) {
    const { group } = await locateForm(session, at.draft_id)
    await removeForEver(session, [group], [])
  },
} satisfies Operations<Session>['drafts'])

const flagsOf = ({ mailbox, io }: Session, { path, uid }: Entry): Promise<ReadonlySet<string>> =>
  mailbox.in(path, { signal: io.signal }, async (client) => {
    const message = await fetchOneByUid(client, uid, { flags: true })
    return message?.flags ?? new Set<string>()
  })

/** Marks a version that is about to be replaced, so that a repetition after a crash recognizes it. */
const replacedFlag = '$WaypostReplaced'

/** Some servers refuse custom flags; then a crash may leave both versions. */
const markReplaced = ({ mailbox, io }: Session, { path, uid }: Entry): Promise<unknown> =>
  mailbox.in(path, { signal: io.signal }, (client) =>
    client.messageFlagsAdd(`${uid}`, [replacedFlag], { uid: true }).catch((error: unknown) => {
      if (!isRefused(error)) throw error
    }),
  )

/** Whether an earlier try saved the new version; then only the old one has to be removed. */
async function finishReplacing(session: Session, id: string): Promise<boolean> {
  const forms = await findForms(session, id)
  const newest = forms.find(isNamed(id))
  const [entry] = newest?.group.entries ?? []
  if (!newest || !entry || (await flagsOf(session, entry)).has(replacedFlag)) return false
  const replaced: Group[] = []
  for (const form of forms.filter((each) => each !== newest)) {
    const [old] = form.group.entries
    if (old && (await flagsOf(session, old)).has(replacedFlag)) replaced.push(form.group)
  }
  await removeForEver(session, replaced, [])
  return replaced.length > 0
}

export const draftSource = (session: Session, at: { draft_id: string }): Promise<Uint8Array> =>
  withApiErrors(async () => {
    const draft = await locateDraft(session, at.draft_id)
    const [reading] = await readAll(session, [draft], { fields: 'raw_mime', content: true })
    if (!reading?.raw) throw notFound('draft')
    return reading.raw
  })
