// Rooms and buildings of an organization: `resources` of the Directory API (Admin SDK).
// https://developers.google.com/workspace/admin/directory/reference/rest/v1/resources.calendars
import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../../shared/http.ts'
import { GoogleError } from '../errors.ts'
import { type ApiAnswer, type ApiCall, type ApiRoute, integerOf } from '../http.ts'
import type { World } from '../world.ts'
import type { Room, RoomSeed } from './room.ts'

export function addRoom(world: World, seed: RoomSeed): { email: string } {
  const id = randomBytes(6).toString('hex')
  const email = seed.email ?? `c_188${randomBytes(13).toString('hex')}@resource.calendar.google.com`
  world.rooms.push({ ...seed, id, email })
  return { email }
}

const DOMAIN = 'admin#directory#resources'

function roomJson(room: Room): JsonObject {
  const { id, email, name, capacity, building, floorName, floorSection, category = 'CONFERENCE_ROOM' } = room
  const place = [building?.id, floorName].filter(Boolean).join('-')
  return {
    kind: `${DOMAIN}#calendars#CalendarResource`,
    etags: `"${id}"`,
    resourceId: id,
    resourceName: name,
    generatedResourceName: `${place && `${place}-`}${name}${capacity === undefined ? '' : ` (${capacity})`}`,
    resourceEmail: email,
    resourceCategory: category,
    ...(capacity !== undefined && { capacity }),
    ...(building !== undefined && { buildingId: building.id }),
    ...(floorName !== undefined && { floorName }),
    ...(floorSection !== undefined && { floorSection }),
  }
}

/** The rooms of the account's organization; an address at gmail.com has none. */
function organizationOf({ world, account, params }: ApiCall): Room[] {
  const domain = account.email.slice(account.email.indexOf('@') + 1).toLowerCase()
  if (params.customer !== 'my_customer' || domain === 'gmail.com') {
    throw new GoogleError(400, 'badRequest', 'Bad Request')
  }
  return world.rooms.filter((room) => room.domain.toLowerCase() === domain)
}

function pageOf<T>({ query }: ApiCall, all: readonly T[], fallback: number): { items: T[]; next: JsonObject } {
  const size = Math.max(1, integerOf(query, 'maxResults', { fallback, max: 500 }))
  const token = query.get('pageToken')
  const from = token === null ? 0 : Number(Buffer.from(token, 'base64url').toString())
  if (!Number.isInteger(from) || from < 0 || from > all.length)
    throw new GoogleError(400, 'invalid', 'Invalid Input: pageToken')
  const to = from + size
  const next = to < all.length ? { nextPageToken: Buffer.from(String(to)).toString('base64url') } : {}
  return { items: all.slice(from, to), next }
}

function listRooms(call: ApiCall): ApiAnswer {
  const { items, next } = pageOf(call, organizationOf(call), 100)
  return {
    json: {
      kind: `${DOMAIN}#calendars#calendarResourcesList`,
      ...(items.length > 0 && { items: items.map(roomJson) }),
      ...next,
    },
  }
}

function listBuildings(call: ApiCall): ApiAnswer {
  const known = new Map(
    organizationOf(call).flatMap(({ building }) => (building ? [[building.id, building.name]] : [])),
  )
  const { items, next } = pageOf(call, [...known], 100)
  const buildings = items.map(([buildingId, buildingName]) => ({
    kind: `${DOMAIN}#buildings#Building`,
    buildingId,
    buildingName,
  }))
  return {
    json: { kind: `${DOMAIN}#buildings#buildingsList`, ...(buildings.length > 0 && { buildings }), ...next },
  }
}

const base = '/admin/directory/v1/customer/:customer/resources'
const SCOPES = ['admin.directory.resource.calendar', 'admin.directory.resource.calendar.readonly']

export const directoryRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: `${base}/calendars`,
    scopes: SCOPES,
    query: ['maxResults', 'orderBy', 'pageToken', 'query'],
    handle: listRooms,
  },
  {
    method: 'GET',
    path: `${base}/buildings`,
    scopes: SCOPES,
    query: ['maxResults', 'pageToken'],
    handle: listBuildings,
  },
]
