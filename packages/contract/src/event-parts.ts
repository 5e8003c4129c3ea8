/** Parts of an event: time, guests, rooms, reminders and conference. */
import { z } from 'zod'
import { TimeZone } from './calendars.ts'
import { firstSecond, inSeconds, lastSecond, line } from './fields.ts'

const UnixTime = z.int().min(firstSecond).max(lastSecond, { error: inSeconds })
const DateText = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a date such as 2026-11-15' })

const shape = <S extends string>(name: S, means: string) => z.literal(name).meta({ description: means })
const zone = (of: string) =>
  TimeZone.nullable().meta({ description: `IANA time zone of ${of}; null if the event has none` })

/** The four forms of a time. */
export const When = z
  .union([
    z
      .object({
        object: shape('time', 'Object type: a point in time'),
        time: UnixTime.meta({ description: 'Time in Unix seconds' }),
        timezone: zone('the time'),
      })
      .meta({ description: 'A point in time' }),
    z
      .object({
        object: shape('timespan', 'Object type: a time span'),
        start_time: UnixTime.meta({ description: 'Start in Unix seconds' }),
        end_time: UnixTime.meta({ description: 'End in Unix seconds' }),
        start_timezone: zone('the start, in which a series repeats'),
        end_timezone: zone('the end'),
      })
      .meta({ description: 'A time span' }),
    z
      .object({
        object: shape('date', 'Object type: one day'),
        date: DateText.meta({ description: 'The day, as `YYYY-MM-DD`, in the time zone of the calendar' }),
      })
      .meta({ description: 'One day' }),
    z
      .object({
        object: shape('datespan', 'Object type: several days'),
        start_date: DateText.meta({ description: 'First day, as `YYYY-MM-DD`' }),
        end_date: DateText.meta({ description: 'Last day, as `YYYY-MM-DD`, inclusive' }),
      })
      .meta({ description: 'Several days' }),
  ])
  .meta({ id: 'When', description: 'A point in time, a time span, a day, or several days (including the last one)' })
export type When = z.output<typeof When>

/** The time in requests: `object` is optional; the server determines the form from the other fields. */
export const WhenInput = z
  .object({
    object: z.enum(['time', 'timespan', 'date', 'datespan']).nullish().meta({
      description: 'Name of the form. Optional; it must agree with the other fields',
    }),
    time: UnixTime.nullish().meta({
      description: 'A point in time in Unix seconds; `google` and Exchange convert it to a span of zero length',
    }),
    timezone: TimeZone.nullish().meta({ description: 'IANA time zone of `time`' }),
    start_time: UnixTime.nullish().meta({ description: 'Start in Unix seconds' }),
    end_time: UnixTime.nullish().meta({ description: 'End in Unix seconds; after the start' }),
    start_timezone: TimeZone.nullish().meta({
      description:
        'IANA time zone of the start, together with `end_timezone`. A series repeats in it, or in UTC if absent',
    }),
    end_timezone: TimeZone.nullish().meta({ description: 'IANA time zone of the end, together with `start_timezone`' }),
    date: DateText.nullish().meta({ description: 'One day, as `YYYY-MM-DD`' }),
    start_date: DateText.nullish().meta({ description: 'First of several days' }),
    end_date: DateText.nullish().meta({ description: 'Last of several days, inclusive' }),
  })
  .meta({
    id: 'WhenInput',
    description:
      'Exactly one of: `time`; `start_time` and `end_time`; `date`; `start_date` and `end_date`. Times are in seconds, not in milliseconds',
  })
export type WhenInput = z.output<typeof WhenInput>

export const ParticipantStatus = z.enum(['yes', 'no', 'maybe', 'noreply']).meta({
  id: 'ParticipantStatus',
  description: 'Response of a guest; `noreply` until there is one',
})
export type ParticipantStatus = z.output<typeof ParticipantStatus>

export const Participant = z
  .object({
    email: z.string().optional().meta({ description: 'Address of the guest; Exchange can have guests without one' }),
    name: z.string().nullable().meta({ description: 'Name of the guest; null if unknown' }),
    comment: z.string().nullable().meta({ description: 'Note of the guest with the response, or null' }),
    phone_number: z.string().nullable().meta({ description: 'Phone number of the guest, or null' }),
    status: ParticipantStatus,
  })
  .meta({ id: 'Participant', description: 'A guest of an event and their response' })
export type Participant = z.output<typeof Participant>

const EmailText = line(320).refine((text) => text.trim() !== '', { error: 'must not be empty' })
export const ParticipantInput = z
  .object({
    email: EmailText.meta({ description: 'Address to invite; duplicates count once' }),
    name: line(320).nullish().meta({ description: 'Display name' }),
    comment: z.string().max(1024).nullish().meta({ description: 'A remark. `microsoft` and `ews` do not store it' }),
    phone_number: line(64).nullish().meta({
      description: 'Phone number. `google`, `microsoft` and `ews` do not store it',
    }),
    status: ParticipantStatus.nullish().meta({
      description: 'Accepted without effect: guests start with `noreply` and respond themselves',
    }),
  })
  .meta({ id: 'ParticipantInput', description: 'A guest to invite' })
export type ParticipantInput = z.output<typeof ParticipantInput>

const kept = 'Stored by virtual calendars; other providers take it from their directory'
export const Resource = z
  .object({
    email: EmailText.meta({ description: 'Address of the room, as returned by `GET …/resources`' }),
    name: line(320).nullish().meta({ description: 'Name of the room' }),
    capacity: z
      .int()
      .nullish()
      .meta({ description: `Capacity in people. ${kept}` }),
    building: z
      .string()
      .nullish()
      .meta({ description: `Building. ${kept}` }),
    floor_name: z
      .string()
      .nullish()
      .meta({ description: `Name of the floor. ${kept}` }),
    floor_section: z
      .string()
      .nullish()
      .meta({ description: `Section of the floor. ${kept}` }),
    floor_number: z
      .int()
      .nullish()
      .meta({ description: `Number of the floor. ${kept}` }),
  })
  .meta({ id: 'Resource', description: 'An invited room or equipment' })
export type Resource = z.output<typeof Resource>

const ReminderMethod = z.enum(['popup', 'email', 'display', 'sound'])

export const Reminders = z
  .object({
    use_default: z.boolean().meta({ description: 'Whether the default reminders of the calendar apply' }),
    overrides: z
      .array(
        z.object({
          reminder_minutes: z.int().meta({ description: 'Minutes before the start' }),
          reminder_method: ReminderMethod.meta({ description: 'Kind of reminder' }),
        }),
      )
      .meta({ description: 'Reminders of this event; empty if there are none' }),
  })
  .meta({ id: 'Reminders', description: 'Reminders of an event' })
export type Reminders = z.output<typeof Reminders>

export const RemindersInput = z
  .object({
    use_default: z.boolean().nullish().meta({
      description: 'Whether the default reminders of the calendar apply; `true` cannot be combined with `overrides`',
    }),
    overrides: z
      .array(
        z.object({
          reminder_minutes: z.int().min(0).max(40_320).meta({
            description: 'Minutes before the start, up to four weeks',
          }),
          reminder_method: ReminderMethod.nullish().meta({
            description:
              '`google`: `popup` (default) or `email`; `icloud`: `display` (default) or `sound`; Exchange decides itself',
          }),
        }),
      )
      .max(20)
      .nullish()
      .meta({ description: 'Reminders of this event: at most five with `google`' }),
  })
  .meta({
    id: 'RemindersInput',
    description: 'Reminders of an event. Virtual calendars send no reminders',
  })
export type RemindersInput = z.output<typeof RemindersInput>

export const Conferencing = z
  .object({
    provider: line(64).optional().meta({
      description: 'Conferencing provider, such as `Google Meet`, `Microsoft Teams` or `Zoom Meeting`',
    }),
    details: z
      .looseObject({
        url: z.string().max(2048).optional().meta({ description: 'URL to join; required in requests' }),
        meeting_code: line(256).nullish().meta({ description: 'Meeting number or code' }),
        password: line(256).nullish().meta({ description: 'Password of the meeting' }),
        pin: line(64).nullish().meta({ description: 'PIN for joining by phone' }),
        phone: z.array(line(64)).max(10).nullish().meta({ description: 'Phone numbers for joining' }),
      })
      .optional()
      .meta({ description: 'Details of an existing conference. Cannot be combined with `autocreate`' }),
    autocreate: z
      .looseObject({
        conf_grant_id: line(512).nullish().meta({
          description:
            'Grant of the application that creates the conference: its id; with an API key also its address (for `Zoom Meeting` that of the Zoom grant). Required unless the account of the event creates the conference itself',
        }),
        conf_settings: z.record(z.string(), z.unknown()).nullish().meta({
          description:
            'With `conf_grant_id`: passed to the provider, up to 16 KB. `Zoom Meeting`: `settings` of the meeting; `Google Meet`: `config` of the space; `Microsoft Teams`: properties of the online meeting',
        }),
      })
      .optional()
      .meta({
        description:
          'Creates a conference: `Google Meet`, `Microsoft Teams` or `Zoom Meeting`. `{}` uses the account of the event: `Google Meet` with `google`, `Microsoft Teams` with `microsoft`. Anything else needs `conf_grant_id`',
      }),
  })
  .meta({ id: 'Conferencing', description: 'Online conference of an event' })
export type Conferencing = z.output<typeof Conferencing>
