import type { Message, MessageFields, MessageListQuery } from '@waypost/contract'
import type { JsonValue } from '../../../lib/json/guard.ts'
import { cleanMessages } from '../../mail/clean.ts'
import { readPosition, stored } from '../../mail/position.ts'
import { areAsWritten, headersIn } from '../../mail/source-headers.ts'
import type { Operations, Page } from '../../operations.ts'
import type { Session } from '../session.ts'
import { folderOf, listMessages } from './listing.ts'
import { type Mailbox, type MailItem, mailboxFor } from './mail-api.ts'
import { fromItem, isHtml } from './mapping/message.ts'
import { idOf, itemIdOf } from './mapping/names.ts'
import { nothingButNames, standard, type Wanted, wantedOf } from './mapping/wanted.ts'
import { changeMessage, moveToTrash, removeForEver } from './message-changes.ts'
import { readMessage, readMessages, readSource, readSources, type Source } from './reading.ts'

export const messageOf = ({ session }: Mailbox, item: MailItem, fields: MessageFields = 'standard'): Message =>
  fromItem(item, { grantId: session.grant.id, fields, shown: session.io.shown })

const rawMessage = ({ session }: Mailbox, { item, bytes }: Source): Message => ({
  id: idOf(item),
  grant_id: session.grant.id,
  object: 'message',
  raw_mime: bytes.toString('base64url'),
})

async function list(session: Session, query: MessageListQuery, at: JsonValue | undefined): Promise<Page<Message>> {
  const mailbox = mailboxFor(session, query)
  const { limit, page_token: _, metadata_pair: __, fields = 'standard', ...filters } = query
  const isRaw = fields === 'raw_mime'
  const wanted = isRaw ? nothingButNames : wantedOf({ fields, select: filters.select })
  const folder = folderOf(filters)
  const page = await listMessages({ mailbox, folder, filters, position: readPosition(at), limit, wanted })
  const next = page.next ? { next: stored(page.next) } : {}
  if (!isRaw) return { items: await shown(mailbox, page.messages, wanted, fields), ...next }
  const sources = await readSources(mailbox, page.messages)
  return { items: sources.map((source) => rawMessage(mailbox, source)), ...next }
}

/** Messages as ours, with their headers where these are asked for. */
async function shown(
  mailbox: Mailbox,
  items: readonly MailItem[],
  wanted: Wanted,
  fields: MessageFields,
): Promise<Message[]> {
  const whole = wanted.fields.has('headers') ? await withHeaders(mailbox, items) : items
  return whole.map((item) => messageOf(mailbox, item, fields))
}

/** Messages with their headers. Those that Exchange does not keep, or keeps decoded, are read from the bytes. */
async function withHeaders(mailbox: Mailbox, items: readonly MailItem[]): Promise<MailItem[]> {
  const told = ({ InternetMessageHeaders: headers = [] }: MailItem) =>
    headers.map(({ HeaderName: name, value }) => ({ name, value }))
  const bare = items.filter((item) => !areAsWritten(told(item)))
  if (bare.length === 0) return [...items]
  const sources = await readSources(mailbox, bare)
  const read = await headersIn(mailbox.session.io, new Map(sources.map(({ item, bytes }) => [itemIdOf(item), bytes])))
  return items.map((item) => {
    const headers = read.get(itemIdOf(item))
    if (!headers) return item
    return { ...item, InternetMessageHeaders: headers.map(({ name, value }) => ({ HeaderName: name, value })) }
  })
}

export const messages: Omit<Operations<Session>['messages'], 'send'> = {
  list,

  async get(session, at) {
    const mailbox = mailboxFor(session, at)
    const { message_id: id, fields = 'standard' } = at
    if (fields === 'raw_mime') return rawMessage(mailbox, await readSource(mailbox, id))
    const wanted = wantedOf({ fields, select: at.select })
    const [message] = await shown(mailbox, [await readMessage(mailbox, id, wanted)], wanted, fields)
    return message as Message
  },

  async clean(session, at, { message_id: ids, ...options }) {
    const mailbox = mailboxFor(session, at)
    const once = [...new Set(ids)]
    const found = await readMessages(mailbox, once, standard)
    const byId = new Map(once.map((id, place) => [id, found[place]]))
    const read = ids.map((id) => {
      const item = byId.get(id)
      return (
        item && { message: messageOf(mailbox, item), parsed: { body: item.Body?.value ?? '', isHtml: isHtml(item) } }
      )
    })
    return cleanMessages(session.io, read, options)
  },

  async update(session, at, change) {
    const mailbox = mailboxFor(session, at)
    return messageOf(mailbox, await changeMessage(mailbox, await readMessage(mailbox, at.message_id, standard), change))
  },

  async delete(session, at) {
    const mailbox = mailboxFor(session, at)
    if (at.hard_delete) await removeForEver(mailbox, 'message', at.message_id)
    else await moveToTrash(mailbox, at.message_id)
  },
}
