import type { Booking, bookings } from '../scheduling/bookings.ts'
import type {
  Configuration,
  configurations,
  schedulingPages,
  schedulingRedirects,
} from '../scheduling/configurations.ts'
import type { SchedulingSession, schedulingSessions } from '../scheduling/scheduling-sessions.ts'
import type { schedulingAvailability } from '../scheduling/slots.ts'
import type { uiSettings } from '../scheduling/ui-settings.ts'
import type { ExamplesOf } from './example.ts'
import { applicationId, grantId } from './shared.ts'

const hours = { days: [1, 2, 3, 4, 5], start: '9:00', end: '17:00', timezone: 'Europe/Stockholm', exdates: [] }

export const introduction: Configuration = {
  id: '7c1d9a52-4e08-4f6b-9b3e-2a60d5f8c714',
  name: 'Introduction',
  slug: 'introduction',
  type: '',
  requires_session_auth: false,
  participants: [
    {
      email: 'mira.okafor@example.com',
      name: 'Mira Okafor',
      is_organizer: true,
      availability: { calendar_ids: ['primary'], open_hours: [hours] },
      booking: { calendar_id: 'primary' },
      specific_time_availability: [],
      only_specific_time_availability: false,
    },
  ],
  availability: {
    duration_minutes: 30,
    round_to: 15,
    availability_rules: {
      availability_method: 'collective',
      buffer: { before: 0, after: 15 },
      default_open_hours: [],
      default_specific_time_availability: [],
      only_specific_time_availability: false,
      tentative_as_busy: true,
    },
  },
  event_booking: {
    title: `Introduction with \${invitee}`,
    timezone: 'Europe/Stockholm',
    description: '',
    location: '',
    booking_type: 'booking',
    disable_emails: false,
    hide_participants: false,
    notify_participants: false,
    reminders: [],
  },
  scheduler: {
    available_days_in_future: 30,
    min_booking_notice: 60,
    min_cancellation_notice: 0,
    hide_rescheduling_options: false,
    hide_cancellation_options: false,
    hide_additional_guests: false,
    additional_fields: { company: { label: 'Company', type: 'text', required: false } },
  },
  appearance: { color: '#1a73e8' },
  embed_origins: [],
}
const params = { configuration_id: introduction.id }
const scheduler = { ...introduction.scheduler, min_booking_notice: 240 }

export const configurationExamples: ExamplesOf<typeof configurations> = {
  list: { answer: [introduction] },
  create: {
    summary: 'A page on which guests book half an hour',
    body: {
      name: 'Introduction',
      slug: 'introduction',
      participants: [
        {
          email: 'mira.okafor@example.com',
          name: 'Mira Okafor',
          is_organizer: true,
          availability: { calendar_ids: ['primary'], open_hours: [hours] },
          booking: { calendar_id: 'primary' },
        },
      ],
      availability: { duration_minutes: 30, availability_rules: { buffer: { before: 0, after: 15 } } },
      event_booking: { title: `Introduction with \${invitee}`, timezone: 'Europe/Stockholm' },
      scheduler: { additional_fields: { company: { label: 'Company', type: 'text', required: false } } },
      appearance: { color: '#1a73e8' },
    },
    answer: introduction,
  },
  get: { params, answer: introduction },
  update: {
    params,
    body: { name: 'Short introduction', scheduler },
    answer: { ...introduction, name: 'Short introduction', scheduler },
  },
  delete: { params },
}

export const schedulingPageExamples: ExamplesOf<typeof schedulingPages> = {
  list: {
    query: { search: 'intro' },
    answer: [{ ...introduction, grant_id: grantId, created_at: 1_747_029_600, updated_at: 1_747_029_600 }],
  },
}

const session: SchedulingSession = {
  session_id: `wpss_${applicationId}_pB1lV6xkq0nR8sWtYz3cHj5dLm7fGa9eUoXiKvT2bNQ`,
  configuration_id: introduction.id,
  expires_at: 1_747_030_500,
  created_at: 1_747_030_200,
}
const ofSession = { session_id: session.session_id }

export const schedulingSessionExamples: ExamplesOf<typeof schedulingSessions> = {
  create: { body: { configuration_id: introduction.id, time_to_live: 5 }, answer: session },
  get: { params: ofSession, answer: session },
  delete: { params: ofSession },
}

export const uiSettingsExamples: ExamplesOf<typeof uiSettings> = {
  get: {
    query: { configuration_id: introduction.id },
    answer: {
      configuration_id: introduction.id,
      app_client_id: applicationId,
      name: introduction.name,
      slug: introduction.slug,
      type: '',
      booking_type: 'booking',
      duration_minutes: 30,
      timezone: 'Europe/Stockholm',
      organizer: { name: 'Mira Okafor', email: 'mira.okafor@example.com' },
      appearance: introduction.appearance,
      scheduler: introduction.scheduler,
    },
  },
}

export const schedulingAvailabilityExamples: ExamplesOf<typeof schedulingAvailability> = {
  find: {
    query: { configuration_id: introduction.id, start_time: 1_796_020_200, end_time: 1_796_079_600 },
    answer: {
      time_slots: [1_796_022_000, 1_796_023_800, 1_796_030_100].map((start_time) => ({
        emails: ['mira.okafor@example.com'],
        start_time,
        end_time: start_time + 1800,
      })),
    },
  },
}

const booking: Booking = {
  booking_id: '0a1b2c3d-1111-4222-9333-444455556666',
  configuration_id: introduction.id,
  event_id: '4s1dq0n7v2hk8e5t3ub9',
  title: 'Introduction with Jonas Lindqvist',
  organizer: { email: 'mira.okafor@example.com', name: 'Mira Okafor' },
  status: 'booked',
  description: '',
  location: '',
  start_time: 1_747_130_400,
  end_time: 1_747_132_200,
  timezone: 'Europe/Stockholm',
  email_language: 'sv',
  guest: { email: 'jonas@example.org', name: 'Jonas Lindqvist' },
  additional_guests: [],
  additional_fields: { company: 'Lindqvist Hallar' },
}
const booking_ref = 'fB2aUk4IT2ubPipg1fjHFAobLD0REUIikzNERFVVZmZ4GZx2n3Y4PpTfYxv0FuBe'
const ofBooking = { booking_id: booking.booking_id }
const ofPage = { configuration_id: introduction.id }
const moved = { start_time: 1_747_216_800, end_time: 1_747_218_600 }

export const bookingExamples: ExamplesOf<typeof bookings> = {
  list: {
    query: { start: 1_747_029_600, status: 'booked' },
    answer: [{ ...booking, grant_id: grantId, created_at: 1_747_029_600, updated_at: 1_747_029_600 }],
  },
  create: {
    query: ofPage,
    body: {
      start_time: booking.start_time,
      end_time: booking.end_time,
      guest: booking.guest,
      timezone: 'Europe/Stockholm',
      email_language: 'sv',
      additional_fields: { company: 'Lindqvist Hallar' },
    },
    answer: { ...booking, booking_ref },
  },
  get: { params: ofBooking, query: ofPage, answer: booking },
  reschedule: { params: ofBooking, query: ofPage, body: moved, answer: { ...booking, ...moved, booking_ref } },
  confirm: {
    params: ofBooking,
    query: ofPage,
    body: { salt: 'eBmcdp92OD6U32Mb9BbgXg', status: 'confirmed' },
    answer: booking,
  },
  cancel: { params: ofBooking, query: ofPage, body: { cancellation_reason: 'I am ill.' } },
}

export const schedulingRedirectExamples: ExamplesOf<typeof schedulingRedirects> = {
  find: { params: { former_slug: 'introduction' }, answer: { url: `/scheduler/${applicationId}/introduction` } },
}
