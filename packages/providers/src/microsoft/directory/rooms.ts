/** The rooms of an organization, as Exchange lists them (https://learn.microsoft.com/graph/api/place-list). */
import type { RoomResource } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { number, object, type Read, text } from '@waypost/platform/json/reader'
import type { Operations } from '../../operations.ts'
import { collect, Place } from '../../shared/paging.ts'
import { providerStatus } from '../../shared/refusal.ts'
import { listPage } from '../graph-pages.ts'
import type { Session } from '../session.ts'

const room = object(
  { emailAddress: text },
  { displayName: text, capacity: number, building: text, floorNumber: number, floorLabel: text },
)
type Room = Read<typeof room>

const path = 'places/microsoft.graph.room'
const fields = 'id,emailAddress,displayName,capacity,building,floorNumber,floorLabel'
/** The largest page that Graph returns. */
const maxPage = 100

/** Personal accounts have no organization, and not every account may read its places. */
function asRefusal(error: unknown): unknown {
  const status = providerStatus(error)
  const isRefused = error instanceof ApiError && (error.code === 'provider_refused' || error.code === 'not_found')
  if (!isRefused || (status !== 400 && status !== 403 && status !== 404)) return error
  const problem =
    'Microsoft does not show this account a directory of rooms: it needs an account of an organization that may read its places'
  return new ApiError('provider_refused', problem, { ...error.details, cause: error })
}

/** Exchange has no sections of floors. A floor has a number, a label, or both. */
function fromRoom({ emailAddress, displayName, ...place }: Room, grantId: string): RoomResource {
  const { capacity, building, floorNumber, floorLabel } = place
  const floor = floorLabel || (floorNumber === undefined ? undefined : `${floorNumber}`)
  return {
    object: 'room_resource',
    grant_id: grantId,
    email: emailAddress,
    name: displayName || emailAddress,
    ...(building ? { building } : {}),
    ...(capacity === undefined ? {} : { capacity: Math.trunc(capacity) }),
    ...(floor === undefined ? {} : { floor_name: floor }),
    ...(floorNumber === undefined ? {} : { floor_number: Math.trunc(floorNumber) }),
  }
}

export const roomResources: Operations<Session>['roomResources'] = {
  async list(session, query, position) {
    try {
      const found = await collect<Room>({
        place: position === undefined ? undefined : Place.parse(position),
        limit: query.limit,
        page: (place, size) =>
          listPage(session, { path, query: { $select: fields, $top: Math.min(size, maxPage) }, read: room }, place),
      })
      const items = found.items.map((each) => fromRoom(each, session.grant.id))
      return found.next ? { items, next: found.next } : { items }
    } catch (error) {
      throw asRefusal(error)
    }
  },
}
