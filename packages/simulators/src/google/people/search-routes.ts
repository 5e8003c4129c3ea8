// People beyond the contact list: search, `otherContacts` and the directory of the domain.

import { isObject, type JsonObject } from '../../shared/http.ts'
import { GoogleError, invalidArgument, notFound } from '../errors.ts'
import type { ApiAnswer, ApiCall, ApiRoute } from '../http.ts'
import { listed, listQuery, pagingOf, scopeOf, show, stateOf, wantsSync } from './people-call.ts'
import { type Mask, parseMask, parseOptionalMask, profileJson } from './person.ts'
import { addPerson, changePerson, type StoredPerson } from './state.ts'
import { pageOf } from './tokens.ts'

const otherFields: Mask = new Set(['emailAddresses', 'metadata', 'names', 'phoneNumbers', 'photos'])
const searched = ['names', 'nicknames', 'emailAddresses', 'phoneNumbers', 'organizations']

/** A query matches from the beginning of words: `foo n` finds "foo name", `oo n` does not. */
function isFound(texts: readonly string[], query: string): boolean {
  const wanted = query.trim().toLowerCase()
  if (wanted === '') return false
  return texts.some((text) => ` ${text.toLowerCase().replace(/[^\p{L}\p{N}@.+]+/gu, ' ')}`.includes(` ${wanted}`))
}

function textsOf(person: JsonObject, names: readonly string[]): string[] {
  const items = names.flatMap((name) => (Array.isArray(person[name]) ? person[name].filter(isObject) : []))
  return items.flatMap((item) => Object.values(item).filter((value) => typeof value === 'string'))
}

function search(call: ApiCall, kind: StoredPerson['kind'], allowed?: Mask): ApiAnswer {
  const mask = parseMask(call.query.get('readMask'), 'readMask', allowed)
  const size = Math.min(30, Number(call.query.get('pageSize') ?? 0) || 10)
  const all = [...stateOf(call).people.values()].filter((person) => person.kind === kind && !person.deleted)
  const query = call.query.get('query') ?? ''
  const found = all.filter((person) => isFound(textsOf(show(call, person, new Set(searched)), searched), query))
  const results = found.slice(0, size).map((person) => ({ person: show(call, person, mask) }))
  return { json: results.length === 0 ? {} : { results } }
}

function others(call: ApiCall): ApiAnswer {
  const mask = parseMask(call.query.get('readMask'), 'readMask', otherFields)
  const scope = scopeOf(call, 'others')
  const paging = pagingOf(call, scope, 1000)
  const all = listed(call, 'other', paging)
  const { items, nextPageToken, nextSyncToken } = pageOf(all, paging, scope)
  return {
    json: {
      ...(items.length > 0 && { otherContacts: items.map((person) => show(call, person, mask)) }),
      ...(nextPageToken !== undefined && { nextPageToken }),
      ...(nextSyncToken !== undefined && wantsSync(call) && { nextSyncToken }),
      totalSize: [...stateOf(call).people.values()].filter(({ kind, deleted }) => kind === 'other' && !deleted).length,
    },
  }
}

function copyOther(call: ApiCall): ApiAnswer {
  const state = stateOf(call)
  const other = state.people.get(call.params.id ?? '')
  if (other?.kind !== 'other' || other.deleted) throw notFound()
  const { copyMask, readMask } = call.json()
  const wanted = parseMask(typeof copyMask === 'string' ? copyMask : null, 'copyMask')
  const fields = Object.fromEntries(Object.entries(other.fields).filter(([name]) => wanted.has(name)))
  const person = addPerson(state, { kind: 'contact', fields, groups: ['myContacts'] })
  changePerson(state, other, { deleted: true })
  const mask = parseOptionalMask(typeof readMask === 'string' ? readMask : null, 'readMask')
  return { json: show(call, person, mask) }
}

/** The accounts in the user's domain; an address at gmail.com has no colleagues. */
function directory(call: ApiCall, query: string | undefined): ApiAnswer {
  const mask = parseMask(call.query.get('readMask'), 'readMask')
  if (call.query.getAll('sources').length === 0) throw invalidArgument('Request must set sources.')
  const domain = call.account.email.slice(call.account.email.indexOf('@')).toLowerCase()
  if (domain === '@gmail.com') {
    throw new GoogleError(403, 'forbidden', 'Must be a G Suite domain user.', { status: 'PERMISSION_DENIED' })
  }
  const all = [...call.world.accounts.values()]
    .filter(({ email }) => email.toLowerCase().endsWith(domain))
    .filter(({ name, email }) => query === undefined || isFound([name, email], query))
    .map((account) => profileJson(account, mask, 'DOMAIN_PROFILE'))
  return { json: { ...(all.length > 0 && { people: all }), ...(query !== undefined && { totalSize: all.length }) } }
}

const directoryQuery = ['mergeSources', 'pageSize', 'pageToken', 'readMask', 'sources']

export const searchRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/v1/people:searchContacts',
    scopes: ['contacts', 'contacts.readonly'],
    query: ['pageSize', 'query', 'readMask', 'sources'],
    handle: (call) => search(call, 'contact'),
  },
  {
    method: 'GET',
    path: '/v1/people:listDirectoryPeople',
    scopes: ['directory.readonly'],
    query: [...directoryQuery, 'requestSyncToken', 'syncToken'],
    handle: (call) => directory(call, undefined),
  },
  {
    method: 'GET',
    path: '/v1/people:searchDirectoryPeople',
    scopes: ['directory.readonly'],
    query: [...directoryQuery, 'query'],
    handle: (call) => directory(call, call.query.get('query') ?? ''),
  },
  {
    method: 'GET',
    path: '/v1/otherContacts',
    scopes: ['contacts.other.readonly'],
    query: [...listQuery, 'readMask'],
    handle: others,
  },
  {
    method: 'GET',
    path: '/v1/otherContacts:search',
    scopes: ['contacts.other.readonly'],
    query: ['pageSize', 'query', 'readMask'],
    handle: (call) => search(call, 'other', otherFields),
  },
  {
    method: 'POST',
    path: '/v1/otherContacts/:id:copyOtherContactToMyContactsGroup',
    scopes: ['contacts'],
    handle: copyOther,
  },
]
