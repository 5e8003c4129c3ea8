/** What an event is made of: its time, its guests and rooms, its reminders and its conference. */
import { z } from 'zod'
import { TimeZone } from './calendars.ts'
import { firstSecond, inSeconds, lastSecond, line } from './fields.ts'

const UnixTime = z.int().min(firstSecond).max(lastSecond, { error: inSeconds })
const DateText = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a date such as 2026-11-15' })

const shape = <S extends string>(name: S, means: string) => z.literal(name).meta({ description: means })
const zone = (of: string) =>
  TimeZone.nullable().meta({ description: `Zone of ${of}, by its IANA name; null where the event has none` })

/** The four forms of a time. */
export const When = z
  .union([
    z
      .object({
        object: shape('time', 'Says that it is a point in time'),
        time: UnixTime.meta({ description: 'The moment, in Unix seconds' }),
        timezone: zone('the moment'),
      })
      .meta({ description: 'A point in time' }),
    z
      .object({
        object: shape('timespan', 'Says that it is a span of time'),
        start_time: UnixTime.meta({ description: 'When it begins, in Unix seconds' }),
        end_time: UnixTime.meta({ description: 'When it ends, in Unix seconds' }),
        start_timezone: zone('the start, in which a series repeats'),
        end_timezone: zone('the end'),
      })
      .meta({ description: 'A span of time' }),
    z
      .object({
        object: shape('date', 'Says that it is one whole day'),
        date: DateText.meta({ description: 'The day, as `YYYY-MM-DD`, in the zone of the calendar' }),
      })
      .meta({ description: 'A whole day' }),
    z
      .object({
        object: shape('datespan', 'Says that it is several whole days'),
        start_date: DateText.meta({ description: 'The first day, as `YYYY-MM-DD`' }),
        end_date: DateText.meta({ description: 'The last day, as `YYYY-MM-DD`, included' }),
      })
      .meta({ description: 'Whole days' }),
  ])
  .meta({ id: 'When', description: 'A point in time, a span, a day, or days (the last one included)' })
export type When = z.output<typeof When>

/** What a client may write: `object` is not needed; the server makes one of the four forms of it. */
export const WhenInput = z
  .object({
    object: z.enum(['time', 'timespan', 'date', 'datespan']).nullish().meta({
      description: 'Name of the form. Not needed: it follows from the other fields, and must agree with them',
    }),
    time: UnixTime.nullish().meta({
      description: 'A point in time, in Unix seconds; `google` and Exchange make a span without length of it',
    }),
    timezone: TimeZone.nullish().meta({ description: 'Zone of `time`, by its IANA name' }),
    start_time: UnixTime.nullish().meta({ description: 'When the event begins, in Unix seconds' }),
    end_time: UnixTime.nullish().meta({ description: 'When it ends, in Unix seconds; after the start' }),
    start_timezone: TimeZone.nullish().meta({
      description:
        'Zone of the start, by its IANA name, together with `end_timezone`. A series repeats in it, or in UTC without one',
    }),
    end_timezone: TimeZone.nullish().meta({ description: 'Zone of the end, together with `start_timezone`' }),
    date: DateText.nullish().meta({ description: 'One whole day, as `YYYY-MM-DD`' }),
    start_date: DateText.nullish().meta({ description: 'The first of several whole days' }),
    end_date: DateText.nullish().meta({ description: 'The last of several whole days, included' }),
  })
  .meta({
    id: 'WhenInput',
    description:
      'Exactly one of: `time`; `start_time` and `end_time`; `date`; `start_date` and `end_date`. Times are in seconds, not in milliseconds',
  })
export type WhenInput = z.output<typeof WhenInput>

export const ParticipantStatus = z.enum(['yes', 'no', 'maybe', 'noreply']).meta({
  id: 'ParticipantStatus',
  description: 'What a guest answered; `noreply` as long as there is no answer',
})
export type ParticipantStatus = z.output<typeof ParticipantStatus>

export const Participant = z
  .object({
    email: z.string().optional().meta({ description: 'Address of the guest; Exchange may know somebody without one' }),
    name: z.string().nullable().meta({ description: 'Name of the guest; null where it is not known' }),
    comment: z.string().nullable().meta({ description: 'What the guest wrote with the answer, or null' }),
    phone_number: z.string().nullable().meta({ description: 'Telephone number of the guest, or null' }),
    status: ParticipantStatus,
  })
  .meta({ id: 'Participant', description: 'A guest of an event, and what they answered' })
export type Participant = z.output<typeof Participant>

const EmailText = line(320).refine((text) => text.trim() !== '', { error: 'must not be empty' })
export const ParticipantInput = z
  .object({
    email: EmailText.meta({ description: 'Address to invite; who is listed twice counts once' }),
    name: line(320).nullish().meta({ description: 'Name to show beside the address' }),
    comment: z.string().max(1024).nullish().meta({ description: 'A remark. `microsoft` and `ews` do not keep it' }),
    phone_number: line(64).nullish().meta({
      description: 'Telephone number. `google`, `microsoft` and `ews` do not keep it',
    }),
    status: ParticipantStatus.nullish().meta({
      description: 'Taken without effect: guests begin with `noreply` and answer for themselves',
    }),
  })
  .meta({ id: 'ParticipantInput', description: 'A guest to be invited' })
export type ParticipantInput = z.output<typeof ParticipantInput>

const kept = 'Kept by virtual calendars; other providers know it from their directory'
export const Resource = z
  .object({
    email: EmailText.meta({ description: 'Address of the room, as `GET …/resources` tells it' }),
    name: line(320).nullish().meta({ description: 'Name of the room' }),
    capacity: z
      .int()
      .nullish()
      .meta({ description: `How many people it is meant for. ${kept}` }),
    building: z
      .string()
      .nullish()
      .meta({ description: `The building that it is in. ${kept}` }),
    floor_name: z
      .string()
      .nullish()
      .meta({ description: `Name of the floor. ${kept}` }),
    floor_section: z
      .string()
      .nullish()
      .meta({ description: `Part of the floor. ${kept}` }),
    floor_number: z
      .int()
      .nullish()
      .meta({ description: `Number of the floor. ${kept}` }),
  })
  .meta({ id: 'Resource', description: 'A room or equipment that is invited' })
export type Resource = z.output<typeof Resource>

const ReminderMethod = z.enum(['popup', 'email', 'display', 'sound'])

export const Reminders = z
  .object({
    use_default: z.boolean().meta({ description: 'Whether the usual reminders of the calendar apply' }),
    overrides: z
      .array(
        z.object({
          reminder_minutes: z.int().meta({ description: 'How many minutes before the start' }),
          reminder_method: ReminderMethod.meta({ description: 'How the user is reminded' }),
        }),
      )
      .meta({ description: 'Reminders of this event alone; empty where there are none' }),
  })
  .meta({ id: 'Reminders', description: 'How the user is reminded of an event' })
export type Reminders = z.output<typeof Reminders>

export const RemindersInput = z
  .object({
    use_default: z.boolean().nullish().meta({
      description: 'Whether the usual reminders of the calendar apply; `true` and `overrides` exclude each other',
    }),
    overrides: z
      .array(
        z.object({
          reminder_minutes: z.int().min(0).max(40_320).meta({
            description: 'How many minutes before the start, up to four weeks',
          }),
          reminder_method: ReminderMethod.nullish().meta({
            description:
              '`google`: `popup` (default) or `email`; `icloud`: `display` (default) or `sound`; Exchange shows its reminders itself',
          }),
        }),
      )
      .max(20)
      .nullish()
      .meta({ description: 'Reminders of this event alone: at most five with `google`' }),
  })
  .meta({
    id: 'RemindersInput',
    description: 'How the user is to be reminded of an event. Virtual calendars remind nobody',
  })
export type RemindersInput = z.output<typeof RemindersInput>

export const Conferencing = z
  .object({
    provider: line(64).optional().meta({
      description: 'Whose conference it is, such as `Google Meet`, `Microsoft Teams` or `Zoom Meeting`',
    }),
    details: z
      .looseObject({
        url: z.string().max(2048).optional().meta({ description: 'Address to join at; needed when it is written' }),
        meeting_code: line(256).nullish().meta({ description: 'Number or code of the meeting' }),
        password: line(256).nullish().meta({ description: 'Password to join with' }),
        pin: line(64).nullish().meta({ description: 'Number to type when joining by telephone' }),
        phone: z.array(line(64)).max(10).nullish().meta({ description: 'Telephone numbers to join by' }),
      })
      .optional()
      .meta({ description: 'How to join a conference that there is. Not together with `autocreate`' }),
    autocreate: z.looseObject({}).optional().meta({
      description:
        '`{}` makes a conference: `Google Meet` with `google`, `Microsoft Teams` with `microsoft`. Others refuse it: give `details` instead',
    }),
  })
  .meta({ id: 'Conferencing', description: 'Where people meet who are not in one place' })
export type Conferencing = z.output<typeof Conferencing>
