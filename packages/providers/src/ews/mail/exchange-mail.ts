/** What the mail operations of Exchange need, by EWS. */
import type { ExchangeMail } from '../../mail/exchange/mail-api.ts'
import type { Session } from '../session.ts'
import { readConversations } from './conversations.ts'
import { listMessages } from './listing.ts'
import { type Mailbox, type MailItem, mailboxFor, wellKnownIds } from './mail-api.ts'
import { folderIdOf, idOf, placeOf } from './mapping/names.ts'
import { type MessageQuery, nothingButNames, standard, wantedFields, wantedOf } from './mapping/wanted.ts'
import { markAll, moveAll, removeForEver, targetIn, trashOf } from './message-changes.ts'
import { messageOf, readMessage, readSource, withTexts } from './reading.ts'

export const isDraft = (item: MailItem): boolean => item.IsDraft === true

export const ewsMail: ExchangeMail<Session, Mailbox, MailItem, MessageQuery> = {
  mailboxFor,
  placeOf,
  idOf,
  messageOf,
  wanted: { of: wantedOf, standard, folder: wantedFields('folders'), names: nothingButNames },
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
  async sentFolder(mailbox) {
    const id = (await wellKnownIds(mailbox)).get('sentitems')
    return id === undefined ? '' : folderIdOf(id)
  },
}
