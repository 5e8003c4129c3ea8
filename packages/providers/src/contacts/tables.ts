/**
 * The tables of contacts that the service stores, for accounts whose provider has no address book that we can access.
 * They are bound to one grant and, for changes, to one transaction.
 */
import type { Contact } from '@waypost/contract'

/** The source of a stored contact: written through the API, or gathered from the account's mail. */
export type StoredSource = 'address_book' | 'inbox'

/** The fields of a person. Missing fields have no value. */
export type ContactFields = Partial<
  Omit<Contact, 'id' | 'grant_id' | 'object' | 'source' | 'display_name' | 'groups' | 'picture_url' | 'picture'>
>

export interface ContactRow {
  id: string
  source: StoredSource
  fields: ContactFields
  /** The normalized address and number for searches, if the contact has them. */
  emailKey: string | null
  phoneKey: string | null
  groupId: string | null
  /** The last part of the picture's address, if it has one. */
  pictureKey?: string | undefined
  /**
   * For a gathered contact: the times of the newest message that mentions it, and of the message that its name is
   * from, in Unix seconds.
   */
  metAt: number
  namedAt: number
}

export interface ContactFilter {
  source: StoredSource
  emailKey?: string | undefined
  phoneKey?: string | undefined
  groupId?: string | undefined
  /** The id after which the page begins. */
  after?: string | undefined
  limit: number
}

export interface GroupRow {
  id: string
  name: string
}

export interface ContactTables {
  /** Sorted by id, which is the order of creation. */
  list(filter: ContactFilter): Promise<ContactRow[]>
  get(id: string): Promise<ContactRow | undefined>
  count(source: StoredSource): Promise<number>
  /** Contacts gathered from mail with one of these addresses. */
  met(emailKeys: readonly string[]): Promise<ContactRow[]>
  /** The gathered contacts that were mentioned least recently. */
  longestUnmet(limit: number): Promise<ContactRow[]>
  insert(row: ContactRow): Promise<void>
  update(row: ContactRow): Promise<void>
  remove(id: string): Promise<void>
  /** As data: URIs. They are deleted with their contacts. */
  pictures: {
    get(contactId: string): Promise<string | undefined>
    count(): Promise<number>
    put(row: { contactId: string; key: string; picture: string }): Promise<void>
    remove(contactId: string): Promise<void>
  }
  groups: {
    list(at: { after?: string | undefined; limit: number }): Promise<GroupRow[]>
    get(id: string): Promise<GroupRow | undefined>
    /** The group with exactly this name. */
    named(name: string): Promise<GroupRow | undefined>
    count(): Promise<number>
    insert(row: GroupRow): Promise<void>
    rename(row: GroupRow): Promise<void>
    remove(id: string): Promise<void>
  }
  /** Blocks other changes of this account until the transaction ends. */
  lock(): Promise<void>
}

/** A person in the headers of a message of the account: its sender or one of its recipients. */
export interface Correspondent {
  email: string
  /** As in the message; empty if it has none. */
  name: string
  /** When the message arrived, in Unix seconds. */
  at: number
  /** Whether the message arrived while the account was watched; then a new contact is reported. */
  isNews: boolean
}
