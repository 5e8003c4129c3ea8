import type { Message, Thread, ThreadListQuery } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import type { JsonValue } from '@waypost/platform/json/guard'
import { passes } from '../mail/filters.ts'
import { isWithinTimes, threadFrom } from '../mail/thread.ts'
import type { Operations, Page } from '../operations.ts'
import { notFound } from '../shared/named-objects.ts'
import type { Group } from './entry.ts'
import type { FolderState } from './folder-state.ts'
import { membersOf } from './index/conversations.ts'
import { compare, completeCopies } from './index/copies.ts'
import { newestFirst, type Position } from './index/groups.ts'
import { type MessageSearch, messageSearchOf } from './index/message-search.ts'
import { draftIdOf, folderId, parseThreadId, threadId } from './mapping/ids.ts'
import { changeGroups, moveToTrash } from './message-updates.ts'
import { messagesOf, ofThread, pageBudgetMs, positionOf, reportShortened } from './messages.ts'
import { allWithApiErrors, refreshFolders, type Session } from './session.ts'

const standard = { fields: 'standard', content: true } as const

/** A thread is found by its newest matching message, which also determines its position in the list. */
async function list(session: Session, query: ThreadListQuery, at: JsonValue | undefined): Promise<Page<Thread>> {
  const candidates =
    query.thread_id === undefined ? await messageSearchOf(session, query) : await ofThread(session, query)
  if (!candidates) return { items: [] }
  const after = positionOf(at)
  const begun = performance.now()
  const items: Thread[] = []
  const listed = new Set<string>()
  for (;;) {
    const wanted = query.limit - items.length
    const rest = threadHeads(session, candidates.groups(), { after, listed, max: wanted + 1 })
    const enough = rest.length > wanted
    if (!enough && candidates.more) {
      await candidates.extend()
      continue
    }
    const page = rest.slice(0, wanted)
    if (
      await compare(
        session,
        page.map(({ group }) => group),
      )
    )
      continue
    for (const { root } of page) listed.add(root)
    items.push(
      ...(await threadsOf(
        session,
        page.map(({ root }) => root),
        candidates,
        query,
      )),
    )
    const last = page.at(-1)?.group
    if (!enough || !last) return { items }
    if (items.length >= query.limit || performance.now() - begun > pageBudgetMs) {
      return { items, next: [last.date, last.id] }
    }
    session.io.signal.throwIfAborted()
  }
}

interface HeadOptions {
  /** The last position of the previous page. */
  after: Position | undefined
  /** Roots of threads that are on the page already. */
  listed: ReadonlySet<string>
  max: number
}

/** The next threads of a page, each by its newest matching message. Stops after `max` threads. */
function threadHeads(
  session: Session,
  groups: readonly Group[],
  { after, listed, max }: HeadOptions,
): { root: string; group: Group }[] {
  const index = session.mailbox.merged()
  const seen = new Set(listed)
  const heads: { root: string; group: Group }[] = []
  for (const group of groups) {
    const root = index.rootOf(group)
    if (seen.has(root)) continue
    seen.add(root)
    // A thread whose newest match is on an earlier page was listed there.
    if (after && newestFirst(after, group) >= 0) continue
    heads.push({ root, group })
    if (heads.length >= max) break
  }
  return heads
}

/** Maps threads to API objects in the given order and drops those that do not match the filters. */
async function threadsOf(
  session: Session,
  roots: readonly string[],
  { folders, judge }: Pick<MessageSearch, 'folders' | 'judge'>,
  query: Partial<ThreadListQuery>,
): Promise<Thread[]> {
  const matches = (message: Message): boolean => passes(message, query) && (!judge || judge(message))
  const members = await membersOf(session, roots)
  const groups = roots.flatMap((root) => members.get(root) ?? [])
  const read = new Map((await messagesOf(session, groups, standard)).map((found) => [found.group, found]))
  return roots.flatMap((root) => {
    const found = (members.get(root) ?? []).flatMap((group) => read.get(group) ?? [])
    if (found.length === 0 || !found.some(({ message }) => matches(message))) return []
    const thread = threadOf(
      session,
      root,
      found.map(({ message, reading }) => ({ message, draft: reading.draft })),
      folders,
    )
    if (!isWithinTimes(thread, query)) return []
    for (const { reading } of found) reportShortened(session, reading)
    return [thread]
  })
}

interface ThreadMessage {
  message: Message
  draft: boolean
}

/** Builds a thread from its messages, newest first. */
function threadOf(
  session: Session,
  root: string,
  found: readonly ThreadMessage[],
  folders: readonly FolderState[],
): Thread {
  const idsOf = (use: string): Set<string> =>
    new Set(folders.filter((each) => each.use === use).map(({ path }) => folderId(path)))
  const [sent, drafts] = [idsOf('\\Sent'), idsOf('\\Drafts')]
  const isIn = ({ folders: ids = [] }: Message, places: Set<string>): boolean => ids.some((id) => places.has(id))
  const names = new Set<string>()
  const members = found.map(({ message, draft }) => {
    if (!draft && !isIn(message, drafts)) return { message, draftId: undefined }
    const name = draftIdOf(message.id)
    // Newest first: an older draft with the same Message-ID is named by its message id.
    const draftId = names.has(name) ? message.id : name
    names.add(name)
    return { message, draftId }
  })
  const thread = threadFrom(
    threadId(root),
    { grant: session.grant, isInSent: (message) => isIn(message, sent) },
    members,
  )
  if (!thread) throw notFound('thread')
  return thread
}

/** The members of the thread with this id; any of its messages can identify it. */
async function findThread(
  session: Session,
  id: string,
): Promise<{ root: string; members: Group[]; folders: FolderState[] }> {
  const named = parseThreadId(id)
  const folders = await refreshFolders(session)
  await session.mailbox.renew(folders, session.io.signal)
  const members = (await membersOf(session, [named])).get(named) ?? []
  if (members.length === 0) throw notFound('thread')
  return { root: named, members: await completeCopies(session, members), folders }
}

async function get(session: Session, id: string): Promise<Thread> {
  const { root, folders } = await findThread(session, id)
  const [thread] = await threadsOf(session, [root], { folders }, {})
  if (!thread) throw notFound('thread')
  return thread
}

export const threads: Operations<Session>['threads'] = allWithApiErrors({
  list,
  async get(session, at) {
    return get(session, at.thread_id)
  },
  async update(session, at, change) {
    if (change.folders?.length === 0)
      throw invalidField('folders', 'a message must be in at least one folder; name one')
    const { members, folders } = await findThread(session, at.thread_id)
    await changeGroups(session, members, change, folders)
    return get(session, at.thread_id)
  },
  async delete(session, at) {
    const { members, folders } = await findThread(session, at.thread_id)
    await moveToTrash(session, members, folders)
  },
} satisfies Operations<Session>['threads'])
