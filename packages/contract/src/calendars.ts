import { z } from 'zod'
import {
  cursorPaging,
  GrantId,
  HexColor,
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

/** The server checks it against its time zone database. */
export const TimeZone = line(64)
  .min(1)
  .meta({ id: 'TimeZone', description: 'IANA name of a time zone, such as `Europe/Berlin`' })

export const Calendar = z
  .object({
    id: z.string().meta({ description: 'Id of the calendar; with `google` it looks like an address' }),
    grant_id: GrantId,
    object: z.literal('calendar').meta({ description: 'Object type: always `calendar`' }),
    name: z.string().meta({ description: 'Name shown to the user' }),
    description: z.string().nullable().meta({ description: 'Description of the calendar; null if it has none' }),
    location: z.string().nullable().meta({ description: 'Location as free text; null if it has none' }),
    timezone: TimeZone.meta({
      description: 'IANA name of the time zone for all-day events; `UTC` if the provider does not report it',
    }),
    hex_color: z.string().nullable().meta({
      description: 'Background color, such as `#1a73e8`; null if the provider has none',
    }),
    hex_foreground_color: z.string().nullable().meta({
      description: 'Text color, such as `#ffffff`; null if the provider has none',
    }),
    is_owned_by_user: z.boolean().meta({
      description: 'Whether the account owns it; `false` for a calendar that somebody shares with it',
    }),
    is_primary: z.boolean().meta({ description: 'Whether it is the calendar that `primary` refers to' }),
    read_only: z.boolean().nullable().meta({
      description: 'Whether its events are read-only. Always null for virtual calendars',
    }),
    owner_email: z.string().optional().meta({ description: "`microsoft`: address of the calendar's owner" }),
    metadata: Metadata,
  })
  .meta({ id: 'Calendar', description: 'A calendar of an account, without its events' })
export type Calendar = z.output<typeof Calendar>

export const CalendarDraft = z
  .object({
    name: line(1024).min(1).meta({ description: 'Name shown to the user' }),
    description: z.string().max(8192).nullish().meta({
      description: 'Description of the calendar. `microsoft`, `ews` and `icloud` refuse it',
    }),
    location: line(255).nullish().meta({
      description: 'Location as free text. Only `google` and `virtual-calendar` accept it',
    }),
    timezone: TimeZone.nullish().meta({
      description:
        'IANA name of the time zone for all-day events; default for virtual calendars: `UTC`. `microsoft`, `ews` and `icloud` refuse it',
    }),
    metadata: Metadata.nullish().meta({
      description: 'Your own key-value pairs, stored by the service for every provider',
    }),
  })
  .meta({ id: 'CalendarDraft', description: 'A new calendar' })
export type CalendarDraft = z.output<typeof CalendarDraft>

export const CalendarChange = z
  .object({
    name: line(1024).min(1).optional().meta({ description: 'New name' }),
    description: z.string().max(8192).nullable().optional().meta({
      description: 'Description of the calendar; null clears it. `microsoft`, `ews` and `icloud` refuse it',
    }),
    location: line(255).nullable().optional().meta({
      description: 'Location as free text; null clears it. Only `google` and `virtual-calendar` accept it',
    }),
    timezone: TimeZone.optional().meta({
      description: 'IANA name of the time zone for all-day events. `microsoft`, `ews` and `icloud` refuse it',
    }),
    hex_color: HexColor.or(z.literal('')).nullable().optional().meta({
      description:
        'Background color, such as `#1a73e8`; an empty string or null resets it (`google` cannot reset it). `microsoft`, `ews` and `icloud` refuse it',
    }),
    hex_foreground_color: HexColor.or(z.literal('')).nullable().optional().meta({
      description:
        'Text color, such as `#ffffff`; an empty string or null resets it. Only `google` and `virtual-calendar` accept it',
    }),
    metadata: Metadata.nullable().optional().meta({
      description: 'Replaces all key-value pairs; `{}` and null remove them. Stored by the service for every provider',
    }),
  })
  .meta({
    id: 'CalendarChange',
    description: 'Changes to a calendar. Absent fields stay unchanged',
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
    start_time: UnixTime.meta({ description: 'Start of the window in Unix seconds' }),
    end_time: UnixTime.meta({
      description: 'End of the window in Unix seconds: at most three months after its start, 780 days with `microsoft`',
    }),
    emails: z.array(line(320).min(1)).min(1).max(50).meta({
      description:
        'Addresses to check, up to 50. For virtual calendars, identifiers of virtual accounts of the application',
    }),
    tentative_as_busy: z.boolean().nullish().meta({
      description: 'Whether tentative events count as busy; default `true`. `google` cannot tell them apart',
    }),
  })
  .meta({ id: 'FreeBusyQuery', description: 'Addresses and window of a free/busy request' })
export type FreeBusyQuery = z.output<typeof FreeBusyQuery>

const FreeBusyEmail = z.string().meta({ description: 'The address as given in the request' })

export const FreeBusy = z
  .union([
    z
      .object({
        email: FreeBusyEmail,
        object: z.literal('free_busy').meta({ description: 'Object type: the address could be read' }),
        time_slots: z
          .array(
            z.object({
              start_time: z.int().meta({ description: 'Start in Unix seconds, never before the window' }),
              end_time: z.int().meta({ description: 'End in Unix seconds, never after the window' }),
              status: z.literal('busy').meta({ description: 'Always `busy`: free times are not listed' }),
              object: z.literal('time_slot').meta({ description: 'Object type: always `time_slot`' }),
            }),
          )
          .meta({
            description: 'Busy times in order; overlapping or adjacent times are merged. Empty means free',
          }),
      })
      .meta({ description: 'Busy times of an address' }),
    z
      .object({
        email: FreeBusyEmail,
        object: z.literal('error').meta({ description: 'Object type: the address could not be read' }),
        error: z.string().meta({ description: 'Reason of the failure' }),
      })
      .meta({ description: 'An address that could not be read' }),
  ])
  .meta({
    id: 'FreeBusy',
    description: 'Busy times of one address, or the reason why they are unavailable; see `object`',
  })
export type FreeBusy = z.output<typeof FreeBusy>

export const calendars = {
  list: route({
    right: 'calendar.read',
    method: 'GET',
    path: at,
    summary: 'List the calendars of a grant',
    description: 'Returns all calendars that the account can read, including shared ones.',
    audience: 'grant',
    query: CalendarListQuery,
    returns: Calendar,
    list: 'cursor',
  }),
  create: route({
    right: 'calendar.write',
    method: 'POST',
    path: at,
    summary: 'Create a calendar',
    description:
      'The first calendar of a virtual account is its primary calendar permanently. A virtual account has at most 10 calendars. Microsoft, Exchange and iCloud accept only the name.',
    audience: 'grant',
    query: z.object(selectParam),
    body: CalendarDraft,
    returns: Calendar,
  }),
  freeBusy: route({
    right: 'calendar.read',
    method: 'POST',
    path: `${at}/free-busy`,
    summary: 'Get free/busy times of people',
    description:
      'Returns one element per address, in the order of the request. An address that cannot be read has an error element; the status is still 200. Titles are not returned. An access token cannot read other virtual accounts.',
    audience: 'grant',
    body: FreeBusyQuery,
    returns: FreeBusy,
    list: 'whole',
  }),
  get: route({
    right: 'calendar.read',
    method: 'GET',
    path: `${at}/:calendar_id`,
    summary: 'Get one calendar',
    description:
      '`primary` refers to the main calendar; the response contains its real id. A new virtual account has no calendar.',
    audience: 'grant',
    query: z.object(selectParam),
    returns: Calendar,
    errors: ['not_found'],
  }),
  update: route({
    right: 'calendar.write',
    method: 'PUT',
    path: `${at}/:calendar_id`,
    summary: 'Change a calendar',
    description: 'Absent fields stay unchanged; `metadata` is replaced as a whole.',
    audience: 'grant',
    query: z.object(selectParam),
    body: CalendarChange,
    returns: Calendar,
    errors: ['not_found'],
  }),
  delete: route({
    right: 'calendar.write',
    method: 'DELETE',
    path: `${at}/:calendar_id`,
    summary: 'Delete a calendar and its events',
    description:
      "The primary calendar cannot be deleted. One `calendar.deleted` notification is sent, and none for its events. A shared calendar is only removed from the account's list.",
    audience: 'grant',
    query: z.object({
      notify_participants: notifyParam.notify_participants.meta({
        description:
          'Virtual calendars: whether guests of upcoming events get a cancellation; default `true`. For other providers, the provider decides.',
      }),
    }),
    errors: ['not_found', 'mail_quota_reached'],
  }),
}

export const virtualCalendars = {
  create: route({
    right: 'calendar.write',
    method: 'POST',
    path: '/v3/calendars',
    summary: 'Create a calendar of a virtual account',
    description:
      "Equivalent to creating it below the grant. Set `grant_id` in the body or query; with an access token, the token's grant is used.",
    audience: 'application',
    token: true,
    query: z.object({
      grant_id: textParam().meta({
        description: 'Id or identifier of the virtual account, unless it is in the body',
      }),
      ...selectParam,
    }),
    body: CalendarDraft.extend({
      grant_id: line(512).nullish().meta({
        description:
          'Id or identifier of the virtual account; not needed with an access token or if it is in the query',
      }),
    }).meta({
      id: 'VirtualCalendarDraft',
      description: 'A new calendar and its virtual account',
    }),
    returns: Calendar,
    errors: ['grant_not_found', 'grant_invalid', 'grant_access_denied', 'not_supported_by_provider'],
  }),
}
