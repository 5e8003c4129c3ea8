/** Messages that came or changed, as they are told. */
import { readMessageIds } from '../../../formats/mime/addresses.ts'
import { answeredBy } from '../../mail/arrivals.ts'
import { type MessageChange, messageChanges } from '../../mail/message-notifications.ts'
import { messagePlace } from '../ids.ts'
import type { Mailbox, MailItem } from './mail-api.ts'
import { fromItem } from './mapping/message.ts'
import { idOf, itemIdOf } from './mapping/names.ts'
import { standard, withFields } from './mapping/wanted.ts'
import { readItems, readSources } from './reading.ts'
import { originalNames } from './sent-names.ts'

interface ToTell {
  /** Ids of items, as Exchange writes them. */
  come: readonly string[]
  changed: readonly string[]
  /** Milliseconds. */
  notBefore: number
}

const wanted = withFields(standard, ['basic_headers'])

/** Tells of messages as they are now; drafts, those that are gone, and older ones than the grant are left out. */
export async function messageNotifications(
  mailbox: Mailbox,
  { come, changed, notBefore }: ToTell,
): Promise<MessageChange[]> {
  const { grant, io } = mailbox.session
  const came = new Set(come)
  const at = { grantId: grant.id, fields: 'standard' as const, shown: io.shown }
  const read = await readItems(mailbox, [...come, ...changed], wanted)
  const fresh = read.map((item) => ({
    message: fromItem(item, at),
    isNew: came.has(itemIdOf(item)),
    isDraft: item.IsDraft ?? false,
    messageId: readMessageIds(item.InternetMessageId ?? '')[0],
    references: referencesOf(item),
  }))
  return messageChanges(fresh, {
    grant,
    io,
    notBefore,
    async sourcesOf(messages) {
      const named = messages.map(({ id }) => ({ ItemId: { Id: messagePlace(id)?.itemId ?? '' } }))
      return (await readSources(mailbox, named)).map(({ item, bytes }) => ({ id: idOf(item), source: bytes }))
    },
    originalNames: (messageIds) => originalNames(mailbox, messageIds),
  })
}

const referencesOf = ({ References = '', InReplyTo = '' }: MailItem): string[] =>
  answeredBy(readMessageIds(References), readMessageIds(InReplyTo)[0])
