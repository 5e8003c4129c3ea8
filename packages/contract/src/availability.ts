import { z } from 'zod'
import { TimeZone } from './calendars.ts'
import { identifier, inSeconds, lastSecond, line } from './fields.ts'
import { route } from './route.ts'
import { five, MeetingBuffer } from './scheduling/time-rules.ts'

const Moment = z
  .int()
  .min(0)
  .max(lastSecond, { error: inSeconds })
  .multipleOf(300, { error: 'must be a multiple of 300 seconds' })
const Clock = z.string().regex(/^\d{1,2}:\d{2}$/, { error: 'must be a time such as 9:00 or 17:30' })
const DateText = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a date such as 2026-11-15' })

const Zone = TimeZone.meta({ description: 'IANA name of the time zone of these hours' })

export const OpenHours = z
  .object({
    days: z.array(z.int().min(0).max(6)).min(1).max(7).meta({
      description: 'Days of the week, from 0 (Sunday) to 6 (Saturday)',
    }),
    timezone: Zone,
    start: Clock.meta({ description: 'Start, such as `9:00`' }),
    end: Clock.meta({ description: 'End, such as `17:30`; at most `24:00`, and after the start' }),
    exdates: z
      .array(DateText)
      .max(1000)
      .nullish()
      .meta({ description: 'Dates that are closed all day, in the time zone of the hours' }),
  })
  .meta({ id: 'OpenHours', description: 'Hours on days of the week when meetings are allowed' })

const SpecificTime = z
  .object({
    date: DateText.meta({ description: 'The day, as `YYYY-MM-DD`' }),
    start: Clock.meta({ description: "Start of the day's hours, such as `9:00`" }),
    end: Clock.meta({ description: "End of the day's hours; `0:00` to `0:00` closes the day" }),
    timezone: Zone,
  })
  .meta({ description: 'Hours of one day, which replace its open hours' })

export const AvailabilityParticipant = z
  .object({
    email: line(320).min(1).nullish().meta({
      description: 'Address or identifier of a grant of the application. Either this or `grant_id` is required',
    }),
    grant_id: line(512).min(1).nullish().meta({ description: 'Id of the grant, as an alternative to `email`' }),
    calendar_ids: z
      .array(identifier())
      .max(50)
      .nullish()
      .meta({ description: 'Calendars to check; all of them count. Default: the primary calendar' }),
    open_hours: z.array(OpenHours).max(50).nullish().meta({
      description: 'When this person can be booked. Replaces `default_open_hours`',
    }),
    specific_time_availability: z.array(SpecificTime).max(1000).nullish().meta({
      description: 'Hours of single days, which replace the open hours of those days',
    }),
    only_specific_time_availability: z.boolean().nullish().meta({
      description: 'Whether only the days in `specific_time_availability` can be booked; default `false`',
    }),
  })
  .meta({ id: 'AvailabilityParticipant', description: 'A person whose calendars are checked' })

const AvailabilityRules = z.object({
  availability_method: z.enum(['collective', 'max-fairness', 'max-availability']).nullish().meta({
    description:
      '`collective`: everyone must be free. `max-availability` (default): at least one person must be free. `max-fairness`: the same, but only for the half that was booked least recently, unless nobody in that half is free',
  }),
  buffer: MeetingBuffer.nullish().meta({ description: 'Free time around existing meetings' }),
  default_open_hours: z.array(OpenHours).max(50).nullish().meta({
    description: 'Open hours of everyone without their own. Without any, all hours are open',
  }),
  round_robin_group_id: line(500).nullish().meta({
    description:
      'Identifies bookings for the round-robin order: events whose `metadata.key5` is this text. The person booked longest ago comes first',
  }),
  round_robin_event_id: line(500).nullish().meta({ description: 'Alias of `round_robin_group_id`' }),
  tentative_as_busy: z
    .boolean()
    .nullish()
    .meta({ description: 'Whether tentative events count as busy; default `true`' }),
})

export const AvailabilityQuestion = z
  .object({
    start_time: Moment.meta({ description: 'Start of the window in Unix seconds, a multiple of 300' }),
    end_time: Moment.meta({
      description: 'End of the window in Unix seconds, a multiple of 300, at most 93 days after its start',
    }),
    duration_minutes: z.int().min(5).max(44_640).multipleOf(5, five).meta({
      description: 'Duration of the meeting in minutes, in steps of five',
    }),
    interval_minutes: z.int().min(5).max(44_640).multipleOf(5, five).nullish().meta({
      description: 'Minutes between possible starts; default: the duration',
    }),
    round_to: z.int().min(5).max(60).multipleOf(5, five).nullish().meta({
      description: 'Starts are rounded up to a multiple of this many minutes; default 15',
    }),
    round_to_30_minutes: z.boolean().nullish().meta({
      description: 'Legacy form of `round_to: 30`, used if `round_to` is absent',
    }),
    participants: z.array(AvailabilityParticipant).min(1).max(50).meta({
      description: 'Participants, up to 50. If one is unknown or cannot be read, the whole request fails',
    }),
    availability_rules: AvailabilityRules.nullish().meta({
      description: 'Rules for who must be free and when',
    }),
  })
  .meta({ id: 'AvailabilityQuestion', description: 'Participants, duration and window of a meeting' })
export type AvailabilityQuestion = z.output<typeof AvailabilityQuestion>

export const Availability = z
  .object({
    time_slots: z
      .array(
        z.object({
          emails: z.array(z.string()).meta({
            description: 'Addresses of the people who are free; with round-robin methods in their booking order',
          }),
          start_time: z.int().meta({ description: 'Start of the meeting in Unix seconds' }),
          end_time: z.int().meta({ description: 'End of the meeting in Unix seconds' }),
        }),
      )
      .meta({
        description: 'Possible times in order. They overlap if the interval is shorter than the duration',
      }),
    order: z.array(z.string()).optional().meta({ description: 'Booking order for the two round-robin methods' }),
  })
  .meta({ id: 'Availability', description: 'Possible times for a meeting' })
export type Availability = z.output<typeof Availability>

export const availability = {
  find: route({
    right: 'calendar.read',
    method: 'POST',
    path: '/v3/calendars/availability',
    summary: 'Find times when people are free',
    description:
      'Checks calendars of grants of the application, across providers; with an access token, only those of its own grant. Nothing is reserved. Book a time with `events.create`, on virtual calendars with `If-None-Overlap: true`, and query again if the time was taken meanwhile.',
    audience: 'application',
    token: true,
    rate: 'application',
    body: AvailabilityQuestion,
    returns: Availability,
    errors: ['grant_invalid', 'grant_access_denied', 'not_supported_by_provider', 'provider_unavailable'],
  }),
}
