/**
 * Contacts that clients name. A contact has another id at Exchange once it is moved, and its search key stays: the id that
 * the API shows has both, and where the first finds nothing any more, the contact is looked for by the second.
 */
import { foundOf, notFound } from '../../shared/named-objects.ts'
import { isMissing } from '../errors.ts'
import { type MessagePlace, messageId, messagePlace, ourId } from '../ids.ts'
import { FindItem, GetItem, page } from '../operations/items.ts'
import type { Session } from '../session.ts'
import type { Contact as EwsContact } from '../types/contact.ts'
import { folder, item } from '../types/ids.ts'
import type { Item } from '../types/items.ts'
import { property, propertyBytes } from '../types/paths.ts'
import { equals } from '../types/restriction.ts'
import { idAnd } from '../types/shapes.ts'
import { contactFolders } from './contact-folders.ts'
import { searchKey, wholeContact } from './contacts-api.ts'

export type ContactItem = Extract<Item, { kind: 'Contact' }>

export const isContact = (one: Item): one is ContactItem => one.kind === 'Contact'

/** The id of a contact as clients read it; undefined of one that Exchange does not name. */
export const contactIdOf = ({ ItemId, ExtendedProperty }: EwsContact): string | undefined =>
  ItemId && messageId({ itemId: ItemId.Id, searchKey: propertyBytes(ExtendedProperty, searchKey) })

/** Runs a call on the item that an id names, and once more where that was moved meanwhile. */
export async function onContact<T>(session: Session, id: string, work: (itemId: string) => Promise<T>): Promise<T> {
  const place = messagePlace(id)
  if (!place) throw notFound('contact')
  try {
    return await work(place.itemId)
  } catch (error) {
    if (!isMissing(error)) throw error
    const moved = await movedContact(session, place)
    if (moved === undefined) throw notFound('contact')
    return work(moved)
  }
}

/** Where a contact is that is not where it was. One in the deleted items is none any more. */
async function movedContact(session: Session, { searchKey: key }: MessagePlace): Promise<string | undefined> {
  if (key === undefined) return undefined
  const folders = await contactFolders(session)
  const answers = await session.each(FindItem, {
    Traversal: 'Shallow',
    ItemShape: idAnd(),
    View: page(0, 1),
    Restriction: equals(property(searchKey), key.toString('base64')),
    ParentFolderIds: folders.map(({ ewsId }) => folder(ewsId)),
  })
  const found = foundOf(answers, isMissing).flatMap(({ RootFolder }) => RootFolder?.Items ?? [])
  return found.find(({ ItemId }) => ItemId !== undefined)?.ItemId?.Id
}

/** Contacts by the ids of their items, in that order; those that are gone, and what is no contact, are left out. */
export async function readContacts(session: Session, itemIds: readonly string[]): Promise<ContactItem[]> {
  const answers = await session.inBatches(GetItem, itemIds, (ids) => ({
    ItemShape: wholeContact,
    ItemIds: ids.map((id) => item(id)),
  }))
  return foundOf(answers, isMissing).flatMap(({ Items = [] }) => Items.filter(isContact))
}

/** One contact by the id of its item. */
export async function readItem(session: Session, itemId: string): Promise<ContactItem> {
  const { Items } = await session.call(GetItem, { ItemShape: wholeContact, ItemIds: [item(itemId)] })
  const [found] = (Items ?? []).filter(isContact)
  if (!found) throw notFound('contact')
  return found
}

/** One contact; throws where there is none of the id. */
export const readContact = (session: Session, id: string): Promise<ContactItem> =>
  onContact(session, id, (itemId) => readItem(session, itemId))

/** The id of the group that a contact is in. */
export const groupIdOf = ({ ParentFolderId }: EwsContact): string | undefined =>
  ParentFolderId && ourId(ParentFolderId.Id)
