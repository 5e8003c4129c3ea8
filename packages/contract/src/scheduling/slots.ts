import { z } from 'zod'

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
