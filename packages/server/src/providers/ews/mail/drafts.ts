/** Drafts are messages that were not sent: each keeps its id until it is sent, or moved. */
import type { Draft, DraftListQuery } from '@waypost/contract'
import type { JsonValue } from '../../../lib/json/guard.ts'
import { draftFrom } from '../../mail/draft.ts'
import { addressLines, headersOf } from '../../mail/mime-edits.ts'
import { readPosition, stored } from '../../mail/position.ts'
import type { Filters } from '../../mail/search.ts'
import type { Operations, OutgoingDraft, Page } from '../../operations.ts'
import { notFound } from '../../shared/named-objects.ts'
import { FindItem, page as pageView, UpdateItem } from '../operations/items.ts'
import type { Session } from '../session.ts'
import type { Server } from '../soap/known-servers.ts'
import { deleteField, type ItemUpdate, setField } from '../types/changes.ts'
import { item as itemRef } from '../types/ids.ts'
import { field } from '../types/paths.ts'
import { equals } from '../types/restriction.ts'
import { idAnd } from '../types/shapes.ts'
import { attachFiles, createDraft, removeFiles } from './files.ts'
import { listMessages } from './listing.ts'
import { type Mailbox, type MailItem, mailboxFor, mailIn, orNotFound } from './mail-api.ts'
import { contentOf, isReply, peopleOf } from './mapping/draft.ts'
import { folderIdOf, idOf, itemIdOf } from './mapping/names.ts'
import { asPath, flagStatus, internetMessageId } from './mapping/properties.ts'
import { standard, type Wanted, wantedFields, withFields } from './mapping/wanted.ts'
import { flagFields, removeForEver } from './message-changes.ts'
import { messageOf } from './messages.ts'
import { readItems, readMessage, readSource } from './reading.ts'
import { wellKnownIds } from './well-known-folders.ts'

const wanted: Wanted = withFields(standard, ['basic_headers'])

const draftOf = (mailbox: Mailbox, item: MailItem): Draft =>
  draftFrom(messageOf(mailbox, item), { id: idOf(item), isReply: isReply(item) })

/** The message that a draft is; a message that was sent is none. */
async function readDraft(mailbox: Mailbox, id: string, asked: Wanted = wanted): Promise<MailItem> {
  const item = await readMessage(mailbox, id, asked, 'draft')
  if (!item.IsDraft) throw notFound('draft')
  return item
}

async function readKnown(mailbox: Mailbox, itemId: string): Promise<MailItem> {
  const [item] = await readItems(mailbox, [itemId], wanted)
  if (!item) throw notFound('draft')
  return item
}

/** Refuses what is no draft, before anything is done with it. */
export async function needDraft(mailbox: Mailbox, id: string): Promise<void> {
  await readDraft(mailbox, id, wantedFields())
}

async function list(session: Session, query: DraftListQuery, at: JsonValue | undefined): Promise<Page<Draft>> {
  const mailbox = mailboxFor(session)
  const { limit, thread_id, subject, to, cc, bcc, any_email, starred, unread, has_attachment } = query
  const filters: Filters = { thread_id, subject, to, cc, bcc, any_email, starred, unread, has_attachment }
  const drafts = (await wellKnownIds(mailbox)).get('drafts')
  const page = await listMessages({
    mailbox,
    folder: query.in ?? (drafts === undefined ? undefined : folderIdOf(drafts)),
    filters,
    position: readPosition(at),
    limit,
    wanted,
    keep: ({ IsDraft }) => IsDraft === true,
    isScanned: true,
  })
  const items = page.messages.map((item) => draftOf(mailbox, item))
  return { items, ...(page.next ? { next: stored(page.next) } : {}) }
}

/** The draft that a former try has kept under a Message-ID. */
async function findKept(mailbox: Mailbox, messageId: string): Promise<string | undefined> {
  const { RootFolder } = await mailbox.session.call(FindItem, {
    Traversal: 'Shallow',
    ItemShape: idAnd(),
    View: pageView(0, 1),
    Restriction: equals(asPath(internetMessageId), `<${messageId}>`),
    ParentFolderIds: [mailbox.place('drafts')],
  })
  const [kept] = mailIn(RootFolder?.Items)
  return kept && itemIdOf(kept)
}

function flagUpdates({ starred }: OutgoingDraft, server: Server): ItemUpdate[] {
  if (starred === undefined) return []
  const flag = flagFields(starred, server)
  if (flag.Flag) return [setField(field('item:Flag'), { kind: 'Message', ...flag })]
  return [starred ? setField(asPath(flagStatus), { kind: 'Message', ...flag }) : deleteField(asPath(flagStatus))]
}

const change = (mailbox: Mailbox, itemId: string, updates: (server: Server) => ItemUpdate[]): Promise<unknown> =>
  orNotFound('draft', () =>
    mailbox.session.call(UpdateItem, (server) => ({
      ConflictResolution: 'AlwaysOverwrite' as const,
      MessageDisposition: 'SaveOnly' as const,
      ItemChanges: [{ Id: itemRef(itemId), Updates: updates(server) }],
    })),
  )

export const drafts: Operations<Session>['drafts'] = {
  list,

  async get(session, at) {
    const mailbox = mailboxFor(session)
    return draftOf(mailbox, await readDraft(mailbox, at.draft_id))
  },

  async create(session, draft) {
    const mailbox = mailboxFor(session)
    const there = draft.once?.again ? await findKept(mailbox, draft.messageId) : undefined
    const itemId = there ?? (await createDraft(mailbox, draft)).Id
    return draftOf(mailbox, await readKnown(mailbox, itemId))
  },

  /** Files that stay are not touched. Otherwise the new ones are there before the old ones go: none is lost where it breaks off. */
  async update(session, at, draft) {
    const mailbox = mailboxFor(session)
    const known = await readDraft(mailbox, at.draft_id)
    const itemId = itemIdOf(known)
    const outline = await draft.outline()
    if (!draft.keepsFiles) await attachFiles(mailbox, { Id: itemId }, outline.attachments)
    // Some servers forget the rest of a change that names recipients: these go by themselves.
    const people = peopleOf(outline, known)
    if (people.length > 0) await change(mailbox, itemId, () => people)
    await change(mailbox, itemId, (server) => [...contentOf(outline, known), ...flagUpdates(draft, server)])
    const old = (known.Attachments ?? []).flatMap(({ AttachmentId }) => AttachmentId?.Id ?? [])
    if (!draft.keepsFiles) await removeFiles(mailbox, old)
    return draftOf(mailbox, await readKnown(mailbox, itemId))
  },

  async delete(session, at) {
    const mailbox = mailboxFor(session)
    await needDraft(mailbox, at.draft_id)
    await removeForEver(mailbox, 'draft', at.draft_id)
  },
}

/** The bytes of a draft. Those who are to have it without being named must not be lost with a header that is left out. */
export async function draftSource(session: Session, at: { draft_id: string }): Promise<Uint8Array> {
  const mailbox = mailboxFor(session)
  const { item, bytes } = await readSource(mailbox, at.draft_id, 'draft')
  if (!item.IsDraft) throw notFound('draft')
  const hidden = (item.BccRecipients ?? []).flatMap(({ EmailAddress: address }) => address ?? [])
  const isNamed = headersOf(bytes).some(({ name }) => /^bcc$/i.test(name))
  if (isNamed || hidden.length === 0) return bytes
  return Buffer.concat([Buffer.from(addressLines('Bcc', hidden)), bytes])
}
