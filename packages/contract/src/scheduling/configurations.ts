import { z } from 'zod'
import { cursorPaging, Id, line, selectParam, textParam } from '../fields.ts'
import { limits } from '../limits.ts'
import { route } from '../route.ts'
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
  name: line(256).nullish().meta({ description: "Title of the page; default: the organizer's name" }),
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

export const SchedulingPage = Configuration.extend({
  grant_id: Id.meta({ description: 'Id of the grant that owns the configuration' }),
  created_at: z.int().meta({ description: 'Creation time in Unix seconds' }),
  updated_at: z.int().meta({ description: 'Time of the last change in Unix seconds' }),
}).meta({ id: 'SchedulingPage', description: 'A configuration and the grant that owns it' })
export type SchedulingPage = z.output<typeof SchedulingPage>

const at = '/v3/grants/:grant_id/scheduling/configurations'
const one = `${at}/:configuration_id` as const
const whose = { audience: 'grant', own: true } as const

/** Configurations of booking pages. Each belongs to a grant; its participants may be other grants of the application. */
export const configurations = {
  list: route({
    right: 'scheduling',
    ...whose,
    method: 'GET',
    path: at,
    summary: 'List configurations',
    description: 'The configurations that the grant owns, oldest first.',
    query: z.object({ ...cursorPaging(), ...selectParam }),
    returns: Configuration,
    list: 'cursor',
  }),
  create: route({
    right: 'scheduling',
    ...whose,
    method: 'POST',
    path: at,
    summary: 'Create a configuration',
    description: `Up to ${limits.schedulerConfigurations} for each grant. Participants with calendars must belong to valid grants of the application; others are invited by their address. \`collective\` needs exactly one organizer, and round robin none. An access token may name participants of other grants of its application.`,
    body: ConfigurationDraft,
    returns: Configuration,
  }),
  get: route({
    right: 'scheduling',
    ...whose,
    method: 'GET',
    path: one,
    summary: 'Get one configuration',
    description: 'Returns it with all defaults filled in.',
    query: z.object(selectParam),
    returns: Configuration,
    errors: ['not_found'],
  }),
  update: route({
    right: 'scheduling',
    ...whose,
    method: 'PUT',
    path: one,
    summary: 'Change a configuration',
    description:
      'Absent fields stay unchanged. A nested object replaces the former one completely. Existing bookings do not change.',
    query: z.object(selectParam),
    body: ConfigurationChange,
    returns: Configuration,
    errors: ['not_found'],
  }),
  delete: route({
    right: 'scheduling',
    ...whose,
    method: 'DELETE',
    path: one,
    summary: 'Delete a configuration',
    description:
      'Refused while sessions of it are active. The page closes and its slug is free at once. Upcoming bookings and their events stay: guests can still cancel through their links, but no longer move a booking, and reminders are still sent.',
    errors: ['not_found'],
  }),
}

/** For the dashboard and for agents: all configurations of the application. */
export const schedulingPages = {
  list: route({
    right: 'scheduling',
    audience: 'application',
    method: 'GET',
    path: '/v3/scheduling/configurations',
    summary: 'List the configurations of the application',
    description: 'Of all grants, oldest first.',
    query: z.object({
      ...cursorPaging(),
      ...selectParam,
      search: textParam().meta({
        description: 'Part of the name, the slug or the address of the owner, or the whole id of the configuration',
      }),
    }),
    returns: SchedulingPage,
    list: 'cursor',
  }),
}

/** Booking pages of the previous version of the public API had other addresses. */
export const schedulingRedirects = {
  find: route({
    right: 'scheduling',
    audience: 'application',
    method: 'GET',
    path: '/v3/scheduling/should-redirect/:former_slug',
    summary: 'Find the page that replaces one of version 2',
    description: 'This service never had pages of version 2, so that the response is always 404.',
    returns: z
      .object({ url: z.string().meta({ description: 'Path of the new page' }) })
      .meta({ id: 'SchedulingRedirect', description: 'Where a page of version 2 is now' }),
    errors: ['not_found'],
  }),
}
