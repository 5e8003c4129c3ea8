import { z } from 'zod'
import { Id, line } from '../fields.ts'
import { ConfigurationParticipant, EventBooking, GroupBooking, SchedulerSettings } from './configuration-parts.ts'
import { BookingAvailability } from './time-rules.ts'

const Slug = line(256).regex(/^[A-Za-z0-9._-]*$/, {
  error: 'must consist of letters, digits, dots, dashes and underscores',
})
const Appearance = z.record(line(128), z.string().max(550)).meta({
  description: 'Texts and colors of the page: `color`, `company_logo_url`, `submit_button_label`, `thank_you_message`',
})
const Origin = line(256).regex(/^https?:\/\/[^/?#\s]+$/, { error: 'must be an origin such as https://example.com' })

const fields = {
  name: line(256).min(1).nullish().meta({ description: "Title of the page; default: the organizer's name" }),
  slug: Slug.nullish().meta({
    description: 'Name of the page in its address, unique in the application; null for none',
  }),
  type: z.enum(['', 'group']).nullish().meta({ description: '`group` for group events, otherwise empty' }),
  version: z.string().max(64).nullish().meta({ description: 'Ignored; former clients send it' }),
  requires_session_auth: z.boolean().nullish().meta({
    description: 'Whether guests need a session; default `false`, anyone can book',
  }),
  participants: z.array(ConfigurationParticipant).max(50).nullish().meta({
    description: 'Hosts and invitees; required unless `type` is `group`',
  }),
  availability: BookingAvailability.nullish().meta({
    description: 'Duration and times; required unless `type` is `group`',
  }),
  event_booking: EventBooking.nullish().meta({ description: 'The event; required unless `type` is `group`' }),
  group_booking: GroupBooking.nullish().meta({ description: 'Group events; required if `type` is `group`' }),
  scheduler: SchedulerSettings.nullish().meta({ description: 'Rules and texts of the booking page' }),
  appearance: Appearance.nullish(),
  embed_origins: z.array(Origin).max(20).nullish().meta({
    description: 'Origins whose pages may embed the booking page, such as `https://example.com`; default none',
  }),
}

export const ConfigurationDraft = z
  .object(fields)
  .meta({ id: 'ConfigurationDraft', description: 'A new configuration of a booking page' })
export type ConfigurationDraft = z.output<typeof ConfigurationDraft>

export const ConfigurationChange = z.object(fields).meta({
  id: 'ConfigurationChange',
  description: 'Changes of a configuration. Absent fields stay unchanged; a nested object replaces the former one.',
})
export type ConfigurationChange = z.output<typeof ConfigurationChange>

export const Configuration = z
  .object({
    id: Id.meta({ description: 'Id of the configuration, a UUID' }),
    name: z.string().meta({ description: 'Title of the page' }),
    slug: z.string().nullable().meta({ description: 'Name of the page in its address, or null' }),
    type: z.enum(['', 'group']).meta({ description: '`group` for group events, otherwise empty' }),
    requires_session_auth: z.boolean().meta({ description: 'Whether guests need a session' }),
    participants: z.array(ConfigurationParticipant).meta({ description: 'Hosts and invitees' }),
    availability: BookingAvailability,
    event_booking: EventBooking,
    group_booking: GroupBooking.optional(),
    scheduler: SchedulerSettings,
    appearance: Appearance.nullable(),
    embed_origins: z.array(z.string()).meta({ description: 'Origins whose pages may embed the booking page' }),
  })
  .meta({ id: 'Configuration', description: 'A booking page: who can be booked, when, and what is created' })
export type Configuration = z.output<typeof Configuration>
