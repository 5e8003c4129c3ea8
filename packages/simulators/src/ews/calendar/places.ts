// Rooms and room lists of an organization. A room has a mailbox, like a person.

import type { World } from '../model.ts'
import type { Account } from '../owner.ts'

export interface RoomSeed {
  readonly email: string
  readonly name: string
  /** The address of its room list. */
  readonly list?: string
}

export interface RoomListSeed {
  readonly email: string
  readonly name: string
}

interface Places {
  readonly rooms: RoomSeed[]
  readonly lists: RoomListSeed[]
}

const places = new WeakMap<World, Places>()

export function placesOf(world: World): Places {
  const known = places.get(world) ?? { rooms: [], lists: [] }
  places.set(world, known)
  return known
}

export function isRoom(world: World, { email }: Pick<Account, 'email'>): boolean {
  return placesOf(world).rooms.some((room) => room.email.toLowerCase() === email.toLowerCase())
}
