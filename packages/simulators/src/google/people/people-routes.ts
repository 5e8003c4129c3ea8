// `people` of the People API: the user's own profile and the contacts.

import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../../shared/http.ts'
import { invalidArgument, notFound } from '../errors.ts'
import type { ApiAnswer, ApiCall, ApiRoute } from '../http.ts'
import { listed, listQuery, pagingOf, scopeOf, show, stateOf, wantsSync } from './people-call.ts'
import {
  checkEtag,
  type Mask,
  parseMask,
  parseMemberships,
  parseOptionalMask,
  parsePerson,
  profileJson,
  writableFields,
} from './person.ts'
import { addPerson, changePerson, contactsOf, type PeopleState, type StoredPerson } from './state.ts'
import { pageOf } from './tokens.ts'

const WRITE = ['contacts']
const READ = ['contacts', 'contacts.readonly']
const readPerson = [
  ...READ,
  'contacts.other.readonly',
  'directory.readonly',
  'user.addresses.read',
  'user.birthday.read',
  'user.emails.read',
  'user.gender.read',
  'user.organization.read',
  'user.phonenumbers.read',
  'userinfo.email',
  'userinfo.profile',
]
const maskQuery = ['personFields', 'requestMask.includeField', 'sources']

function maskOf(query: URLSearchParams): string | null {
  const old = query.get('requestMask.includeField')
  return query.get('personFields') ?? old?.replaceAll('person.', '') ?? null
}

function contactOf(call: ApiCall): StoredPerson {
  const person = stateOf(call).people.get(call.params.id ?? '')
  if (person === undefined || person.deleted || person.kind !== 'contact') throw notFound()
  return person
}

/** Undefined if there is no such person. */
function findPerson(call: ApiCall, id: string, mask: Mask): JsonObject | undefined {
  const { account, world } = call
  if (id === 'me' || id === account.sub) return profileJson(account, mask)
  const person = stateOf(call).people.get(id)
  if (person !== undefined) return person.deleted ? undefined : show(call, person, mask)
  const other = [...world.accounts.values()].find(({ sub }) => sub === id)
  return other === undefined ? undefined : profileJson(other, mask)
}

function get(call: ApiCall): ApiAnswer {
  const person = findPerson(call, call.params.id ?? '', parseMask(maskOf(call.query), 'personFields'))
  if (person === undefined) throw notFound()
  return { json: person }
}

function batchGet(call: ApiCall): ApiAnswer {
  const mask = parseMask(maskOf(call.query), 'personFields')
  const names = call.query.getAll('resourceNames')
  if (names.length > 200) throw invalidArgument('The maximum number of resource names is 200.')
  const responses = names.map((requestedResourceName) => {
    const person = findPerson(call, requestedResourceName.replace(/^people\//, ''), mask)
    const status = person === undefined ? { code: 5, message: 'Requested entity was not found.' } : {}
    const httpStatusCode = person === undefined ? 404 : 200
    return { httpStatusCode, requestedResourceName, status, ...(person !== undefined && { person }) }
  })
  return { json: { responses } }
}

function connections(call: ApiCall): ApiAnswer {
  if (call.params.id !== 'me' && call.params.id !== call.account.sub) {
    throw invalidArgument('Resource name must be "people/me".')
  }
  const mask = parseMask(maskOf(call.query), 'personFields')
  const scope = scopeOf(call, 'connections')
  const paging = pagingOf(call, scope, 1000)
  const all = listed(call, 'contact', paging).sort(orderOf(call.query.get('sortOrder')))
  const { items, nextPageToken, nextSyncToken } = pageOf(all, paging, scope)
  const total = contactsOf(stateOf(call)).length
  return {
    json: {
      ...(items.length > 0 && { connections: items.map((person) => show(call, person, mask)) }),
      ...(nextPageToken !== undefined && { nextPageToken }),
      ...(nextSyncToken !== undefined && wantsSync(call) && { nextSyncToken }),
      ...(total > 0 && { totalPeople: total, totalItems: total }),
    },
  }
}

type Order = (left: StoredPerson, right: StoredPerson) => number

function orderOf(order: string | null): Order {
  const byName =
    (part: string): Order =>
    (left, right) =>
      nameOf(left, part).localeCompare(nameOf(right, part))
  switch (order ?? 'LAST_MODIFIED_ASCENDING') {
    case 'LAST_MODIFIED_ASCENDING':
      return (left, right) => left.version - right.version
    case 'LAST_MODIFIED_DESCENDING':
      return (left, right) => right.version - left.version
    case 'FIRST_NAME_ASCENDING':
      return byName('givenName')
    case 'LAST_NAME_ASCENDING':
      return byName('familyName')
    default:
      throw invalidArgument(`Invalid value at 'sort_order': "${order}"`)
  }
}

function nameOf({ fields }: StoredPerson, part: string): string {
  return String(fields.names?.[0]?.[part] ?? '')
}

function create(call: ApiCall): ApiAnswer {
  const mask = parseOptionalMask(call.query.get('personFields'), 'personFields')
  const body = call.json()
  const groups = parseMemberships(body)
  const state = stateOf(call)
  checkGroups(state, groups)
  const fields = parsePerson(body, writableFields)
  const retained = groups.includes('myContacts') ? groups : ['myContacts', ...groups]
  return { json: show(call, addPerson(state, { kind: 'contact', fields, groups: retained }), mask) }
}

function checkGroups(state: PeopleState, groups: readonly string[]): void {
  for (const id of groups) {
    if (state.groups.get(id)?.deleted !== false)
      throw invalidArgument(`Contact group contactGroups/${id} does not exist.`)
  }
}

const writable: Mask = new Set(writableFields)

function update(call: ApiCall): ApiAnswer {
  const person = contactOf(call)
  const mask = parseOptionalMask(call.query.get('personFields'), 'personFields')
  const updated = parseMask(call.query.get('updatePersonFields'), 'updatePersonFields', writable)
  const body = call.json()
  checkEtag(person, body)
  const state = stateOf(call)
  const retained = Object.entries(person.fields).filter(([name]) => !updated.has(name))
  const fields = { ...Object.fromEntries(retained), ...parsePerson(body, updated) }
  const groups = updated.has('memberships') ? parseMemberships(body) : person.groups
  if (groups.length === 0) throw invalidArgument('Request must set at least one contact group membership.')
  checkGroups(state, groups)
  changePerson(state, person, { fields, groups })
  return { json: show(call, person, mask) }
}

function remove(call: ApiCall): ApiAnswer {
  changePerson(stateOf(call), contactOf(call), { deleted: true, groups: [] })
  return { json: {} }
}

function updatePhoto(call: ApiCall): ApiAnswer {
  const person = contactOf(call)
  const { photoBytes, personFields } = call.json()
  if (typeof photoBytes !== 'string' || photoBytes === '') throw invalidArgument('Request must set photo_bytes.')
  const photo = { key: randomBytes(24).toString('base64url'), bytes: new Uint8Array(Buffer.from(photoBytes, 'base64')) }
  changePerson(stateOf(call), person, { photo })
  const mask = typeof personFields === 'string' ? parseOptionalMask(personFields, 'personFields') : undefined
  return { json: mask === undefined ? {} : { person: show(call, person, mask) } }
}

function removePhoto(call: ApiCall): ApiAnswer {
  const person = contactOf(call)
  if (person.photo === undefined) throw notFound()
  changePerson(stateOf(call), person, { photo: undefined })
  const fields = call.query.get('personFields')
  return { json: fields === null ? {} : { person: show(call, person, parseMask(fields, 'personFields')) } }
}

const PERSON = '/v1/people/:id'

export const personRoutes: readonly ApiRoute[] = [
  { method: 'GET', path: PERSON, scopes: readPerson, query: maskQuery, handle: get },
  {
    method: 'GET',
    path: '/v1/people:batchGet',
    scopes: readPerson,
    query: [...maskQuery, 'resourceNames'],
    handle: batchGet,
  },
  {
    method: 'GET',
    path: `${PERSON}/connections`,
    scopes: READ,
    query: [...listQuery, 'personFields', 'requestMask.includeField', 'sortOrder'],
    handle: connections,
  },
  {
    method: 'POST',
    path: '/v1/people:createContact',
    scopes: WRITE,
    query: ['personFields', 'sources'],
    handle: create,
  },
  {
    method: 'PATCH',
    path: `${PERSON}:updateContact`,
    scopes: WRITE,
    query: ['personFields', 'sources', 'updatePersonFields'],
    handle: update,
  },
  { method: 'DELETE', path: `${PERSON}:deleteContact`, scopes: WRITE, handle: remove },
  { method: 'PATCH', path: `${PERSON}:updateContactPhoto`, scopes: WRITE, handle: updatePhoto },
  {
    method: 'DELETE',
    path: `${PERSON}:deleteContactPhoto`,
    scopes: WRITE,
    query: ['personFields', 'sources'],
    handle: removePhoto,
  },
]
