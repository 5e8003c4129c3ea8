/** Lists of contacts. Google has one list per source and no filters, so filters are applied here. */
import type { Contact, ContactListQuery, ContactSource } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import type { JsonValue } from '@waypost/platform/json/guard'
import { list as listOf, object, readableItems, text } from '@waypost/platform/json/reader'
import { isSameNumber } from '../../contacts/phone-number.ts'
import type { Page } from '../../operations.ts'
import { collectPage } from '../../shared/paging.ts'
import type { Query, Session } from '../session.ts'
import { contactId, fromPerson, groupName } from './mapping/contact.ts'
import { type GoogleContact, googleContact, otherFields, personFields } from './people-api.ts'

const bytesOfList = 32 * 1024 * 1024
/** The largest page that Google returns. */
const largestPage = 1000
const memberPage = 200
/** Google returns all members of a group at once; at most this many are read. */
const maxMembers = 25_000

const people = readableItems(googleContact)
const peopleList = object({}, { people, connections: people, otherContacts: people, nextPageToken: text })
const memberList = object({}, { memberResourceNames: listOf(text) })
const fetchedPeople = object({}, { responses: readableItems(object({}, { person: googleContact })) })

interface List {
  path: string
  query: Query
  /** The grant needs one of these. */
  scopes: readonly string[]
  /** The property of the answer that contains the contacts. */
  items: 'connections' | 'otherContacts' | 'people'
}

const scoped = (...names: readonly string[]): string[] => names.map((name) => `https://www.googleapis.com/auth/${name}`)

const lists: Record<ContactSource, List> = {
  address_book: {
    path: 'people/me/connections',
    query: { personFields },
    scopes: scoped('contacts.readonly', 'contacts'),
    items: 'connections',
  },
  inbox: {
    path: 'otherContacts',
    query: { readMask: otherFields },
    scopes: scoped('contacts.other.readonly'),
    items: 'otherContacts',
  },
  domain: {
    path: 'people:listDirectoryPeople',
    query: {
      readMask: personFields,
      sources: ['DIRECTORY_SOURCE_TYPE_DOMAIN_PROFILE', 'DIRECTORY_SOURCE_TYPE_DOMAIN_CONTACT'],
    },
    scopes: scoped('directory.readonly'),
    items: 'people',
  },
}

function filterOf({ email, phone_number: phone }: ContactListQuery): ((contact: Contact) => boolean) | undefined {
  if (email === undefined && phone === undefined) return undefined
  const wanted = email?.trim().toLowerCase()
  return (contact) =>
    (wanted === undefined || contact.emails.some((one) => one.email.toLowerCase() === wanted)) &&
    (phone === undefined || contact.phone_numbers.some(({ number }) => isSameNumber(number, phone)))
}

function sourceOf({ source = [] }: ContactListQuery): ContactSource {
  if (source.length > 1) throw invalidField('source', 'must be one source at Google')
  return (source[0] as ContactSource | undefined) ?? 'address_book'
}

export async function readPeople(
  session: Session,
  source: ContactSource,
  query: Query,
): Promise<{ people: GoogleContact[]; next: string | undefined }> {
  const list = lists[source]
  const { scopes } = list
  const options = { query: { ...list.query, ...query }, maxBytes: bytesOfList, scopes, read: peopleList }
  const answer = await session.call('people', 'GET', list.path, options)
  return { people: answer[list.items] ?? [], next: answer.nextPageToken }
}

/** The contacts of a group. Google returns all their names, and the contacts are read in portions. */
async function listGroup(
  session: Session,
  query: ContactListQuery,
  position: JsonValue | undefined,
): Promise<Page<Contact>> {
  if (sourceOf(query) !== 'address_book') throw invalidField('group', 'groups are those of the address book')
  const { memberResourceNames: names = [] } = await session.call('people', 'GET', groupName(query.group ?? ''), {
    query: { maxMembers: maxMembers, groupFields: 'memberCount' },
    read: memberList,
  })
  const filtered = { position, limit: query.limit, keep: filterOf(query), filteredSize: memberPage }
  return collectPage<Contact, Contact>(
    {
      ...filtered,
      page: async (token, size) => {
        const from = Number(token ?? 0)
        const some = names.slice(from, from + size)
        if (some.length === 0) return { items: [], next: undefined }
        const answer = await session.call('people', 'GET', 'people:batchGet', {
          query: { resourceNames: some, personFields },
          maxBytes: bytesOfList,
          read: fetchedPeople,
        })
        const people = (answer.responses ?? []).flatMap(({ person }) => person ?? [])
        const next = from + size < names.length ? `${from + size}` : undefined
        return { items: people.map((person) => fromPerson(person, session.grant.id)), next }
      },
    },
    (contact) => contact,
  )
}

export async function listContacts(
  session: Session,
  query: ContactListQuery,
  position: JsonValue | undefined,
): Promise<Page<Contact>> {
  if (query.group !== undefined) return listGroup(session, query, position)
  const source = sourceOf(query)
  const filtered = { position, limit: query.limit, keep: filterOf(query), filteredSize: largestPage }
  return collectPage<Contact, Contact>(
    {
      ...filtered,
      page: async (pageToken, pageSize) => {
        const answer = await readPeople(session, source, { pageSize, pageToken })
        return { items: answer.people.map((person) => fromPerson(person, session.grant.id)), next: answer.next }
      },
    },
    (contact) => contact,
  )
}

const maxOtherPages = 20

/** A contact that Google knows only from mail. Google cannot return a single one, so the list is searched. */
export async function findOther(session: Session, id: string): Promise<GoogleContact | undefined> {
  let pageToken: string | undefined
  for (let count = 0; count < maxOtherPages; count += 1) {
    const { people, next } = await readPeople(session, 'inbox', { pageSize: largestPage, pageToken })
    const found = people.find(({ resourceName }) => contactId(resourceName) === id)
    if (found || next === undefined) return found
    pageToken = next
  }
  return undefined
}
