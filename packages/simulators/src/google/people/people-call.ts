// Helpers shared by the People API routes.

import type { JsonObject } from '../../shared/http.ts'
import { type ApiCall, booleanOf } from '../http.ts'
import { type Mask, personJson } from './person.ts'
import { type PeopleState, peopleState, type StoredPerson } from './state.ts'
import { type Paging, parsePaging } from './tokens.ts'

export function stateOf(call: ApiCall): PeopleState {
  return peopleState(call.world, call.account)
}

export function show(call: ApiCall, person: StoredPerson, mask: Mask): JsonObject {
  return personJson(person, mask, call.world.url)
}

/** The scope of a page or sync token: the parameters that every call with it must repeat. */
export function scopeOf(call: ApiCall, kind: string): string {
  const same = ['personFields', 'readMask', 'requestMask.includeField', 'sortOrder'].map((name) => call.query.get(name))
  return `${kind}:${call.account.sub}:${same.join(':')}`
}

export function pagingOf(call: ApiCall, scope: string, max: number): Paging {
  const { version, validFrom } = stateOf(call)
  return parsePaging(call.query, { scope, version, validFrom, now: call.now }, { fallback: 100, max })
}

export function wantsSync({ query }: ApiCall): boolean {
  return booleanOf(query, 'requestSyncToken') || (query.get('syncToken') ?? '') !== ''
}

export function listed(call: ApiCall, kind: StoredPerson['kind'], { since }: Paging): StoredPerson[] {
  return [...stateOf(call).people.values()].filter((person) => {
    if (person.kind !== kind) return false
    return since === undefined ? !person.deleted : person.version > since
  })
}

export const listQuery = ['pageSize', 'pageToken', 'requestSyncToken', 'sources', 'syncToken']
