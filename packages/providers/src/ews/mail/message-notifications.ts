/** Messages that arrived or changed, by EWS. */
import type { NotifiedMail } from '../../mail/exchange/message-notifications.ts'
import { messagePlace } from '../ids.ts'
import { isDraft } from './exchange-mail.ts'
import type { Mailbox, MailItem } from './mail-api.ts'
import { isHtml } from './mapping/message.ts'
import { itemIdOf } from './mapping/names.ts'
import { standard, withFields } from './mapping/wanted.ts'
import { messageOf, readItems, readSources } from './reading.ts'
import { originalNames } from './sent-names.ts'

const wanted = withFields(standard, ['basic_headers'])

export const notifiedMail: NotifiedMail<Mailbox, MailItem> = {
  messageOf,
  isDraft,
  isHtml,
  listedIdOf: itemIdOf,
  namingHeadersOf: ({ InternetMessageId, References, InReplyTo }) => ({
    messageId: InternetMessageId,
    references: References,
    inReplyTo: InReplyTo,
  }),
  readListed: (mailbox, ids) => readItems(mailbox, ids, wanted),
  sourcesOf: (mailbox, messages) =>
    readSources(
      mailbox,
      messages.map(({ id }) => ({ ItemId: { Id: messagePlace(id)?.itemId ?? '' } })),
    ),
  originalNames,
}
