/** The rooms of an organization, from the directory of its Google Workspace. */
import type { RoomResource } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { number, object, type Read, readableItems, text } from '@waypost/platform/json/reader'
import type { Operations } from '../../operations.ts'
import { collect, Place, pagesOf } from '../../shared/paging.ts'
import { providerStatus } from '../../shared/refusal.ts'
import type { Session } from '../session.ts'

const calendarResource = object(
  { resourceEmail: text },
  {
    resourceName: text,
    generatedResourceName: text,
    resourceCategory: text,
    capacity: number,
    buildingId: text,
    floorName: text,
    floorSection: text,
  },
)
type CalendarResource = Read<typeof calendarResource>

const calendarResources = object({}, { items: readableItems(calendarResource), nextPageToken: text })
const building = object({ buildingId: text }, { buildingName: text })
const buildings = object({}, { buildings: readableItems(building), nextPageToken: text })

const root = 'customer/my_customer/resources'
const fields =
  'nextPageToken,items(resourceEmail,resourceName,generatedResourceName,resourceCategory,capacity,buildingId,floorName,floorSection)'
const maxPagesOfBuildings = 4

/** Not every account belongs to an organization, or may read its directory. */
function asRefusal(error: unknown): unknown {
  const status = providerStatus(error)
  const isRefused = error instanceof ApiError && (error.code === 'provider_refused' || error.code === 'not_found')
  if (!isRefused || (status !== 400 && status !== 403 && status !== 404)) return error
  const problem =
    'Google does not show this account a directory of rooms: it needs an account of a Google Workspace that may read it'
  return new ApiError('provider_refused', problem, { ...error.details, cause: error })
}

/** The names of buildings by id. In a directory with thousands, rooms show the ids of the remaining ones. */
async function readBuildings(session: Session): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  const answers = pagesOf(maxPagesOfBuildings, (pageToken) => {
    const query = { maxResults: 500, pageToken, fields: 'nextPageToken,buildings(buildingId,buildingName)' }
    return session.call('directory', 'GET', `${root}/buildings`, { query, read: buildings })
  })
  for await (const answer of answers) {
    for (const { buildingId, buildingName } of answer.buildings ?? []) {
      if (buildingName) names.set(buildingId, buildingName)
    }
  }
  return names
}

/** A floor whose name is a number has that number. */
const floorOf = (name: string | undefined): number | undefined =>
  name !== undefined && /^-?\d{1,4}$/.test(name.trim()) ? Number(name) : undefined

function fromResource(room: CalendarResource, grantId: string, names: ReadonlyMap<string, string>): RoomResource {
  const { buildingId, floorName, floorSection, capacity } = room
  const floor = floorOf(floorName)
  return {
    object: 'room_resource',
    grant_id: grantId,
    email: room.resourceEmail,
    name: room.resourceName || room.generatedResourceName || room.resourceEmail,
    ...(buildingId ? { building: names.get(buildingId) ?? buildingId } : {}),
    ...(capacity === undefined ? {} : { capacity: Math.trunc(capacity) }),
    ...(floorName ? { floor_name: floorName } : {}),
    ...(floor === undefined ? {} : { floor_number: floor }),
    ...(floorSection ? { floor_section: floorSection } : {}),
  }
}

export const roomResources: Operations<Session>['roomResources'] = {
  async list(session, query, position) {
    try {
      const found = await collect<CalendarResource>({
        place: position === undefined ? undefined : Place.parse(position),
        limit: query.limit,
        // The directory also contains resources such as projectors and cars.
        keep: ({ resourceCategory }) => resourceCategory !== 'OTHER',
        page: async (pageToken, maxResults) => {
          const options = { query: { maxResults, pageToken, fields }, read: calendarResources }
          const answer = await session.call('directory', 'GET', `${root}/calendars`, options)
          return { items: answer.items ?? [], next: answer.nextPageToken }
        },
      })
      const inBuildings = found.items.some(({ buildingId }) => buildingId)
      const names = inBuildings ? await readBuildings(session) : new Map<string, string>()
      const items = found.items.map((room) => fromResource(room, session.grant.id, names))
      return found.next ? { items, next: found.next } : { items }
    } catch (error) {
      throw asRefusal(error)
    }
  },
}
