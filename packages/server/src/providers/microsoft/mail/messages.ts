import type { Message, MessageFields, MessageListQuery } from '@waypost/contract'
import type { JsonValue } from '../../../lib/json/guard.ts'
import { cleanMessages } from '../../mail/clean.ts'
import { readPosition, stored } from '../../mail/position.ts'
import type { Operations, Page } from '../../operations.ts'
import type { Session } from '../session.ts'
import { folderOf, listMessages } from './listing.ts'
import { type GraphMessage, idPath, type Mailbox, mailboxFor } from './mail-api.ts'
import { fromMessage, isHtml } from './mapping/message.ts'
import { envelope, nothingButNames, standard, type Wanted, wantedOf } from './mapping/properties.ts'
import { changeMessage, moveToTrash, removeForEver } from './message-changes.ts'
import { readMessage, readMessages, readSource, readSources, withHeaders } from './reading.ts'

export const messageOf = ({ session }: Mailbox, message: GraphMessage, fields: MessageFields = 'standard'): Message =>
  fromMessage(message, { grantId: session.grant.id, fields, shown: session.io.shown })

const rawMessage = ({ session }: Mailbox, id: string, source: Buffer): Message => ({
  id,
  grant_id: session.grant.id,
  object: 'message',
  raw_mime: source.toString('base64url'),
})

async function list(session: Session, query: MessageListQuery, at: JsonValue | undefined): Promise<Page<Message>> {
  const mailbox = mailboxFor(session, query)
  const { limit, page_token: _, metadata_pair: __, fields = 'standard', ...filters } = query
  const isRaw = fields === 'raw_mime'
  const wanted = isRaw ? nothingButNames : wantedOf({ fields, select: filters.select })
  const page = await listMessages({
    mailbox,
    folder: folderOf(filters),
    filters,
    position: readPosition(at),
    limit,
    wanted,
  })
  const next = page.next ? { next: stored(page.next) } : {}
  const ids = page.messages.map(({ id }) => id)
  if (isRaw) {
    const sources = await readSources(mailbox, ids)
    return { items: [...sources].map(([id, source]) => rawMessage(mailbox, id, source)), ...next }
  }
  const whole =
    page.isSearched && !isWithin(wanted, envelope) ? await readMessages(mailbox, ids, wanted) : page.messages
  return { items: await shown(mailbox, whole, wanted, fields), ...next }
}

const isWithin = ({ properties, attachments }: Wanted, known: Wanted): boolean =>
  (!attachments || known.attachments) && properties.every((name) => known.properties.includes(name))

/** Messages as ours, with their headers where these are asked for. */
async function shown(
  mailbox: Mailbox,
  messages: readonly GraphMessage[],
  wanted: Wanted,
  fields: MessageFields,
): Promise<Message[]> {
  const asksForHeaders = wanted.properties.includes('internetMessageHeaders')
  const whole = asksForHeaders ? await withHeaders(mailbox, messages) : messages
  return whole.map((message) => messageOf(mailbox, message, fields))
}

export const messages: Omit<Operations<Session>['messages'], 'send'> = {
  list,

  async get(session, at) {
    const mailbox = mailboxFor(session, at)
    const { message_id: id, fields = 'standard' } = at
    if (fields === 'raw_mime') return rawMessage(mailbox, id, await readSource(mailbox, id))
    const wanted = wantedOf({ fields, select: at.select })
    const [message] = await shown(mailbox, [await readMessage(mailbox, id, wanted)], wanted, fields)
    return message as Message
  },

  async clean(session, at, { message_id: ids, ...options }) {
    const mailbox = mailboxFor(session, at)
    const wanted = [...new Set(ids)]
    for (const id of wanted) idPath('message', id)
    const found = new Map((await readMessages(mailbox, wanted, standard)).map((each) => [each.id, each]))
    const read = ids.map((id) => {
      const message = found.get(id)
      return (
        message && {
          message: messageOf(mailbox, message),
          parsed: { body: message.body?.content ?? '', isHtml: isHtml(message) },
        }
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
