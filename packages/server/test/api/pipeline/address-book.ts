/** Address books in memory that implement the interface of the adapters. */
import type { Contact, ContactGroup } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Operations } from '@waypost/providers/operations'

interface Session {
  grant: { id: string }
}

export interface AddressBook {
  contacts: Map<string, Contact>
  groups: Map<string, ContactGroup>
}

export const contactOf = (id: string, grantId: string, changes: Partial<Contact> = {}): Contact => ({
  id,
  grant_id: grantId,
  object: 'contact',
  source: 'address_book',
  display_name: id,
  given_name: id,
  middle_name: null,
  surname: null,
  suffix: null,
  nickname: null,
  birthday: null,
  company_name: null,
  job_title: null,
  manager_name: null,
  office_location: null,
  notes: null,
  emails: [],
  phone_numbers: [],
  im_addresses: [],
  physical_addresses: [],
  web_pages: [],
  groups: [],
  ...changes,
})

export const groupOf = (id: string, grantId: string, name = id): ContactGroup => ({
  id,
  grant_id: grantId,
  object: 'contact_group',
  name,
  group_type: 'user',
  path: id,
})

const need = <T>(found: T | undefined): T => {
  if (found === undefined) throw new ApiError('not_found')
  return found
}
const page = <T>(items: T[], limit: number, position: unknown): { items: T[]; next?: number } => {
  const start = typeof position === 'number' ? position : 0
  const end = start + limit
  return { items: items.slice(start, end), ...(end < items.length ? { next: end } : {}) }
}
const keep = <T extends { id: string }>(all: Map<string, T>, one: T): T => {
  all.set(one.id, one)
  return one
}

/** Contacts and groups, one book for each grant. */
export const addressBook = (
  bookOf: (grantId: string) => AddressBook,
): Pick<Operations<Session>, 'contacts' | 'contactGroups'> => ({
  contacts: {
    list: async ({ grant }, query, position) => page([...bookOf(grant.id).contacts.values()], query.limit, position),
    get: async ({ grant }, at) => need(bookOf(grant.id).contacts.get(at.contact_id)),
    create: async ({ grant }, draft) =>
      keep(bookOf(grant.id).contacts, contactOf(`contact ${draft.given_name}`, grant.id)),
    async update({ grant }, at, change) {
      const { contacts } = bookOf(grant.id)
      const contact = need(contacts.get(at.contact_id))
      return keep(contacts, { ...contact, given_name: change.given_name ?? contact.given_name })
    },
    async delete({ grant }, at) {
      if (!bookOf(grant.id).contacts.delete(at.contact_id)) throw new ApiError('not_found')
    },
  },
  contactGroups: {
    list: async ({ grant }, query, position) => page([...bookOf(grant.id).groups.values()], query.limit, position),
    get: async ({ grant }, at) => need(bookOf(grant.id).groups.get(at.group_id)),
    create: async ({ grant }, { name }) => keep(bookOf(grant.id).groups, groupOf(`group ${name}`, grant.id, name)),
    async update({ grant }, at, { name }) {
      const { groups } = bookOf(grant.id)
      return keep(groups, { ...need(groups.get(at.group_id)), name })
    },
    async delete({ grant }, at) {
      if (!bookOf(grant.id).groups.delete(at.group_id)) throw new ApiError('not_found')
    },
  },
})
