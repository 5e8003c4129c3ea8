/** Drafts by EWS. A draft keeps its id until it is sent or moved. */
import { draftOperations } from '../../mail/exchange/drafts.ts'
import type { OutgoingDraft } from '../../operations.ts'
import { notFound } from '../../shared/named-objects.ts'
import { FindItem, page as pageView, UpdateItem } from '../operations/items.ts'
import type { Server } from '../soap/known-servers.ts'
import { deleteField, type ItemUpdate, setField } from '../types/changes.ts'
import { item as itemRef } from '../types/ids.ts'
import { field } from '../types/paths.ts'
import { equals } from '../types/restriction.ts'
import { idAnd } from '../types/shapes.ts'
import { ewsMail, isDraft } from './exchange-mail.ts'
import { attachFiles, createDraft, removeFiles } from './files.ts'
import { type Mailbox, type MailItem, mailIn, orNotFound } from './mail-api.ts'
import { contentOf, isReply, peopleOf } from './mapping/draft.ts'
import { folderIdOf, itemIdOf } from './mapping/names.ts'
import { asPath, flagStatus, internetMessageId } from './mapping/properties.ts'
import { type MessageQuery, standard, wantedFields, withFields } from './mapping/wanted.ts'
import { flagFields } from './message-changes.ts'
import { readItems, readSource } from './reading.ts'
import { wellKnownIds } from './well-known-folders.ts'

const wanted: MessageQuery = withFields(standard, ['basic_headers'])

async function readStored(mailbox: Mailbox, itemId: string): Promise<MailItem> {
  const [item] = await readItems(mailbox, [itemId], wanted)
  if (!item) throw notFound('draft')
  return item
}

/** The draft that an earlier attempt stored under a Message-ID. */
async function findStored(mailbox: Mailbox, messageId: string): Promise<string | undefined> {
  const { RootFolder } = await mailbox.session.call(FindItem, {
    Traversal: 'Shallow',
    ItemShape: idAnd(),
    View: pageView(0, 1),
    Restriction: equals(asPath(internetMessageId), `<${messageId}>`),
    ParentFolderIds: [mailbox.place('drafts')],
  })
  const [stored] = mailIn(RootFolder?.Items)
  return stored && itemIdOf(stored)
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

export const { drafts, needDraft, draftSource } = draftOperations(ewsMail, {
  wanted,
  isDraftFields: wantedFields(),
  isDraft,
  isReply,
  async draftsFolder(mailbox) {
    const id = (await wellKnownIds(mailbox)).get('drafts')
    return id === undefined ? undefined : folderIdOf(id)
  },
  async create(mailbox, draft) {
    const there = draft.once?.again ? await findStored(mailbox, draft.messageId) : undefined
    return readStored(mailbox, there ?? (await createDraft(mailbox, draft)).Id)
  },
  async attachFiles(mailbox, item, files) {
    await attachFiles(mailbox, { Id: itemIdOf(item) }, files)
  },
  removeFiles: (mailbox, { Attachments: files = [] }) =>
    removeFiles(
      mailbox,
      files.flatMap(({ AttachmentId }) => AttachmentId?.Id ?? []),
    ),
  async write(mailbox, known, { outline, draft }) {
    const itemId = itemIdOf(known)
    // Some servers forget the rest of a change that names recipients, so recipients are changed by a request of their own.
    const people = peopleOf(outline, known)
    if (people.length > 0) await change(mailbox, itemId, () => people)
    await change(mailbox, itemId, (server) => [...contentOf(outline, known), ...flagUpdates(draft, server)])
  },
  readAgain: (mailbox, item) => readStored(mailbox, itemIdOf(item)),
  async readSource(mailbox, id) {
    const { item, bytes } = await readSource(mailbox, id, 'draft')
    const bcc = (item.BccRecipients ?? []).flatMap(({ EmailAddress: address }) => address ?? [])
    return { message: item, bcc, bytes }
  },
})
