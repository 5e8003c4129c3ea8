/** When the participants of a configuration can be booked: open hours, single dates, durations and buffers. */
import { z } from 'zod'
import { TimeZone } from '../calendars.ts'
import { line } from '../fields.ts'

/** Editors send an empty text for what is not set. */
export const orEmpty = <S extends z.ZodType>(schema: S) => z.union([schema, z.literal('')])

/** Refuses minutes that are not in steps of five. */
export const five = { error: 'must be a multiple of 5' }
const Clock = z.string().regex(/^\d{1,2}:\d{2}$/, { error: 'must be a time such as 9:00 or 17:30' })
const DateText = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a date such as 2026-11-15' })

const hours = {
  days: z.array(z.int().min(0).max(6)).min(1).max(7).meta({
    description: 'Days of the week, from 0 (Sunday) to 6 (Saturday)',
  }),
  start: Clock.meta({ description: 'Start, such as `9:00`; at most `23:49`' }),
  end: Clock.meta({ description: 'End, such as `17:30`; at most `24:00`, and after the start' }),
  timezone: orEmpty(TimeZone).nullish().meta({
    description:
      'Time zone of these hours. Default: the time zone of the participant, then `event_booking.timezone`, then UTC',
  }),
  exdates: z.array(DateText).max(1000).nullish().meta({ description: 'Dates on which these hours do not apply' }),
}

export const BookingHours = z
  .object({
    ...hours,
    ex_dates: z.array(DateText).max(1000).nullish().meta({ description: 'Alias of `exdates`' }),
  })
  .meta({ id: 'BookingHours', description: 'Hours on days of the week when meetings are allowed' })
export type BookingHours = z.output<typeof BookingHours>

export const SpecificTime = z
  .object({
    date: DateText.meta({ description: 'The day, as `YYYY-MM-DD`' }),
    start: Clock.meta({ description: "Start of the day's hours" }),
    end: Clock.meta({ description: "End of the day's hours; `00:00` to `00:00` closes the day" }),
    timezone: orEmpty(TimeZone).nullish().meta({
      description: 'Time zone of the day. Default as for open hours; required in the default list',
    }),
  })
  .meta({ id: 'SpecificTime', description: 'Hours of one date, which replace its open hours' })
export type SpecificTime = z.output<typeof SpecificTime>

const bufferMinutes = (what: string) =>
  z
    .int()
    .min(0)
    .max(120)
    .multipleOf(5, five)
    .nullish()
    .meta({ description: `Minutes to keep free ${what} every meeting, 0 to 120 in steps of five; default 0` })

/** Free time around meetings, of availability requests and configurations. */
export const MeetingBuffer = z.object({ before: bufferMinutes('before'), after: bufferMinutes('after') })

export const BookingRules = z
  .object({
    availability_method: z.enum(['collective', 'max-fairness', 'max-availability']).nullish().meta({
      description:
        '`collective` (default): everyone must be free. `max-availability`: at least one person must be free. `max-fairness`: the same, for the half that was booked least recently, unless nobody in that half is free',
    }),
    buffer: MeetingBuffer.nullish().meta({ description: 'Free time around existing meetings' }),
    default_open_hours: z.array(BookingHours).max(50).nullish().meta({
      description: 'Open hours of participants without their own. Without any, all hours are open',
    }),
    default_specific_time_availability: z.array(SpecificTime).max(1000).nullish().meta({
      description:
        'Hours of single dates for all participants; those of a participant take precedence on the same date',
    }),
    only_specific_time_availability: z.boolean().nullish().meta({
      description: 'Whether only the dates with specific times can be booked; default `false`',
    }),
    round_robin_group_id: line(500).nullish().meta({
      description: 'Identifies bookings for the round-robin order; default: the id of the configuration',
    }),
    tentative_as_busy: z.boolean().nullish().meta({
      description: 'Whether tentative events count as busy; default `true`',
    }),
  })
  .meta({ id: 'BookingRules', description: 'Who must be free, and when' })
export type BookingRules = z.output<typeof BookingRules>

export const BookingAvailability = z
  .object({
    duration_minutes: z.int().min(0).max(44_640).multipleOf(5, five).nullish().meta({
      description: 'Duration of the meeting in minutes, in steps of five; required unless `type` is `group`',
    }),
    interval_minutes: z.int().min(5).max(44_640).multipleOf(5, five).nullish().meta({
      description: 'Minutes between possible starts; default: the duration',
    }),
    round_to: z.int().min(5).max(60).multipleOf(5, five).nullish().meta({
      description: 'Starts are rounded up to a multiple of this many minutes; default 15',
    }),
    availability_rules: BookingRules.nullish().meta({ description: 'Who must be free, and when' }),
  })
  .meta({ id: 'BookingAvailability', description: 'Duration and times of the meetings' })
export type BookingAvailability = z.output<typeof BookingAvailability>
