// A contact as Graph shows it.
import type { JsonObject } from '../../shared/http.ts'
import type { EntityType } from '../odata/entity.ts'
import { ADDRESSES, EMAIL_PLACES, TEXTS } from './contact-body.ts'
import {
  type ContactsState,
  changeKeyOf,
  contactFolderId,
  contactId,
  etagOf,
  type StoredContact,
  type StoredFolder,
} from './state.ts'

const LISTS = ['businessPhones', 'homePhones', 'imAddresses', 'children', 'categories', 'emailAddresses']

export const CONTACT: EntityType = {
  name: 'contact',
  properties: [
    'id',
    'createdDateTime',
    'lastModifiedDateTime',
    'changeKey',
    'parentFolderId',
    'birthday',
    ...TEXTS,
    ...LISTS,
    ...ADDRESSES,
    ...EMAIL_PLACES,
  ],
  navigations: [],
}

export function contactJson(state: ContactsState, contact: StoredContact, immutable: boolean): JsonObject {
  const { fields, version, created, modified, folder } = contact
  const emails = Array.isArray(fields.emailAddresses) ? fields.emailAddresses : []
  const pick = (names: readonly string[], fallback: unknown) =>
    Object.fromEntries(names.map((name) => [name, fields[name] ?? fallback]))
  return {
    '@odata.etag': etagOf(version),
    id: contactId(state, contact, immutable),
    createdDateTime: moment(created),
    lastModifiedDateTime: moment(modified),
    changeKey: changeKeyOf(version),
    parentFolderId: contactFolderId(state, { key: folder }),
    birthday: fields.birthday ?? null,
    ...pick(TEXTS, null),
    ...pick(LISTS, []),
    ...pick(ADDRESSES, {}),
    ...Object.fromEntries(EMAIL_PLACES.map((name, index) => [name, emails[index] ?? null])),
  }
}

function moment(ms: number): string {
  return new Date(ms).toISOString().replace(/\.000Z$/, 'Z')
}

export const FOLDER: EntityType = { name: 'contactFolder', properties: ['id', 'parentFolderId', 'displayName'] }

export function folderJson(state: ContactsState, folder: StoredFolder): JsonObject {
  const parent = folder.parent === undefined ? 'root' : folder.parent
  return {
    id: contactFolderId(state, folder),
    parentFolderId: contactFolderId(state, { key: parent }),
    displayName: folder.name,
  }
}
