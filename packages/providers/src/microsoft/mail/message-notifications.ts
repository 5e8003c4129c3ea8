/** Messages that arrived or changed, by Graph. */
import type { NotifiedMail } from '../../mail/exchange/message-notifications.ts'
import { isDraft } from './exchange-mail.ts'
import type { GraphMessage, Mailbox } from './mail-api.ts'
import { isHtml } from './mapping/message.ts'
import { type MessageQuery, standard, withProperties } from './mapping/properties.ts'
import { messageOf, readMessages, readSources } from './reading.ts'
import { originalNames } from './sent-names.ts'

const wanted: MessageQuery = withProperties(standard, ['isDraft', 'internetMessageId', 'internetMessageHeaders'])

export const notifiedMail: NotifiedMail<Mailbox, GraphMessage> = {
  messageOf,
  isDraft,
  isHtml,
  listedIdOf: ({ id }) => id,
  namingHeadersOf({ internetMessageId, internetMessageHeaders: headers = [] }) {
    const headerText = (wantedName: string): string | undefined =>
      headers.find(({ name }) => name.toLowerCase() === wantedName)?.value
    return { messageId: internetMessageId, references: headerText('references'), inReplyTo: headerText('in-reply-to') }
  },
  readListed: (mailbox, ids) => readMessages(mailbox, ids, wanted),
  sourcesOf: (mailbox, messages) =>
    readSources(
      mailbox,
      messages.map(({ id }) => id),
    ),
  originalNames,
}
