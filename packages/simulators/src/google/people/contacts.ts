// The contacts of an account, for tests. Changes made here look like those of another client of the user and appear
// in sync.

import { type JsonObject, textAnswer, type WebRoute } from '../../shared/http.ts'
import type { ApiRoute } from '../http.ts'
import type { AccountOwner } from '../owner.ts'
import type { World } from '../world.ts'
import { addGroup, deleteGroup, groupRoutes } from './groups-routes.ts'
import { personRoutes } from './people-routes.ts'
import {
  parseMemberships,
  parseOptionalMask,
  parsePerson,
  personJson,
  resourceNameOf,
  writableFields,
} from './person.ts'
import { searchRoutes } from './search-routes.ts'
import {
  addPerson,
  changePerson,
  contactsOf,
  findPhoto,
  nextVersion,
  openPeople,
  type StoredGroup,
  type StoredPerson,
} from './state.ts'

export interface SimulatedContacts {
  readonly owner: AccountOwner
  /** Adds a contact with the fields of a `Person`; it joins My Contacts in addition to the groups it names. */
  addContact(person: JsonObject): { resourceName: string }
  /** Adds an "other contact", as Google collects them automatically. */
  addOtherContact(person: JsonObject): { resourceName: string }
  /** Replaces the given fields. */
  changeContact(resourceName: string, fields: JsonObject): void
  deleteContact(resourceName: string): void
  addGroup(name: string): { resourceName: string }
  renameGroup(resourceName: string, name: string): void
  deleteGroup(resourceName: string): void
  /** The contacts with all their fields. */
  list(): JsonObject[]
  /** All sync tokens issued so far are reported as expired from now on. */
  expireSyncTokens(): void
}

export function openContacts(owner: AccountOwner, world: World): SimulatedContacts {
  const state = openPeople(owner, world)

  function contactOf(resourceName: string): StoredPerson {
    const person = state.people.get(resourceName.slice(resourceName.indexOf('/') + 1))
    if (person === undefined || person.deleted) throw new Error(`${owner.email} has no ${resourceName}`)
    return person
  }
  function groupOf(resourceName: string): StoredGroup {
    const group = state.groups.get(resourceName.slice(resourceName.indexOf('/') + 1))
    if (group === undefined || group.deleted) throw new Error(`${owner.email} has no ${resourceName}`)
    return group
  }

  return {
    owner,
    addContact(body) {
      const groups = [...new Set(['myContacts', ...parseMemberships(body)])]
      const person = addPerson(state, { kind: 'contact', fields: parsePerson(body, writableFields), groups })
      return { resourceName: resourceNameOf(person) }
    },
    addOtherContact(body) {
      const person = addPerson(state, { kind: 'other', fields: parsePerson(body, writableFields), groups: [] })
      return { resourceName: resourceNameOf(person) }
    },
    changeContact(resourceName, body) {
      const person = contactOf(resourceName)
      const fields = { ...person.fields, ...parsePerson(body, writableFields) }
      const groups = body.memberships === undefined ? person.groups : parseMemberships(body)
      changePerson(state, person, { fields, groups })
    },
    deleteContact(resourceName) {
      changePerson(state, contactOf(resourceName), { deleted: true, groups: [] })
    },
    addGroup(name) {
      return { resourceName: `contactGroups/${addGroup(state, name).id}` }
    },
    renameGroup(resourceName, name) {
      const group = groupOf(resourceName)
      group.name = name
      group.version = nextVersion(state)
      group.updated = world.now()
    },
    deleteGroup(resourceName) {
      deleteGroup(state, groupOf(resourceName), false)
    },
    list() {
      return contactsOf(state).map((person) => personJson(person, parseOptionalMask(null, 'personFields'), world.url))
    },
    expireSyncTokens() {
      state.validFrom = nextVersion(state)
    },
  }
}

export const peopleRoutes: readonly ApiRoute[] = [...personRoutes, ...searchRoutes, ...groupRoutes]

/** The URLs of contact photos; like Google's, they need no token. */
export function photoRoute(world: World): WebRoute {
  return {
    method: 'GET',
    path: '/contact-photos/:photo',
    handle({ url }) {
      const key = decodeURIComponent(url.pathname.slice('/contact-photos/'.length)).replace(/=s\d+$/, '')
      const bytes = findPhoto(world, key)
      if (bytes === undefined) return textAnswer(404, 'Not Found')
      return { status: 200, headers: { 'content-type': 'image/jpeg' }, body: bytes }
    },
  }
}
