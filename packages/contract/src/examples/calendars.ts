import type { Calendar, calendars, virtualCalendars } from '../calendars.ts'
import type { ExamplesOf } from './example.ts'
import { sampleCalendar, virtualGrantId } from './shared.ts'

const conference: Calendar = {
  ...sampleCalendar,
  id: 'conference-2b90da',
  name: 'Spring conference',
  description: 'Everything that happens in the hall',
  hex_color: '#0b8043',
  is_primary: false,
  metadata: { key1: 'spring-conference' },
}
const guests: Calendar = {
  ...sampleCalendar,
  id: '8e0c5b3f-92d1-4f6a-a7c4-1b38d9e06f75',
  grant_id: virtualGrantId,
  name: 'Tour guide 3',
  description: 'Tours of the hall, one guide at a time',
  hex_color: null,
  hex_foreground_color: null,
  read_only: null,
  metadata: { key1: 'tours' },
}
const params = { calendar_id: conference.id }

export const calendarExamples: ExamplesOf<typeof calendars> = {
  list: { query: { limit: 10 }, answer: [sampleCalendar, conference] },
  create: {
    body: {
      name: conference.name,
      description: conference.description,
      location: conference.location,
      timezone: conference.timezone,
      metadata: conference.metadata,
    },
    answer: conference,
  },
  freeBusy: {
    body: {
      start_time: 1_747_029_600,
      end_time: 1_747_058_400,
      emails: ['mira.okafor@example.com', 'nobody@example.org'],
    },
    answer: [
      {
        email: 'mira.okafor@example.com',
        object: 'free_busy',
        time_slots: [
          { object: 'time_slot', start_time: 1_747_036_800, end_time: 1_747_040_400, status: 'busy' },
          { object: 'time_slot', start_time: 1_747_047_600, end_time: 1_747_049_400, status: 'busy' },
        ],
      },
      {
        email: 'nobody@example.org',
        object: 'error',
        error: 'The calendar of this address cannot be read',
      },
    ],
  },
  get: {
    params,
    answer: conference,
    more: { primary: { params: { calendar_id: 'primary' }, answer: sampleCalendar } },
  },
  update: {
    params,
    body: { name: 'Spring conference 2025', hex_color: '#7986cb' },
    answer: { ...conference, name: 'Spring conference 2025', hex_color: '#7986cb' },
  },
  delete: { params, query: { notify_participants: false } },
}

export const virtualCalendarExamples: ExamplesOf<typeof virtualCalendars> = {
  create: {
    body: {
      grant_id: virtualGrantId,
      name: guests.name,
      description: guests.description,
      timezone: guests.timezone,
      metadata: guests.metadata,
    },
    answer: guests,
  },
}
