// The contacts of an account, for tests. Changes made here look like those of another client of the user and appear
// in delta queries and notifications.
import type { JsonObject } from '../../shared/http.ts'
import type { AccountOwner } from '../owner.ts'
import type { Photo } from '../photo.ts'
import type { World } from '../world.ts'
import { parseContact } from './contact-body.ts'
import { contactJson } from './contact-json.ts'
import {
  addContact,
  addFolder,
  changeContact,
  contactFolderId,
  contactId,
  contactOf,
  deleteContact,
  deleteFolder,
  folderOf,
  openState,
} from './state.ts'

export interface SimulatedContacts {
  readonly owner: AccountOwner
  /** Adds a contact with a body as for `POST /contacts`; default: to the default folder. */
  addContact(body: JsonObject, folderId?: string): { id: string }
  changeContact(id: string, body: JsonObject): void
  setPhoto(id: string, photo: Photo): void
  deleteContact(id: string): void
  addFolder(displayName: string, parentId?: string): { id: string }
  deleteFolder(id: string): void
  /** Makes somebody a correspondent of the user, as Graph detects them from mail. */
  addCorrespondent(person: { name: string; email: string }): void
  /** The contacts of all folders. */
  list(): JsonObject[]
  /** All delta tokens issued so far get a 410 from now on. */
  expireDeltaTokens(code?: string): void
}

export function openContacts(owner: AccountOwner, world: World): SimulatedContacts {
  const state = openState(owner, world)
  const folderNamed = (id?: string) => (id === undefined ? state.defaultFolder : folderOf(state, id))

  return {
    owner,
    addContact(body, folderId) {
      return { id: contactId(state, addContact(state, folderNamed(folderId), parseContact(body)), false) }
    },
    changeContact(id, body) {
      const contact = contactOf(state, id)
      changeContact(state, contact, { fields: parseContact(body, contact.fields) })
    },
    setPhoto: (id, photo) => changeContact(state, contactOf(state, id), { photo }),
    deleteContact: (id) => deleteContact(state, contactOf(state, id)),
    addFolder(displayName, parentId) {
      return { id: contactFolderId(state, addFolder(state, folderNamed(parentId), displayName)) }
    },
    deleteFolder: (id) => deleteFolder(state, folderNamed(id)),
    addCorrespondent: ({ name, email }) => void state.correspondents.set(email, name),
    list() {
      const folders = [...state.folders.values()]
      return folders.flatMap(({ contacts }) =>
        [...contacts.values()].map((contact) => contactJson(state, contact, false)),
      )
    },
    expireDeltaTokens(code) {
      state.log.forget(code)
      for (const { log } of state.folders.values()) log.forget(code)
    },
  }
}
