import { z } from 'zod'
import { line, requiredTimeParam } from '../fields.ts'
import { route } from '../route.ts'
import { pageParams } from './page-params.ts'

export const BookableSlot = z
  .object({
    emails: z.array(z.string()).meta({ description: 'Addresses of the hosts who are free; in order with round robin' }),
    start_time: z.int().meta({ description: 'Start in Unix seconds' }),
    end_time: z.int().meta({ description: 'End in Unix seconds' }),
    event_id: z.string().optional().meta({ description: 'Group event: its id' }),
    master_id: z.string().optional().meta({ description: 'Group event: the id of its series' }),
    calendar_id: z.string().optional().meta({ description: 'Group event: its calendar' }),
    capacity: z.int().optional().meta({ description: 'Group event: free seats' }),
  })
  .meta({ id: 'BookableSlot', description: 'A time that can be booked' })
export type BookableSlot = z.output<typeof BookableSlot>

export const BookableSlots = z
  .object({
    order: z
      .array(z.string())
      .optional()
      .meta({ description: 'Hosts in the order in which they are booked; round robin only' }),
    time_slots: z.array(BookableSlot).meta({ description: 'Times that can be booked' }),
  })
  .meta({ id: 'BookableSlots', description: 'Times of a configuration that can be booked' })
export type BookableSlots = z.output<typeof BookableSlots>

export const schedulingAvailability = {
  find: route({
    right: 'scheduling',
    audience: 'guest',
    method: 'GET',
    path: '/v3/scheduling/availability',
    summary: 'Find the times that guests can book',
    description:
      'Returns the slots that start in the window, from the calendars as they are now. Notice, horizon, open hours, buffers and bookings that are under way are taken into account, so every slot can be booked. A window without slots is no error. With round robin, `order` has the hosts in the order in which they are booked.',
    query: z.object({
      ...pageParams,
      start_time: requiredTimeParam().meta({ description: 'Start of the window in Unix seconds' }),
      end_time: requiredTimeParam().meta({
        description: 'End of the window in Unix seconds. Of the bookable time, it may cover at most 93 days',
      }),
      booking_id: line(64).min(1).optional().meta({
        description:
          'Id of a booking of this configuration that moves. Its own event blocks nothing, and its host comes first',
      }),
    }),
    returns: BookableSlots,
    errors: ['not_found', 'provider_unavailable'],
  }),
}
