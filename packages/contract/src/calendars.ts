import { z } from 'zod'
import {
  cursorPaging,
  HexColour,
  Id,
  inSeconds,
  lastSecond,
  line,
  Metadata,
  metadataPairParam,
  notifyParam,
  selectParam,
  textParam,
} from './fields.ts'
import { route } from './route.ts'

/** Checked against the time-zone database by the server, which has it. */
export const TimeZone = line(64).min(1).meta({ id: 'TimeZone', description: 'IANA name, such as Europe/Berlin' })

export const Calendar = z
  .object({
    id: z.string(),
    grant_id: Id,
    object: z.literal('calendar'),
    name: z.string(),
    description: z.string().nullable(),
    location: z.string().nullable(),
    timezone: TimeZone,
    hex_color: z.string().nullable(),
    hex_foreground_color: z.string().nullable(),
    is_owned_by_user: z.boolean(),
    is_primary: z.boolean(),
    read_only: z.boolean().nullable().meta({ description: 'Always null for virtual calendars' }),
    owner_email: z.string().optional(),
    metadata: Metadata,
  })
  .meta({ id: 'Calendar' })
export type Calendar = z.output<typeof Calendar>

export const CalendarDraft = z
  .object({
    name: line(1024).min(1),
    description: z.string().max(8192).nullish(),
    location: line(255).nullish(),
    timezone: TimeZone.nullish(),
    metadata: Metadata.nullish(),
  })
  .meta({ id: 'CalendarDraft' })
export type CalendarDraft = z.output<typeof CalendarDraft>

export const CalendarChange = z
  .object({
    name: line(1024).min(1).optional(),
    description: z.string().max(8192).nullable().optional(),
    location: line(255).nullable().optional(),
    timezone: TimeZone.optional(),
    hex_color: HexColour.or(z.literal('')).nullable().optional().meta({ description: 'Empty or null: the usual one' }),
    hex_foreground_color: HexColour.or(z.literal('')).nullable().optional(),
    metadata: Metadata.nullable().optional(),
  })
  .meta({ id: 'CalendarChange' })
export type CalendarChange = z.output<typeof CalendarChange>

export const CalendarListQuery = z.object({
  ...cursorPaging(),
  metadata_pair: metadataPairParam(),
  ...selectParam,
})
export type CalendarListQuery = z.output<typeof CalendarListQuery>

const at = '/v3/grants/:grant_id/calendars'
const UnixTime = z.int().min(0).max(lastSecond, { error: inSeconds })

export const FreeBusyQuery = z
  .object({
    start_time: UnixTime,
    end_time: UnixTime,
    emails: z.array(line(320).min(1)).min(1).max(50),
    tentative_as_busy: z.boolean().nullish().meta({ description: 'true when absent' }),
  })
  .meta({ id: 'FreeBusyQuery' })
export type FreeBusyQuery = z.output<typeof FreeBusyQuery>

export const FreeBusy = z
  .union([
    z.object({
      email: z.string(),
      object: z.literal('free_busy'),
      time_slots: z.array(
        z.object({
          start_time: z.int(),
          end_time: z.int(),
          status: z.literal('busy'),
          object: z.literal('time_slot'),
        }),
      ),
    }),
    z.object({ email: z.string(), object: z.literal('error'), error: z.string() }),
  ])
  .meta({ id: 'FreeBusy' })
export type FreeBusy = z.output<typeof FreeBusy>

export const calendars = {
  list: route({
    method: 'GET',
    path: at,
    summary: 'List the calendars of a grant',
    audience: 'grant',
    query: CalendarListQuery,
    returns: Calendar,
    list: 'cursor',
  }),
  create: route({
    method: 'POST',
    path: at,
    summary: 'Create a calendar',
    description:
      'The first calendar of a virtual account is its primary one for ever. A virtual account has at most 10.',
    audience: 'grant',
    query: z.object(selectParam),
    body: CalendarDraft,
    returns: Calendar,
  }),
  freeBusy: route({
    method: 'POST',
    path: `${at}/free-busy`,
    summary: 'Tell when people are busy',
    description:
      'One element for each address, in the order asked; an address that cannot be read gives an error element. With an access token no other virtual account can be read.',
    audience: 'grant',
    body: FreeBusyQuery,
    returns: FreeBusy,
    list: 'whole',
  }),
  get: route({
    method: 'GET',
    path: `${at}/:calendar_id`,
    summary: 'Get one calendar',
    description: '`primary` names the main calendar.',
    audience: 'grant',
    query: z.object(selectParam),
    returns: Calendar,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PUT',
    path: `${at}/:calendar_id`,
    summary: 'Change a calendar',
    audience: 'grant',
    query: z.object(selectParam),
    body: CalendarChange,
    returns: Calendar,
    errors: ['not_found'],
  }),
  delete: route({
    method: 'DELETE',
    path: `${at}/:calendar_id`,
    summary: 'Delete a calendar and its events',
    description: 'The primary calendar cannot be deleted.',
    audience: 'grant',
    query: z.object(notifyParam),
    errors: ['not_found', 'mail_quota_reached'],
  }),
}

export const virtualCalendars = {
  create: route({
    method: 'POST',
    path: '/v3/calendars',
    summary: 'Create a calendar of a virtual account',
    description:
      'The same as creating it on the path of the grant; `grant_id` stands in the body or the query, and with an access token it is the token’s own.',
    audience: 'application',
    token: true,
    query: z.object({ grant_id: textParam(), ...selectParam }),
    body: CalendarDraft.extend({ grant_id: line(512).nullish() }).meta({ id: 'VirtualCalendarDraft' }),
    returns: Calendar,
    errors: ['grant_not_found', 'grant_invalid', 'grant_access_denied', 'not_supported_by_provider'],
  }),
}
