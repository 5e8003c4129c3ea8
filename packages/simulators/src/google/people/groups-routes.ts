// `contactGroups` of the People API.
import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../../shared/http.ts'
import { isObject } from '../../shared/http.ts'
import { GoogleError, invalidArgument, notFound } from '../errors.ts'
import type { ApiAnswer, ApiCall, ApiRoute } from '../http.ts'
import { booleanOf } from '../http.ts'
import { changePerson, contactsOf, nextVersion, type PeopleState, peopleState, type StoredGroup } from './state.ts'
import { pageOf, parsePaging } from './tokens.ts'

const WRITE = ['contacts']
const READ = ['contacts', 'contacts.readonly']
const FIELDS = ['clientData', 'groupType', 'memberCount', 'metadata', 'name']
const defaultFields = FIELDS.slice(1)

function stateOf(call: ApiCall): PeopleState {
  return peopleState(call.world, call.account)
}

function fieldsOf(text: unknown): readonly string[] {
  const names = typeof text === 'string' ? text.split(',').filter(Boolean) : []
  for (const name of names) {
    if (!FIELDS.includes(name)) throw invalidArgument(`Invalid groupFields mask path: "${name}".`)
  }
  return names.length === 0 ? defaultFields : names
}

function membersOf(state: PeopleState, id: string): string[] {
  const members = contactsOf(state).filter(({ groups }) => groups.includes(id) || id === 'all')
  return members.map((person) => `people/${person.id}`)
}

interface Shown {
  readonly fields: readonly string[]
  readonly maxMembers: number
}

function groupJson(state: PeopleState, group: StoredGroup, { fields, maxMembers }: Shown): JsonObject {
  const members = membersOf(state, group.id)
  return {
    resourceName: `contactGroups/${group.id}`,
    ...(!group.system && { etag: etagOf(group) }),
    ...(fields.includes('metadata') &&
      (!group.system || group.deleted) && {
        metadata: { updateTime: new Date(group.updated).toISOString(), ...(group.deleted && { deleted: true }) },
      }),
    ...(fields.includes('groupType') && { groupType: group.system ? 'SYSTEM_CONTACT_GROUP' : 'USER_CONTACT_GROUP' }),
    ...(fields.includes('name') && { name: group.name, formattedName: group.formattedName ?? group.name }),
    ...(fields.includes('memberCount') && members.length > 0 && { memberCount: members.length }),
    ...(fields.includes('clientData') && group.clientData.length > 0 && { clientData: group.clientData }),
    ...(maxMembers > 0 && members.length > 0 && { memberResourceNames: members.slice(0, maxMembers) }),
  }
}

function etagOf(group: StoredGroup): string {
  return Buffer.from(`${group.id}/${group.version}`).toString('base64').replace(/=+$/, '')
}

function groupOf(call: ApiCall): StoredGroup {
  const group = stateOf(call).groups.get(call.params.id ?? '')
  if (group === undefined || group.deleted) throw notFound()
  return group
}

function shownOf({ query }: ApiCall): Shown {
  return { fields: fieldsOf(query.get('groupFields')), maxMembers: Number(query.get('maxMembers') ?? 0) }
}

function list(call: ApiCall): ApiAnswer {
  const state = stateOf(call)
  const scope = `groups:${call.account.sub}:${call.query.get('groupFields')}`
  const { version, validFrom } = state
  const paging = parsePaging(call.query, { scope, version, validFrom, now: call.now }, { fallback: 30, max: 1000 })
  const { since } = paging
  const all = [...state.groups.values()].filter((group) =>
    since === undefined ? !group.deleted : group.version > since,
  )
  const { items, ...tokens } = pageOf(all, paging, scope)
  const shown = { ...shownOf(call), maxMembers: 0 }
  const contactGroups = items.map((group) => groupJson(state, group, shown))
  const totalItems = [...state.groups.values()].filter(({ deleted }) => !deleted).length
  return { json: { ...(items.length > 0 && { contactGroups }), totalItems, ...tokens } }
}

function batchGet(call: ApiCall): ApiAnswer {
  const state = stateOf(call)
  const responses = call.query.getAll('resourceNames').map((requestedResourceName) => {
    const group = state.groups.get(requestedResourceName.replace(/^contactGroups\//, ''))
    if (group === undefined || group.deleted) {
      return { requestedResourceName, status: { code: 5, message: 'Requested entity was not found.' } }
    }
    return { requestedResourceName, status: {}, contactGroup: groupJson(state, group, shownOf(call)) }
  })
  return { json: { responses } }
}

function bodyOf(call: ApiCall): JsonObject {
  const { contactGroup } = call.json()
  if (!isObject(contactGroup)) throw invalidArgument('Request must set contact_group.')
  return contactGroup
}

function newName(state: PeopleState, body: JsonObject, own?: StoredGroup): string {
  const name = typeof body.name === 'string' ? body.name.trim() : ''
  if (name === '') throw invalidArgument('Request must set contact_group.name.')
  const taken = [...state.groups.values()].some((group) => group !== own && !group.deleted && group.name === name)
  if (taken) throw new GoogleError(409, 'alreadyExists', 'Contact group name already exists.')
  return name
}

function clientDataOf({ clientData }: JsonObject): readonly JsonObject[] {
  return Array.isArray(clientData) ? clientData.filter(isObject) : []
}

function create(call: ApiCall): ApiAnswer {
  const body = bodyOf(call)
  const group = addGroup(stateOf(call), newName(stateOf(call), body), clientDataOf(body))
  return { json: groupJson(stateOf(call), group, { fields: fieldsOf(call.json().readGroupFields), maxMembers: 0 }) }
}

export function addGroup(state: PeopleState, name: string, clientData: readonly JsonObject[] = []): StoredGroup {
  const id = randomBytes(8).toString('hex')
  const version = nextVersion(state)
  const group: StoredGroup = {
    id,
    system: false,
    version,
    updated: state.world.now(),
    deleted: false,
    name,
    clientData,
  }
  state.groups.set(id, group)
  return group
}

function refuseSystem(group: StoredGroup): void {
  if (group.system) throw invalidArgument('Cannot modify a system contact group.')
}

function touch(state: PeopleState, group: StoredGroup): void {
  group.version = nextVersion(state)
  group.updated = state.world.now()
}

function update(call: ApiCall): ApiAnswer {
  const state = stateOf(call)
  const group = groupOf(call)
  refuseSystem(group)
  const body = bodyOf(call)
  if (typeof body.etag === 'string' && body.etag !== etagOf(group)) {
    throw new GoogleError(400, 'failedPrecondition', 'Request contact_group.etag is different than the current one.', {
      status: 'FAILED_PRECONDITION',
    })
  }
  const { updateGroupFields, readGroupFields } = call.json()
  const updated =
    typeof updateGroupFields === 'string' && updateGroupFields !== '' ? updateGroupFields.split(',') : ['name']
  if (updated.includes('name')) group.name = newName(state, body, group)
  if (updated.includes('clientData')) group.clientData = clientDataOf(body)
  touch(state, group)
  return { json: groupJson(state, group, { fields: fieldsOf(readGroupFields), maxMembers: 0 }) }
}

function remove(call: ApiCall): ApiAnswer {
  const group = groupOf(call)
  refuseSystem(group)
  deleteGroup(stateOf(call), group, booleanOf(call.query, 'deleteContacts'))
  return { json: {} }
}

export function deleteGroup(state: PeopleState, group: StoredGroup, withContacts: boolean): void {
  for (const person of contactsOf(state)) {
    if (!person.groups.includes(group.id)) continue
    const groups = person.groups.filter((id) => id !== group.id)
    changePerson(state, person, withContacts ? { deleted: true, groups: [] } : { groups })
  }
  group.deleted = true
  touch(state, group)
}

function namesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map((name) => String(name).replace(/^people\//, '')) : []
}

function modifyMembers(call: ApiCall): ApiAnswer {
  const state = stateOf(call)
  const group = groupOf(call)
  const { resourceNamesToAdd, resourceNamesToRemove } = call.json()
  const added = namesOf(resourceNamesToAdd)
  if (added.length > 0 && group.system && group.id !== 'myContacts' && group.id !== 'starred') {
    throw invalidArgument('Cannot add members to this system contact group.')
  }
  const missing: string[] = []
  const last: string[] = []
  for (const id of [...added, ...namesOf(resourceNamesToRemove)]) {
    const person = state.people.get(id)
    if (person === undefined || person.deleted || person.kind !== 'contact') {
      missing.push(`people/${id}`)
      continue
    }
    const others = person.groups.filter((one) => one !== group.id)
    if (added.includes(id)) changePerson(state, person, { groups: [...others, group.id] })
    else if (others.length === 0) last.push(`people/${id}`)
    else changePerson(state, person, { groups: others })
  }
  if (!group.system) touch(state, group)
  return {
    json: {
      ...(missing.length > 0 && { notFoundResourceNames: missing }),
      ...(last.length > 0 && { canNotRemoveLastContactGroupResourceNames: last }),
    },
  }
}

const ALL = '/v1/contactGroups'
const ONE = `${ALL}/:id`

export const groupRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: ALL,
    scopes: READ,
    query: ['groupFields', 'pageSize', 'pageToken', 'syncToken'],
    handle: list,
  },
  {
    method: 'GET',
    path: `${ALL}:batchGet`,
    scopes: READ,
    query: ['groupFields', 'maxMembers', 'resourceNames'],
    handle: batchGet,
  },
  { method: 'POST', path: ALL, scopes: WRITE, handle: create },
  {
    method: 'GET',
    path: ONE,
    scopes: READ,
    query: ['groupFields', 'maxMembers'],
    handle: (call) => ({ json: groupJson(stateOf(call), groupOf(call), shownOf(call)) }),
  },
  { method: 'PUT', path: ONE, scopes: WRITE, handle: update },
  { method: 'DELETE', path: ONE, scopes: WRITE, query: ['deleteContacts'], handle: remove },
  { method: 'POST', path: `${ONE}/members:modify`, scopes: WRITE, handle: modifyMembers },
]
