// Converts persons to the API's form, limited by the field mask, and reads them from bodies.

import { isObject, type JsonObject } from '../../shared/http.ts'
import { GoogleError, invalidArgument } from '../errors.ts'
import type { AccountOwner } from '../owner.ts'
import type { PersonFields, StoredPerson } from './state.ts'

/** The fields of contacts that clients may write. */
export const writableFields = [
  'addresses',
  'biographies',
  'birthdays',
  'calendarUrls',
  'clientData',
  'emailAddresses',
  'events',
  'externalIds',
  'genders',
  'imClients',
  'interests',
  'locales',
  'locations',
  'memberships',
  'miscKeywords',
  'names',
  'nicknames',
  'occupations',
  'organizations',
  'phoneNumbers',
  'relations',
  'sipAddresses',
  'urls',
  'userDefined',
] as const

const readableFields: ReadonlySet<string> = new Set([
  ...writableFields,
  'ageRanges',
  'coverPhotos',
  'metadata',
  'photos',
  'skills',
])

const singletons: ReadonlySet<string> = new Set(['biographies', 'birthdays', 'genders', 'names'])
/** Fields whose `type` has a display name. */
const typed: ReadonlySet<string> = new Set([
  'addresses',
  'calendarUrls',
  'emailAddresses',
  'events',
  'externalIds',
  'imClients',
  'organizations',
  'phoneNumbers',
  'relations',
  'sipAddresses',
  'urls',
])

export type Mask = ReadonlySet<string>

/** Parses a required field mask. */
export function parseMask(text: string | null, name: string, allowed: Mask = readableFields): Mask {
  const paths = (text ?? '')
    .split(',')
    .map((path) => path.trim())
    .filter(Boolean)
  if (paths.length === 0) throw invalidArgument(`${name} mask is required. Please specify one or more valid paths.`)
  for (const path of paths) {
    if (!allowed.has(path)) throw invalidArgument(`Invalid ${name} mask path: "${path}".`)
  }
  return new Set(paths)
}

/** Parses an optional field mask; the default is all fields. */
export function parseOptionalMask(text: string | null, name: string): Mask {
  return text === null || text === '' ? readableFields : parseMask(text, name)
}

export function etagOf(person: StoredPerson): string {
  return `%EgcB${Buffer.from(`${person.id}/${person.version}`).toString('base64').replace(/=+$/, '')}`
}

export function sourceEtagOf(person: StoredPerson): string {
  return `#${Buffer.from(String(person.version)).toString('base64')}`
}

export function resourceNameOf(person: StoredPerson): string {
  return `${person.kind === 'contact' ? 'people' : 'otherContacts'}/${person.id}`
}

export function personJson(person: StoredPerson, mask: Mask, url: string): JsonObject {
  const type = person.kind === 'contact' ? 'CONTACT' : 'OTHER_CONTACT'
  const json: JsonObject = { resourceName: resourceNameOf(person), etag: etagOf(person) }
  if (mask.has('metadata')) {
    const source = {
      type,
      id: person.sourceId,
      etag: sourceEtagOf(person),
      updateTime: new Date(person.updated).toISOString(),
    }
    json.metadata = { sources: [source], objectType: 'PERSON', ...(person.deleted && { deleted: true }) }
  }
  if (person.deleted) return json
  const source = { type, id: person.sourceId }
  for (const [name, items] of Object.entries(person.fields)) {
    if (mask.has(name) && items.length > 0)
      json[name] = items.map((item, index) => itemJson(item, { name, source, index }))
  }
  if (mask.has('photos')) json.photos = [photoJson(person, source, url)]
  if (mask.has('memberships') && person.groups.length > 0) {
    json.memberships = person.groups.map((id) => ({
      metadata: { source },
      contactGroupMembership: { contactGroupId: id, contactGroupResourceName: `contactGroups/${id}` },
    }))
  }
  return json
}

interface Shown {
  readonly name: string
  readonly source: JsonObject
  readonly index: number
}

function itemJson(item: JsonObject, { name, source, index }: Shown): JsonObject {
  const metadata = { ...(index === 0 && { primary: true }), source, ...(index === 0 && { sourcePrimary: true }) }
  const type = typed.has(name) && typeof item.type === 'string' ? { formattedType: capitalize(item.type) } : {}
  const computed = name === 'names' ? nameParts(item) : name === 'phoneNumbers' ? phoneParts(item) : {}
  return { metadata, ...item, ...type, ...computed }
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function nameParts(name: JsonObject): JsonObject {
  const { honorificPrefix, givenName, middleName, familyName, honorificSuffix, unstructuredName } = name
  const parts = [honorificPrefix, givenName, middleName, familyName, honorificSuffix].map(textOf).filter(Boolean)
  const displayName = parts.length === 0 ? textOf(unstructuredName) : parts.join(' ')
  const first = [givenName, middleName].map(textOf).filter(Boolean).join(' ')
  const lastFirst = textOf(familyName) === '' || first === '' ? displayName : `${textOf(familyName)}, ${first}`
  return { displayName, displayNameLastFirst: lastFirst, unstructuredName: displayName }
}

function phoneParts({ value }: JsonObject): JsonObject {
  const digits = textOf(value).replace(/[\s().-]/g, '')
  return /^\+\d{6,15}$/.test(digits) ? { canonicalForm: digits } : {}
}

function photoJson(person: StoredPerson, source: JsonObject, url: string): JsonObject {
  const metadata = { primary: true, source }
  if (person.photo !== undefined) return { metadata, url: `${url}/contact-photos/${person.photo.key}=s100` }
  return { metadata, url: 'https://lh3.googleusercontent.com/cm/default=s100', default: true }
}

/** The profile of the signed-in user or of a colleague. */
export function profileJson(owner: AccountOwner, mask: Mask, type = 'PROFILE'): JsonObject {
  const source = { type, id: owner.sub }
  const metadata = { primary: true, source, sourcePrimary: true }
  const [givenName = '', ...rest] = owner.name.split(' ')
  const name: JsonObject = { givenName, ...(rest.length > 0 && { familyName: rest.join(' ') }) }
  const json: JsonObject = { resourceName: `people/${owner.sub}`, etag: `%EgUB${owner.sub.slice(-6)}` }
  if (mask.has('metadata')) {
    const profileMetadata = { objectType: 'PERSON', userTypes: ['GOOGLE_USER'] }
    json.metadata = { sources: [{ ...source, etag: `#${owner.sub.slice(-6)}`, profileMetadata }], objectType: 'PERSON' }
  }
  if (mask.has('names')) json.names = [{ metadata, ...name, ...nameParts(name) }]
  if (mask.has('emailAddresses')) {
    json.emailAddresses = [{ metadata: { ...metadata, verified: true }, value: owner.email }]
  }
  if (mask.has('photos')) {
    json.photos = [{ metadata, url: 'https://lh3.googleusercontent.com/a/default=s100', default: true }]
  }
  return json
}

/** The items of a body's fields, without values that Google computes. */
export function parsePerson(body: JsonObject, names: Iterable<string>): PersonFields {
  const fields: Record<string, readonly JsonObject[]> = {}
  for (const name of names) {
    const items = body[name]
    if (name === 'memberships' || items === undefined || items === null) continue
    if (!Array.isArray(items) || !items.every(isObject)) throw invalidArgument(`Invalid value at 'person.${name}'`)
    if (singletons.has(name) && items.length > 1) {
      throw invalidArgument(`Request person.${name} can only have one value for a contact source.`)
    }
    if (items.length > 0) fields[name] = items.map(withoutComputed)
  }
  return fields
}

function withoutComputed(item: JsonObject): JsonObject {
  const { metadata: _, formattedType: __, canonicalForm: ___, displayNameLastFirst: ____, ...rest } = item
  return rest
}

/** The groups that a body adds a person to. */
export function parseMemberships(body: JsonObject): string[] {
  const memberships = Array.isArray(body.memberships) ? body.memberships.filter(isObject) : []
  return memberships.flatMap(({ contactGroupMembership: group }) => {
    if (!isObject(group)) return []
    const name = textOf(group.contactGroupResourceName) || `contactGroups/${textOf(group.contactGroupId)}`
    return [name.slice('contactGroups/'.length)]
  })
}

/** Rejects a write that is not based on the current state. */
export function checkEtag(person: StoredPerson, body: JsonObject): void {
  const metadata = isObject(body.metadata) ? body.metadata : {}
  const sources = Array.isArray(metadata.sources) ? metadata.sources.filter(isObject) : []
  const etag = textOf(sources.find(({ type }) => type === 'CONTACT')?.etag) || undefined
  if (body.etag === undefined && etag === undefined) {
    throw invalidArgument(
      'Request must set person.etag or person.metadata.sources.etag for the source that is being updated.',
    )
  }
  if (etag === undefined ? body.etag === etagOf(person) : etag === sourceEtagOf(person)) return
  throw new GoogleError(
    400,
    'failedPrecondition',
    'Request person.etag is different than the current person.etag. Clear local cache and get the latest person.',
    { status: 'FAILED_PRECONDITION' },
  )
}
