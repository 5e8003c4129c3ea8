/** Rooms and the like, which an organization keeps in a directory. */
import { z } from 'zod'
import { cursorPaging, Id, selectParam } from './fields.ts'
import { route } from './route.ts'

/** What the directory does not say of a room is left out. */
export const RoomResource = z
  .object({
    object: z.literal('room_resource'),
    grant_id: Id,
    email: z.string().meta({ description: 'To be invited by: `resources[].email` of an event' }),
    name: z.string(),
    building: z.string().optional(),
    capacity: z.int().optional(),
    floor_name: z.string().optional(),
    floor_number: z.int().optional(),
    floor_section: z.string().optional(),
  })
  .meta({ id: 'RoomResource' })
export type RoomResource = z.output<typeof RoomResource>

export const RoomResourceListQuery = z.object({ ...cursorPaging(), ...selectParam })
export type RoomResourceListQuery = z.output<typeof RoomResourceListQuery>

export const roomResources = {
  list: route({
    method: 'GET',
    path: '/v3/grants/:grant_id/resources',
    summary: 'List the rooms of the organization of a grant',
    description: 'Those of the directory of a Google Workspace.',
    audience: 'grant',
    query: RoomResourceListQuery,
    returns: RoomResource,
    list: 'cursor',
  }),
}
