import { z } from 'zod'
import { Event, EventChange, EventDraft, Rsvp, RsvpResult, SendIcsError } from './event-objects.ts'
import {
  booleanParam,
  checkAlone,
  checkMetadataAlone,
  choiceParam,
  cursorPaging,
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
    description: 'Id of the calendar, or `primary` for the main one. iCloud has no main one',
  }),
}

/** Where it can be left out, because the event has an id. */
const calendarOf = {
  calendar_id: identifierParam().meta({
    description:
      'Id of the calendar that holds the event, or `primary`. All calendars are searched when it is absent, which costs more',
  }),
}
const tentative = {
  tentative_as_busy: booleanParam().meta({
    description:
      '`false` answers tentative events with `busy: false`; `true` when absent. `google` and virtual calendars take it without effect',
  }),
}
const window = {
  start: momentParam().meta({ description: 'Events that end after this time, in Unix seconds. Default: now' }),
  end: momentParam().meta({
    description:
      'Events that begin before this time, in Unix seconds. Default: one month from now, or one month after `start` where `start` is later than that',
  }),
}
const words = (field: string) =>
  textParam().meta({
    description: `Events whose ${field} has these words, in any case: \`march\` does not find "Marching"`,
  })

const ListFilters = {
  ...window,
  title: words('title'),
  description: words('description'),
  location: words('location'),
  busy: booleanParam().meta({
    description: 'Only events that take time, or only those that do not. `icloud` refuses it',
  }),
  attendees: listParam().meta({
    description: 'Addresses that must all be invited, with commas between them or as repeated names',
  }),
  show_cancelled: booleanParam().meta({
    description: '`true` shows cancelled events too, for as long as the provider keeps them. Default: `false`',
  }),
  expand_recurring: booleanParam().meta({
    description:
      '`true`: every instance of a series; `false`: the series itself, and instances that differ. Default: `expand_recurring_default` of the application',
  }),
  ical_uid: textParam().meta({
    description:
      'Events with this UID of iCalendar, at any time; no other filter stands beside it. `icloud` refuses it',
  }),
  master_event_id: identifierParam().meta({ description: 'Instances of the series with this id. `icloud` refuses it' }),
  updated_after: momentParam().meta({
    description:
      'Events that were changed after this time, in Unix seconds; the time itself is excluded. `icloud` refuses it',
  }),
  updated_before: momentParam().meta({
    description:
      'Events that were changed before this time, in Unix seconds; the time itself is excluded. `icloud` refuses it',
  }),
  event_type: listParam().meta({
    description:
      '`google`: `default`, `outOfOffice`, `focusTime`, `workingLocation`, `fromGmail` or `birthday`, also several. Default: `default`, which is the only one elsewhere',
  }),
  ...tentative,
  order_by: choiceParam(['start']).meta({ description: 'Lists are always ordered by start' }),
  metadata_pair: metadataPairParam().meta({
    description:
      'Events whose metadata has this pair, as `key1:value`, at any time; several pairs with commas between them must all hold. Only `key1` to `key5`; no other filter stands beside it',
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

/** What must hold for a change to be made: otherwise it is answered `conflict`. */
export const EventPreconditions = z.object({
  'if-none-overlap': booleanParam().meta({
    description:
      '`true`: the event is written only if no other event of its calendar blocks any of its time; otherwise the answer is 409 `conflict` and nothing is changed. Of several requests for one time, however close together, one succeeds. For events that do not repeat, and for single instances, on virtual calendars; other providers answer `not_supported_by_provider`.',
  }),
})

const at = '/v3/grants/:grant_id/events'

export const events = {
  list: route({
    method: 'GET',
    path: at,
    summary: 'List the events of a calendar',
    description:
      'Events that overlap the window from `start` to `end`, ordered by start; without these two from now for one month. `ical_uid` and `metadata_pair` stand alone: no other filter beside them, and no window. Later pages see the window of the first.',
    audience: 'grant',
    query: EventListQuery,
    returns: Event,
    list: 'cursor',
    errors: ['not_found'],
  }),
  import: route({
    method: 'GET',
    path: `${at}/import`,
    summary: 'Read events in bulk: single events, masters, and changed instances',
    description:
      'For copies of a calendar: series are not expanded, and a page has up to 500 events. The order is the provider’s, and a page may be short although more follow.',
    audience: 'grant',
    query: EventImportQuery,
    returns: Event,
    list: 'cursor',
    errors: ['not_found'],
  }),
  create: route({
    method: 'POST',
    path: at,
    summary: 'Create an event',
    description:
      'An event, or a series with `recurrence`. Guests are invited unless `notify_participants=false`. With `If-None-Overlap: true` a time of a virtual calendar is booked once. Fields that the provider does not keep are named in the response header `x-ignored-fields`.',
    audience: 'grant',
    query: z.object({ ...calendarId, ...notifyParam, ...tentative, ...selectParam }),
    headers: EventPreconditions,
    body: EventDraft,
    returns: Event,
    errors: ['not_found', 'conflict'],
  }),
  get: route({
    method: 'GET',
    path: `${at}/:event_id`,
    summary: 'Get one event',
    description:
      'An event, a series, or one instance of a series by its own id. `google` answers a deleted event with the status `cancelled` for a while.',
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
    method: 'PUT',
    path: `${at}/:event_id`,
    summary: 'Change an event, a series, or one instance',
    description:
      'The id of a series changes all of it, the id of an instance that one alone. What is left out stays, objects and lists are replaced whole, null clears. A new `when` of a series moves its rule, its end and its exceptions along; where the new rule is not certain, `recurrence` must be sent too. Changed occurrences that the series does not have any more are named in the response header `x-dropped-occurrences`. Of an event that somebody else organizes only `metadata` can be changed (at Google reminders and colour too): answer it with send-rsvp.',
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
    method: 'DELETE',
    path: `${at}/:event_id`,
    summary: 'Delete an event, a series, or one instance',
    description:
      'The id of a series deletes all of it, the id of an instance takes that one out of it. Guests are told unless `notify_participants=false`.',
    audience: 'grant',
    query: z.object({ ...calendarOf, ...notifyParam }),
    errors: ['not_found'],
  }),
  rsvp: route({
    method: 'POST',
    path: `${at}/:event_id/send-rsvp`,
    summary: 'Answer an invitation',
    description:
      'Sets the answer of the account in its calendar, and tells the organizer by mail. Where the mail does not leave, `send_ics_error` says why, and the answer stands all the same. The organizer of an event does not answer it, but at Google.',
    audience: 'grant',
    query: z.object({
      ...calendarOf,
      skip_email: booleanParam().meta({
        description: '`true` changes the answer in the calendar without a mail to the organizer. Default: `false`',
      }),
      skip_nylas_email: booleanParam().meta({ description: 'The same as `skip_email`, by its other name' }),
    }),
    body: Rsvp,
    returns: RsvpResult,
    beside: z.object({ send_ics_error: SendIcsError.optional() }),
    errors: ['not_found'],
  }),
}
