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

export const OpenHours = z
  .object({
    days: z.array(z.int().min(0).max(6)).min(1).max(7).meta({ description: '0 is Sunday' }),
    timezone: TimeZone,
    start: Clock,
    end: Clock,
    exdates: z.array(DateText).max(1000).nullish(),
  })
  .meta({ id: 'OpenHours' })

const SpecificTime = z.object({ date: DateText, start: Clock, end: Clock, timezone: TimeZone })

export const AvailabilityParticipant = z
  .object({
    email: line(320).min(1).nullish(),
    grant_id: line(512).min(1).nullish(),
    calendar_ids: z
      .array(identifier())
      .max(50)
      .nullish()
      .meta({ description: 'The primary calendar when absent or empty' }),
    open_hours: z.array(OpenHours).max(50).nullish(),
    specific_time_availability: z.array(SpecificTime).max(1000).nullish(),
    only_specific_time_availability: z.boolean().nullish(),
  })
  .meta({ id: 'AvailabilityParticipant' })

export const AvailabilityQuestion = z
  .object({
    start_time: Moment,
    end_time: Moment,
    duration_minutes: z.int().min(5).max(44_640).multipleOf(5, five),
    interval_minutes: z.int().min(5).max(44_640).multipleOf(5, five).nullish(),
    round_to: z.int().min(5).max(60).multipleOf(5, five).nullish(),
    round_to_30_minutes: z.boolean().nullish(),
    participants: z.array(AvailabilityParticipant).min(1).max(50),
    availability_rules: z
      .object({
        availability_method: z.enum(['collective', 'max-fairness', 'max-availability']).nullish(),
        buffer: z
          .object({
            before: z.int().min(0).max(120).multipleOf(5, five).nullish(),
            after: z.int().min(0).max(120).multipleOf(5, five).nullish(),
          })
          .nullish(),
        default_open_hours: z.array(OpenHours).max(50).nullish(),
        round_robin_group_id: line(500).nullish(),
        round_robin_event_id: line(500).nullish(),
        tentative_as_busy: z.boolean().nullish(),
      })
      .nullish(),
  })
  .meta({ id: 'AvailabilityQuestion' })
export type AvailabilityQuestion = z.output<typeof AvailabilityQuestion>

export const Availability = z
  .object({
    time_slots: z.array(z.object({ emails: z.array(z.string()), start_time: z.int(), end_time: z.int() })),
    order: z.array(z.string()).optional().meta({ description: 'Whose turn it is, with the two round-robin methods' }),
  })
  .meta({ id: 'Availability' })
export type Availability = z.output<typeof Availability>

export const availability = {
  find: route({
    method: 'POST',
    path: '/v3/calendars/availability',
    summary: 'Find times at which people are free',
    description:
      'Participants are grants of the application, of any provider; with an access token its own grant alone. Methods: `collective`, `max-availability` (default), `max-fairness`.',
    audience: 'application',
    token: true,
    rate: 'application',
    body: AvailabilityQuestion,
    returns: Availability,
    errors: ['grant_invalid', 'grant_access_denied', 'not_supported_by_provider', 'provider_unavailable'],
  }),
}
