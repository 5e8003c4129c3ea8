/** What the mail operations of Exchange need, by Graph. */
import type { ExchangeMail } from '../../mail/exchange/mail-api.ts'
import type { Session } from '../session.ts'
import { readConversations } from './conversations.ts'
import { listMessages } from './listing.ts'
import { type GraphMessage, type Mailbox, mailboxFor } from './mail-api.ts'
import { placeOf } from './mapping/message.ts'
import { type MessageQuery, nothingButNames, standard, wantedOf } from './mapping/properties.ts'
import { markAll, moveAll, removeForEver, targetIn, trashOf } from './message-changes.ts'
import { messageOf, readMessage, readSource, withTexts } from './reading.ts'
import { wellKnownIds } from './well-known-folders.ts'

export const isDraft = (message: GraphMessage): boolean => message.isDraft === true

export const graphMail: ExchangeMail<Session, Mailbox, GraphMessage, MessageQuery> = {
  mailboxFor,
  placeOf,
  idOf: ({ id }) => id,
  messageOf,
  wanted: {
    of: wantedOf,
    standard,
    folder: { properties: ['id', 'parentFolderId'], attachments: false },
    names: nothingButNames,
  },
  listMessages,
  readMessage,
  readSource,
  targetIn,
  moveAll,
  markAll,
  trashOf,
  removeForEver,
  readConversations,
  withTexts,
  isDraft,
  sentFolder: async (mailbox) => (await wellKnownIds(mailbox)).get('sentitems') ?? '',
}
