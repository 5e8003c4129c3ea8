/** The names of sent messages, for answers and reports that use a Message-ID of the server (`mail/sent-name.ts`). */
import { readMessageIds } from '@waypost/formats/mime/addresses'
import { changedNames, maxNamesLookedUp } from '../../mail/exchange/message-notifications.ts'
import { ownName } from '../../mail/sent-name.ts'
import { isMissing } from '../errors.ts'
import { FindItem, page } from '../operations/items.ts'
import { named, property, propertyText } from '../types/paths.ts'
import { anyOf, equals } from '../types/restriction.ts'
import { idAnd } from '../types/shapes.ts'
import { type Mailbox, mailIn } from './mail-api.ts'
import { asPath, internetMessageId } from './mapping/properties.ts'

/** The header with our Message-ID, as the property that Exchange stores unknown headers in. */
const ownNameHeader = named('InternetHeaders', ownName, 'String')

/** The names that messages were sent under, by their current names. Unchanged names are left out. */
export async function originalNames(
  { session, place }: Mailbox,
  messageIds: readonly string[],
): Promise<Map<string, string>> {
  const wanted = [...new Set(messageIds)].slice(0, maxNamesLookedUp)
  const restriction = anyOf(wanted.map((messageId) => equals(asPath(internetMessageId), `<${messageId}>`)))
  if (!restriction) return new Map()
  const [answer] = await session.each(FindItem, {
    Traversal: 'Shallow',
    ItemShape: idAnd(asPath(internetMessageId), property(ownNameHeader)),
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
