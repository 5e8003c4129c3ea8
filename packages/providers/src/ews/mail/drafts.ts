/** Drafts by EWS. A draft keeps its id until it is sent or moved. */

import type { Address } from '@waypost/formats/mime/mime'
import { draftOperations } from '../../mail/exchange/drafts.ts'
import type { Outline } from '../../mail/outline.ts'
import type { OutgoingDraft } from '../../operations.ts'
import { notFound } from '../../shared/named-objects.ts'
import { FindItem, page as pageView, UpdateItem } from '../operations/items.ts'
import type { Server } from '../soap/known-servers.ts'
import { deleteField, type ItemUpdate, setField } from '../types/changes.ts'
import { item as itemRef } from '../types/ids.ts'
import type { MessageItem } from '../types/message.ts'
import { type FieldUri, field, property } from '../types/paths.ts'
import { equals } from '../types/restriction.ts'
import { idAnd } from '../types/shapes.ts'
import { ewsMail, isDraft } from './exchange-mail.ts'
import { attachFiles, createDraft, removeFiles } from './files.ts'
import { type Mailbox, type MailItem, mailIn, orNotFound, wellKnownIds } from './mail-api.ts'
import { folderIdOf, itemIdOf } from './mapping/names.ts'
import { flagStatus, internetMessageId } from './mapping/properties.ts'
import { type MessageQuery, standard, wantedFields, withFields } from './mapping/wanted.ts'
import { flagFields } from './message-changes.ts'
import { readItems, readSource } from './reading.ts'

/** Whether a message answers another one. */
export const isReply = ({ InReplyTo, References }: MessageItem): boolean => Boolean(InReplyTo || References)

const mailboxes = (people: readonly Address[]) =>
  people.map(({ name, email }) => ({ ...(name ? { Name: name } : {}), EmailAddress: email, RoutingType: 'SMTP' }))

type People = 'ToRecipients' | 'CcRecipients' | 'BccRecipients' | 'ReplyTo'

const nameOf = (name: string | undefined, address: string): string => (name || address).toLowerCase()

/** Whether a list contains the same people in the same order. */
function isSame(known: MessageItem[People], people: readonly Address[]): boolean {
  const before = (known ?? []).map(({ Name, EmailAddress = '' }) => [
    nameOf(Name, EmailAddress),
    EmailAddress.toLowerCase(),
  ])
  const after = people.map(({ name, email }) => [nameOf(name, email), email.toLowerCase()])
  return JSON.stringify(before) === JSON.stringify(after)
}

/** A changed list of people. An empty list cannot be written, so the field is removed. */
function peopleField(name: People, people: readonly Address[], known: MessageItem): ItemUpdate[] {
  if (isSame(known[name], people)) return []
  const at = field(`message:${name}` satisfies FieldUri)
  return [people.length > 0 ? setField(at, { kind: 'Message', [name]: mailboxes(people) }) : deleteField(at)]
}

/** The changed recipients of a draft. */
export const peopleOf = (outline: Outline, known: MessageItem): ItemUpdate[] => [
  ...peopleField('ToRecipients', outline.to, known),
  ...peopleField('CcRecipients', outline.cc, known),
  ...peopleField('BccRecipients', outline.bcc, known),
]

/** The other fields of a draft, in the form that Exchange changes them. */
export function contentOf(outline: Outline, known: MessageItem): ItemUpdate[] {
  const [from] = outline.from
  const own = known.From?.Mailbox?.EmailAddress?.toLowerCase()
  const body = { BodyType: outline.isHtml ? ('HTML' as const) : ('Text' as const), value: outline.body }
  const [writer] = from && from.email.toLowerCase() !== own ? mailboxes([from]) : []
  return [
    setField(field('item:Subject'), { kind: 'Message', Subject: outline.subject }),
    setField(field('item:Body'), { kind: 'Message', Body: body }),
    ...peopleField('ReplyTo', outline.reply_to, known),
    ...(writer ? [setField(field('message:From'), { kind: 'Message', From: { Mailbox: writer } })] : []),
  ]
}

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
    Restriction: equals(property(internetMessageId), `<${messageId}>`),
    ParentFolderIds: [mailbox.place('drafts')],
  })
  const [stored] = mailIn(RootFolder?.Items)
  return stored && itemIdOf(stored)
}

function flagUpdates({ starred }: OutgoingDraft, server: Server): ItemUpdate[] {
  if (starred === undefined) return []
  const flag = flagFields(starred, server)
  if (flag.Flag) return [setField(field('item:Flag'), { kind: 'Message', ...flag })]
  return [starred ? setField(property(flagStatus), { kind: 'Message', ...flag }) : deleteField(property(flagStatus))]
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
