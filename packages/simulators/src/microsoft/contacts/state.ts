// The contacts of an account and their folders.
import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../../shared/http.ts'
import { GraphError, itemNotFound } from '../errors.ts'
import { folderId, itemId, readId } from '../item-ids.ts'
import { ChangeLog } from '../odata/change-log.ts'
import type { AccountOwner } from '../owner.ts'
import type { Photo } from '../photo.ts'
import type { World } from '../world.ts'

export interface StoredContact {
  readonly key: string
  readonly created: number
  folder: string
  modified: number
  version: number
  /** The written fields, with Graph's names. */
  fields: Readonly<JsonObject>
  photo?: Photo
}

export interface StoredFolder {
  readonly key: string
  name: string
  /** The key of its parent folder; undefined for the default folder. */
  readonly parent: string | undefined
  readonly contacts: Map<string, StoredContact>
  /** Changes of its contacts. */
  readonly log: ChangeLog
}

export interface ContactsState {
  readonly owner: AccountOwner
  readonly world: World
  version: number
  readonly folders: Map<string, StoredFolder>
  readonly defaultFolder: StoredFolder
  /** Deleted contacts move to Deleted Items and appear in no list, but their immutable id still finds them. */
  readonly deletedItems: StoredFolder
  /** Changes of the folders. */
  readonly log: ChangeLog
  /** Correspondents who are not in the address book: names, keyed by address. */
  readonly correspondents: Map<string, string>
}

const states = new WeakMap<World, Map<string, ContactsState>>()

export function openState(owner: AccountOwner, world: World): ContactsState {
  const folderNamed = (name: string): StoredFolder => ({
    key: newKey(),
    name,
    parent: undefined,
    contacts: new Map(),
    log: new ChangeLog(),
  })
  const defaultFolder = folderNamed('Contacts')
  const folders = new Map([[defaultFolder.key, defaultFolder]])
  const state: ContactsState = {
    owner,
    world,
    version: 1,
    folders,
    defaultFolder,
    deletedItems: folderNamed('Deleted Items'),
    log: new ChangeLog(),
    correspondents: new Map(),
  }
  const all = states.get(world) ?? new Map<string, ContactsState>()
  states.set(world, all)
  all.set(owner.id, state)
  return state
}

export function contactsState(world: World, owner: AccountOwner): ContactsState {
  const state = states.get(world)?.get(owner.id)
  if (state === undefined) throw itemNotFound()
  return state
}

function newKey(): string {
  return randomBytes(9).toString('base64url')
}

export function contactId({ owner }: ContactsState, { key, folder }: StoredContact, immutable: boolean): string {
  return itemId(owner, { folder, key }, immutable)
}

export function contactFolderId({ owner }: ContactsState, { key }: Pick<StoredFolder, 'key'>): string {
  return folderId(owner, key)
}

/** Finds a folder by id, or by the name `contacts`. */
export function folderOf(state: ContactsState, id: string): StoredFolder {
  if (id.toLowerCase() === 'contacts') return state.defaultFolder
  const folder = state.folders.get(readId(state.owner, id).key)
  if (folder === undefined) throw itemNotFound()
  return folder
}

/** Finds a contact by id, in the folder `within` if given. */
export function contactOf(state: ContactsState, id: string, within?: StoredFolder): StoredContact {
  const { folder, key } = readId(state.owner, id)
  for (const one of [...state.folders.values(), state.deletedItems]) {
    const contact = one.contacts.get(key)
    if (contact === undefined || (folder !== undefined && folder !== one.key)) continue
    if (within !== undefined && within !== one) break
    return contact
  }
  throw itemNotFound()
}

export function addContact(state: ContactsState, folder: StoredFolder, fields: JsonObject): StoredContact {
  const now = state.world.now()
  const contact: StoredContact = {
    key: newKey(),
    folder: folder.key,
    created: now,
    modified: now,
    version: ++state.version,
    fields,
  }
  folder.contacts.set(contact.key, contact)
  folder.log.record(contact.key, 'created')
  tell(state, contact, 'created')
  return contact
}

export function changeContact(
  state: ContactsState,
  contact: StoredContact,
  change: Partial<Pick<StoredContact, 'fields' | 'photo'>>,
): void {
  Object.assign(contact, change)
  contact.modified = state.world.now()
  contact.version = ++state.version
  state.folders.get(contact.folder)?.log.record(contact.key, 'updated')
  tell(state, contact, 'updated')
}

function folderWith(state: ContactsState, { folder }: StoredContact): StoredFolder | undefined {
  return folder === state.deletedItems.key ? state.deletedItems : state.folders.get(folder)
}

export function moveContact(state: ContactsState, contact: StoredContact, to: StoredFolder): void {
  const from = folderWith(state, contact)
  if (from === undefined || from === to) return
  from.contacts.delete(contact.key)
  from.log.record(contact.key, 'deleted', { was: contactId(state, contact, false) })
  contact.folder = to.key
  contact.version = ++state.version
  to.contacts.set(contact.key, contact)
  to.log.record(contact.key, 'created')
}

/** Moves a contact to Deleted Items, or deletes it permanently if it is already there. */
export function deleteContact(state: ContactsState, contact: StoredContact): void {
  if (contact.folder === state.deletedItems.key) {
    state.deletedItems.contacts.delete(contact.key)
    return
  }
  tell(state, contact, 'deleted')
  moveContact(state, contact, state.deletedItems)
}

/** The collection name for all contacts of a mailbox. */
export const allContacts = 'contacts'

export function folderCollection(key: string): string {
  return `contactFolder:${key}`
}

function tell(state: ContactsState, contact: StoredContact, changeType: 'created' | 'updated' | 'deleted'): void {
  state.world.tell({
    owner: state.owner,
    changeType,
    collections: [allContacts, folderCollection(contact.folder)],
    type: '#Microsoft.Graph.Contact',
    path: 'Contacts',
    id: (immutable) => contactId(state, contact, immutable),
    etag: etagOf(contact.version),
  })
}

export function changeKeyOf(version: number): string {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(version)
  return Buffer.concat([Buffer.from('EQAAABYAAACd9nJ-tVysQos2hTfs'), number]).toString('base64')
}

export function etagOf(version: number): string {
  return `W/"${changeKeyOf(version)}"`
}

export function addFolder(state: ContactsState, parent: StoredFolder, name: string): StoredFolder {
  checkFolderName(state, parent.key, name)
  const folder: StoredFolder = { key: newKey(), name, parent: parent.key, contacts: new Map(), log: new ChangeLog() }
  state.folders.set(folder.key, folder)
  state.log.record(folder.key, 'created')
  return folder
}

export function checkFolderName({ folders }: ContactsState, parent: string | undefined, name: string): void {
  const isTaken = folders.values().some((one) => one.parent === parent && one.name.toLowerCase() === name.toLowerCase())
  if (isTaken) throw new GraphError(409, 'ErrorFolderExists', 'A folder with the specified name already exists.')
}

/** Deletes a folder and its contents. */
export function deleteFolder(state: ContactsState, folder: StoredFolder): void {
  if (folder === state.defaultFolder) {
    throw new GraphError(400, 'ErrorDeleteDistinguishedFolder', 'Distinguished folders cannot be deleted.')
  }
  for (const child of [...state.folders.values()]) if (child.parent === folder.key) deleteFolder(state, child)
  for (const contact of [...folder.contacts.values()]) deleteContact(state, contact)
  state.folders.delete(folder.key)
  state.log.record(folder.key, 'deleted', { was: contactFolderId(state, folder) })
}
