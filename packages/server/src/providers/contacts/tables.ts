/**
 * The tables of contacts that the service keeps itself, for accounts whose provider has no address book that we can reach.
 * An adapter is given them bound to one grant and, for changes, to one transaction.
 */
import type { Contact } from '@waypost/contract'

/** Where a contact that we keep comes from: written through the API, or met in the mail of the account. */
export type KeptSource = 'address_book' | 'inbox'

/** What is known of a person. What is not there has no value. */
export type ContactFields = Partial<
  Omit<Contact, 'id' | 'grant_id' | 'object' | 'source' | 'display_name' | 'groups' | 'picture_url' | 'picture'>
>

export interface ContactRow {
  id: string
  source: KeptSource
  fields: ContactFields
  /** Address and number as they are looked for, where the contact has one. */
  emailKey: string | null
  phoneKey: string | null
  groupId: string | null
  /** The end of the address of its picture, where it has one. */
  pictureKey?: string | undefined
  /** Of one met in mail: when the newest message that names it came, and the one that its name is from; Unix seconds. */
  metAt: number
  namedAt: number
}

export interface ContactFilter {
  source: KeptSource
  emailKey?: string | undefined
  phoneKey?: string | undefined
  groupId?: string | undefined
  /** The id that the page begins after. */
  after?: string | undefined
  limit: number
}

export interface GroupRow {
  id: string
  name: string
}

export interface ContactTables {
  /** In the order of their ids, which is that of their making. */
  list(filter: ContactFilter): Promise<ContactRow[]>
  get(id: string): Promise<ContactRow | undefined>
  count(source: KeptSource): Promise<number>
  /** Those met in mail under one of these addresses. */
  met(emailKeys: readonly string[]): Promise<ContactRow[]>
  /** Those met in mail whom no message has named for the longest time. */
  longestUnmet(limit: number): Promise<ContactRow[]>
  insert(row: ContactRow): Promise<void>
  update(row: ContactRow): Promise<void>
  remove(id: string): Promise<void>
  /** As data: URIs. They go with their contacts. */
  pictures: {
    get(contactId: string): Promise<string | undefined>
    count(): Promise<number>
    put(row: { contactId: string; key: string; picture: string }): Promise<void>
    remove(contactId: string): Promise<void>
  }
  groups: {
    list(at: { after?: string | undefined; limit: number }): Promise<GroupRow[]>
    get(id: string): Promise<GroupRow | undefined>
    /** The group of this very name. */
    named(name: string): Promise<GroupRow | undefined>
    count(): Promise<number>
    insert(row: GroupRow): Promise<void>
    rename(row: GroupRow): Promise<void>
    remove(id: string): Promise<void>
  }
  /** Holds back other changes of this account until the transaction ends. */
  lock(): Promise<void>
}
