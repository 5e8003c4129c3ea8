/** Drafts are messages that were not sent: each has one id, for as long as it is there and after it was sent. */
import type { Draft, DraftListQuery } from '@waypost/contract'
import type { JsonValue } from '../../../lib/json/guard.ts'
import { draftFrom } from '../../mail/draft.ts'
import { headersOf } from '../../mail/mime-edits.ts'
import { readPosition, stored } from '../../mail/position.ts'
import type { Filters } from '../../mail/search.ts'
import type { Operations, OutgoingDraft, Page } from '../../operations.ts'
import { notFound } from '../../shared/named-objects.ts'
import { listPage } from '../graph-pages.ts'
import type { Session } from '../session.ts'
import { attachFiles, createDraft, removeFiles } from './files.ts'
import { listMessages } from './listing.ts'
import { type GraphMessage, idPath, type Mailbox, mailboxFor, named, orNotFound, quoted } from './mail-api.ts'
import { contentOf, isReply } from './mapping/draft.ts'
import { standard, type Wanted, withProperties } from './mapping/properties.ts'
import { removeForEver } from './message-changes.ts'
import { messageOf } from './messages.ts'
import { readMessage, readSource } from './reading.ts'

const wanted: Wanted = { ...withProperties(standard, ['isDraft', 'internetMessageHeaders']), answered: true }

const draftOf = (mailbox: Mailbox, message: GraphMessage): Draft =>
  draftFrom(messageOf(mailbox, message), { id: message.id, isReply: isReply(message) })

/** The message that a draft is; a message that was sent is none. */
async function readDraft(mailbox: Mailbox, id: string, asked: Wanted = wanted): Promise<GraphMessage> {
  const message = await readMessage(mailbox, id, asked, 'draft')
  if (!message.isDraft) throw notFound('draft')
  return message
}

/** Refuses what is no draft, before anything is done with it. */
export async function needDraft(mailbox: Mailbox, id: string): Promise<void> {
  await readDraft(mailbox, id, { properties: ['id', 'isDraft'], attachments: false })
}

async function list(session: Session, query: DraftListQuery, at: JsonValue | undefined): Promise<Page<Draft>> {
  const mailbox = mailboxFor(session)
  const { limit, thread_id, subject, to, cc, bcc, any_email, starred, unread, has_attachment } = query
  const filters: Filters = { thread_id, subject, to, cc, bcc, any_email, starred, unread, has_attachment }
  const page = await listMessages({
    mailbox,
    folder: query.in ?? 'drafts',
    filters,
    position: readPosition(at),
    limit,
    wanted,
    keep: ({ isDraft }) => isDraft === true,
    isScanned: true,
  })
  const items = page.messages.map((message) => draftOf(mailbox, message))
  return { items, ...(page.next ? { next: stored(page.next) } : {}) }
}

/** The draft that a former try has kept under a Message-ID. */
async function findKept(mailbox: Mailbox, messageId: string): Promise<string | undefined> {
  const query = { $filter: `internetMessageId eq ${quoted(`<${messageId}>`)}`, $select: 'id', $top: 1 }
  const path = mailbox.path('mailFolders/drafts/messages')
  const { items } = await listPage(mailbox.session, { path, query, read: named })
  return items[0]?.id
}

const patch = (mailbox: Mailbox, id: string, body: object): Promise<void> =>
  orNotFound('draft', () => mailbox.session.execute('PATCH', mailbox.path(`messages/${idPath('draft', id)}`), { body }))

const flagOf = ({ starred }: OutgoingDraft): object =>
  starred === undefined ? {} : { flag: { flagStatus: starred ? 'flagged' : 'notFlagged' } }

export const drafts: Operations<Session>['drafts'] = {
  list,

  async get(session, at) {
    const mailbox = mailboxFor(session)
    return draftOf(mailbox, await readDraft(mailbox, at.draft_id))
  },

  async create(session, draft) {
    const mailbox = mailboxFor(session)
    const there = draft.once?.again ? await findKept(mailbox, draft.messageId) : undefined
    const id = there ?? (await createDraft(mailbox, draft))
    if (draft.starred) await patch(mailbox, id, flagOf(draft))
    return draftOf(mailbox, await readDraft(mailbox, id))
  },

  /** Files that stay are not touched. Otherwise the new ones are there before the old ones go: none is lost where it breaks off. */
  async update(session, at, draft) {
    const mailbox = mailboxFor(session)
    const known = await readDraft(mailbox, at.draft_id)
    const outline = await draft.outline()
    if (!draft.keepsFiles) await attachFiles(mailbox, known.id, outline.attachments)
    await patch(mailbox, known.id, { ...contentOf(outline, known), ...flagOf(draft) })
    const old = (known.attachments ?? []).map(({ id }) => id)
    if (!draft.keepsFiles) await removeFiles(mailbox, known.id, old)
    return draftOf(mailbox, await readDraft(mailbox, known.id))
  },

  async delete(session, at) {
    const mailbox = mailboxFor(session)
    await needDraft(mailbox, at.draft_id)
    await removeForEver(mailbox, 'draft', at.draft_id)
  },
}

const hiddenOnes: Wanted = { properties: ['id', 'isDraft', 'bccRecipients'], attachments: false }

/** The bytes of a draft. Those who are to have it without being named must not be lost with a header that is left out. */
export async function draftSource(session: Session, at: { draft_id: string }): Promise<Uint8Array> {
  const mailbox = mailboxFor(session)
  const { bccRecipients = [] } = await readDraft(mailbox, at.draft_id, hiddenOnes)
  const source = await readSource(mailbox, at.draft_id)
  const hidden = bccRecipients.flatMap(({ emailAddress }) => emailAddress?.address ?? [])
  const isNamed = headersOf(source).some(({ name }) => /^bcc$/i.test(name))
  if (isNamed || hidden.length === 0) return source
  return Buffer.concat([Buffer.from(`Bcc: ${hidden.map((each) => `<${each}>`).join(',\r\n ')}\r\n`), source])
}
