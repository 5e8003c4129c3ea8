/**
 * A configuration with its defaults. Clients send null and empty texts for what is not set, and send whole answers back, so
 * the complete form is stored and answered. Pure.
 */
import type {
  BookingAvailability,
  BookingHours,
  BookingReminder,
  Configuration,
  ConfigurationDraft,
  ConfigurationParticipant,
  EventBooking,
  GroupBooking,
  SchedulerSettings,
  SpecificTime,
} from '@waypost/contract'
import { organizerOf } from './participants.ts'

export const defaultDays = 30
export const defaultNoticeMinutes = 60
export const defaultRoundTo = 15
export const defaultCapacity = 10

/** The fields that have a value: neither absent, nor null, nor an empty text. */
function filled<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], null | undefined> } {
  const retained = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== '')
  return Object.fromEntries(retained) as { [K in keyof T]?: Exclude<T[K], null | undefined> }
}

const hoursOf = ({ exdates, ex_dates, days, start, end, timezone }: BookingHours): BookingHours => ({
  ...{ days, start, end },
  ...filled({ timezone }),
  exdates: [...new Set([...(exdates ?? []), ...(ex_dates ?? [])])],
})

const datesOf = (times: readonly SpecificTime[] | null | undefined): SpecificTime[] =>
  (times ?? []).map(({ date, start, end, timezone }) => ({ date, start, end, ...filled({ timezone }) }))

/** An invitee, whose calendars nobody looks at, has the same members with empty values. */
function participantOf(given: ConfigurationParticipant): ConfigurationParticipant {
  const { email, name, is_organizer, timezone, grant_id, availability, booking } = given
  return {
    email,
    name: name ?? '',
    is_organizer: is_organizer ?? false,
    ...filled({ timezone, grant_id }),
    availability: {
      calendar_ids: availability?.calendar_ids ?? [],
      open_hours: (availability?.open_hours ?? []).map(hoursOf),
    },
    booking: { calendar_id: booking?.calendar_id ?? '' },
    specific_time_availability: datesOf(given.specific_time_availability),
    only_specific_time_availability: given.only_specific_time_availability ?? false,
  }
}

/** A single participant is the organizer, unless the hosts take turns. */
function participantsOf({ participants, availability }: ConfigurationDraft): ConfigurationParticipant[] {
  const all = (participants ?? []).map(participantOf)
  const method = availability?.availability_rules?.availability_method ?? 'collective'
  const [only] = all
  return only && all.length === 1 && method === 'collective' ? [{ ...only, is_organizer: true }] : all
}

function availabilityOf(given: BookingAvailability | null | undefined): BookingAvailability {
  const { duration_minutes, interval_minutes, round_to, availability_rules: rules } = given ?? {}
  return {
    ...filled({ duration_minutes, interval_minutes }),
    round_to: round_to ?? defaultRoundTo,
    availability_rules: {
      availability_method: rules?.availability_method ?? 'collective',
      buffer: { before: rules?.buffer?.before ?? 0, after: rules?.buffer?.after ?? 0 },
      default_open_hours: (rules?.default_open_hours ?? []).map(hoursOf),
      default_specific_time_availability: datesOf(rules?.default_specific_time_availability),
      only_specific_time_availability: rules?.only_specific_time_availability ?? false,
      ...filled({ round_robin_group_id: rules?.round_robin_group_id }),
      tentative_as_busy: rules?.tentative_as_busy ?? true,
    },
  }
}

const remindersOf = (
  reminders: readonly BookingReminder[] | null | undefined,
  recipient: 'all' | 'guest',
): BookingReminder[] =>
  (reminders ?? []).map((reminder) => ({
    ...{ type: reminder.type, minutes_before_event: reminder.minutes_before_event },
    recipient: reminder.recipient ?? recipient,
    ...filled({ email_subject: reminder.email_subject }),
  }))

/** `{}` stands for no conference. */
const conferenceOf = <C extends object>(conferencing: C | null | undefined): { conferencing?: C } =>
  conferencing && Object.keys(conferencing).length > 0 ? { conferencing } : {}

function eventBookingOf(given: EventBooking | null | undefined): EventBooking {
  const { title, description, location, timezone, conferencing } = given ?? {}
  return {
    ...filled({ title, timezone }),
    description: description ?? '',
    location: location ?? '',
    booking_type: given?.booking_type ?? 'booking',
    ...conferenceOf(conferencing),
    disable_emails: given?.disable_emails ?? false,
    hide_participants: given?.hide_participants ?? false,
    notify_participants: given?.notify_participants ?? false,
    reminders: remindersOf(given?.reminders, 'all'),
  }
}

const groupBookingOf = (given: GroupBooking): GroupBooking => ({
  calendar_id: given.calendar_id,
  booking_type: 'booking',
  disable_emails: given.disable_emails ?? false,
  reminders: remindersOf(given.reminders, 'guest'),
  ...conferenceOf(given.conferencing),
  default_capacity: given.default_capacity ?? defaultCapacity,
})

function schedulerOf(given: SchedulerSettings | null | undefined): SchedulerSettings {
  const { cancellation_policy, rescheduling_url, cancellation_url, organizer_confirmation_url } = given ?? {}
  const { confirmation_redirect_url, email_template, notetaker_settings } = given ?? {}
  return {
    available_days_in_future: given?.available_days_in_future ?? defaultDays,
    min_booking_notice: given?.min_booking_notice ?? defaultNoticeMinutes,
    min_cancellation_notice: given?.min_cancellation_notice ?? 0,
    ...filled({ cancellation_policy, rescheduling_url, cancellation_url, organizer_confirmation_url }),
    ...filled({ confirmation_redirect_url }),
    hide_rescheduling_options: given?.hide_rescheduling_options ?? false,
    hide_cancellation_options: given?.hide_cancellation_options ?? false,
    hide_additional_guests: given?.hide_additional_guests ?? false,
    additional_fields: Object.fromEntries(
      Object.entries(given?.additional_fields ?? {}).map(([key, field]) => {
        const { label, type, required, ...rest } = field
        return [key, { label, type, required, ...filled(rest) }]
      }),
    ),
    ...filled({ email_template, notetaker_settings }),
  }
}

/** The complete configuration of a draft that `checkConfiguration` accepts. */
export function completeConfiguration(id: string, draft: ConfigurationDraft): Configuration {
  const isGroup = draft.type === 'group'
  const participants = isGroup ? [] : participantsOf(draft)
  const organizer = organizerOf(participants)
  return {
    id,
    name: draft.name || organizer?.name || organizer?.email || '',
    slug: draft.slug || null,
    type: isGroup ? 'group' : '',
    requires_session_auth: draft.requires_session_auth ?? false,
    participants,
    availability: isGroup ? { duration_minutes: 0 } : availabilityOf(draft.availability),
    event_booking: isGroup ? { title: '' } : eventBookingOf(draft.event_booking),
    ...(isGroup && draft.group_booking ? { group_booking: groupBookingOf(draft.group_booking) } : {}),
    scheduler: schedulerOf(draft.scheduler),
    appearance: draft.appearance ?? null,
    embed_origins: draft.embed_origins ?? [],
  }
}
