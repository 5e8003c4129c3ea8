/** Tools about free and busy times, and rooms. */
import { type Availability, AvailabilityQuestion, type FreeBusy, FreeBusyQuery, RoomResource } from '@waypost/contract'
import { z } from 'zod'
import { Moment, momentOf } from '../content/moment.ts'
import { type Row, untrusted } from '../content/result-text.ts'
import { defineTool } from './define-tool.ts'
import {
  counted,
  itemOf,
  itemsOf,
  nextCursor,
  pageOf,
  pageQuery,
  paging,
  reads,
  secondsOf,
  Time,
  timezone,
} from './parts.ts'

const window = {
  start: Time.meta({
    description: 'Start of the window: ISO 8601 with an offset, a local time in `timezone`, or Unix seconds',
  }),
  end: Time.meta({ description: 'End of the window' }),
}
const Span = z.object({ start: Moment, end: Moment })
const spanOf = ({ start_time, end_time }: { start_time: number; end_time: number }, zone: string) => ({
  start: momentOf(start_time, zone),
  end: momentOf(end_time, zone),
})
/** Times in a result. */
const maxTimes = 100

export const freeBusy = defineTool({
  name: 'free_busy',
  title: 'Free/busy times',
  description:
    'Returns when people are busy, without titles. Up to 50 addresses, also of other people if the provider tells.',
  operations: ['calendar.read'],
  annotations: reads,
  grant: true,
  input: { emails: FreeBusyQuery.shape.emails, ...window, ...timezone },
  output: {
    people: z.array(
      z.object({
        email: z.string().meta({ description: 'The address as given' }),
        busy: z.array(Span).optional().meta({ description: 'Busy times; empty means free. Absent if unknown' }),
        truncated: z
          .boolean()
          .optional()
          .meta({ description: 'Whether later times were left out: use a shorter window' }),
        untrusted: untrusted({ error: z.string() }).optional(),
      }),
    ),
  },
  run: async ({ call, grantId }, { emails, start, end, timezone: zone }) => {
    const answer = await call('calendars.freeBusy', {
      params: { grant_id: grantId },
      body: { emails, start_time: secondsOf(start), end_time: secondsOf(end) },
    })
    const max = Math.max(5, Math.floor(maxTimes / emails.length))
    const rows = itemsOf<FreeBusy>(answer).map((each): Row => {
      if (each.object === 'error') return { facts: { email: each.email }, untrusted: { error: each.error } }
      const busy = each.time_slots.slice(0, max).map((slot) => spanOf(slot, zone))
      return { facts: { email: each.email, busy, ...(each.time_slots.length > max ? { truncated: true } : {}) } }
    })
    return { summary: counted(rows.length, 'person', 'people'), rows: { name: 'people', rows } }
  },
})

const fiveMinutes = 300
const isAddress = (text: string): boolean => text.includes('@')

export const findTimes = defineTool({
  name: 'find_times',
  title: 'Find times for a meeting',
  description:
    'Finds times when the account and other connected accounts are all free. Nothing is reserved: create_event books.',
  operations: ['calendar.read'],
  annotations: reads,
  grant: true,
  input: {
    ...window,
    duration_minutes: AvailabilityQuestion.shape.duration_minutes,
    emails: z
      .array(z.string().min(1).max(320))
      .max(49)
      .default([])
      .meta({ description: 'Addresses of other connected accounts that must be free too' }),
    ...timezone,
  },
  output: {
    times: z.array(Span).meta({ description: 'Possible times, at most 25' }),
    more: z.boolean().meta({ description: 'Whether there are later times: search again with a later start' }),
  },
  run: async ({ call, grantId }, { start, end, duration_minutes, emails, timezone: zone }) => {
    const own = isAddress(grantId) ? { email: grantId } : { grant_id: grantId }
    const answer = await call('availability.find', {
      body: {
        start_time: Math.ceil(secondsOf(start) / fiveMinutes) * fiveMinutes,
        end_time: Math.floor(secondsOf(end) / fiveMinutes) * fiveMinutes,
        duration_minutes,
        participants: [own, ...emails.map((email) => ({ email }))],
        availability_rules: { availability_method: 'collective' },
      },
    })
    const slots = itemOf<Availability>(answer).time_slots
    return {
      summary: counted(Math.min(slots.length, 25), 'time'),
      facts: { times: slots.slice(0, 25).map((slot) => spanOf(slot, zone)), more: slots.length > 25 },
    }
  },
})

const { email, capacity, floor_number, name, building, floor_name, floor_section } = RoomResource.shape

export const findRooms = defineTool({
  name: 'find_rooms',
  title: 'Find rooms',
  description: "Lists the meeting rooms of the account's organization. Invite one with `rooms` of create_event.",
  operations: ['calendar.read'],
  annotations: reads,
  grant: true,
  input: paging,
  output: {
    rooms: z.array(
      z.object({
        email,
        capacity,
        floor_number,
        untrusted: untrusted({ name, building, floor_name, floor_section }),
      }),
    ),
    ...nextCursor,
  },
  run: async ({ call, grantId }, args) => {
    const page = await call('roomResources.list', { params: { grant_id: grantId }, query: pageQuery(args) })
    return pageOf<RoomResource>(page, { name: 'rooms', one: 'room' }, (room) => {
      const { email, capacity, floor_number, name, building, floor_name, floor_section } = room
      return { facts: { email, capacity, floor_number }, untrusted: { name, building, floor_name, floor_section } }
    })
  },
})
