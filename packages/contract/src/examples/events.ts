import type { ShownEvent } from '../event-objects.ts'
import type { events } from '../events.ts'
import type { ExamplesOf } from './example.ts'
import { sampleCalendar, sampleEvent, virtualGrantId } from './shared.ts'

const query = { calendar_id: 'primary' }
const params = { event_id: sampleEvent.id }
const zone = { start_timezone: 'Europe/Stockholm', end_timezone: 'Europe/Stockholm' }

/** The weekly meeting of the team: a series. */
const series: ShownEvent = {
  ...sampleEvent,
  id: '7d2kq9s0c4mh1vn6t8ra',
  title: 'Events team, weekly',
  description: 'What comes next, and who does it.',
  text_description: 'What comes next, and who does it.',
  location: 'Room Linnaeus',
  when: { object: 'timespan', start_time: 1_747_117_800, end_time: 1_747_119_600, ...zone },
  participants: [{ email: 'selma@example.com', name: 'Selma Berg', comment: null, phone_number: null, status: 'yes' }],
  recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10'],
  ical_uid: '7d2kq9s0c4mh1vn6t8ra@example.com',
  conferencing: {
    provider: 'Google Meet',
    details: { url: 'https://meet.example.com/kqs-vnth-rac', meeting_code: 'kqs-vnth-rac' },
  },
  html_link: 'https://calendar.example.com/event?eid=N2Qya3E5',
}
const { recurrence: _rule, ...ofSeries } = series
/** Its second meeting. */
const instance: ShownEvent = {
  ...ofSeries,
  id: `${series.id}_20250520T063000Z`,
  master_event_id: series.id,
  original_start_time: 1_747_722_600,
  when: { object: 'timespan', start_time: 1_747_722_600, end_time: 1_747_724_400, ...zone },
}

/** A tour that somebody booked, on a virtual calendar. */
const tour: ShownEvent = {
  id: 'b08a2911-82c9-4a46-9898-9ba2eef2ebef',
  object: 'event',
  grant_id: virtualGrantId,
  calendar_id: '8e0c5b3f-92d1-4f6a-a7c4-1b38d9e06f75',
  title: 'Tour of the hall',
  description: null,
  text_description: null,
  location: 'Main entrance',
  when: { object: 'timespan', start_time: 1_747_130_400, end_time: 1_747_134_000, ...zone },
  busy: true,
  status: 'confirmed',
  hide_participants: false,
  participants: [
    { email: 'jonas@example.org', name: 'Jonas Lindqvist', comment: null, phone_number: null, status: 'noreply' },
  ],
  resources: [],
  organizer: { name: 'Tour guide 3', email: 'tour-guides' },
  ical_uid: 'b08a2911-82c9-4a46-9898-9ba2eef2ebef@waypost.example.com',
  sequence: 0,
  read_only: false,
  metadata: { key1: 'tours' },
  created_at: 1_739_223_240,
  updated_at: 1_739_223_240,
}

export const eventExamples: ExamplesOf<typeof events> = {
  list: {
    query: { calendar_id: 'primary', start: 1_747_000_800, end: 1_747_778_400, limit: 2 },
    answer: [sampleEvent, instance],
    next_cursor: 'eyJ2IjoxLCJzIjoxNzQ3NzIyNjAwfQ',
    more: {
      metadata: {
        summary: 'By metadata, at any time',
        params: { grant_id: virtualGrantId },
        query: { calendar_id: 'primary', metadata_pair: 'key1:tours' },
        answer: [tour],
      },
    },
  },
  import: {
    query: { calendar_id: sampleCalendar.id, start: 1_747_000_800, end: 1_747_778_400, limit: 500 },
    answer: [sampleEvent, series],
  },
  export: { query: { calendar_id: sampleCalendar.id, format: 'ics', start: 1_735_686_000, end: 1_767_222_000 } },
  create: {
    summary: 'A meeting with a guest and a conference',
    query: { calendar_id: 'primary', notify_participants: true },
    body: {
      title: sampleEvent.title,
      description: sampleEvent.description,
      location: sampleEvent.location,
      when: { start_time: 1_747_036_800, end_time: 1_747_040_400, ...zone },
      participants: [{ email: 'jonas@example.org', name: 'Jonas Lindqvist' }],
      conferencing: { provider: 'Google Meet', autocreate: {} },
    },
    answer: sampleEvent,
    more: {
      series: {
        summary: 'A series',
        query,
        body: {
          title: series.title,
          description: series.description,
          location: series.location,
          when: { start_time: 1_747_117_800, end_time: 1_747_119_600, ...zone },
          participants: [{ email: 'selma@example.com', name: 'Selma Berg' }],
          recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10'],
        },
        answer: series,
      },
      booking: {
        summary: 'A booking on a virtual calendar, with the header If-None-Overlap: true',
        params: { grant_id: virtualGrantId },
        query,
        body: {
          title: tour.title,
          location: tour.location,
          when: { start_time: 1_747_130_400, end_time: 1_747_134_000, ...zone },
          participants: [{ email: 'jonas@example.org', name: 'Jonas Lindqvist' }],
          metadata: tour.metadata,
        },
        answer: tour,
      },
    },
  },
  get: {
    params,
    query,
    answer: sampleEvent,
    more: {
      instance: { summary: 'One instance of a series', params: { event_id: instance.id }, query, answer: instance },
    },
  },
  update: {
    summary: 'Move to another time',
    params,
    query,
    body: { when: { start_time: 1_747_044_000, end_time: 1_747_047_600, ...zone } },
    answer: {
      ...sampleEvent,
      when: { object: 'timespan', start_time: 1_747_044_000, end_time: 1_747_047_600, ...zone },
      sequence: 1,
      updated_at: 1_739_226_840,
    },
    more: {
      instance: {
        summary: 'Only one instance of a series',
        params: { event_id: instance.id },
        query,
        body: { title: 'Events team, after the holidays' },
        answer: { ...instance, title: 'Events team, after the holidays', updated_at: 1_739_226_840 },
      },
    },
  },
  delete: { params, query: { calendar_id: 'primary', notify_participants: true } },
  rsvp: {
    params,
    query,
    body: { status: 'yes', comment: 'I bring the floor plan.' },
    answer: {},
    more: {
      unsent: {
        summary: 'The response was stored, but the mail was not sent',
        params,
        query,
        body: { status: 'maybe' },
        answer: {
          send_ics_error: { type: 'provider_error', message: 'Request had insufficient authentication scopes.' },
        },
        beside: {
          send_ics_error: { type: 'provider_error', message: 'Request had insufficient authentication scopes.' },
        },
      },
    },
  },
}
