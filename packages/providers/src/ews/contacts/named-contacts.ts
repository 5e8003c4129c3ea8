/**
 * Contacts that clients name. A moved contact has another id at Exchange, but the same search key. The id in the API
 * contains both: if the first finds nothing, the contact is searched by the second.
 */
import { ApiError } from '@waypost/platform/api-error'
import { foundOf, notFound } from '../../shared/named-objects.ts'
import { isMissing } from '../errors.ts'
import { type MessagePlace, messageId, messagePlace, ourId } from '../ids.ts'
import { FindItem, GetItem, page } from '../operations/items.ts'
import type { Session } from '../session.ts'
import type { Contact as EwsContact } from '../types/contact.ts'
import { folder, item } from '../types/ids.ts'
import type { Item } from '../types/items.ts'
import { property, propertyBytes } from '../types/paths.ts'
import { anyOf, equals, type Restriction } from '../types/restriction.ts'
import { idAnd } from '../types/shapes.ts'
import { contactFolders } from './contact-folders.ts'
import { searchKey, wholeContact } from './contacts-api.ts'

export type ContactItem = Extract<Item, { kind: 'Contact' }>

export const isContact = (one: Item): one is ContactItem => one.kind === 'Contact'

/** The id of a contact in the API; undefined if Exchange returned none. */
export const contactIdOf = ({ ItemId, ExtendedProperty }: EwsContact): string | undefined =>
  ItemId && messageId({ itemId: ItemId.Id, searchKey: propertyBytes(ExtendedProperty, searchKey) })

/** Runs a call on the item that an id names, and once more if it was moved meanwhile. */
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

/** The current item of a contact that was moved. A contact in Deleted Items does not count. */
const movedContact = async (session: Session, { searchKey: key }: MessagePlace): Promise<string | undefined> =>
  key && (await findByKeys(session, [key])).get(key.toString('base64'))

/** A restriction has at most 255 parts. */
const keysPerCall = 100
const perPage = 1000
const maxPages = 20

/** The matches in each folder, from an offset on; without a restriction everything matches. */
const findIn = (session: Session, folders: readonly string[], restriction: Restriction | undefined, offset = 0) =>
  session.each(FindItem, {
    Traversal: 'Shallow',
    ItemShape: idAnd(property(searchKey)),
    View: page(offset, restriction ? 2 * keysPerCall : perPage),
    ...(restriction ? { Restriction: restriction } : {}),
    ParentFolderIds: folders.map((id) => folder(id)),
  })

/** The same if the server cannot search for such keys: all contacts of the folders. */
async function scan(session: Session, folders: readonly string[]): Promise<Item[]> {
  const found: Item[] = []
  for (const id of folders) {
    for (let pages = 0, offset = 0; pages < maxPages; pages += 1) {
      const [root] = foundOf(await findIn(session, [id], undefined, offset), isMissing)
      const items = root?.RootFolder?.Items ?? []
      found.push(...items)
      offset += items.length
      if (items.length === 0 || root?.RootFolder?.IncludesLastItemInRange !== false) break
    }
  }
  return found
}

/** The items with these search keys in all folders of contacts, by key as base64. */
export async function findByKeys(session: Session, keys: readonly Buffer[]): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map()
  const folders = (await contactFolders(session)).map(({ ewsId }) => ewsId)
  const items: Item[] = []
  for (let from = 0; from < keys.length; from += keysPerCall) {
    const wanted = keys.slice(from, from + keysPerCall)
    const answers = await findIn(
      session,
      folders,
      anyOf(wanted.map((key) => equals(property(searchKey), key.toString('base64')))),
    )
    if (answers.some((answer) => answer instanceof ApiError && answer.code === 'provider_refused')) {
      items.push(...(await scan(session, folders)))
      break
    }
    items.push(...foundOf(answers, isMissing).flatMap(({ RootFolder }) => RootFolder?.Items ?? []))
  }
  return new Map(
    items.flatMap(({ ItemId, ExtendedProperty }) => {
      const key = propertyBytes(ExtendedProperty, searchKey)
      return ItemId && key ? [[key.toString('base64'), ItemId.Id] as const] : []
    }),
  )
}

/** Contacts by item id, in that order. Deleted ones, and items that are no contacts, are left out. */
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

/** The contact with an id; throws if there is none. */
export const readContact = (session: Session, id: string): Promise<ContactItem> =>
  onContact(session, id, (itemId) => readItem(session, itemId))

/** The id of the group of a contact. */
export const groupIdOf = ({ ParentFolderId }: EwsContact): string | undefined =>
  ParentFolderId && ourId(ParentFolderId.Id)
