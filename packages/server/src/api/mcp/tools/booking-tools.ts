/** Tools about booking pages and bookings. What guests write is untrusted. */
import {
  type BookableSlots,
  type Booking,
  BookingGuest,
  BookingListQuery,
  ListedBooking,
  SchedulingPage,
} from '@waypost/contract'
import { z } from 'zod'
import { Moment, momentOf } from '../content/moment.ts'
import { type Row, untrusted } from '../content/result-text.ts'
import { defineTool } from './define-tool.ts'
import {
  acts,
  counted,
  identifierOf,
  itemOf,
  nextCursor,
  optionalSeconds,
  pageOf,
  pageQuery,
  paging,
  reads,
  readsService,
  secondsOf,
  Time,
  timezone,
} from './parts.ts'
import { windowProblem } from './search-arguments.ts'

const waitsToInvite = 'It waits for the approval of a person unless the credential says otherwise.'
const Span = z.object({ start: Moment, end: Moment })

export const listSchedulingPages = defineTool({
  name: 'list_scheduling_pages',
  title: 'List booking pages',
  description: 'Lists the booking pages (configurations) of the connected accounts.',
  operations: ['scheduling'],
  annotations: readsService,
  grant: false,
  input: paging,
  output: {
    scheduling_pages: z.array(
      z.object({
        id: SchedulingPage.shape.id,
        grant_id: SchedulingPage.shape.grant_id,
        type: SchedulingPage.shape.type,
        duration_minutes: z.int().optional().meta({ description: 'Length of a booking' }),
        untrusted: untrusted({ name: SchedulingPage.shape.name }),
      }),
    ),
    ...nextCursor,
  },
  run: async ({ call }, args) => {
    const page = await call('schedulingPages.list', { query: pageQuery(args) })
    return pageOf<SchedulingPage>(page, { name: 'scheduling_pages', one: 'booking page' }, (each) => {
      const { id, grant_id, type, availability, name } = each
      return {
        facts: { id, grant_id, type, duration_minutes: availability?.duration_minutes },
        untrusted: { name },
      }
    })
  },
})

const configuration = { configuration_id: identifierOf('booking page') }

export const findBookableTimes = defineTool({
  name: 'find_bookable_times',
  title: 'Find bookable times',
  description: 'Finds the times of a booking page that a guest can book now. book books one of them.',
  operations: ['scheduling'],
  annotations: reads,
  grant: false,
  input: {
    ...configuration,
    start: Time.meta({ description: 'Start of the window' }),
    end: Time.meta({ description: 'End of the window' }),
    ...timezone,
  },
  output: {
    times: z.array(Span).meta({ description: 'Times that can be booked, at most 25' }),
    more: z.boolean().meta({ description: 'Whether there are later times: search again with a later start' }),
  },
  run: async ({ call }, { configuration_id, start, end, timezone: zone }) => {
    const query = { configuration_id, start_time: secondsOf(start), end_time: secondsOf(end) }
    const slots = itemOf<BookableSlots>(await call('schedulingAvailability.find', { query })).time_slots
    const times = slots
      .slice(0, 25)
      .map((slot) => ({ start: momentOf(slot.start_time, zone), end: momentOf(slot.end_time, zone) }))
    return { summary: counted(times.length, 'time'), facts: { times, more: slots.length > 25 } }
  },
})

const { booking_id, configuration_id, event_id, status, title, guest, location } = ListedBooking.shape

const BookingRow = z.object({
  booking_id,
  configuration_id,
  event_id,
  status,
  start: Moment,
  end: Moment,
  untrusted: untrusted({ title, guest, location }),
})

function bookingRow(booking: Booking, zone: string): Row {
  const { booking_id, configuration_id, event_id, status, start_time, end_time, title, guest, location } = booking
  return {
    facts: {
      booking_id,
      configuration_id,
      event_id,
      status,
      start: momentOf(start_time, zone),
      end: momentOf(end_time, zone),
    },
    untrusted: { title, guest, location },
  }
}

export const listBookings = defineTool({
  name: 'list_bookings',
  title: 'List bookings',
  description: 'Lists bookings by their start, of all booking pages or of one.',
  operations: ['scheduling'],
  annotations: readsService,
  grant: false,
  input: {
    configuration_id: BookingListQuery.shape.configuration_id,
    status: BookingListQuery.shape.status,
    start: Time.optional().meta({ description: 'Only bookings that end after this time' }),
    end: Time.optional().meta({ description: 'Only bookings that start before this time' }),
    ...paging,
    ...timezone,
  },
  refine: ({ start, end }) => windowProblem(['start', start], ['end', end]),
  output: { bookings: z.array(BookingRow), ...nextCursor },
  run: async ({ call }, { limit, cursor, timezone: zone, start, end, ...filters }) => {
    const page = await call('bookings.list', {
      query: { ...filters, start: optionalSeconds(start), end: optionalSeconds(end), ...pageQuery({ limit, cursor }) },
    })
    return pageOf<ListedBooking>(page, { name: 'bookings', one: 'booking' }, (booking) => bookingRow(booking, zone))
  },
})

export const book = defineTool({
  name: 'book',
  title: 'Book a time',
  description: `Books a time of find_bookable_times for a guest, who is invited. ${waitsToInvite}`,
  operations: ['scheduling'],
  annotations: acts,
  approval: ['invite'],
  grant: false,
  input: {
    ...configuration,
    start: Time.meta({ description: 'Start of the time' }),
    end: Time.meta({ description: 'End of the time' }),
    guest: BookingGuest,
    ...timezone,
  },
  output: { booking: BookingRow },
  run: async ({ call }, { configuration_id, start, end, guest, timezone: zone }) => {
    const answer = await call('bookings.create', {
      query: { configuration_id },
      body: { start_time: secondsOf(start), end_time: secondsOf(end), guest, timezone: zone },
    })
    return { summary: 'Booked.', row: { name: 'booking', row: bookingRow(itemOf(answer), zone) } }
  },
})

export const cancelBooking = defineTool({
  name: 'cancel_booking',
  title: 'Cancel a booking',
  description: `Cancels a booking, and tells the guest. ${waitsToInvite}`,
  operations: ['scheduling'],
  annotations: acts,
  approval: ['invite'],
  grant: false,
  input: {
    booking_id: identifierOf('booking'),
    cancellation_reason: z.string().max(2048).optional().meta({ description: 'Why, for the guest' }),
  },
  output: { cancelled: z.boolean().meta({ description: 'Always true' }) },
  run: async ({ call }, { booking_id, cancellation_reason }) => {
    const body = cancellation_reason === undefined ? {} : { cancellation_reason }
    await call('bookings.cancel', { params: { booking_id }, body })
    return { summary: 'The booking is cancelled.', facts: { cancelled: true } }
  },
})
