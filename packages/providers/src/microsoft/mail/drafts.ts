/** Drafts by Graph. A draft has one id, also after it was sent. */

import type { Address } from '@waypost/formats/mime/mime'
import { draftOperations } from '../../mail/exchange/drafts.ts'
import type { Outline } from '../../mail/outline.ts'
import type { OutgoingDraft } from '../../operations.ts'
import { notFound } from '../../shared/named-objects.ts'
import { listPage } from '../graph-pages.ts'
import { graphMail, isDraft } from './exchange-mail.ts'
import { attachFiles, createDraft, removeFiles } from './files.ts'
import { type GraphMessage, idPath, type Mailbox, named, orNotFound, quoted } from './mail-api.ts'
import { type MessageQuery, standard, withProperties } from './mapping/properties.ts'
import { readMessage, readSource } from './reading.ts'

/** Whether a message answers another one. */
export const isReply = ({
  internetMessageHeaders: headers = [],
  singleValueExtendedProperties: properties = [],
}: GraphMessage): boolean =>
  properties.some(({ value }) => value) || headers.some(({ name }) => /^(?:in-reply-to|references)$/i.test(name))

const recipientsOf = (people: readonly Address[]): object[] =>
  people.map(({ name, email }) => ({ emailAddress: { ...(name ? { name } : {}), address: email } }))

/** The fields of a draft, in the form that Graph changes them. */
export function contentOf(outline: Outline, known: GraphMessage): Record<string, unknown> {
  const [from] = outline.from
  const own = known.from?.emailAddress?.address?.toLowerCase()
  return {
    subject: outline.subject,
    body: { contentType: outline.isHtml ? 'html' : 'text', content: outline.body },
    toRecipients: recipientsOf(outline.to),
    ccRecipients: recipientsOf(outline.cc),
    bccRecipients: recipientsOf(outline.bcc),
    replyTo: recipientsOf(outline.reply_to),
    ...(from && from.email.toLowerCase() !== own ? { from: recipientsOf([from])[0] } : {}),
  }
}

const wanted: MessageQuery = { ...withProperties(standard, ['isDraft', 'internetMessageHeaders']), answered: true }
const recipients: MessageQuery = { properties: ['id', 'isDraft', 'bccRecipients'], attachments: false }

/** The draft that an earlier attempt stored under a Message-ID. */
async function findStored(mailbox: Mailbox, messageId: string): Promise<string | undefined> {
  const query = { $filter: `internetMessageId eq ${quoted(`<${messageId}>`)}`, $select: 'id', $top: 1 }
  const path = mailbox.path('mailFolders/drafts/messages')
  const { items } = await listPage(mailbox.session, { path, query, read: named })
  return items[0]?.id
}

const patch = (mailbox: Mailbox, id: string, body: object): Promise<void> =>
  orNotFound('draft', () => mailbox.session.execute('PATCH', mailbox.path(`messages/${idPath('draft', id)}`), { body }))

const flagOf = ({ starred }: OutgoingDraft): object =>
  starred === undefined ? {} : { flag: { flagStatus: starred ? 'flagged' : 'notFlagged' } }

export const { drafts, needDraft, draftSource } = draftOperations(graphMail, {
  wanted,
  isDraftFields: { properties: ['id', 'isDraft'], attachments: false },
  isDraft,
  isReply,
  draftsFolder: async () => 'drafts',
  async create(mailbox, draft) {
    const there = draft.once?.again ? await findStored(mailbox, draft.messageId) : undefined
    const id = there ?? (await createDraft(mailbox, draft))
    if (draft.starred) await patch(mailbox, id, flagOf(draft))
    return readMessage(mailbox, id, wanted, 'draft')
  },
  attachFiles: (mailbox, { id }, files) => attachFiles(mailbox, id, files),
  removeFiles: (mailbox, { id, attachments = [] }) =>
    removeFiles(
      mailbox,
      id,
      attachments.map((file) => file.id),
    ),
  write: (mailbox, known, { outline, draft }) =>
    patch(mailbox, known.id, { ...contentOf(outline, known), ...flagOf(draft) }),
  readAgain: (mailbox, { id }) => readMessage(mailbox, id, wanted, 'draft'),
  async readSource(mailbox, id) {
    const message = await readMessage(mailbox, id, recipients, 'draft')
    if (!isDraft(message)) throw notFound('draft')
    const bcc = (message.bccRecipients ?? []).flatMap(({ emailAddress }) => emailAddress?.address ?? [])
    return { message, bcc, bytes: (await readSource(mailbox, id, 'draft')).bytes }
  },
})
