/** The objects of notifications about bookings, and a sample of each. */
import { z } from 'zod'

const seconds = (what: string) => z.int().meta({ description: `${what} in Unix seconds` })

export const BookingInfo = z
  .object({
    event_id: z.string().meta({ description: 'Id of the event in the calendar of the host' }),
    title: z.string().meta({ description: 'Title of the event' }),
    start_time: seconds('Start'),
    end_time: seconds('End'),
    old_start_time: seconds('Former start').optional(),
    old_end_time: seconds('Former end').optional(),
    duration: z.int().meta({ description: 'Duration in minutes' }),
    location: z.string().meta({ description: 'Location of the event; empty if it has none' }),
    participants: z
      .array(
        z.object({
          email: z.string().meta({ description: 'Address' }),
          name: z.string().meta({ description: 'Name; empty if unknown' }),
        }),
      )
      .nullable()
      .meta({ description: 'The hosts, the guest, and everyone else who takes part' }),
    additional_fields: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ description: 'Answers to the additional fields, by key; null without any' }),
    organizer_timezone: z.string().meta({ description: 'Time zone of the event' }),
    guest_timezone: z.string().meta({ description: 'Time zone of the guest' }),
    organizer_calendar_id: z.string().meta({ description: 'Calendar of the event' }),
    provider: z.string().meta({ description: "Kind of the host's account" }),
    is_group_event: z.boolean().meta({ description: 'Whether the booking is a seat at a group event' }),
    hide_cancellation_options: z.boolean().meta({ description: 'As in the configuration' }),
    hide_rescheduling_options: z.boolean().meta({ description: 'As in the configuration' }),
    participant_rescheduling_url: z.string().meta({ description: 'Page where the guest moves the booking' }),
    participant_cancellation_url: z.string().meta({ description: 'Page where the guest cancels the booking' }),
    cancellation_reason: z.string().optional().meta({ description: 'Why it was cancelled or declined; may be empty' }),
    time_until_event: z.int().optional().meta({ description: 'Seconds until the start' }),
  })
  .meta({ id: 'BookingInfo', description: 'The booked event' })
export type BookingInfo = z.output<typeof BookingInfo>

export const BookingObject = z
  .object({
    booking_id: z.string().meta({ description: 'Id of the booking' }),
    configuration_id: z.string().meta({ description: 'Id of the configuration' }),
    object: z.literal('booking').meta({ description: 'Object type: always `booking`' }),
    booking_ref: z.string().optional().meta({
      description:
        'Booking reference, which authorizes to confirm: do not show it to the guest. Absent if it was cancelled',
    }),
    booking_type: z.string().optional().meta({ description: 'How a pending booking is confirmed' }),
    booking_info: BookingInfo,
  })
  .meta({ id: 'BookingObject', description: 'A booking in a notification' })
export type BookingObject = z.output<typeof BookingObject>

const reference = 'scLT5AAAQACAAAAAAAAACgobLD0REUIikzNERFVVZmZ4GZx2n3Y4PpTfYxv0FuBe'
const page = 'https://waypost.example.com/book'

const { booking_ref, ...named } = {
  booking_id: '0a1b2c3d-1111-4222-9333-444455556666',
  configuration_id: 'b1c2d3e4-0000-4000-8000-00000000000a',
  object: 'booking' as const,
  booking_ref: reference,
}
const info: BookingInfo = {
  event_id: '4s1dq0n7v2hk8e5t3ub9',
  title: 'Consultation with Jonas Lindqvist',
  start_time: 1_739_271_600,
  end_time: 1_739_273_400,
  duration: 30,
  location: 'Room 4',
  participants: [
    { email: 'mira.okafor@example.com', name: 'Mira Okafor' },
    { email: 'jonas@example.org', name: 'Jonas Lindqvist' },
  ],
  additional_fields: { topic: 'Renovation' },
  organizer_timezone: 'Europe/Stockholm',
  guest_timezone: 'Europe/Stockholm',
  organizer_calendar_id: 'mira.okafor@example.com',
  provider: 'google',
  is_group_event: false,
  hide_cancellation_options: false,
  hide_rescheduling_options: false,
  participant_rescheduling_url: `${page}/reschedule/${reference}`,
  participant_cancellation_url: `${page}/cancel/${reference}`,
}

export const sampleBooking: BookingObject = { ...named, booking_ref, booking_info: info }
export const samplePendingBooking: BookingObject = {
  ...sampleBooking,
  booking_type: 'organizer-confirmation',
}
export const sampleRescheduledBooking: BookingObject = {
  ...sampleBooking,
  booking_info: { ...info, old_start_time: 1_739_185_200, old_end_time: 1_739_187_000 },
}
export const sampleCancelledBooking: BookingObject = {
  ...named,
  booking_info: { ...info, cancellation_reason: 'I am ill.' },
}
export const sampleBookingReminder: BookingObject = {
  ...sampleBooking,
  booking_info: { ...info, time_until_event: 3_600 },
}
