// Rooms and room lists of an organization. https://learn.microsoft.com/graph/api/place-list
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../shared/http.ts'
import { GraphError } from '../errors.ts'
import type { GraphAnswer, GraphCall, GraphRoute } from '../http.ts'
import { itemAnswer, listAnswer } from '../odata/collection.ts'
import type { EntityType } from '../odata/entity.ts'
import type { GraphPart } from '../part.ts'
import type { World } from '../world.ts'

export interface RoomSeed {
  readonly email: string
  readonly name: string
  readonly capacity?: number
  readonly building?: string
  readonly floorNumber?: number
  readonly floorLabel?: string
  readonly label?: string
  /** The address of its room list. */
  readonly list?: string
}

export interface RoomListSeed {
  readonly email: string
  readonly name: string
}

export interface Room extends RoomSeed {
  readonly id: string
}

interface Places {
  readonly rooms: Room[]
  readonly lists: (RoomListSeed & { readonly id: string })[]
}

const places = new WeakMap<World, Places>()

function placesOf(world: World): Places {
  const known = places.get(world) ?? { rooms: [], lists: [] }
  places.set(world, known)
  return known
}

export function addRoom(world: World, seed: RoomSeed): Room {
  const room = { ...seed, id: randomUUID() }
  placesOf(world).rooms.push(room)
  return room
}

export function addRoomList(world: World, seed: RoomListSeed): void {
  placesOf(world).lists.push({ ...seed, id: randomUUID() })
}

const common = ['id', 'displayName', 'emailAddress', 'phone', 'address', 'geoCoordinates', 'label', 'placeId']
const ROOM: EntityType = {
  name: 'room',
  properties: [
    ...common,
    'nickname',
    'building',
    'floorNumber',
    'floorLabel',
    'capacity',
    'bookingType',
    'audioDeviceName',
    'videoDeviceName',
    'displayDeviceName',
    'isWheelChairAccessible',
    'tags',
  ],
}
const roomList: EntityType = { name: 'roomList', properties: common, navigations: ['rooms'] }
/** The size of a page, which `$top` cannot exceed. */
const page = { pageSize: 100, maxTop: 100 }

function roomJson(room: Room): JsonObject {
  const { id, email, name, capacity, building, floorNumber, floorLabel, label } = room
  return {
    id,
    displayName: name,
    nickname: name,
    emailAddress: email,
    phone: '',
    address: null,
    geoCoordinates: null,
    building: building ?? null,
    floorNumber: floorNumber ?? null,
    floorLabel: floorLabel ?? null,
    label: label ?? null,
    capacity: capacity ?? null,
    bookingType: 'standard',
    audioDeviceName: null,
    videoDeviceName: null,
    displayDeviceName: null,
    isWheelChairAccessible: false,
    placeId: id,
    tags: [],
  }
}

function listJson({ id, email, name }: Places['lists'][number]): JsonObject {
  return { id, displayName: name, emailAddress: email, phone: '', address: null, geoCoordinates: null, placeId: id }
}

const roomOptions = { type: ROOM, context: 'places/microsoft.graph.room', json: roomJson, ...page }

/** The rooms of the caller's organization; none for a personal account. */
function within<T extends { readonly email: string }>({ caller }: GraphCall, all: readonly T[]): T[] {
  if (caller.tenant.domain === '') {
    throw new GraphError(403, 'ErrorAccessDenied', 'Access is denied. Check credentials and try again.')
  }
  return all.filter(({ email }) => email.toLowerCase().endsWith(`@${caller.tenant.domain}`))
}

function listRooms(call: GraphCall): GraphAnswer {
  return listAnswer(call, within(call, placesOf(call.world).rooms), roomOptions)
}

function listLists(call: GraphCall): GraphAnswer {
  const { rooms, lists } = placesOf(call.world)
  return listAnswer(call, within(call, lists), {
    type: roomList,
    context: 'places/microsoft.graph.roomList',
    json: listJson,
    expand: ({ email }) => rooms.filter((room) => room.list === email).map(roomJson),
    ...page,
  })
}

function listRoomsOf(call: GraphCall): GraphAnswer {
  const { rooms, lists } = placesOf(call.world)
  const wanted = (call.params.placeId ?? '').toLowerCase()
  const list = within(call, lists).find(({ id, email }) => [id, email.toLowerCase()].includes(wanted))
  if (list === undefined) throw placeNotFound()
  return listAnswer(
    call,
    rooms.filter((room) => room.list === list.email),
    roomOptions,
  )
}

function getPlace(call: GraphCall): GraphAnswer {
  const wanted = (call.params.placeId ?? '').toLowerCase()
  const room = within(call, placesOf(call.world).rooms).find(({ id, email }) =>
    [id, email.toLowerCase()].includes(wanted),
  )
  if (room === undefined) throw placeNotFound()
  return itemAnswer(call, room, { ...roomOptions, context: 'places' })
}

function placeNotFound(): GraphError {
  return new GraphError(404, 'ErrorItemNotFound', 'The specified place was not found.')
}

const READ = ['Place.Read.All', 'Place.ReadWrite.All']
const routes: readonly GraphRoute[] = [
  { method: 'GET', path: '/places/room', scopes: READ, handle: listRooms },
  { method: 'GET', path: '/places/roomList', scopes: READ, handle: listLists },
  { method: 'GET', path: '/places/:placeId', scopes: READ, handle: getPlace },
  { method: 'GET', path: '/places/:placeId/roomList/rooms', scopes: READ, handle: listRoomsOf },
]

export const placesPart: GraphPart = { routes, subscribable: [] }
