/**
 * Lists of contacts of one folder: without a group the default folder, with `recurse` also the folders directly in
 * it. FindItem lists them in the order of their creation, and one GetItem reads those of a page.
 */

import type { Contact, ContactListQuery } from '@waypost/contract'
import type { JsonValue } from '@waypost/platform/json/guard'
import { groupDeleted, sourceIn } from '../../contacts/outlook.ts'
import { isSameNumber } from '../../contacts/phone-number.ts'
import type { Page } from '../../operations.ts'
import { notFound } from '../../shared/named-objects.ts'
import { isMissing } from '../errors.ts'
import { FindItem, page } from '../operations/items.ts'
import type { Session } from '../session.ts'
import { emailKeys } from '../types/contact.ts'
import { distinguished, folder } from '../types/ids.ts'
import { field, indexedField } from '../types/paths.ts'
import { allOf, anyOf, compare, containing, oldestFirst, type Restriction } from '../types/restriction.ts'
import { wellKnownId } from '../well-known-folders.ts'
import { contactFolders, defaultFolderOf, needFolder } from './contact-folders.ts'
import { listedContact } from './contacts-api.ts'
import { listDirectory } from './directory.ts'
import { fromContact } from './mapping/contact.ts'
import {
  after,
  beginningOf,
  isBefore,
  type ListedContact,
  type Position,
  readPosition,
  storedPosition,
} from './mapping/position.ts'
import { type ContactItem, contactIdOf, groupIdOf, isContact, readContacts } from './named-contacts.ts'
import { pictureUrl } from './pictures.ts'

/** The largest page of FindItem with a restriction. */
const largestPage = 250
/** Rounds of a list whose filter excludes most contacts; a page may then have fewer contacts than `limit`. */
const maxRounds = 10

export function shownContact(session: Session, contact: ContactItem): Contact[] {
  const id = contactIdOf(contact)
  if (id === undefined) return []
  const shown = { id, grantId: session.grant.id, groupId: groupIdOf(contact), pictureUrl: pictureUrl(session, id) }
  return [fromContact(contact, shown)]
}

/** Exchange compares addresses without regard to case. */
const addressed = (email: string): Restriction | undefined =>
  anyOf(emailKeys.map((key) => containing(indexedField('contacts:EmailAddress', key), email.trim(), 'FullString')))

const created = field('item:DateTimeCreated')

/** Contacts created in the second of the position or later. Not every server also compares for equality. */
const restrictionOf = ({ email }: ContactListQuery, { date }: Position): Restriction | undefined =>
  allOf([
    ...(date === 0 ? [] : [compare('IsGreaterThan', created, new Date((date - 1) * 1000).toISOString())]),
    ...(email === undefined ? [] : [addressed(email) ?? []].flat()),
  ])

interface FoundItem extends ListedContact {
  isContact: boolean
}

/** The contacts of a folder from a position on. Distribution lists are no contacts. */
async function findFrom(
  session: Session,
  query: ContactListQuery,
  position: Position,
  { offset, size }: { offset: number; size: number },
): Promise<{ items: FoundItem[]; isLast: boolean }> {
  const restriction = restrictionOf(query, position)
  const { RootFolder } = await session.call(FindItem, {
    Traversal: 'Shallow',
    ItemShape: listedContact,
    View: page(offset, size),
    ...(restriction ? { Restriction: restriction } : {}),
    SortOrder: oldestFirst(created),
    ParentFolderIds: [folder(position.folder)],
  })
  const items = (RootFolder?.Items ?? []).flatMap((one): FoundItem[] => {
    const { ItemId, DateTimeCreated = 0 } = one
    return ItemId ? [{ id: ItemId.Id, date: Math.floor(DateTimeCreated / 1000), isContact: isContact(one) }] : []
  })
  return { items, isLast: RootFolder?.IncludesLastItemInRange !== false || items.length === 0 }
}

interface FoundPage {
  contacts: Contact[]
  /** The position to continue at; absent at the end of the folder. */
  next?: Position
}

/** Up to `limit` contacts of a folder from a position on. */
async function pageOf(session: Session, query: ContactListQuery, from: Position, limit: number): Promise<FoundPage> {
  const { phone_number: phone } = query
  const contacts: Contact[] = []
  let position = from
  let offset = 0
  for (let round = 0; round < maxRounds; round += 1) {
    const wanted = phone === undefined ? limit - contacts.length : largestPage
    const size = Math.min(wanted + position.seen.length + 1, largestPage)
    const before = position
    const { items, isLast } = await findFrom(session, query, position, { offset, size })
    const fresh = items.filter((one) => !isBefore(before, one))
    const ids = fresh.filter((one) => one.isContact).map(({ id }) => id)
    const read = await readContacts(session, phone === undefined ? ids.slice(0, wanted) : ids)
    const byId = new Map(read.map((contact) => [contact.ItemId?.Id, contact]))
    for (const one of fresh) {
      if (contacts.length === limit) return { contacts, next: position }
      position = after(position, one)
      const contact = byId.get(one.id)
      const [shown] = contact ? shownContact(session, contact) : []
      if (shown && isRetained(shown, phone)) contacts.push(shown)
    }
    if (isLast) return { contacts }
    // If a page contains only contacts of the second that was returned last, the next one is requested by offset.
    offset = fresh.length === 0 ? offset + items.length : 0
    session.io.signal.throwIfAborted()
  }
  return { contacts, next: position }
}

/** The filter that Exchange does not have: phone numbers. */
const isRetained = ({ phone_numbers: phones }: Contact, phone: string | undefined): boolean =>
  phone === undefined || phones.some(({ number }) => isSameNumber(number, phone))

/** Exchange's ids of the listed folders, in their order. */
async function foldersOf(session: Session, { group, recurse }: ContactListQuery): Promise<string[]> {
  if (group === undefined && !recurse) return [await wellKnownId(session, 'contacts')]
  const all = await contactFolders(session)
  const top = group === undefined ? defaultFolderOf(all) : needFolder(all, group)
  const within = recurse ? all.filter(({ parentId }) => parentId === top.id) : []
  return [top, ...within].map(({ ewsId }) => ewsId)
}

async function listAddressBook(
  session: Session,
  query: ContactListQuery,
  stored: JsonValue | undefined,
): Promise<Page<Contact>> {
  const folders = await foldersOf(session, query)
  const position = readPosition(stored) ?? beginningOf(folders[0] ?? '')
  const items: Contact[] = []
  const first = folders.indexOf(position.folder)
  if (first === -1) throw groupDeleted()
  for (const [place, id] of folders.entries()) {
    if (place < first) continue
    const from = place === first ? position : beginningOf(id)
    if (items.length === query.limit) return { items, next: storedPosition(from) }
    const found = await pageOf(session, query, from, query.limit - items.length)
    items.push(...found.contacts)
    if (found.next) return { items, next: storedPosition(found.next) }
  }
  return { items }
}

export async function listContacts(
  session: Session,
  query: ContactListQuery,
  position: JsonValue | undefined,
): Promise<Page<Contact>> {
  if (sourceIn(query, 'Exchange') !== 'address_book') return listDirectory(session, query)
  try {
    return await listAddressBook(session, query, position)
  } catch (error) {
    throw isMissing(error) && query.group !== undefined ? notFound('contact group') : error
  }
}

/** The default folder, for a contact without a group. */
export const defaultPlace = distinguished('contacts')
