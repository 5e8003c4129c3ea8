/** Messages that arrived or changed, by EWS. */

import { readMessageIds } from '@waypost/formats/mime/addresses'
import { changedNames, maxNamesLookedUp, type NotifiedMail } from '../../mail/exchange/message-notifications.ts'
import { isMissing } from '../errors.ts'
import { messagePlace } from '../ids.ts'
import { FindItem, page } from '../operations/items.ts'
import { property, propertyText } from '../types/paths.ts'
import { anyOf, equals } from '../types/restriction.ts'
import { idAnd } from '../types/shapes.ts'
import { isDraft } from './exchange-mail.ts'
import { type Mailbox, type MailItem, mailIn } from './mail-api.ts'
import { isHtml } from './mapping/message.ts'
import { itemIdOf } from './mapping/names.ts'
import { internetMessageId, ownNameHeader } from './mapping/properties.ts'
import { standard, withFields } from './mapping/wanted.ts'
import { messageOf, readItems, readSources } from './reading.ts'

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

/** The names that messages were sent under, by their current names. Unchanged names are left out. */
export async function originalNames(
  { session, place }: Mailbox,
  messageIds: readonly string[],
): Promise<Map<string, string>> {
  const wanted = [...new Set(messageIds)].slice(0, maxNamesLookedUp)
  const restriction = anyOf(wanted.map((messageId) => equals(property(internetMessageId), `<${messageId}>`)))
  if (!restriction) return new Map()
  const [answer] = await session.each(FindItem, {
    Traversal: 'Shallow',
    ItemShape: idAnd(property(internetMessageId), property(ownNameHeader)),
    View: page(0, 2 * maxNamesLookedUp),
    Restriction: restriction,
    ParentFolderIds: [place('sentitems')],
  })
  if (answer instanceof Error) {
    if (isMissing(answer)) return new Map()
    throw answer
  }
  return changedNames(
    mailIn(answer?.RootFolder?.Items).map(({ ExtendedProperty: properties }) => ({
      name: readMessageIds(propertyText(properties, internetMessageId) ?? '')[0],
      original: readMessageIds(propertyText(properties, ownNameHeader) ?? '')[0],
    })),
  )
}
