import { z } from 'zod'
import {
  cursorPaging,
  GrantId,
  HexColour,
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
export const TimeZone = line(64)
  .min(1)
  .meta({ id: 'TimeZone', description: 'IANA name of a time zone, such as `Europe/Berlin`' })

export const Calendar = z
  .object({
    id: z.string().meta({ description: 'Id of the calendar; with `google` it looks like an address' }),
    grant_id: GrantId,
    object: z.literal('calendar').meta({ description: 'What the object is: always `calendar`' }),
    name: z.string().meta({ description: 'Name as the user sees it' }),
    description: z.string().nullable().meta({ description: 'What the calendar is for; null where nothing is said' }),
    location: z.string().nullable().meta({ description: 'A place, in free words; null where none is said' }),
    timezone: TimeZone.meta({
      description: 'Zone in which its whole days begin, by its IANA name; `UTC` where the provider does not tell it',
    }),
    hex_color: z.string().nullable().meta({
      description: 'Colour that it is shown in, such as `#1a73e8`; null where the provider has none',
    }),
    hex_foreground_color: z.string().nullable().meta({
      description: 'Colour of text upon it, such as `#ffffff`; null where the provider has none',
    }),
    is_owned_by_user: z.boolean().meta({
      description: 'Whether it is the account’s own; `false` for one that somebody shares with it',
    }),
    is_primary: z.boolean().meta({ description: 'Whether it is the one that `primary` names' }),
    read_only: z.boolean().nullable().meta({
      description: 'Whether its events can be read only. Always null for virtual calendars',
    }),
    owner_email: z.string().optional().meta({ description: '`microsoft`: address of whose calendar it is' }),
    metadata: Metadata,
  })
  .meta({ id: 'Calendar', description: 'A calendar of an account, without its events' })
export type Calendar = z.output<typeof Calendar>

export const CalendarDraft = z
  .object({
    name: line(1024).min(1).meta({ description: 'Name as the user is to see it' }),
    description: z.string().max(8192).nullish().meta({
      description: 'What the calendar is for. `microsoft`, `ews` and `icloud` refuse it',
    }),
    location: line(255).nullish().meta({
      description: 'A place, in free words. Only `google` and `virtual-calendar` take it',
    }),
    timezone: TimeZone.nullish().meta({
      description:
        'Zone in which its whole days begin, by its IANA name; a virtual calendar without one has `UTC`. `microsoft`, `ews` and `icloud` refuse it',
    }),
    metadata: Metadata.nullish().meta({
      description: 'Your own pairs of texts, kept by the service for every provider',
    }),
  })
  .meta({ id: 'CalendarDraft', description: 'A calendar to be made' })
export type CalendarDraft = z.output<typeof CalendarDraft>

export const CalendarChange = z
  .object({
    name: line(1024).min(1).optional().meta({ description: 'Another name' }),
    description: z.string().max(8192).nullable().optional().meta({
      description: 'What the calendar is for; null clears it. `microsoft`, `ews` and `icloud` refuse it',
    }),
    location: line(255).nullable().optional().meta({
      description: 'A place, in free words; null clears it. Only `google` and `virtual-calendar` take it',
    }),
    timezone: TimeZone.optional().meta({
      description: 'Zone in which its whole days begin, by its IANA name. `microsoft`, `ews` and `icloud` refuse it',
    }),
    hex_color: HexColour.or(z.literal('')).nullable().optional().meta({
      description:
        'Colour that it is shown in, such as `#1a73e8`; empty or null is the usual one (`google` has no way back to it). `microsoft`, `ews` and `icloud` refuse it',
    }),
    hex_foreground_color: HexColour.or(z.literal('')).nullable().optional().meta({
      description:
        'Colour of text upon it, such as `#ffffff`; empty or null is the usual one. Only `google` and `virtual-calendar` take it',
    }),
    metadata: Metadata.nullable().optional().meta({
      description: 'Replaces all pairs; `{}` and null clear them. Kept by the service for every provider',
    }),
  })
  .meta({
    id: 'CalendarChange',
    description: 'What is to be another about a calendar: what is left out stays as it is',
  })
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
    start_time: UnixTime.meta({ description: 'Where the window begins, in Unix seconds' }),
    end_time: UnixTime.meta({
      description:
        'Where the window ends, in Unix seconds: at most three months after its start, 780 days with `microsoft`',
    }),
    emails: z.array(line(320).min(1)).min(1).max(50).meta({
      description:
        'Addresses to ask for, up to 50. With virtual calendars these are identifiers of virtual accounts of the application',
    }),
    tentative_as_busy: z.boolean().nullish().meta({
      description: 'Whether tentative events count as busy: `true` when absent. `google` cannot tell them apart',
    }),
  })
  .meta({ id: 'FreeBusyQuery', description: 'Of whom, and of which time' })
export type FreeBusyQuery = z.output<typeof FreeBusyQuery>

const FreeBusyEmail = z.string().meta({ description: 'The address as it was asked for' })

export const FreeBusy = z
  .union([
    z
      .object({
        email: FreeBusyEmail,
        object: z.literal('free_busy').meta({ description: 'Says that the address could be read' }),
        time_slots: z
          .array(
            z.object({
              start_time: z.int().meta({ description: 'From when on, in Unix seconds; never before the window' }),
              end_time: z.int().meta({ description: 'Until when, in Unix seconds; never after the window' }),
              status: z.literal('busy').meta({ description: 'Always `busy`: free times are not listed' }),
              object: z.literal('time_slot').meta({ description: 'What the object is: always `time_slot`' }),
            }),
          )
          .meta({
            description: 'When the person is busy, in order; times that overlap or touch are one. Empty means free',
          }),
      })
      .meta({ description: 'When somebody is busy' }),
    z
      .object({
        email: FreeBusyEmail,
        object: z.literal('error').meta({ description: 'Says that the address could not be read' }),
        error: z.string().meta({ description: 'Why not, in words' }),
      })
      .meta({ description: 'An address that could not be read' }),
  ])
  .meta({ id: 'FreeBusy', description: 'When one address is busy, or why it cannot be told; `object` says which' })
export type FreeBusy = z.output<typeof FreeBusy>

export const calendars = {
  list: route({
    method: 'GET',
    path: at,
    summary: 'List the calendars of a grant',
    description: 'All calendars that the account can read, those that others share with it included.',
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
      'The first calendar of a virtual account is its primary one for ever. A virtual account has at most 10. Microsoft, Exchange and iCloud take the name alone.',
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
      'One element for each address, in the order asked; an address that cannot be read gives an error element, and the status is 200 all the same. No titles are told. With an access token no other virtual account can be read.',
    audience: 'grant',
    body: FreeBusyQuery,
    returns: FreeBusy,
    list: 'whole',
  }),
  get: route({
    method: 'GET',
    path: `${at}/:calendar_id`,
    summary: 'Get one calendar',
    description:
      '`primary` names the main calendar; the answer carries its real id. A new virtual account has none until the first calendar is made.',
    audience: 'grant',
    query: z.object(selectParam),
    returns: Calendar,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PUT',
    path: `${at}/:calendar_id`,
    summary: 'Change a calendar',
    description: 'Fields that are left out stay as they are; `metadata` is replaced as a whole.',
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
    description:
      'The primary calendar cannot be deleted. `calendar.deleted` is told, and nothing of each event. A calendar that somebody else shares is taken from the list of the account.',
    audience: 'grant',
    query: z.object({
      notify_participants: notifyParam.notify_participants.meta({
        description:
          'Virtual calendars: whether guests of events that are not over get a cancellation, `true` when absent. Elsewhere the provider decides.',
      }),
    }),
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
    query: z.object({
      grant_id: textParam().meta({
        description: 'The virtual account, by id or identifier; or write it into the body',
      }),
      ...selectParam,
    }),
    body: CalendarDraft.extend({
      grant_id: line(512).nullish().meta({
        description: 'The virtual account, by id or identifier; not needed with an access token, or in the query',
      }),
    }).meta({
      id: 'VirtualCalendarDraft',
      description: 'A calendar to be made, and the virtual account that it is for',
    }),
    returns: Calendar,
    errors: ['grant_not_found', 'grant_invalid', 'grant_access_denied', 'not_supported_by_provider'],
  }),
}
