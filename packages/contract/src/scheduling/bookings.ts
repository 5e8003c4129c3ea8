import { z } from 'zod'
import { TimeZone } from '../calendars.ts'
import { cursorPaging, Id, identifier, inSeconds, integerParam, lastSecond, line } from '../fields.ts'
import { route } from '../route.ts'
import { pageParams } from './page-params.ts'

/** Older clients send times as strings. */
const toNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value
const Moment = z
  .preprocess(toNumber, z.int().min(0).max(lastSecond, { error: inSeconds }))
  .meta({ type: 'integer' }) as unknown as z.ZodType<number, number>

const EmailText = line(320).refine((text) => /^[^\s@]+@[^\s@]+$/.test(text), { error: 'must be an email address' })

export const BookingGuest = z
  .object({
    email: EmailText.meta({ description: 'Address of the guest' }),
    name: line(320).min(1).meta({ description: 'Name of the guest' }),
  })
  .meta({ id: 'BookingGuest', description: 'A person who books' })
export type BookingGuest = z.output<typeof BookingGuest>

export const AdditionalGuest = z
  .object({
    email: EmailText.meta({ description: 'Address of the guest' }),
    name: line(320).nullish().meta({ description: 'Name of the guest' }),
  })
  .meta({ id: 'AdditionalGuest', description: 'Another person whom the guest brings' })
export type AdditionalGuest = z.output<typeof AdditionalGuest>

export const EmailLanguage = z.enum(['en', 'es', 'fr', 'de', 'nl', 'sv', 'ja', 'zh', 'ko']).meta({
  id: 'EmailLanguage',
  description: 'Language of mails to the guest',
})
export type EmailLanguage = z.output<typeof EmailLanguage>

const fields = {
  participants: z
    .array(z.object({ email: line(320).meta({ description: 'Address of a participant of the configuration' }) }))
    .max(50)
    .nullish()
    .meta({
      description:
        'Some of the participants; default: all. With round robin: the host. With `max-fairness`, another free host takes the booking if this one is not free',
    }),
  timezone: TimeZone.nullish().meta({ description: 'Time zone of the guest; default: that of the event' }),
  email_language: EmailLanguage.nullish().meta({ description: 'Language of mails to the guest; default `en`' }),
  additional_guests: z.array(AdditionalGuest).max(20).nullish().meta({ description: 'Others whom the guest brings' }),
  additional_fields: z
    .record(line(128), z.union([z.string().max(2048), z.boolean(), z.number()]).nullable())
    .nullish()
    .meta({ description: 'Answers to the additional fields of the configuration, by key' }),
  event_id: identifier().nullish().meta({ description: 'Group event: the event to join' }),
  master_id: identifier().nullish().meta({ description: 'Group event: the series of the event' }),
  calendar_id: identifier().nullish().meta({ description: 'Group event: the calendar of the event' }),
}

export const BookingDraft = z
  .object({
    start_time: Moment.meta({ description: 'Start in Unix seconds' }),
    end_time: Moment.meta({ description: 'End in Unix seconds' }),
    guest: BookingGuest,
    ...fields,
  })
  .meta({ id: 'BookingDraft', description: 'A slot and the guest who books it' })
export type BookingDraft = z.output<typeof BookingDraft>

const kept = 'Ignored, and named in `x-ignored-fields`: a booking keeps its guests and answers'

export const BookingMove = z
  .object({
    start_time: Moment.meta({ description: 'New start in Unix seconds' }),
    end_time: Moment.meta({ description: 'New end in Unix seconds' }),
    guest: BookingGuest.nullish().meta({ description: kept }),
    ...fields,
    additional_guests: fields.additional_guests.meta({ description: kept }),
    additional_fields: fields.additional_fields.meta({ description: kept }),
    master_event_id: identifier().nullish().meta({ description: 'Alias of `master_id`' }),
  })
  .meta({ id: 'BookingMove', description: 'The new slot of a booking' })
export type BookingMove = z.output<typeof BookingMove>

export const BookingConfirmation = z
  .object({
    salt: line(256).nullish().meta({
      description:
        'The salt of the booking reference, which proves that the caller is the organizer. An API key needs none',
    }),
    status: z
      .enum(['confirmed', 'cancelled', 'confirm', 'cancel'])
      .meta({ description: '`confirmed`, or `cancelled` to decline; `confirm` and `cancel` mean the same' }),
    cancellation_reason: z.string().max(2048).nullish().meta({ description: 'Why it is declined' }),
  })
  .meta({ id: 'BookingConfirmation', description: "The organizer's decision about a pending booking" })
export type BookingConfirmation = z.output<typeof BookingConfirmation>

export const BookingCancellation = z
  .object({
    cancellation_reason: z.string().max(2048).nullish().meta({ description: 'Why it is cancelled' }),
    action: line(32).nullish().meta({ description: 'Ignored; public components send it' }),
  })
  .meta({ id: 'BookingCancellation', description: 'Why a booking is cancelled' })
export type BookingCancellation = z.output<typeof BookingCancellation>

export const Booking = z
  .object({
    booking_id: Id.meta({ description: 'Id of the booking, a UUID' }),
    configuration_id: Id.meta({ description: 'Id of the configuration' }),
    event_id: z.string().meta({ description: 'Id of the event in the calendar of the host' }),
    title: z.string().meta({ description: 'Title of the event' }),
    organizer: z
      .object({
        email: z.string().meta({ description: 'Address of the host' }),
        name: z.string().meta({ description: 'Name of the host; empty if unknown' }),
      })
      .meta({ description: 'The host' }),
    status: z.enum(['booked', 'pending', 'cancelled']).meta({ description: 'State of the booking' }),
    description: z.string().meta({ description: 'Description of the event; empty if it has none' }),
    location: z.string().meta({ description: 'Location of the event; empty if it has none' }),
    booking_ref: z.string().optional().meta({
      description:
        'Booking reference for links: of the guest for the caller who made or moved the booking, of the organizer for an API key that reads it',
    }),
    start_time: z.int().meta({ description: 'Start in Unix seconds' }),
    end_time: z.int().meta({ description: 'End in Unix seconds' }),
    timezone: z.string().meta({ description: 'Time zone of the guest' }),
    email_language: EmailLanguage,
    guest: BookingGuest,
    additional_guests: z.array(AdditionalGuest).meta({ description: 'Others whom the guest brings' }),
    additional_fields: z.record(z.string(), z.string()).meta({ description: 'Answers to the additional fields' }),
  })
  .meta({ id: 'Booking', description: 'A booked slot' })
export type Booking = z.output<typeof Booking>

export const ListedBooking = Booking.extend({
  grant_id: Id.meta({ description: 'Id of the grant that owns the configuration' }),
  created_at: z.int().meta({ description: 'Creation time in Unix seconds' }),
  updated_at: z.int().meta({ description: 'Time of the last change in Unix seconds' }),
}).meta({ id: 'ListedBooking', description: 'A booking in the list of the application' })
export type ListedBooking = z.output<typeof ListedBooking>

export const BookingListQuery = z.object({
  configuration_id: line(64).min(1).optional().meta({ description: 'Only bookings of this configuration' }),
  grant_id: line(64).min(1).optional().meta({ description: 'Only bookings of configurations of this grant' }),
  status: z.enum(['booked', 'pending', 'cancelled']).optional().meta({ description: 'Only bookings in this state' }),
  start: integerParam({ min: 0, max: lastSecond }).meta({
    description: 'Only bookings that end after this time, in Unix seconds',
  }),
  end: integerParam({ min: 0, max: lastSecond }).meta({
    description: 'Only bookings that start before this time, in Unix seconds',
  }),
  order: z.enum(['asc', 'desc']).optional().meta({ description: 'Order by start; default `asc`' }),
  ...cursorPaging(),
})
export type BookingListQuery = z.output<typeof BookingListQuery>

const bookingsPath = '/v3/scheduling/bookings'
const who =
  'A guest calls it with a session. Anyone can call it for a public configuration. The application calls it with its API key and then does not have to name the configuration of an existing booking.'

export const bookings = {
  list: route({
    right: 'scheduling',
    method: 'GET',
    path: bookingsPath,
    summary: 'List bookings',
    description: 'The bookings of the application by their start. Bookings are deleted 90 days after their end.',
    audience: 'application',
    query: BookingListQuery,
    returns: ListedBooking,
    list: 'cursor',
  }),
  create: route({
    right: 'scheduling',
    method: 'POST',
    path: bookingsPath,
    summary: 'Book a slot',
    description: `Creates the event in the calendar of the host, or a placeholder if the organizer confirms. The slot is validated by the calendars as they are now: of several guests who book it at the same time, one gets it, and the others get \`timeslot_not_available\`. A guest who sends the same request again gets the existing booking. ${who}`,
    audience: 'guest',
    rate: 'guestBooking',
    query: z.object({
      ...pageParams,
      timezone: line(64).min(1).optional().meta({ description: 'Time zone of the guest, if the body has none' }),
    }),
    body: BookingDraft,
    returns: Booking,
    errors: ['not_found', 'timeslot_not_available', 'provider_unavailable', 'provider_refused'],
  }),
  get: route({
    right: 'scheduling',
    method: 'GET',
    path: `${bookingsPath}/:booking_id`,
    summary: 'Get a booking',
    description: who,
    audience: 'guest',
    query: z.object(pageParams),
    returns: Booking,
    errors: ['not_found'],
  }),
  reschedule: route({
    right: 'scheduling',
    method: 'PATCH',
    exactMethod: true,
    path: `${bookingsPath}/:booking_id`,
    summary: 'Move a booking to another slot',
    description: `Moves the event. With round robin the host stays if possible; otherwise the event moves to the calendar of another host. Refused within \`min_cancellation_notice\`, except for the application. ${who}`,
    audience: 'guest',
    query: z.object(pageParams),
    body: BookingMove,
    returns: Booking,
    errors: ['not_found', 'timeslot_not_available', 'provider_unavailable', 'provider_refused'],
  }),
  confirm: route({
    right: 'scheduling',
    method: 'PUT',
    exactMethod: true,
    path: `${bookingsPath}/:booking_id`,
    summary: 'Confirm or decline a pending booking',
    description: `\`confirmed\` turns the placeholder into the event. \`cancelled\` removes it; the response then has no \`data\`. ${who}`,
    audience: 'guest',
    query: z.object(pageParams),
    body: BookingConfirmation,
    returns: Booking,
    sometimes: true,
    errors: ['not_found', 'provider_unavailable', 'provider_refused'],
  }),
  cancel: route({
    right: 'scheduling',
    method: 'DELETE',
    path: `${bookingsPath}/:booking_id`,
    summary: 'Cancel a booking',
    description: `Deletes the event. Refused within \`min_cancellation_notice\`, except for the application. ${who}`,
    audience: 'guest',
    query: z.object(pageParams),
    body: BookingCancellation,
    errors: ['not_found', 'provider_unavailable', 'provider_refused'],
  }),
}
