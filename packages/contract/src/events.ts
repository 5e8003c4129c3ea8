import { z } from 'zod'
import { Event, EventChange, EventDraft, Rsvp, RsvpResult, SendIcsError } from './event-objects.ts'
import {
  booleanParam,
  checkAlone,
  checkMetadataAlone,
  choiceParam,
  cursorPaging,
  exportPaging,
  identifier,
  identifierParam,
  listParam,
  metadataPairParam,
  momentParam,
  notifyParam,
  selectParam,
  textParam,
} from './fields.ts'
import { route } from './route.ts'

const calendarId = {
  calendar_id: identifier().meta({
    description: 'Id of the calendar, or `primary` for the main one. iCloud has no main calendar',
  }),
}

/** Optional, because the event is identified by its id. */
const calendarOf = {
  calendar_id: identifierParam().meta({
    description: "Id of the event's calendar, or `primary`. If absent, all calendars are searched, which is slower",
  }),
}
const tentative = {
  tentative_as_busy: booleanParam().meta({
    description:
      '`false` returns tentative events with `busy: false`; default `true`. `google` and virtual calendars accept it without effect',
  }),
}
const window = {
  start: momentParam().meta({ description: 'Only events that end after this time, in Unix seconds. Default: now' }),
  end: momentParam().meta({
    description:
      'Only events that begin before this time, in Unix seconds. Default: one month from now, or one month after `start` if that is later',
  }),
}
const words = (field: string) =>
  textParam().meta({
    description: `Only events whose ${field} contains these words, ignoring case: \`march\` does not find "Marching"`,
  })

const ListFilters = {
  ...window,
  title: words('title'),
  description: words('description'),
  location: words('location'),
  busy: booleanParam().meta({
    description: 'Only busy events, or only those that are not. `icloud` refuses it',
  }),
  attendees: listParam().meta({
    description: 'Addresses that must all be invited, comma-separated or as repeated parameters',
  }),
  show_cancelled: booleanParam().meta({
    description: '`true` includes cancelled events while the provider retains them. Default: `false`',
  }),
  expand_recurring: booleanParam().meta({
    description:
      '`true`: every instance of a series; `false`: the series itself and changed instances. Default: `expand_recurring_default` of the application',
  }),
  ical_uid: textParam().meta({
    description:
      'Only events with this iCalendar UID, at any time. Cannot be combined with other filters. `icloud` refuses it',
  }),
  master_event_id: identifierParam().meta({
    description: 'Only instances of the series with this id. `icloud` refuses it',
  }),
  updated_after: momentParam().meta({
    description: 'Only events changed after this time (exclusive), in Unix seconds. `icloud` refuses it',
  }),
  updated_before: momentParam().meta({
    description: 'Only events changed before this time (exclusive), in Unix seconds. `icloud` refuses it',
  }),
  event_type: listParam().meta({
    description:
      '`google`: `default`, `outOfOffice`, `focusTime`, `workingLocation`, `fromGmail` or `birthday`, also several. Default: `default`, the only value for other providers',
  }),
  ...tentative,
  order_by: choiceParam(['start']).meta({ description: 'Lists are always ordered by start' }),
  metadata_pair: metadataPairParam().meta({
    description:
      'Only events whose metadata contains this pair, as `key1:value`, at any time. Several comma-separated pairs must all match. Only `key1` to `key5`. Cannot be combined with other filters',
  }),
}

export const EventListQuery = z
  .object({ ...calendarId, ...ListFilters, ...cursorPaging(), ...selectParam })
  .superRefine(checkAlone('ical_uid', ['calendar_id', 'order_by']))
  .superRefine(checkMetadataAlone('calendar_id', 'order_by'))
export type EventListQuery = z.output<typeof EventListQuery>

export const EventImportQuery = z.object({
  ...calendarId,
  ...window,
  ...cursorPaging(50, 500),
  ...selectParam,
})
export type EventImportQuery = z.output<typeof EventImportQuery>

export const EventExportFormats = ['ics', 'ndjson'] as const
export type EventExportFormat = (typeof EventExportFormats)[number]

export const EventExportQuery = z.object({
  format: choiceParam(EventExportFormats).meta({
    description: '`ics` (default): an iCalendar file with its time zones; `ndjson`: one event object per line',
  }),
  ...calendarId,
  start: momentParam().meta({
    description: 'Only events that end after this time, in Unix seconds. Default: two years ago',
  }),
  end: momentParam().meta({
    description: 'Only events that begin before this time, in Unix seconds. Default: two years from now',
  }),
  ...exportPaging(200, 500),
})
export type EventExportQuery = z.output<typeof EventExportQuery>

/** Preconditions of a change. If one does not hold, the request fails with `conflict`. */
export const EventPreconditions = z.object({
  'if-none-overlap': booleanParam().meta({
    description:
      '`true`: the event is written only if no other event of its calendar blocks any of its time; otherwise the request fails with 409 `conflict` and nothing changes. Of several concurrent requests for the same time, one succeeds. For single events and single instances on virtual calendars; other providers fail with `not_supported_by_provider`.',
  }),
})

const at = '/v3/grants/:grant_id/events'

export const events = {
  list: route({
    right: 'calendar.read',
    method: 'GET',
    path: at,
    summary: 'List the events of a calendar',
    description:
      'Returns events that overlap the window from `start` to `end`, ordered by start; default: one month from now. `ical_uid` and `metadata_pair` cannot be combined with other filters and have no window. Later pages use the window of the first.',
    audience: 'grant',
    query: EventListQuery,
    returns: Event,
    list: 'cursor',
    errors: ['not_found'],
  }),
  import: route({
    right: 'calendar.read',
    method: 'GET',
    path: `${at}/import`,
    summary: 'Read events in bulk',
    description:
      "For copying a calendar: returns single events, masters and changed instances. Series are not expanded, and a page has up to 500 events. The order is the provider's, and a page can be short although more follow.",
    audience: 'grant',
    query: EventImportQuery,
    returns: Event,
    list: 'cursor',
    errors: ['not_found'],
  }),
  export: route({
    right: 'calendar.read',
    method: 'GET',
    path: `${at}/export`,
    summary: 'Export a calendar as files',
    description:
      'Streams one page of single events, series and changed instances as a file. The response header `next-cursor` names the next page and is absent on the last. A changed instance can be on another page than its series. Events that iCalendar cannot express are left out, and the header `x-skipped` names them.',
    audience: 'grant',
    query: EventExportQuery,
    own: true,
    bytes: true,
    errors: ['not_found'],
  }),
  create: route({
    right: 'calendar.write',
    method: 'POST',
    path: at,
    summary: 'Create an event',
    description:
      'Creates an event, or a series with `recurrence`. Guests are invited unless `notify_participants=false`. With `If-None-Overlap: true`, a time of a virtual calendar can be booked only once. The response header `x-ignored-fields` names fields that the provider does not store.',
    audience: 'grant',
    query: z.object({ ...calendarId, ...notifyParam, ...tentative, ...selectParam }),
    headers: EventPreconditions,
    body: EventDraft,
    returns: Event,
    errors: ['not_found', 'conflict'],
  }),
  get: route({
    right: 'calendar.read',
    method: 'GET',
    path: `${at}/:event_id`,
    summary: 'Get one event',
    description:
      'Returns an event, a series, or one instance by its own id. `google` returns a deleted event with status `cancelled` for a while.',
    audience: 'grant',
    query: z.object({
      ...calendarOf,
      ...tentative,
      ...selectParam,
    }),
    returns: Event,
    errors: ['not_found'],
  }),
  update: route({
    right: 'calendar.write',
    method: 'PUT',
    path: `${at}/:event_id`,
    summary: 'Change an event, a series, or one instance',
    description:
      'The id of a series changes the whole series; the id of an instance changes only that one. Absent fields stay unchanged, objects and lists are replaced as a whole, null clears a field. A new `when` of a series also moves its rule, its end and its exceptions; if the new rule is ambiguous, `recurrence` must be sent too. The response header `x-dropped-occurrences` names changed occurrences that the series no longer has. For an event organized by somebody else, only `metadata` can be changed (for Google also reminders and color); respond to it with send-rsvp.',
    audience: 'grant',
    query: z.object({
      ...calendarOf,
      ...notifyParam,
      ...tentative,
      ...selectParam,
    }),
    headers: EventPreconditions,
    body: EventChange,
    returns: Event,
    errors: ['not_found', 'conflict'],
  }),
  delete: route({
    right: 'calendar.write',
    method: 'DELETE',
    path: `${at}/:event_id`,
    summary: 'Delete an event, a series, or one instance',
    description:
      'The id of a series deletes the whole series; the id of an instance deletes only that one. Guests are notified unless `notify_participants=false`.',
    audience: 'grant',
    query: z.object({ ...calendarOf, ...notifyParam }),
    errors: ['not_found'],
  }),
  rsvp: route({
    right: 'calendar.write',
    method: 'POST',
    path: `${at}/:event_id/send-rsvp`,
    summary: 'Respond to an invitation',
    description:
      "Stores the response in the account's calendar and notifies the organizer by mail. If the mail cannot be sent, `send_ics_error` says why; the response is stored anyway. The organizer of an event cannot respond to it, except with Google.",
    audience: 'grant',
    query: z.object({
      ...calendarOf,
      skip_email: booleanParam().meta({
        description: '`true` stores the response without a mail to the organizer. Default: `false`',
      }),
      skip_nylas_email: booleanParam().meta({ description: 'Alias of `skip_email`' }),
    }),
    body: Rsvp,
    returns: RsvpResult,
    beside: z.object({ send_ics_error: SendIcsError.optional() }),
    errors: ['not_found'],
  }),
}
