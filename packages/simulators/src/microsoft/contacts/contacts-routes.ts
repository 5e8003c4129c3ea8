// Contacts. https://learn.microsoft.com/graph/api/resources/contact
import { GraphError } from '../errors.ts'
import type { GraphAnswer, GraphCall, GraphRoute } from '../http.ts'
import { itemId } from '../item-ids.ts'
import { itemAnswer, listAnswer } from '../odata/collection.ts'
import { deltaAnswer } from '../odata/delta.ts'
import { mailboxRoutes } from '../part.ts'
import { parseContact } from './contact-body.ts'
import { CONTACT, contactJson, extendedProperties } from './contact-json.ts'
import { checkContactQuery } from './contact-query.ts'
import {
  addContact,
  type ContactsState,
  changeContact,
  contactOf,
  contactsState,
  deleteContact,
  folderOf,
  moveContact,
  type StoredContact,
  type StoredFolder,
} from './state.ts'

export const READ = ['Contacts.Read', 'Contacts.ReadWrite']
export const WRITE = ['Contacts.ReadWrite']
/** The paths under which contacts are found. */
export const contactPaths = [
  '',
  '/contactFolders/:folderId',
  '/contactFolders/:parentId/childFolders/:folderId',
] as const

export function stateOf({ world, owner }: GraphCall): ContactsState {
  return contactsState(world, owner)
}

export function folderOfCall(call: GraphCall): StoredFolder {
  const state = stateOf(call)
  return call.params.folderId === undefined ? state.defaultFolder : folderOf(state, call.params.folderId)
}

export function contactOfCall(call: GraphCall): StoredContact {
  const within = call.params.folderId === undefined ? undefined : folderOfCall(call)
  return contactOf(stateOf(call), call.params.contactId ?? '', within)
}

function optionsOf(call: GraphCall) {
  const state = stateOf(call)
  const folder = call.params.folderId
  const place = folder === undefined ? '' : `contactFolders('${encodeURIComponent(folder)}')/`
  return {
    type: CONTACT,
    context: `users('${encodeURIComponent(call.owner.id)}')/${place}contacts`,
    json: (contact: StoredContact) => contactJson(state, contact, call.prefer.immutableIds),
    expand: extendedProperties,
  }
}

function list(call: GraphCall): GraphAnswer {
  checkContactQuery(call.query)
  return listAnswer(call, folderOfCall(call).contacts.values(), optionsOf(call))
}

function get(call: GraphCall): GraphAnswer {
  return itemAnswer(call, contactOfCall(call), optionsOf(call))
}

function post(call: GraphCall): GraphAnswer {
  const body = call.json()
  const contact = addContact(stateOf(call), folderOfCall(call), parseContact(body))
  return itemAnswer(call, contact, optionsOf(call), 201)
}

function patch(call: GraphCall): GraphAnswer {
  const state = stateOf(call)
  const contact = contactOfCall(call)
  checkMatch(call, contactJson(state, contact, false)['@odata.etag'])
  const body = call.json()
  changeContact(state, contact, { fields: parseContact(body, contact.fields) })
  if (typeof body.parentFolderId === 'string') moveContact(state, contact, folderOf(state, body.parentFolderId))
  return itemAnswer(call, contact, optionsOf(call))
}

function remove(call: GraphCall): GraphAnswer {
  const state = stateOf(call)
  const contact = contactOfCall(call)
  checkMatch(call, contactJson(state, contact, false)['@odata.etag'])
  deleteContact(state, contact)
  return {}
}

function checkMatch({ headers }: GraphCall, etag: unknown): void {
  const wanted = headers.get('if-match')
  if (wanted === null || wanted === '*' || wanted === etag) return
  throw new GraphError(
    412,
    'ErrorIrresolvableConflict',
    'The send or update operation could not be performed because the change key passed in the request does not match the current change key for the item.',
  )
}

function delta(call: GraphCall): GraphAnswer {
  const folder = folderOfCall(call)
  const { contacts, log } = folder
  const { json, type, context } = optionsOf(call)
  return deltaAnswer(call, {
    type,
    log,
    context,
    keys: () => contacts.keys(),
    json(key) {
      const contact = contacts.get(key)
      return contact && json(contact)
    },
    removedId: (key) => itemId(call.owner, { folder: folder.key, key }, call.prefer.immutableIds),
    takes: ['$select'],
  })
}

export const contactsRoutes: readonly GraphRoute[] = contactPaths.flatMap((root) => [
  ...mailboxRoutes(`GET ${root}/contacts`, READ, list),
  ...mailboxRoutes(`POST ${root}/contacts`, WRITE, post),
  ...mailboxRoutes(`GET ${root}/contacts/delta`, READ, delta),
  ...mailboxRoutes(`GET ${root}/contacts/:contactId`, READ, get),
  ...mailboxRoutes(`PATCH ${root}/contacts/:contactId`, WRITE, patch),
  ...mailboxRoutes(`DELETE ${root}/contacts/:contactId`, WRITE, remove),
])
