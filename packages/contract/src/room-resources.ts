/** Rooms and the like, which an organization keeps in a directory. */
import { z } from 'zod'
import { cursorPaging, GrantId, selectParam } from './fields.ts'
import { route } from './route.ts'

/** What the directory does not say of a room is left out. */
export const RoomResource = z
  .object({
    object: z.literal('room_resource').meta({ description: 'What the object is: always `room_resource`' }),
    grant_id: GrantId,
    email: z.string().meta({
      description: 'Address of the room. To invite it, write it into `resources[].email` of an event.',
    }),
    name: z.string().meta({ description: 'Name of the room in the directory' }),
    building: z.string().optional().meta({ description: 'Name of the building that it is in' }),
    capacity: z.int().optional().meta({ description: 'How many people it is meant for' }),
    floor_name: z.string().optional().meta({ description: 'The floor as the directory names it' }),
    floor_number: z.int().optional().meta({
      description: 'The floor as a number; with `google` only where the name of the floor is one',
    }),
    floor_section: z.string().optional().meta({ description: 'Part of the floor; `google` only' }),
  })
  .meta({
    id: 'RoomResource',
    description: 'A room in the directory of an organization. What the directory does not say of it is left out.',
  })
export type RoomResource = z.output<typeof RoomResource>

export const RoomResourceListQuery = z.object({ ...cursorPaging(), ...selectParam })
export type RoomResourceListQuery = z.output<typeof RoomResourceListQuery>

export const roomResources = {
  list: route({
    method: 'GET',
    path: '/v3/grants/:grant_id/resources',
    summary: 'List the rooms of the organization of a grant',
    description:
      'Rooms in the directory of a Google Workspace (scope `admin.directory.resource.calendar.readonly`), of a Microsoft organization (scope `Place.Read.All`) or of an Exchange server. Cars, projectors and the like are left out. Personal accounts have no directory.',
    audience: 'grant',
    query: RoomResourceListQuery,
    returns: RoomResource,
    list: 'cursor',
  }),
}
