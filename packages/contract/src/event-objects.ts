/** An event as it is answered and as it is written. */
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
  name: z.string().nullable().meta({ description: 'Name, or null where it is not known' }),
  email: z.string().meta({ description: 'Address; of a virtual account its identifier' }),
})
const Visibility = z.enum(['default', 'public', 'private'])
const Recurrence = z.array(z.string().min(1).max(100_000)).max(500)

export const Event = z
  .object({
    id: z.string().meta({
      description:
        'Id of the event. An instance of a series has the id of the series with its original start behind it, and keeps it when it is moved',
    }),
    object: z.literal('event').meta({ description: 'What the object is: always `event`' }),
    grant_id: GrantId,
    calendar_id: z.string().meta({ description: 'Id of the calendar that holds it; never the word `primary`' }),
    title: z.string().nullable().meta({ description: 'What it is called; null where it has no title' }),
    description: z.string().nullable().meta({ description: 'What it is about; may be HTML' }),
    location: z.string().nullable().meta({ description: 'Where it is, in free words' }),
    when: When,
    busy: z
      .boolean()
      .meta({ description: 'Whether it takes the time of the user: counts in free/busy and availability' }),
    status: z.enum(['confirmed', 'cancelled', 'maybe']).meta({
      description: '`maybe` is a tentative event; `cancelled` is only shown where it is asked for',
    }),
    visibility: Visibility.optional().meta({
      description: 'Who may see it in a shared calendar: `default` is as the calendar is. Absent where it was not set',
    }),
    hide_participants: z.boolean().meta({ description: 'Whether guests are kept from seeing each other' }),
    participants: z.array(Participant).meta({
      description: 'Guests, without the organizer; who is invited finds the own address here. Never null',
    }),
    resources: z.array(Resource).meta({ description: 'Rooms and equipment that are invited. Never null' }),
    organizer: Person.nullable().meta({ description: 'Whose event it is; null where the provider does not say it' }),
    creator: Person.nullable().optional().meta({ description: '`google`: who made it, where that is told' }),
    recurrence: Recurrence.optional().meta({
      description: 'RRULE, EXDATE and RDATE lines (RFC 5545), on the master of a series alone',
    }),
    master_event_id: z.string().nullable().optional().meta({ description: 'On an instance: id of its series' }),
    original_start_time: z.int().optional().meta({
      description: 'On an instance: when the rule has it begin, in Unix seconds. Not with virtual calendars',
    }),
    ical_uid: z.string().nullable().meta({
      description: 'UID of iCalendar: the same for a series, its instances and the copies of all guests',
    }),
    sequence: z.int().optional().meta({
      description: 'SEQUENCE of iCalendar: grows when time, rule, place or status change',
    }),
    reminders: Reminders.nullable()
      .optional()
      .meta({ description: 'How the user is reminded; null where it is not told' }),
    conferencing: Conferencing.optional().meta({ description: 'Where to join; left out where there is no conference' }),
    capacity: z.int().nullable().optional().meta({ description: 'How many guests may come, as whoever wrote it said' }),
    color_id: z.string().nullable().optional().meta({ description: '`google`: `1` to `11`; null is the usual colour' }),
    html_link: z.string().optional().meta({
      description: '`google` and `microsoft`: address of the event on their own pages',
    }),
    read_only: z
      .boolean()
      .meta({ description: 'Whether it cannot be changed, as in a calendar that is only shared for reading' }),
    metadata: Metadata.meta({
      description: 'Your own pairs of texts. Instances have those of their series, unless they were given their own',
    }),
    created_at: Timestamp.nullable().meta({ description: 'When it was made, in Unix seconds' }),
    updated_at: Timestamp.nullable().meta({ description: 'When it was last changed, in Unix seconds' }),
  })
  .meta({ id: 'Event', description: 'An event, a series of events (with `recurrence`), or one instance of a series' })
export type Event = z.output<typeof Event>

export const EventDraft = z
  .object({
    title: z.string().max(1024).nullish().meta({ description: 'What it is called' }),
    description: z.string().max(65_535).nullish().meta({
      description: 'What it is about; may be HTML. `google` takes 8,192 characters',
    }),
    location: z.string().max(255).nullish().meta({ description: 'Where it is, in free words' }),
    when: WhenInput,
    busy: z.boolean().nullish().meta({
      description:
        'Whether it takes the time of the user: `true` when absent. What is not busy is not seen by free/busy and availability',
    }),
    visibility: Visibility.nullish().meta({
      description: 'Who may see it in a shared calendar. `default` is for `google` alone; `icloud` takes none',
    }),
    hide_participants: z.boolean().nullish().meta({
      description: '`true`: guests do not see each other. `ews` and `icloud` refuse it. Default: `false`',
    }),
    participants: z.array(ParticipantInput).max(500).nullish().meta({
      description:
        'Guests to invite; the account itself is the organizer and is not listed. On a change the whole list: who is missing is uninvited',
    }),
    resources: z.array(Resource).max(100).nullish().meta({ description: 'Rooms and equipment to invite' }),
    recurrence: Recurrence.nullish().meta({
      description:
        'Makes a series: one RRULE line, and EXDATE and RDATE lines (RFC 5545), such as `RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=10`. The start must fall on the rule. On a change, `[]` makes a single event of a series; lines without EXDATE leave deleted occurrences deleted, EXDATE lines replace the earlier ones',
    }),
    reminders: RemindersInput.nullish().meta({
      description: 'How the user is to be reminded: as usual when absent. Virtual calendars remind nobody',
    }),
    conferencing: Conferencing.nullish().meta({
      description:
        'Where to join: either `details` of a conference that there is, or `autocreate`. On a change, `{}` takes it away',
    }),
    capacity: z.int().min(1).max(100_000).nullish().meta({
      description: 'How many guests may come. It is kept with the event; nobody is refused by it',
    }),
    color_id: line(16)
      .nullish()
      .meta({ description: '`google`: `1` to `11`; null is the usual colour. Others have none' }),
    metadata: Metadata.nullish().meta({
      description:
        'Your own pairs of texts, which replace all that there are; `{}` and null clear them. `key5` marks the event for the turn of availability',
    }),
    calendar_id: line(1024).nullish().meta({ description: 'Taken without effect: the query names the calendar' }),
    status: z.string().max(32).nullish().meta({ description: 'Taken without effect: delete an event to cancel it' }),
  })
  .meta({ id: 'EventDraft', description: 'An event to be made; `when` alone is needed' })
export type EventDraft = z.output<typeof EventDraft>

export const EventChange = EventDraft.partial({ when: true }).meta({
  id: 'EventChange',
  description:
    'What is to be another about an event: what is left out stays, objects and lists are replaced whole, null clears',
})
export type EventChange = z.output<typeof EventChange>

export const Rsvp = z
  .object({
    status: z.enum(['yes', 'no', 'maybe']).meta({ description: 'The answer' }),
    comment: z.string().max(1024).nullish().meta({ description: 'Words for the organizer' }),
    calendar_id: line(1024).nullish().meta({ description: 'Taken without effect: the query names the calendar' }),
  })
  .meta({ id: 'Rsvp', description: 'Whether the account will come' })
export type Rsvp = z.output<typeof Rsvp>

export const SendIcsError = z
  .object({
    type: z.string().meta({ description: 'Type of the error, as in error answers' }),
    message: z.string().meta({ description: 'Why, in words' }),
  })
  .meta({ description: 'Why the mail to the organizer did not leave; the answer stands in the calendar' })

export const RsvpResult = z
  .object({
    send_ics_error: SendIcsError.optional(),
    mail: z.string().optional().meta({ description: 'Whether a mail went to the organizer, and why not' }),
  })
  .meta({ id: 'RsvpResult', description: 'What became of an answer' })
export type RsvpResult = z.output<typeof RsvpResult>
