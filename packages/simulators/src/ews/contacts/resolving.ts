// Resolves a name among the contacts of a user, by prefixes of names or by address.
import { isMeant } from '../directory/entries.ts'
import type { EwsCall, ItemShape, ResolvedName } from '../model.ts'
import { itemIdXml, itemXml } from '../shapes/item-shape.ts'
import type { StoredItem } from '../store/stored.ts'
import { type ContactContent, type DistributionListContent, emailKeys } from './content.ts'
import { fileAs } from './names.ts'

const isContact = (item: StoredItem): item is StoredItem<ContactContent> & StoredItem => item.type.element === 'Contact'
const isList = (item: StoredItem): item is StoredItem<DistributionListContent> & StoredItem =>
  item.type.element === 'DistributionList'

/** One result per address of a contact; a distribution list has none. */
export function resolveContacts(call: EwsCall, entry: string): ResolvedName[] {
  const items = [...call.account.mailbox.folders.standard('contacts').items.values()]
  const contacts = items.filter(isContact).flatMap((item) => resolvedContact(call, item, entry))
  const lists = items.filter(isList).filter(({ content }) => isMeant({ email: '', name: content.displayName }, entry))
  return [...contacts, ...lists.map(resolvedList)]
}

function resolvedContact(call: EwsCall, item: StoredItem<ContactContent> & StoredItem, entry: string): ResolvedName[] {
  const { texts, emails } = item.content
  const known = [texts.DisplayName, texts.GivenName, texts.Surname, texts.Nickname, fileAs(item.content)]
  const name = texts.DisplayName ?? fileAs(item.content) ?? ''
  const everything = known.filter((part) => part !== undefined).join(' ')
  const addresses = emailKeys.flatMap((key) => emails[key]?.address ?? [])
  const meant = addresses.filter((email) => isMeant({ email, name: everything }, entry))
  return meant.map((email) => ({
    email,
    name: name === '' ? email : name,
    kind: 'Contact',
    itemId: itemIdXml(item),
    contact: () => itemXml(call, item, ALL),
  }))
}

const ALL: ItemShape = {
  base: 'AllProperties',
  uris: new Set(),
  indexed: [],
  extended: [],
  includeMimeContent: false,
  bodyType: 'Best',
  node: undefined,
}

function resolvedList(item: StoredItem<DistributionListContent> & StoredItem): ResolvedName {
  return { email: item.content.displayName, name: item.content.displayName, kind: 'PrivateDL', itemId: itemIdXml(item) }
}
