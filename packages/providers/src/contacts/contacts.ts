/** Contacts that the service stores, for accounts without an address book that we can access. */

import type { Contact, ContactListQuery } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { newOrderedId, newToken } from '@waypost/platform/ids'
import type { JsonValue } from '@waypost/platform/json/guard'
import { z } from 'zod'
import type { CachedSession } from '../io.ts'
import type { Operations, Page } from '../operations.ts'
import { type ContactMaxima, changedFields, emailKeyOf, keysOf, shownContact } from './contact.ts'
import { needGroup } from './contact-groups.ts'
import { sameNumberKey } from './phone-number.ts'
import { pictureUri } from './picture.ts'
import type { ContactFilter, ContactRow, StoredSource } from './tables.ts'
import { unknownGroup } from './unknown-group.ts'

/** Limits for the address book of one account. */
const maxContacts = 10_000
const maxPictures = 500

/** The last contact of a page. */
const Place = z.string()

const isRetained = (source: string): source is StoredSource => source === 'address_book' || source === 'inbox'

/** The rows of a page, and one more if there is a next page. Each source is sorted by id. */
async function readRows(
  { io }: CachedSession,
  sources: readonly StoredSource[],
  filter: Omit<ContactFilter, 'source'>,
): Promise<ContactRow[]> {
  const found = await Promise.all(sources.map((source) => io.contacts.list({ ...filter, source })))
  const rows = found.flat()
  return sources.length === 1 ? rows : rows.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, filter.limit)
}

async function list(
  session: CachedSession,
  query: ContactListQuery,
  position: JsonValue | undefined,
): Promise<Page<Contact>> {
  const { email, phone_number: phone, source = ['address_book'], group, limit } = query
  const sources = [...new Set(source)].filter(isRetained)
  if (group !== undefined) {
    if (!sources.includes('address_book')) throw invalidField('group', 'groups are those of the address book')
    await needGroup(session, group)
  }
  const phoneKey = phone === undefined ? undefined : sameNumberKey(phone)
  if (phoneKey === '') return { items: [] }
  const rows = await readRows(session, sources, {
    emailKey: email === undefined ? undefined : emailKeyOf(email),
    phoneKey,
    groupId: group,
    after: position === undefined ? undefined : Place.parse(position),
    limit: limit + 1,
  })
  const items = rows.slice(0, limit).map((row) => shown(session, row))
  const last = items.at(-1)
  return last && rows.length > limit ? { items, next: last.id } : { items }
}

const shown = ({ grant, io }: CachedSession, row: ContactRow): Contact => shownContact(row, grant.id, io.baseUrl)

async function needContact({ io }: CachedSession, id: string): Promise<ContactRow> {
  const row = await io.contacts.get(id)
  if (!row) throw new ApiError('not_found', 'no contact with this id')
  return row
}

/** Requires a contact that a client may change; contacts gathered from mail cannot be changed. */
async function needWritable(session: CachedSession, id: string): Promise<ContactRow> {
  const row = await needContact(session, id)
  if (row.source === 'address_book') return row
  throw new ApiError('invalid_request', 'only contacts of the address book can be changed or deleted')
}

/** The group of a contact in a request; undefined if none is given. */
async function groupOf(session: CachedSession, groups: readonly { id: string }[] | null | undefined) {
  if (groups === undefined) return undefined
  const id = groups?.[0]?.id ?? null
  if (id !== null && !(await session.io.contacts.groups.get(id))) {
    throw unknownGroup()
  }
  return id
}

/** Stores or removes a picture of a contact and returns the changed contact. */
async function withPicture({ io }: CachedSession, row: ContactRow, picture: string | null | undefined) {
  if (picture === undefined) return row
  const { pictures } = io.contacts
  if (picture === null) {
    await pictures.remove(row.id)
    return { ...row, pictureKey: undefined }
  }
  if (row.pictureKey === undefined && (await pictures.count()) >= maxPictures) {
    throw invalidField('picture', `an account has at most ${maxPictures} pictures of contacts`)
  }
  const pictureKey = newToken()
  await pictures.put({ contactId: row.id, key: pictureKey, picture })
  return { ...row, pictureKey }
}

/** A client's picture in stored form. */
const givenPicture = (picture: string | null | undefined): string | null | undefined => picture && pictureUri(picture)

async function tellUpdated(session: CachedSession, row: ContactRow): Promise<Contact> {
  const contact = shown(session, row)
  await session.io.notify('contact.updated', contact)
  return contact
}

/** The operations for a provider with these maximum numbers of values per contact. */
export const cachedContacts = (maxima: ContactMaxima): Operations<CachedSession>['contacts'] => ({
  list,
  async get(session, at) {
    const row = await needContact(session, at.contact_id)
    const isWanted = at.profile_picture && row.pictureKey !== undefined
    const picture = isWanted ? await session.io.contacts.pictures.get(row.id) : undefined
    return { ...shown(session, row), ...(picture === undefined ? {} : { picture }) }
  },
  async create(session, draft) {
    const { contacts } = session.io
    const fields = changedFields({}, draft, maxima)
    const picture = givenPicture(draft.picture) ?? undefined
    await contacts.lock()
    if ((await contacts.count('address_book')) >= maxContacts) {
      throw new ApiError('invalid_request', `an address book has at most ${maxContacts} contacts: delete one first`)
    }
    const groupId = (await groupOf(session, draft.groups)) ?? null
    const retained = { fields, ...keysOf(fields), groupId, metAt: 0, namedAt: 0 }
    const bare: ContactRow = { id: newOrderedId(), source: 'address_book', ...retained }
    await contacts.insert(bare)
    const row = await withPicture(session, bare, picture)
    if (row !== bare) await contacts.update(row)
    return tellUpdated(session, row)
  },
  async update(session, at, change) {
    const { contacts } = session.io
    const picture = givenPicture(change.picture)
    await contacts.lock()
    const before = await needWritable(session, at.contact_id)
    const fields = changedFields(before.fields, change, maxima)
    const groupId = await groupOf(session, change.groups)
    const changed = { ...before, fields, ...keysOf(fields), groupId: groupId === undefined ? before.groupId : groupId }
    const row = await withPicture(session, changed, picture)
    await contacts.update(row)
    return tellUpdated(session, row)
  },
  async delete(session, at) {
    const { grant, io } = session
    await io.contacts.lock()
    const { id } = await needWritable(session, at.contact_id)
    await io.contacts.remove(id)
    await io.notify('contact.deleted', { id, grant_id: grant.id, object: 'contact' })
  },
})
