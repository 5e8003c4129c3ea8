import { z } from 'zod'
import { line } from '../fields.ts'
import { route } from '../route.ts'
import { AdditionalGuest, BookingGuest, EmailLanguage } from './bookings.ts'
import { SchedulerSettings } from './configuration-parts.ts'
import { pageParams } from './page-params.ts'

const person = {
  name: z.string().meta({ description: 'Name; empty if unknown' }),
  email: z.string().meta({ description: 'Address' }),
}

export const BookedEvent = z
  .object({
    additional_fields: z.record(z.string(), z.string()).meta({ description: 'Answers to the additional fields' }),
    additional_guests: z.array(AdditionalGuest).meta({ description: 'Others whom the guest brings' }),
    guest: BookingGuest,
    timezone: z.string().meta({ description: 'Time zone of the guest' }),
    email_language: EmailLanguage,
    booking_ref: z.string().optional().meta({ description: 'Booking reference, for a caller who proved the salt' }),
    booking_ref_salt: z.string().optional().meta({ description: 'Salt, for a caller who proved it' }),
    event_organizer: z
      .object({ ...person, is_organizer: z.boolean().meta({ description: 'Always `true`' }) })
      .meta({ description: 'The host' }),
    event_data: z
      .object({
        location: z.string().meta({ description: 'Location; empty if it has none' }),
        when: z
          .object({
            object: z.literal('timespan').meta({ description: 'Object type: always `timespan`' }),
            start_time: z.int().meta({ description: 'Start in Unix seconds' }),
            end_time: z.int().meta({ description: 'End in Unix seconds' }),
            start_timezone: z.string().meta({ description: 'Time zone of the start' }),
            end_timezone: z.string().meta({ description: 'Time zone of the end' }),
          })
          .meta({ description: 'Time of the event' }),
      })
      .meta({ description: 'The event' }),
  })
  .meta({ id: 'BookedEvent', description: 'What the page shows about a booking' })
export type BookedEvent = z.output<typeof BookedEvent>

export const UiSettings = z
  .object({
    configuration_id: z.string().meta({ description: 'Id of the configuration' }),
    app_client_id: z.string().meta({ description: 'Id of the application' }),
    name: z.string().meta({ description: 'Title of the page' }),
    slug: z.string().nullable().meta({ description: 'Name of the page in its address, or null' }),
    type: z.enum(['', 'group']).meta({ description: '`group` for group events, otherwise empty' }),
    booking_type: z
      .enum(['booking', 'organizer-confirmation', 'custom-confirmation'])
      .meta({ description: 'Whether bookings need a confirmation' }),
    duration_minutes: z.int().optional().meta({ description: 'Duration of the meeting; absent for group events' }),
    timezone: z.string().optional().meta({ description: 'Time zone of the event' }),
    organizer: z.object(person).meta({ description: 'The organizer' }),
    appearance: z.record(z.string(), z.string()).nullable().meta({ description: 'Texts and colors of the page' }),
    scheduler: SchedulerSettings.omit({ email_template: true }).meta({
      description: 'Rules and texts of the booking page',
    }),
    booking: BookedEvent.optional(),
  })
  .meta({ id: 'UiSettings', description: 'Everything that a booking page shows before a time is chosen' })
export type UiSettings = z.output<typeof UiSettings>

export const uiSettings = {
  get: route({
    right: 'scheduling',
    audience: 'guest',
    method: 'GET',
    path: '/v3/scheduling/ui-settings',
    summary: 'Get what a booking page shows',
    description:
      'The first call of a booking page. With `booking_id`, also the booking, for a page that moves it. The salt of the booking reference is part of the response only if the request has it.',
    query: z.object({
      ...pageParams,
      booking_id: line(64).min(1).optional().meta({ description: 'Id of a booking of this configuration' }),
      booking_ref: line(512).min(1).optional().meta({ description: 'Reference of the booking, which proves its salt' }),
      salt: line(256).min(1).optional().meta({ description: 'Salt of the booking, instead of `booking_ref`' }),
    }),
    returns: UiSettings,
    errors: ['not_found'],
  }),
}
