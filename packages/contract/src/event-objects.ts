/** Events in responses and requests. */
import { z } from 'zod'
import {
  Conferencing,
  Participant,
  ParticipantInput,
  Reminders,
  RemindersInput,
  Resource,
  When,
  WhenInput,
} from './event-parts.ts'
import { GrantId, line, Metadata, Timestamp } from './fields.ts'

const Person = z.object({
  name: z.string().nullable().meta({ description: 'Name; null if unknown' }),
  email: z.string().meta({ description: 'Address; for a virtual account its identifier' }),
})
const Visibility = z.enum(['default', 'public', 'private'])
const Recurrence = z.array(z.string().min(1).max(100_000)).max(500)

export const Event = z
  .object({
    id: z.string().meta({
      description:
        'Id of the event. The id of an instance consists of the id of its series and its original start; it does not change when the instance is moved',
    }),
    object: z.literal('event').meta({ description: 'Object type: always `event`' }),
    grant_id: GrantId,
    calendar_id: z.string().meta({ description: 'Id of its calendar; never the word `primary`' }),
    title: z.string().nullable().meta({ description: 'Title; null if it has none' }),
    description: z.string().nullable().meta({ description: 'Description; can be HTML' }),
    text_description: z.string().nullable().meta({
      description:
        'The first 65,536 characters of `description` as plain text: without tags, links with their address. Null without a description. Read-only',
    }),
    location: z.string().nullable().meta({ description: 'Location as free text' }),
    when: When,
    busy: z.boolean().meta({ description: 'Whether it counts as busy in free/busy and availability' }),
    status: z.enum(['confirmed', 'cancelled', 'maybe']).meta({
      description: '`maybe` is a tentative event; `cancelled` is only returned on request',
    }),
    visibility: Visibility.optional().meta({
      description: 'Visibility in a shared calendar: `default` follows the calendar. Absent if not set',
    }),
    hide_participants: z.boolean().meta({ description: 'Whether guests cannot see each other' }),
    participants: z.array(Participant).meta({
      description: "Guests without the organizer. For an invitation, the account's own address is included. Never null",
    }),
    resources: z.array(Resource).meta({ description: 'Invited rooms and equipment. Never null' }),
    organizer: Person.nullable().meta({ description: 'Organizer; null if the provider does not report it' }),
    creator: Person.nullable().optional().meta({ description: '`google`: creator of the event, if known' }),
    recurrence: Recurrence.optional().meta({
      description: 'RRULE, EXDATE and RDATE lines (RFC 5545), only on the master of a series',
    }),
    master_event_id: z.string().nullable().optional().meta({ description: 'On an instance: id of its series' }),
    original_start_time: z.int().optional().meta({
      description:
        'On an instance: its original start according to the rule, in Unix seconds. Not for virtual calendars',
    }),
    ical_uid: z.string().nullable().meta({
      description: 'iCalendar UID: equal for a series, its instances and the copies of all guests',
    }),
    sequence: z.int().optional().meta({
      description: 'iCalendar SEQUENCE: increases when time, rule, location or status change',
    }),
    reminders: Reminders.nullable().optional().meta({ description: 'Reminders of the user; null if unknown' }),
    conferencing: Conferencing.optional().meta({ description: 'Conference details; absent if there is no conference' }),
    capacity: z.int().nullable().optional().meta({ description: 'Maximum number of guests, as set by the creator' }),
    color_id: z
      .string()
      .nullable()
      .optional()
      .meta({ description: '`google`: `1` to `11`; null is the default color' }),
    html_link: z.string().optional().meta({
      description: "`google` and `microsoft`: URL of the event on the provider's web site",
    }),
    read_only: z.boolean().meta({ description: 'Whether it cannot be changed, as in a calendar shared for reading' }),
    metadata: Metadata.meta({
      description: 'Your own key-value pairs. Instances inherit those of their series unless they have their own',
    }),
    created_at: Timestamp.nullable().meta({ description: 'Creation time in Unix seconds' }),
    updated_at: Timestamp.nullable().meta({ description: 'Time of the last change in Unix seconds' }),
  })
  .meta({ id: 'Event', description: 'An event, a series of events (with `recurrence`), or one instance of a series' })
export type ShownEvent = z.output<typeof Event>
/** An event as providers and the store have it. Its plain text is derived from its description for each answer. */
export type Event = Omit<ShownEvent, 'text_description'>

export const EventDraft = z
  .object({
    title: z.string().max(1024).nullish().meta({ description: 'Title' }),
    description: z.string().max(65_535).nullish().meta({
      description: 'Description; can be HTML. `google` accepts 8,192 characters',
    }),
    location: z.string().max(255).nullish().meta({ description: 'Location as free text' }),
    when: WhenInput,
    busy: z.boolean().nullish().meta({
      description: 'Whether it counts as busy in free/busy and availability; default `true`',
    }),
    visibility: Visibility.nullish().meta({
      description: 'Visibility in a shared calendar. `default` is for `google` only; `icloud` accepts none',
    }),
    hide_participants: z.boolean().nullish().meta({
      description: '`true`: guests cannot see each other. `ews` and `icloud` refuse it. Default: `false`',
    }),
    participants: z.array(ParticipantInput).max(500).nullish().meta({
      description:
        'Guests to invite. The account itself is the organizer and is not listed. In a change, the list replaces the old one: missing guests are uninvited',
    }),
    resources: z.array(Resource).max(100).nullish().meta({ description: 'Rooms and equipment to invite' }),
    recurrence: Recurrence.nullish().meta({
      description:
        'Makes it a series: one RRULE line, and EXDATE and RDATE lines (RFC 5545), such as `RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=10`. The start must match the rule. In a change, `[]` turns a series into a single event; without EXDATE lines deleted occurrences stay deleted, with EXDATE lines the previous ones are replaced',
    }),
    reminders: RemindersInput.nullish().meta({
      description: 'Reminders of the user; default: those of the calendar. Virtual calendars send no reminders',
    }),
    conferencing: Conferencing.nullish().meta({
      description: 'Conference: either `details` of an existing one, or `autocreate`. In a change, `{}` removes it',
    }),
    capacity: z.int().min(1).max(100_000).nullish().meta({
      description: 'Maximum number of guests. Stored with the event, but not enforced',
    }),
    color_id: line(16)
      .nullish()
      .meta({ description: '`google`: `1` to `11`; null is the default color. Other providers have none' }),
    metadata: Metadata.nullish().meta({
      description:
        'Your own key-value pairs, which replace all existing ones; `{}` and null remove them. `key5` marks the event for the round-robin order of availability',
    }),
    calendar_id: line(1024).nullish().meta({ description: 'Accepted without effect: set the calendar in the query' }),
    status: z.string().max(32).nullish().meta({ description: 'Accepted without effect: delete an event to cancel it' }),
  })
  .meta({ id: 'EventDraft', description: 'A new event; only `when` is required' })
export type EventDraft = z.output<typeof EventDraft>

export const EventChange = EventDraft.partial({ when: true }).meta({
  id: 'EventChange',
  description:
    'Changes to an event. Absent fields stay unchanged, objects and lists are replaced as a whole, null clears a field',
})
export type EventChange = z.output<typeof EventChange>

export const Rsvp = z
  .object({
    status: z.enum(['yes', 'no', 'maybe']).meta({ description: 'The response' }),
    comment: z.string().max(1024).nullish().meta({ description: 'Note to the organizer' }),
    calendar_id: line(1024).nullish().meta({ description: 'Accepted without effect: set the calendar in the query' }),
  })
  .meta({ id: 'Rsvp', description: "The account's response to an invitation" })
export type Rsvp = z.output<typeof Rsvp>

export const SendIcsError = z
  .object({
    type: z.string().meta({ description: 'Error type, as in error responses' }),
    message: z.string().meta({ description: 'Error message' }),
  })
  .meta({ description: 'Why the mail to the organizer was not sent; the response is stored in the calendar anyway' })

export const RsvpResult = z
  .object({
    send_ics_error: SendIcsError.optional(),
    mail: z.string().optional().meta({ description: 'Whether a mail was sent to the organizer, and if not, why' }),
  })
  .meta({ id: 'RsvpResult', description: 'Result of a response to an invitation' })
export type RsvpResult = z.output<typeof RsvpResult>
