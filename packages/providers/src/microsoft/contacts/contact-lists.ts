/**
 * Lists of contacts. Graph lists the contacts of one folder. Without a group it is the default folder, with `recurse`
 * also the folders in it.
 */

import type { Contact, ContactListQuery, ContactSource } from '@waypost/contract'
import type { JsonValue } from '@waypost/platform/json/guard'
import { groupDeleted, groupsElsewhere, sourceIn } from '../../contacts/outlook.ts'
import { isSameNumber } from '../../contacts/phone-number.ts'
import type { Page } from '../../operations.ts'
import { orNotFound } from '../../shared/named-objects.ts'
import { collect, Place, type Search } from '../../shared/paging.ts'
import { isMissing } from '../errors.ts'
import { listPage } from '../graph-pages.ts'
import type { Session } from '../session.ts'
import { contactsPath, readChildren } from './contact-folders.ts'
import { addressBookScopes, contactQuery, graphContact } from './contacts-api.ts'
import { fromGraphContact } from './mapping/contact.ts'
import { peoplePage } from './people.ts'
import { pictureUrl } from './pictures.ts'

type ContactPage = Search<Contact>['page']

const maxBytes = 32 * 1024 * 1024
/** The largest page that Graph returns. */
const largestPage = 999

const sameAddress = (email: string): ((contact: Contact) => boolean) => {
  const wanted = email.trim().toLowerCase()
  return ({ emails }) => emails.some((one) => one.email.toLowerCase() === wanted)
}

/** The filters that Graph does not have: phone numbers, and the addresses of people. */
function filterOf({ email, phone_number: phone }: ContactListQuery, source: ContactSource): Search<Contact>['keep'] {
  const isAddressed = email === undefined || source === 'address_book' ? undefined : sameAddress(email)
  if (isAddressed === undefined && phone === undefined) return undefined
  return (contact) =>
    (isAddressed?.(contact) ?? true) &&
    (phone === undefined || contact.phone_numbers.some(({ number }) => isSameNumber(number, phone)))
}

/** Graph compares addresses without regard to case. */
const addressFilter = (email: string | undefined): string | undefined =>
  email === undefined ? undefined : `emailAddresses/any(a:a/address eq '${email.trim().replaceAll("'", "''")}')`

/** The pages of one folder. */
const folderPages =
  (session: Session, folderId: string | undefined, { email }: ContactListQuery): ContactPage =>
  async (place, size) => {
    const { items, next } = await listPage(
      session,
      {
        path: contactsPath(session, folderId),
        query: { ...contactQuery, $top: Math.min(size, largestPage), $filter: addressFilter(email) },
        read: graphContact,
        scopes: addressBookScopes,
        maxBytes,
      },
      place,
    )
    return {
      items: items.map((contact) => fromGraphContact(contact, session.grant.id, pictureUrl(session, contact.id))),
      next,
    }
  }

const inFolder = (folderId: string, place = ''): string => `${folderId} ${place}`

/** The pages of a folder and of the folders in it, one after the other. */
const nestedPages =
  (session: Session, folderId: string | undefined, query: ContactListQuery): ContactPage =>
  async (token, size) => {
    const [current = '', place = ''] = (token ?? '').split(' ')
    const folders = ['', ...(await readChildren(session, folderId)).map(({ id }) => id)]
    const index = folders.indexOf(current)
    if (index === -1) throw groupDeleted()
    const pages = folderPages(session, current || folderId, query)
    const { items, next } = await pages(place || undefined, size)
    if (next !== undefined) return { items, next: inFolder(current, next) }
    const following = folders[index + 1]
    return { items, next: following === undefined ? undefined : inFolder(following) }
  }

function pagesOf(session: Session, source: ContactSource, query: ContactListQuery): ContactPage {
  const { group, recurse, email } = query
  if (source !== 'address_book') {
    if (group !== undefined) throw groupsElsewhere()
    return (place, size) => peoplePage(session, source, { place, size: Math.min(size, largestPage), email })
  }
  const pages = (recurse ? nestedPages : folderPages)(session, group, query)
  if (group === undefined) return pages
  return (place, size) => orNotFound('contact group', () => pages(place, size), isMissing)
}

export async function listContacts(
  session: Session,
  query: ContactListQuery,
  position: JsonValue | undefined,
): Promise<Page<Contact>> {
  const source = sourceIn(query, 'Microsoft')
  const { items, next } = await collect<Contact>({
    place: position === undefined ? undefined : Place.parse(position),
    limit: query.limit,
    keep: filterOf(query, source),
    filteredSize: largestPage,
    page: pagesOf(session, source, query),
  })
  return next ? { items, next } : { items }
}
