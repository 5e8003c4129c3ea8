import type { ShownEvent } from '../event-objects.ts'
import type { GroupEvent, GroupEventInfo, groupEvents } from '../scheduling/group-events.ts'
import type { ExamplesOf } from './example.ts'
import { sampleCalendar, sampleEvent } from './shared.ts'

const configuration_id = '3f1e5a52-6a7b-4c0d-9b8f-27d4c1e0a963'
const params = { configuration_id }
const zone = { start_timezone: 'Europe/Stockholm', end_timezone: 'Europe/Stockholm' }
const when = { start_time: 1_747_656_000, end_time: 1_747_663_200, ...zone }

const workshop: ShownEvent = {
  ...sampleEvent,
  id: '4h8m2b7x0q5r9t3w6y1z',
  title: 'Workshop: sourdough',
  description: 'Bring a jar.',
  location: 'Kitchen, second floor',
  when: { object: 'timespan', ...when },
  participants: [
    { email: 'jonas@example.org', name: 'Jonas Lindqvist', comment: null, phone_number: null, status: 'noreply' },
  ],
  ical_uid: '4h8m2b7x0q5r9t3w6y1z@example.com',
}
const host = { email: sampleEvent.organizer?.email ?? '', name: sampleEvent.organizer?.name ?? '', is_organizer: true }
const info: GroupEventInfo = {
  event_id: workshop.id,
  calendar_id: workshop.calendar_id,
  master_id: null,
  config_id: configuration_id,
  capacity: 12,
  type: 'single_event',
  booked: true,
  booked_seats: 1,
  finished: false,
  participants: [host],
  rrule: [],
  exceptions: [],
  reminders: [],
  snapshot: null,
  snapshot_expires_at: 0,
}
const shown: GroupEvent = { ...workshop, capacity: 12, event: workshop, group_event_info: info }
const fresh: ShownEvent = { ...workshop, participants: [] }
const created: GroupEvent = {
  ...fresh,
  capacity: 12,
  event: fresh,
  group_event_info: { ...info, booked: false, booked_seats: 0 },
}

const importing = {
  params,
  body: [
    { calendar_id: sampleCalendar.id, event_id: workshop.id, capacity: 12 },
    { calendar_id: sampleCalendar.id, event_id: sampleEvent.id },
  ],
  answer: {
    imported_events: [{ event_id: workshop.id }],
    import_failed: [{ event_id: sampleEvent.id, reason: 'Event already imported' }],
  },
}

export const groupEventExamples: ExamplesOf<typeof groupEvents> = {
  list: {
    params,
    query: { calendar_id: 'primary', start_time: 1_747_605_600, end_time: 1_748_210_400 },
    answer: [shown],
  },
  create: {
    params,
    body: {
      calendar_id: 'primary',
      title: 'Workshop: sourdough',
      description: 'Bring a jar.',
      location: 'Kitchen, second floor',
      when,
      participants: [host],
      capacity: 12,
    },
    answer: created,
  },
  update: {
    summary: 'More seats',
    params: { ...params, event_id: workshop.id },
    query: { calendar_id: 'primary' },
    body: { capacity: 16 },
    answer: { ...shown, capacity: 16, group_event_info: { ...info, capacity: 16 } },
  },
  delete: { params: { ...params, event_id: workshop.id }, query: { calendar_id: 'primary' } },
  importForGrant: importing,
  import: importing,
  validateTimeslot: {
    params,
    body: {
      calendar_id: sampleCalendar.id,
      event_id: workshop.id,
      start_time: when.start_time,
      end_time: when.end_time,
    },
  },
}
