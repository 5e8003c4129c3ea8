/** Drafts are messages that were not sent yet. */
import type { Draft, DraftListQuery } from '@waypost/contract'
import type { JsonValue } from '@waypost/platform/json/guard'
import type { Operations, OutgoingDraft, Page } from '../../operations.ts'
import { notFound } from '../../shared/named-objects.ts'
import { draftFrom } from '../message.ts'
import { addressLines, headersOf } from '../mime-edits.ts'
import type { Outline } from '../outline.ts'
import { readPosition, stored } from '../position.ts'
import type { Filters } from '../search.ts'
import type { ExchangeMailbox, ExchangeSession, MessageChanging, MessageReading } from './mail-api.ts'

export interface DraftStorage<B, M, W> {
  /** The fields of a whole draft. */
  wanted: W
  /** The fields that tell whether a message is a draft. */
  isDraftFields: W
  isDraft(message: M): boolean
  isReply(message: M): boolean
  /** The id of the drafts folder in the API; undefined if the mailbox has none. */
  draftsFolder(mailbox: B): Promise<string | undefined>
  /** Stores a draft and reads it. With `once.again`, a draft that an earlier attempt stored is read instead. */
  create(mailbox: B, draft: OutgoingDraft): Promise<M>
  attachFiles(mailbox: B, draft: M, files: Outline['attachments']): Promise<void>
  /** Removes the files that the draft had when it was read. */
  removeFiles(mailbox: B, draft: M): Promise<void>
  /** Writes recipients, subject, text and flag. */
  write(mailbox: B, draft: M, content: { outline: Outline; draft: OutgoingDraft }): Promise<void>
  readAgain(mailbox: B, draft: M): Promise<M>
  /** The bytes of a draft, with the addresses that it is sent to in Bcc. */
  readSource(mailbox: B, id: string): Promise<{ message: M; bcc: string[]; bytes: Buffer }>
}

export interface DraftOperations<S, B> {
  drafts: Operations<S>['drafts']
  /** Throws `not_found` if the id names no draft. */
  needDraft(mailbox: B, id: string): Promise<void>
  draftSource(session: S, at: { draft_id: string }): Promise<Uint8Array>
}

interface Drafts<S, B extends ExchangeMailbox, M, W> {
  mail: MessageReading<S, B, M, W> & Pick<MessageChanging<B, M>, 'removeForEver'>
  storage: DraftStorage<B, M, W>
}

const draftOf = <S, B extends ExchangeMailbox, M, W>(
  { mail, storage }: Drafts<S, B, M, W>,
  mailbox: B,
  message: M,
): Draft => draftFrom(mail.messageOf(mailbox, message), { id: mail.idOf(message), isReply: storage.isReply(message) })

/** Reads a draft. The id of a message that was sent is not the id of a draft. */
async function readDraft<S, B extends ExchangeMailbox, M, W>(
  { mail, storage }: Drafts<S, B, M, W>,
  mailbox: B,
  id: string,
  wanted: W,
): Promise<M> {
  const message = await mail.readMessage(mailbox, id, wanted, 'draft')
  if (!storage.isDraft(message)) throw notFound('draft')
  return message
}

async function listDrafts<S, B extends ExchangeMailbox, M, W>(
  of: Drafts<S, B, M, W>,
  mailbox: B,
  { query, at }: { query: DraftListQuery; at: JsonValue | undefined },
): Promise<Page<Draft>> {
  const { limit, thread_id, subject, to, cc, bcc, any_email, starred, unread, has_attachment } = query
  const filters: Filters = { thread_id, subject, to, cc, bcc, any_email, starred, unread, has_attachment }
  const page = await of.mail.listMessages({
    mailbox,
    folder: query.in ?? (await of.storage.draftsFolder(mailbox)),
    filters,
    position: readPosition(at),
    limit,
    wanted: of.storage.wanted,
    keep: of.storage.isDraft,
    isScanned: true,
  })
  const items = page.messages.map((message) => draftOf(of, mailbox, message))
  return { items, ...(page.next ? { next: stored(page.next) } : {}) }
}

/** New files are attached before the old ones are removed, so that an interrupted change loses no file. */
async function updateDraft<B, M, W>(
  storage: DraftStorage<B, M, W>,
  mailbox: B,
  { known, draft }: { known: M; draft: OutgoingDraft },
): Promise<M> {
  const outline = await draft.outline()
  if (!draft.keepsFiles) await storage.attachFiles(mailbox, known, outline.attachments)
  await storage.write(mailbox, known, { outline, draft })
  if (!draft.keepsFiles) await storage.removeFiles(mailbox, known)
  return storage.readAgain(mailbox, known)
}

export function draftOperations<S extends ExchangeSession, B extends ExchangeMailbox, M, W>(
  mail: Drafts<S, B, M, W>['mail'],
  storage: DraftStorage<B, M, W>,
): DraftOperations<S, B> {
  const of = { mail, storage }
  const { mailboxFor } = mail
  const needDraft = async (mailbox: B, id: string): Promise<void> => {
    await readDraft(of, mailbox, id, storage.isDraftFields)
  }
  const drafts: Operations<S>['drafts'] = {
    list: (session, query, at) => listDrafts(of, mailboxFor(session), { query, at }),

    async get(session, at) {
      const mailbox = mailboxFor(session)
      return draftOf(of, mailbox, await readDraft(of, mailbox, at.draft_id, storage.wanted))
    },

    async create(session, draft) {
      const mailbox = mailboxFor(session)
      return draftOf(of, mailbox, await storage.create(mailbox, draft))
    },

    async update(session, at, draft) {
      const mailbox = mailboxFor(session)
      const known = await readDraft(of, mailbox, at.draft_id, storage.wanted)
      return draftOf(of, mailbox, await updateDraft(storage, mailbox, { known, draft }))
    },

    async delete(session, at) {
      const mailbox = mailboxFor(session)
      await needDraft(mailbox, at.draft_id)
      await mail.removeForEver(mailbox, 'draft', at.draft_id)
    },
  }
  return {
    drafts,
    needDraft,
    /** Exchange may leave out Bcc, so it is added from the recipients. */
    async draftSource(session, at) {
      const { message, bcc, bytes } = await storage.readSource(mailboxFor(session), at.draft_id)
      if (!storage.isDraft(message)) throw notFound('draft')
      const hasBcc = headersOf(bytes).some(({ name }) => /^bcc$/i.test(name))
      return hasBcc || bcc.length === 0 ? bytes : Buffer.concat([Buffer.from(addressLines('Bcc', bcc)), bytes])
    },
  }
}
