// A contact as Graph returns it.
import type { JsonObject } from '../../shared/http.ts'
import { badRequest } from '../errors.ts'
import type { EntityType } from '../odata/entity.ts'
import type { Expansion } from '../odata/query.ts'
import { addresses, emailPlaces, texts } from './contact-body.ts'
import {
  type ContactsState,
  changeKeyOf,
  contactFolderId,
  contactId,
  etagOf,
  type StoredContact,
  type StoredFolder,
} from './state.ts'

const lists = ['businessPhones', 'homePhones', 'imAddresses', 'children', 'categories', 'emailAddresses']

export const CONTACT: EntityType = {
  name: 'contact',
  properties: [
    'id',
    'createdDateTime',
    'lastModifiedDateTime',
    'changeKey',
    'parentFolderId',
    'birthday',
    ...texts,
    ...lists,
    ...addresses,
    ...emailPlaces,
  ],
  navigations: ['singleValueExtendedProperties'],
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
    ...pick(texts, null),
    personalNotes: fields.personalNotes ?? '',
    ...pick(lists, []),
    ...pick(addresses, {}),
    ...Object.fromEntries(emailPlaces.map((name, index) => [name, emails[index] ?? null])),
  }
}

/** `PidLidHasPicture`: whether a contact has a picture, a property that Exchange sets (MS-OXPROPS). */
const hasPicture = 'Boolean {00062004-0000-0000-C000-000000000046} Id 0x8015'

/** The extended properties named by a filter that Exchange itself sets; undefined if there are none. */
export function extendedProperties(
  { photo }: StoredContact,
  { name, filter = '' }: Expansion,
): { id: string; value: string }[] | undefined {
  if (name !== 'singleValueExtendedProperties') return undefined
  const names = [...filter.matchAll(/\bid eq '([^']*)'/g)].map(([, id = '']) => id)
  if (names.length === 0) {
    throw badRequest('The filter expression for $expand does not match to a single extended property.')
  }
  const isRequested = names.some((id) => id.toLowerCase() === hasPicture.toLowerCase())
  // A property that was never set is absent.
  return isRequested && photo !== undefined ? [{ id: hasPicture, value: 'true' }] : undefined
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
