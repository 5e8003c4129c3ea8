// The people data of an account: contacts, "other contacts" that Google collected, and groups. Every change takes the
// next number of a counter, and a sync token contains such a number.
import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../../shared/http.ts'
import type { AccountOwner } from '../owner.ts'
import type { World } from '../world.ts'

export interface StoredPerson {
  /** `c…` for a contact, a number for an "other contact". */
  readonly id: string
  readonly kind: 'contact' | 'other'
  /** The id of the source, in hexadecimal. */
  readonly sourceId: string
  readonly serial: number
  version: number
  updated: number
  deleted: boolean
  /** Keyed by field: lists of items without metadata. */
  fields: Readonly<Record<string, readonly JsonObject[]>>
  /** The ids of its groups. */
  groups: readonly string[]
  photo?: { readonly key: string; readonly bytes: Uint8Array }
}

export interface StoredGroup {
  readonly id: string
  readonly system: boolean
  version: number
  updated: number
  deleted: boolean
  name: string
  readonly formattedName?: string
  clientData: readonly JsonObject[]
}

export interface PeopleState {
  readonly owner: AccountOwner
  readonly world: World
  version: number
  /** Sync tokens of lower versions are expired. */
  validFrom: number
  readonly people: Map<string, StoredPerson>
  readonly groups: Map<string, StoredGroup>
}

const systemGroups: readonly (readonly [string, string])[] = [
  ['myContacts', 'My Contacts'],
  ['chatBuddies', 'Chat contacts'],
  ['friends', 'Friends'],
  ['family', 'Family'],
  ['coworkers', 'Coworkers'],
  ['blocked', 'Blocked'],
  ['starred', 'Starred'],
  ['all', 'All Contacts'],
]

const states = new WeakMap<World, Map<string, PeopleState>>()

export function openPeople(owner: AccountOwner, world: World): PeopleState {
  const groups = new Map<string, StoredGroup>()
  for (const [id, formattedName] of systemGroups) {
    groups.set(id, {
      id,
      system: true,
      version: 1,
      updated: 0,
      deleted: false,
      name: id,
      formattedName,
      clientData: [],
    })
  }
  const state: PeopleState = { owner, world, version: 1, validFrom: 0, people: new Map(), groups }
  const all = states.get(world) ?? new Map<string, PeopleState>()
  states.set(world, all)
  all.set(owner.sub, state)
  return state
}

/** The state of one account; throws if it has none. */
export function peopleState(world: World, owner: AccountOwner): PeopleState {
  const state = states.get(world)?.get(owner.sub)
  if (state === undefined) throw new Error(`no contacts of ${owner.email}`)
  return state
}

/** The photo of a URL of this simulator. */
export function findPhoto(world: World, key: string): Uint8Array | undefined {
  for (const { people } of states.get(world)?.values() ?? []) {
    for (const { photo } of people.values()) if (photo?.key === key) return photo.bytes
  }
  return undefined
}

export function nextVersion(state: PeopleState): number {
  state.version++
  return state.version
}

export type PersonFields = StoredPerson['fields']

export function addPerson(state: PeopleState, seed: Pick<StoredPerson, 'kind' | 'fields' | 'groups'>): StoredPerson {
  const source = randomBytes(8)
  const number = source.readBigUInt64BE() & 0x7fff_ffff_ffff_ffffn
  const version = nextVersion(state)
  const person: StoredPerson = {
    ...seed,
    id: seed.kind === 'contact' ? `c${number}` : String(number),
    sourceId: number.toString(16),
    serial: version,
    version,
    updated: state.world.now(),
    deleted: false,
  }
  state.people.set(person.id, person)
  return person
}

export function changePerson(
  state: PeopleState,
  person: StoredPerson,
  change: Partial<Pick<StoredPerson, 'fields' | 'groups' | 'deleted' | 'photo'>>,
): void {
  Object.assign(person, change)
  person.version = nextVersion(state)
  person.updated = state.world.now()
}

export function contactsOf(state: PeopleState): StoredPerson[] {
  return [...state.people.values()].filter(({ kind, deleted }) => kind === 'contact' && !deleted)
}
