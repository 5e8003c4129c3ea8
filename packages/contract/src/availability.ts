import { z } from 'zod'
import { TimeZone } from './calendars.ts'
import { identifier, inSeconds, lastSecond, line } from './fields.ts'
import { route } from './route.ts'

const five = { error: 'must be a multiple of 5' }
const Moment = z
  .int()
  .min(0)
  .max(lastSecond, { error: inSeconds })
  .multipleOf(300, { error: 'must be a multiple of 300 seconds' })
const Clock = z.string().regex(/^\d{1,2}:\d{2}$/, { error: 'must be a time such as 9:00 or 17:30' })
const DateText = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a date such as 2026-11-15' })

const Zone = TimeZone.meta({ description: 'Zone that the hours are meant in, by its IANA name' })

export const OpenHours = z
  .object({
    days: z.array(z.int().min(0).max(6)).min(1).max(7).meta({
      description: 'Days of the week that the hours are for, 0 being Sunday and 6 Saturday',
    }),
    timezone: Zone,
    start: Clock.meta({ description: 'When they begin, such as `9:00`' }),
    end: Clock.meta({ description: 'When they end, such as `17:30`; at most `24:00`, and after the start' }),
    exdates: z
      .array(DateText)
      .max(1000)
      .nullish()
      .meta({ description: 'Dates that are closed all day, in the zone of the hours' }),
  })
  .meta({ id: 'OpenHours', description: 'Hours of some days of the week in which meetings may lie' })

const SpecificTime = z
  .object({
    date: DateText.meta({ description: 'The day, as `YYYY-MM-DD`' }),
    start: Clock.meta({ description: 'When the day begins, such as `9:00`' }),
    end: Clock.meta({ description: 'When it ends; `0:00` to `0:00` closes the day' }),
    timezone: Zone,
  })
  .meta({ description: 'Hours of one day, in place of the open hours of that day' })

export const AvailabilityParticipant = z
  .object({
    email: line(320).min(1).nullish().meta({
      description: 'Address or identifier of a grant of the application; this or `grant_id` is needed',
    }),
    grant_id: line(512).min(1).nullish().meta({ description: 'Id of the grant, in place of `email`' }),
    calendar_ids: z
      .array(identifier())
      .max(50)
      .nullish()
      .meta({ description: 'Calendars to look at, all of which count. The primary one when absent or empty' }),
    open_hours: z.array(OpenHours).max(50).nullish().meta({
      description: 'When this person may be booked, in place of `default_open_hours`',
    }),
    specific_time_availability: z.array(SpecificTime).max(1000).nullish().meta({
      description: 'Hours of single days, in place of the open hours of those days',
    }),
    only_specific_time_availability: z.boolean().nullish().meta({
      description: 'Whether the days of `specific_time_availability` are the only ones: `false` when absent',
    }),
  })
  .meta({ id: 'AvailabilityParticipant', description: 'Somebody whose calendars are looked at' })

const bufferMinutes = (what: string) =>
  z
    .int()
    .min(0)
    .max(120)
    .multipleOf(5, five)
    .nullish()
    .meta({ description: `Minutes to keep free ${what} every meeting, 0 to 120 in steps of five; none when absent` })

const AvailabilityRules = z.object({
  availability_method: z.enum(['collective', 'max-fairness', 'max-availability']).nullish().meta({
    description:
      '`collective`: everybody is free. `max-availability` (default): at least one is. `max-fairness`: the same, but only of the half whose turn it is, unless that half has no time at all',
  }),
  buffer: z
    .object({ before: bufferMinutes('before'), after: bufferMinutes('after') })
    .nullish()
    .meta({ description: 'Time to keep free around meetings that there are' }),
  default_open_hours: z.array(OpenHours).max(50).nullish().meta({
    description: 'Open hours of everybody who has none of their own. Without any, all hours are open',
  }),
  round_robin_group_id: line(500).nullish().meta({
    description:
      'Whose turn it is goes by events whose `metadata.key5` is this text: who was booked longest ago comes first',
  }),
  round_robin_event_id: line(500)
    .nullish()
    .meta({ description: 'The same as `round_robin_group_id`, by its other name' }),
  tentative_as_busy: z
    .boolean()
    .nullish()
    .meta({ description: 'Whether tentative events count as busy: `true` when absent' }),
})

export const AvailabilityQuestion = z
  .object({
    start_time: Moment.meta({ description: 'Where the window begins: Unix seconds, a multiple of 300' }),
    end_time: Moment.meta({
      description: 'Where the window ends: Unix seconds, a multiple of 300, at most 93 days after its start',
    }),
    duration_minutes: z.int().min(5).max(44_640).multipleOf(5, five).meta({
      description: 'How long the meeting is, in minutes and steps of five',
    }),
    interval_minutes: z.int().min(5).max(44_640).multipleOf(5, five).nullish().meta({
      description: 'How many minutes lie between one possible start and the next: the duration when absent',
    }),
    round_to: z.int().min(5).max(60).multipleOf(5, five).nullish().meta({
      description: 'Starts are rounded up to a multiple of so many minutes of the clock: 15 when absent',
    }),
    round_to_30_minutes: z.boolean().nullish().meta({
      description: '`true` means `round_to: 30`, where that is absent. The older name',
    }),
    participants: z.array(AvailabilityParticipant).min(1).max(50).meta({
      description: 'Who is to meet, up to 50. One that is unknown or cannot be read refuses the whole question',
    }),
    availability_rules: AvailabilityRules.nullish().meta({
      description: 'Who must be free, and what counts as free',
    }),
  })
  .meta({ id: 'AvailabilityQuestion', description: 'Who wants to meet, how long, and within which time' })
export type AvailabilityQuestion = z.output<typeof AvailabilityQuestion>

export const Availability = z
  .object({
    time_slots: z
      .array(
        z.object({
          emails: z.array(z.string()).meta({
            description: 'Who is free then; with the round-robin methods in the order of their turn',
          }),
          start_time: z.int().meta({ description: 'When the meeting would begin, in Unix seconds' }),
          end_time: z.int().meta({ description: 'When it would end, in Unix seconds' }),
        }),
      )
      .meta({
        description: 'Possible times, in order. They may overlap where the interval is shorter than the meeting',
      }),
    order: z.array(z.string()).optional().meta({ description: 'Whose turn it is, with the two round-robin methods' }),
  })
  .meta({ id: 'Availability', description: 'Times at which a meeting can be' })
export type Availability = z.output<typeof Availability>

export const availability = {
  find: route({
    method: 'POST',
    path: '/v3/calendars/availability',
    summary: 'Find times at which people are free',
    description:
      'Looks into the calendars of grants of the application, of any provider; with an access token into those of its own grant alone. Nothing is reserved: book a time with `events.create`, on virtual calendars with `If-None-Overlap: true`, and ask again where somebody was quicker.',
    audience: 'application',
    token: true,
    rate: 'application',
    body: AvailabilityQuestion,
    returns: Availability,
    errors: ['grant_invalid', 'grant_access_denied', 'not_supported_by_provider', 'provider_unavailable'],
  }),
}
