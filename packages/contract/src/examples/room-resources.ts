import type { roomResources } from '../room-resources.ts'
import type { ExamplesOf } from './example.ts'
import { grantId } from './shared.ts'

export const roomResourceExamples: ExamplesOf<typeof roomResources> = {
  list: {
    query: { limit: 20 },
    answer: [
      {
        object: 'room_resource',
        grant_id: grantId,
        email: 'c_188linnaeus@resource.calendar.example.com',
        name: 'Room Linnaeus',
        building: 'Uppsala, Storgatan',
        capacity: 12,
        floor_name: '2',
        floor_number: 2,
        floor_section: 'North wing',
      },
      {
        object: 'room_resource',
        grant_id: grantId,
        email: 'c_188celsius@resource.calendar.example.com',
        name: 'Room Celsius',
        building: 'Uppsala, Storgatan',
        capacity: 4,
      },
    ],
  },
}
