/** Rooms in the directory of an organization. */
import { z } from 'zod'
import { cursorPaging, GrantId, selectParam } from './fields.ts'
import { route } from './route.ts'

/** Fields that the directory does not contain are absent. */
export const RoomResource = z
  .object({
    object: z.literal('room_resource').meta({ description: 'Object type: always `room_resource`' }),
    grant_id: GrantId,
    email: z.string().meta({
      description: 'Address of the room. To invite it, set it as `resources[].email` of an event.',
    }),
    name: z.string().meta({ description: 'Name of the room in the directory' }),
    building: z.string().optional().meta({ description: 'Name of the building' }),
    capacity: z.int().optional().meta({ description: 'Capacity in people' }),
    floor_name: z.string().optional().meta({ description: 'Name of the floor in the directory' }),
    floor_number: z.int().optional().meta({
      description: 'Number of the floor; with `google` only if the floor name is a number',
    }),
    floor_section: z.string().optional().meta({ description: 'Section of the floor; `google` only' }),
  })
  .meta({
    id: 'RoomResource',
    description: 'A room in the directory of an organization. Unknown fields are absent.',
  })
export type RoomResource = z.output<typeof RoomResource>

export const RoomResourceListQuery = z.object({ ...cursorPaging(), ...selectParam })
export type RoomResourceListQuery = z.output<typeof RoomResourceListQuery>

export const roomResources = {
  list: route({
    right: 'calendar.read',
    method: 'GET',
    path: '/v3/grants/:grant_id/resources',
    summary: 'List the rooms of the organization of a grant',
    description:
      'Returns rooms in the directory of a Google Workspace (scope `admin.directory.resource.calendar.readonly`), a Microsoft organization (scope `Place.Read.All`) or an Exchange server. Other equipment, such as cars and projectors, is not listed. Personal accounts have no directory.',
    audience: 'grant',
    query: RoomResourceListQuery,
    returns: RoomResource,
    list: 'cursor',
  }),
}
