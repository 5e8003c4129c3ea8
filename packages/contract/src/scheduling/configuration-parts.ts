/** Parts of a configuration: participants, the booked event, the booking page. */
import { z } from 'zod'
import { TimeZone } from '../calendars.ts'
import { Conferencing } from '../event-parts.ts'
import { identifier, line } from '../fields.ts'
import { limits } from '../limits.ts'
import { BookingHours, orEmpty, SpecificTime } from './time-rules.ts'

const EmailText = line(320).refine((text) => text.trim() !== '', { error: 'must not be empty' })
const note = (max: number) => z.string().max(max)
/** The dollar sign is apart, so that the linter does not take the tokens for a forgotten template. */
const tokens = ['{invitee}', '{invitee_email}', '{<key of an additional field>}']
  .map((token) => `\`$${token}\``)
  .join(', ')
const flag = (description: string) => z.boolean().nullish().meta({ description })

export const ConfigurationParticipant = z
  .object({
    email: EmailText.meta({ description: 'Address of the participant' }),
    name: line(320).nullish().meta({ description: 'Name of the participant' }),
    is_organizer: flag(
      'Whether the participant is the organizer; default `false`. `collective` needs exactly one, round robin has none',
    ),
    timezone: orEmpty(TimeZone).nullish().meta({ description: 'Time zone of the participant' }),
    grant_id: line(64).nullish().meta({ description: 'Id of the grant; default: the grant with this address' }),
    availability: z
      .object({
        calendar_ids: z.array(identifier()).max(50).nullish().meta({
          description: 'Calendars to check; all of them count. `primary` is the primary calendar',
        }),
        open_hours: z.array(BookingHours).max(50).nullish().meta({
          description: 'When this participant can be booked. Replaces `default_open_hours`',
        }),
      })
      .nullish()
      .meta({ description: 'Calendars and hours; absent or empty for an invitee whose calendars are not checked' }),
    booking: z
      .object({
        calendar_id: orEmpty(identifier())
          .nullish()
          .meta({ description: 'Calendar in which events are created; empty for none' }),
      })
      .nullish()
      .meta({ description: 'Where events are created; absent or empty for a participant who never hosts' }),
    specific_time_availability: z.array(SpecificTime).max(1000).nullish().meta({
      description: 'Hours of single dates, which replace the open hours of those dates',
    }),
    only_specific_time_availability: flag(
      'Whether only the dates in `specific_time_availability` can be booked; default `false`',
    ),
  })
  .meta({ id: 'ConfigurationParticipant', description: 'A person who hosts, attends or is invited' })
export type ConfigurationParticipant = z.output<typeof ConfigurationParticipant>

export const BookingReminder = z
  .object({
    type: z.enum(['email', 'webhook']).meta({ description: 'A mail, or a notification `booking.reminder`' }),
    minutes_before_event: z.int().min(1).max(525_600).meta({ description: 'Minutes before the start' }),
    recipient: z.enum(['host', 'guest', 'all']).nullish().meta({
      description: 'Who gets the mail; default `all`',
    }),
    email_subject: line(limits.subjectLength).nullish().meta({ description: 'Subject of the mail' }),
  })
  .meta({ id: 'BookingReminder', description: 'A reminder before a booked event' })
export type BookingReminder = z.output<typeof BookingReminder>

export const EventBooking = z
  .object({
    title: line(1024)
      .nullish()
      .meta({
        description: `Title of the event; required unless \`type\` is \`group\`. ${tokens} are replaced`,
      }),
    description: note(8192).nullish().meta({ description: 'Description of the event, with the same tokens' }),
    location: line(1024).nullish().meta({ description: 'Location of the event' }),
    timezone: orEmpty(TimeZone).nullish().meta({ description: 'Time zone of the event; default UTC' }),
    booking_type: z.enum(['booking', 'organizer-confirmation', 'custom-confirmation']).nullish().meta({
      description:
        '`booking` (default): booked at once. `organizer-confirmation`: pending until the organizer confirms by a link. `custom-confirmation`: pending until the application confirms',
    }),
    conferencing: Conferencing.nullish().meta({ description: 'Online conference of the event' }),
    disable_emails: flag('Whether Waypost sends no mails about bookings; default `false`'),
    hide_participants: flag('Whether guests of the event do not see each other; default `false`'),
    notify_participants: flag('Whether the provider sends its own invitations; default `false`'),
    reminders: z.array(BookingReminder).max(10).nullish().meta({ description: 'Reminders before the event' }),
  })
  .meta({ id: 'EventBooking', description: 'The event that a booking creates' })
export type EventBooking = z.output<typeof EventBooking>

export const AdditionalField = z
  .object({
    label: note(1024).min(1).meta({ description: 'Text that the guest sees' }),
    type: z
      .enum([
        'text',
        'multi_line_text',
        'email',
        'phone_number',
        'dropdown',
        'date',
        'checkbox',
        'radio_button',
        'multi_select',
        'metadata',
      ])
      .meta({
        description:
          'Kind of field. The value of `multi_select` is the chosen options, joined with commas. `metadata` is never shown; its value is part of notifications',
      }),
    required: z.boolean().meta({ description: 'Whether the guest must fill it in' }),
    default: z
      .union([note(2048), z.boolean()])
      .nullish()
      .meta({ description: 'Value to begin with' }),
    pattern: note(512).nullish().meta({ description: 'Regular expression that the whole value must match' }),
    order: z.int().min(-1000).max(1000).nullish().meta({ description: 'Position on the page, ascending' }),
    options: z.array(note(512)).max(100).nullish().meta({
      description: 'Choices; required for `dropdown`, `radio_button` and `multi_select`',
    }),
  })
  .meta({ id: 'AdditionalField', description: 'A question to the guest' })
export type AdditionalField = z.output<typeof AdditionalField>

const urlOf = (what: string) =>
  line(2048)
    .nullish()
    .meta({ description: `Your own page for ${what}; \`:booking_ref\` is replaced. Default: the page of this service` })

export const SchedulerSettings = z
  .object({
    available_days_in_future: z.int().min(1).max(730).nullish().meta({
      description: 'Days ahead that can be booked; default 30',
    }),
    min_booking_notice: z.int().min(0).max(1_051_200).nullish().meta({
      description: 'Minutes between the booking and the event; default 60',
    }),
    min_cancellation_notice: z.int().min(0).max(1_051_200).nullish().meta({
      description: 'Minutes before the event until which guests can cancel or move it; default 0',
    }),
    cancellation_policy: note(4096).nullish().meta({ description: 'Text about cancellations' }),
    rescheduling_url: urlOf('rescheduling'),
    cancellation_url: urlOf('cancellation'),
    organizer_confirmation_url: urlOf('the confirmation by the organizer'),
    confirmation_redirect_url: line(2048).nullish().meta({
      description: 'Where the page goes after a booking, with its details in the query',
    }),
    hide_rescheduling_options: flag('Whether guests see no link to reschedule; default `false`'),
    hide_cancellation_options: flag('Whether guests see no link to cancel; default `false`'),
    hide_additional_guests: flag('Whether guests cannot add others; default `false`'),
    additional_fields: z.record(line(128).min(1), AdditionalField).nullish().meta({
      description: 'Questions to the guest by key, up to 50',
    }),
    email_template: z
      .object({
        logo: line(2048).nullish().meta({ description: 'Address of an image at the top of mails' }),
        show_nylas_branding: flag('Accepted for compatibility; mails carry no branding'),
        organizer_locale: line(16).nullish().meta({ description: "Language of the organizer's mails; default `en`" }),
        booking_confirmed: z
          .object({
            title: line(limits.subjectLength).nullish().meta({ description: 'Title of the confirmation' }),
            body: note(8192).nullish().meta({ description: 'Text of the confirmation' }),
          })
          .nullish()
          .meta({ description: 'Texts of the confirmation that guests get' }),
      })
      .nullish()
      .meta({ description: 'Appearance of mails' }),
    notetaker_settings: z.record(z.string().max(128), z.unknown()).nullish().meta({
      description: 'Stored and returned; this service has no notetaker',
    }),
  })
  .meta({ id: 'SchedulerSettings', description: 'Rules and texts of the booking page' })
export type SchedulerSettings = z.output<typeof SchedulerSettings>

export const GroupBooking = z
  .object({
    calendar_id: identifier().meta({ description: 'Calendar with the group events' }),
    booking_type: z.enum(['booking']).nullish().meta({ description: 'Always `booking`' }),
    disable_emails: flag('Whether Waypost sends no mails about bookings; default `false`'),
    reminders: z.array(BookingReminder).max(10).nullish().meta({ description: 'Reminders before the event' }),
    conferencing: Conferencing.nullish().meta({ description: 'Online conference of the events' }),
    default_capacity: z.int().min(1).max(500).nullish().meta({ description: 'Seats of an event; default 10' }),
  })
  .meta({ id: 'GroupBooking', description: 'Group events of a configuration' })
export type GroupBooking = z.output<typeof GroupBooking>
