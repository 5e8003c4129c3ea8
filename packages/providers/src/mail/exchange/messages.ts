/** The operations on messages, except sending. */
import type { Message, MessageFields, MessageListQuery } from '@waypost/contract'
import type { JsonValue } from '@waypost/platform/json/guard'
import type { Operations, Page } from '../../operations.ts'
import { cleanMessages } from '../clean.ts'
import { readPosition, stored } from '../position.ts'
import { areAsWritten, headersIn, type PlainHeader } from '../source-headers.ts'
import {
  changeMessages,
  type ExchangeMailbox,
  type ExchangeSession,
  folderOf,
  type MessageChanging,
  type MessageReading,
  type Source,
} from './mail-api.ts'

export interface WholeMessages<B, M, W> {
  /** Messages by id, in the order of the ids; undefined for a message that does not exist. */
  readMessages(mailbox: B, ids: readonly string[], wanted: W): Promise<readonly (M | undefined)[]>
  textOf(message: M): { body: string; isHtml: boolean }
  /** The bytes of listed messages. Messages that were deleted meanwhile are left out. */
  readSources(mailbox: B, messages: readonly M[]): Promise<Source[]>
  asksForHeaders(wanted: W): boolean
  headersOf(message: M): readonly { name: string; value?: string | undefined }[]
  withHeaders(message: M, headers: readonly PlainHeader[]): M
}

interface Messages<S, B extends ExchangeMailbox, M, W> {
  mail: MessageReading<S, B, M, W> & MessageChanging<B, M>
  whole: WholeMessages<B, M, W>
}

const rawMessage = ({ session }: ExchangeMailbox, { id, bytes }: Source): Message => ({
  id,
  grant_id: session.grant.id,
  object: 'message',
  raw_mime: bytes.toString('base64url'),
})

async function listPage<S, B extends ExchangeMailbox, M, W>(
  messages: Messages<S, B, M, W>,
  session: S,
  { query, at }: { query: MessageListQuery; at: JsonValue | undefined },
): Promise<Page<Message>> {
  const { mail, whole } = messages
  const mailbox = mail.mailboxFor(session, query)
  const { limit, page_token: _, metadata_pair: __, fields = 'standard', ...filters } = query
  const isRaw = fields === 'raw_mime'
  const wanted = isRaw ? mail.wanted.names : mail.wanted.of({ fields, select: filters.select })
  const folder = folderOf(filters)
  const page = await mail.listMessages({ mailbox, folder, filters, position: readPosition(at), limit, wanted })
  const next = page.next ? { next: stored(page.next) } : {}
  if (!isRaw) return { items: await shown(messages, mailbox, page.messages, { wanted, fields }), ...next }
  const sources = await whole.readSources(mailbox, page.messages)
  return { items: sources.map((source) => rawMessage(mailbox, source)), ...next }
}

async function shown<S, B extends ExchangeMailbox, M, W>(
  messages: Messages<S, B, M, W>,
  mailbox: B,
  read: readonly M[],
  { wanted, fields }: { wanted: W; fields: MessageFields },
): Promise<Message[]> {
  const complete = messages.whole.asksForHeaders(wanted) ? await withHeaders(messages, mailbox, read) : read
  return complete.map((message) => messages.mail.messageOf(mailbox, message, fields))
}

/** Exchange stores no headers of drafts and sent messages, and some headers decoded. Those are read from the bytes. */
async function withHeaders<S, B extends ExchangeMailbox, M, W>(
  { mail, whole }: Messages<S, B, M, W>,
  mailbox: B,
  messages: readonly M[],
): Promise<readonly M[]> {
  const bare = messages.filter((message) => !areAsWritten(whole.headersOf(message)))
  if (bare.length === 0) return messages
  const sources = await whole.readSources(mailbox, bare)
  const read = await headersIn(mailbox.session.io, new Map(sources.map(({ id, bytes }) => [id, bytes])))
  return messages.map((message) => {
    const headers = read.get(mail.idOf(message))
    return headers ? whole.withHeaders(message, headers) : message
  })
}

export function messageOperations<S extends ExchangeSession, B extends ExchangeMailbox, M, W>(
  mail: MessageReading<S, B, M, W> & MessageChanging<B, M>,
  whole: WholeMessages<B, M, W>,
): Omit<Operations<S>['messages'], 'send'> {
  const messages = { mail, whole }
  const { mailboxFor, messageOf } = mail
  return {
    list: (session, query, at) => listPage(messages, session, { query, at }),

    async get(session, at) {
      const mailbox = mailboxFor(session, at)
      const { message_id: id, fields = 'standard' } = at
      if (fields === 'raw_mime') return rawMessage(mailbox, await mail.readSource(mailbox, id))
      const wanted = mail.wanted.of({ fields, select: at.select })
      const read = await mail.readMessage(mailbox, id, wanted)
      const [message] = await shown(messages, mailbox, [read], { wanted, fields })
      return message as Message
    },

    async clean(session, at, { message_id: ids, ...options }) {
      const mailbox = mailboxFor(session, at)
      const once = [...new Set(ids)]
      const found = await whole.readMessages(mailbox, once, mail.wanted.standard)
      const byId = new Map(once.map((id, place) => [id, found[place]]))
      const read = ids.map((id) => {
        const message = byId.get(id)
        return message && { message: messageOf(mailbox, message), parsed: whole.textOf(message) }
      })
      return cleanMessages(session.io, read, options)
    },

    async update(session, at, change) {
      const mailbox = mailboxFor(session, at)
      const message = await mail.readMessage(mailbox, at.message_id, mail.wanted.standard)
      const [after = message] = await changeMessages(mail, mailbox, { messages: [message], change })
      return messageOf(mailbox, after)
    },

    async delete(session, at) {
      const mailbox = mailboxFor(session, at)
      if (at.hard_delete) return mail.removeForEver(mailbox, 'message', at.message_id)
      const message = await mail.readMessage(mailbox, at.message_id, mail.wanted.folder)
      await mail.moveAll(mailbox, [message], await mail.trashOf(mailbox))
    },
  }
}
