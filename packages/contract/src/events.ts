import { z } from 'zod'
import { TimeZone } from './calendars.ts'
import {
  booleanParam,
  checkAlone,
  checkMetadataAlone,
  choiceParam,
  cursorPaging,
  firstSecond,
  Id,
  identifier,
  identifierParam,
  inSeconds,
  lastSecond,
  line,
  listParam,
  Metadata,
  metadataPairParam,
  momentParam,
  notifyParam,
  selectParam,
  Timestamp,
  textParam,
} from './fields.ts'
import { route } from './route.ts'

const UnixTime = z.int().min(firstSecond).max(lastSecond, { error: inSeconds })
const DateText = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a date such as 2026-11-15' })

const shape = <S extends string>(name: S) => z.literal(name)

/** The four forms of a time. */
export const When = z
  .union([
    z.object({ object: shape('time'), time: UnixTime, timezone: TimeZone.nullable() }),
    z.object({
      object: shape('timespan'),
      start_time: UnixTime,
      end_time: UnixTime,
      start_timezone: TimeZone.nullable(),
      end_timezone: TimeZone.nullable(),
    }),
    z.object({ object: shape('date'), date: DateText }),
    z.object({ object: shape('datespan'), start_date: DateText, end_date: DateText }),
  ])
  .meta({ id: 'When', description: 'A point in time, a span, a day, or days (the last one included)' })
export type When = z.output<typeof When>

/** What a client may write: `object` is not needed; the server makes one of the four forms of it. */
export const WhenInput = z
  .object({
    object: z.enum(['time', 'timespan', 'date', 'datespan']).nullish(),
    time: UnixTime.nullish(),
    timezone: TimeZone.nullish(),
    start_time: UnixTime.nullish(),
    end_time: UnixTime.nullish(),
    start_timezone: TimeZone.nullish(),
    end_timezone: TimeZone.nullish(),
    date: DateText.nullish(),
    start_date: DateText.nullish(),
    end_date: DateText.nullish(),
  })
  .meta({
    id: 'WhenInput',
    description: 'Exactly one of: time; start_time and end_time; date; start_date and end_date',
  })
export type WhenInput = z.output<typeof WhenInput>

export const ParticipantStatus = z.enum(['yes', 'no', 'maybe', 'noreply']).meta({ id: 'ParticipantStatus' })
export type ParticipantStatus = z.output<typeof ParticipantStatus>

export const Participant = z
  .object({
    email: z.string().optional(),
    name: z.string().nullable(),
    comment: z.string().nullable(),
    phone_number: z.string().nullable(),
    status: ParticipantStatus,
  })
  .meta({ id: 'Participant' })
export type Participant = z.output<typeof Participant>

const EmailText = line(320).refine((text) => text.trim() !== '', { error: 'must not be empty' })
export const ParticipantInput = z
  .object({
    email: EmailText,
    name: line(320).nullish(),
    comment: z.string().max(1024).nullish(),
    phone_number: line(64).nullish(),
    status: ParticipantStatus.nullish(),
  })
  .meta({ id: 'ParticipantInput' })
export type ParticipantInput = z.output<typeof ParticipantInput>

export const Resource = z
  .object({
    email: EmailText,
    name: line(320).nullish(),
    capacity: z.int().nullish(),
    building: z.string().nullish(),
    floor_name: z.string().nullish(),
    floor_section: z.string().nullish(),
    floor_number: z.int().nullish(),
  })
  .meta({ id: 'Resource', description: 'A room or equipment that is invited' })
export type Resource = z.output<typeof Resource>

export const Reminders = z
  .object({
    use_default: z.boolean(),
    overrides: z.array(
      z.object({ reminder_minutes: z.int(), reminder_method: z.enum(['popup', 'email', 'display', 'sound']) }),
    ),
  })
  .meta({ id: 'Reminders' })
export type Reminders = z.output<typeof Reminders>

export const RemindersInput = z
  .object({
    use_default: z.boolean().nullish(),
    overrides: z
      .array(
        z.object({
          reminder_minutes: z.int().min(0).max(40_320),
          reminder_method: z.enum(['popup', 'email', 'display', 'sound']).nullish(),
        }),
      )
      .max(20)
      .nullish(),
  })
  .meta({ id: 'RemindersInput' })
export type RemindersInput = z.output<typeof RemindersInput>

export const Conferencing = z
  .object({
    provider: line(64).optional(),
    details: z
      .looseObject({
        url: z.string().max(2048).optional(),
        meeting_code: line(256).nullish(),
        password: line(256).nullish(),
        pin: line(64).nullish(),
        phone: z.array(line(64)).max(10).nullish(),
      })
      .optional(),
    autocreate: z.looseObject({}).optional(),
  })
  .meta({ id: 'Conferencing' })
export type Conferencing = z.output<typeof Conferencing>

const Person = z.object({ name: z.string().nullable(), email: z.string() })
const Visibility = z.enum(['default', 'public', 'private'])
const Recurrence = z.array(z.string().min(1).max(100_000)).max(500)

export const Event = z
  .object({
    id: z.string(),
    object: z.literal('event'),
    grant_id: Id,
    calendar_id: z.string(),
    title: z.string().nullable(),
    description: z.string().nullable(),
    location: z.string().nullable(),
    when: When,
    busy: z.boolean(),
    status: z.enum(['confirmed', 'cancelled', 'maybe']),
    visibility: Visibility.optional().meta({ description: 'Absent where it was not set' }),
    hide_participants: z.boolean(),
    participants: z.array(Participant),
    resources: z.array(Resource),
    organizer: Person.nullable(),
    creator: Person.nullable().optional(),
    recurrence: Recurrence.optional().meta({ description: 'RRULE and EXDATE lines, on the master of a series' }),
    master_event_id: z.string().nullable().optional(),
    original_start_time: z.int().optional(),
    ical_uid: z.string().nullable(),
    sequence: z.int().optional(),
    reminders: Reminders.nullable().optional(),
    conferencing: Conferencing.optional(),
    capacity: z.int().nullable().optional(),
    color_id: z.string().nullable().optional(),
    html_link: z.string().optional(),
    read_only: z.boolean(),
    metadata: Metadata,
    created_at: Timestamp.nullable(),
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: 'Event' })
export type Event = z.output<typeof Event>

export const EventDraft = z
  .object({
    title: z.string().max(1024).nullish(),
    description: z.string().max(65_535).nullish(),
    location: z.string().max(255).nullish(),
    when: WhenInput,
    busy: z.boolean().nullish(),
    visibility: Visibility.nullish(),
    hide_participants: z.boolean().nullish(),
    participants: z.array(ParticipantInput).max(500).nullish(),
    resources: z.array(Resource).max(100).nullish(),
    recurrence: Recurrence.nullish(),
    reminders: RemindersInput.nullish(),
    conferencing: Conferencing.nullish(),
    capacity: z.int().min(1).max(100_000).nullish(),
    color_id: line(16).nullish(),
    metadata: Metadata.nullish(),
    calendar_id: line(1024).nullish().meta({ description: 'Tolerated; the query decides' }),
    status: z.string().max(32).nullish().meta({ description: 'Tolerated; not writable' }),
  })
  .meta({ id: 'EventDraft' })
export type EventDraft = z.output<typeof EventDraft>

export const EventChange = EventDraft.partial({ when: true }).meta({ id: 'EventChange' })
export type EventChange = z.output<typeof EventChange>

const calendarId = { calendar_id: identifier().meta({ description: 'Calendar id, or `primary`' }) }

const ListFilters = {
  start: momentParam().meta({ description: 'Unix time; events that end after it. Default: now' }),
  end: momentParam().meta({ description: 'Unix time; events that start before it. Default: one month from now' }),
  title: textParam(),
  description: textParam(),
  location: textParam(),
  busy: booleanParam(),
  attendees: listParam().meta({ description: 'Addresses that must all be invited, on every provider with events' }),
  show_cancelled: booleanParam(),
  expand_recurring: booleanParam().meta({
    description:
      'true: instances; false: masters and changed instances. Default: `expand_recurring_default` of the application',
  }),
  ical_uid: textParam(),
  master_event_id: identifierParam(),
  updated_after: momentParam(),
  updated_before: momentParam(),
  event_type: listParam(),
  tentative_as_busy: booleanParam(),
  order_by: choiceParam(['start']),
  metadata_pair: metadataPairParam(),
}

export const EventListQuery = z
  .object({ ...calendarId, ...ListFilters, ...cursorPaging(), ...selectParam })
  .superRefine(checkAlone('ical_uid', ['calendar_id', 'order_by']))
  .superRefine(checkMetadataAlone('calendar_id', 'order_by'))
export type EventListQuery = z.output<typeof EventListQuery>

export const EventImportQuery = z.object({
  ...calendarId,
  start: momentParam(),
  end: momentParam(),
  ...cursorPaging(50, 500),
  ...selectParam,
})
export type EventImportQuery = z.output<typeof EventImportQuery>

export const Rsvp = z
  .object({
    status: z.enum(['yes', 'no', 'maybe']),
    comment: z.string().max(1024).nullish(),
    calendar_id: line(1024).nullish().meta({ description: 'Tolerated; the query decides' }),
  })
  .meta({ id: 'Rsvp' })
export type Rsvp = z.output<typeof Rsvp>

const SendIcsError = z
  .object({ type: z.string(), message: z.string() })
  .meta({ description: 'Why the mail to the organizer did not leave; the answer stands in the calendar' })

export const RsvpResult = z
  .object({
    send_ics_error: SendIcsError.optional(),
    mail: z.string().optional().meta({ description: 'Whether a mail went to the organizer, and why not' }),
  })
  .meta({ id: 'RsvpResult' })
export type RsvpResult = z.output<typeof RsvpResult>

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
      'Ordered by start. Without `start` and `end`: from now for one month. `ical_uid` and `metadata_pair` stand alone: no other filter beside them, and no window.',
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
    audience: 'grant',
    query: z.object({ ...calendarId, ...notifyParam, tentative_as_busy: booleanParam(), ...selectParam }),
    headers: EventPreconditions,
    body: EventDraft,
    returns: Event,
    errors: ['not_found', 'conflict'],
  }),
  get: route({
    method: 'GET',
    path: `${at}/:event_id`,
    summary: 'Get one event',
    audience: 'grant',
    query: z.object({
      calendar_id: identifierParam().meta({
        description: 'Calendar id, or `primary`; searched in all calendars when absent',
      }),
      tentative_as_busy: booleanParam(),
      ...selectParam,
    }),
    returns: Event,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PUT',
    path: `${at}/:event_id`,
    summary: 'Change an event, a series, or one instance',
    description: 'Of an event that somebody else organizes, only `metadata` can be changed; answer it with send-rsvp.',
    audience: 'grant',
    query: z.object({
      calendar_id: identifierParam(),
      ...notifyParam,
      tentative_as_busy: booleanParam(),
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
    audience: 'grant',
    query: z.object({ calendar_id: identifierParam(), ...notifyParam }),
    errors: ['not_found'],
  }),
  rsvp: route({
    method: 'POST',
    path: `${at}/:event_id/send-rsvp`,
    summary: 'Answer an invitation',
    audience: 'grant',
    query: z.object({
      calendar_id: identifierParam(),
      skip_email: booleanParam().meta({ description: 'true: change the answer without mail to the organizer' }),
      skip_nylas_email: booleanParam().meta({ description: 'The same as skip_email' }),
    }),
    body: Rsvp,
    returns: RsvpResult,
    beside: z.object({ send_ics_error: SendIcsError.optional() }),
    errors: ['not_found'],
  }),
}
