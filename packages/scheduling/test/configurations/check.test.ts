import { ConfigurationDraft } from '@waypost/contract'
import { expect, test } from 'vitest'
import { checkConfiguration } from '../../src/configurations/check.ts'

const host = (email: string, more: object = {}) => ({
  email,
  availability: { calendar_ids: ['primary'] },
  booking: { calendar_id: 'primary' },
  ...more,
})
const least = {
  participants: [host('ann@x.test')],
  availability: { duration_minutes: 30 },
  event_booking: { title: 'Meeting', timezone: 'Europe/Paris' },
}
const check = (change: object) => checkConfiguration(ConfigurationDraft.parse({ ...least, ...change }))
const rules = (availability_rules: object) => ({ availability: { duration_minutes: 30, availability_rules } })
const field = (more: object) => ({
  scheduler: { additional_fields: { a: { label: 'A', type: 'text', required: true, ...more } } },
})
const many = Object.fromEntries(
  Array.from({ length: 51 }, (_, i) => [`f${i}`, { label: 'A', type: 'text', required: false }]),
)
const open = (hours: object) => rules({ default_open_hours: [{ days: [1], start: '9:00', end: '17:00', ...hours }] })
const dated = (times: object) => ({ date: '2027-01-04', start: '9:00', end: '12:00', timezone: 'UTC', ...times })
const group = { type: 'group', participants: null, availability: null, event_booking: null }

test('the least configuration has no problems', () => {
  expect(check({})).toEqual({})
  expect(check({ ...group, name: 'Class', group_booking: { calendar_id: 'c' } })).toEqual({})
  expect(
    check({ ...group, participants: [], availability: {}, name: 'Class', group_booking: { calendar_id: 'c' } }),
  ).toEqual({})
})

test.each([
  ['no participants', { participants: [] }, 'participants'],
  ['no duration', { availability: {} }, 'availability.duration_minutes'],
  ['no title', { event_booking: {} }, 'event_booking.title'],
  ['group settings of a meeting', { group_booking: { calendar_id: 'c' } }, 'group_booking'],
  ['nobody with calendars', { participants: [{ email: 'a@x.test', booking: { calendar_id: 'p' } }] }, 'participants'],
  [
    'nobody who hosts',
    { participants: [{ email: 'a@x.test', availability: { calendar_ids: ['p'] } }] },
    'participants',
  ],
  [
    'one address twice',
    { participants: [host('a@x.test', { is_organizer: true }), host('A@x.test')] },
    'participants.1.email',
  ],
  ['no organizer of several', { participants: [host('a@x.test'), host('b@x.test')] }, 'participants'],
  [
    'two organizers',
    { participants: [host('a@x.test', { is_organizer: true }), host('b@x.test', { is_organizer: true })] },
    'participants',
  ],
  [
    'an organizer of a round robin',
    {
      participants: [host('a@x.test'), host('b@x.test', { is_organizer: true })],
      ...rules({ availability_method: 'max-fairness' }),
    },
    'participants.1.is_organizer',
  ],
  [
    'hours that start too late',
    open({ start: '23:50', end: '24:00' }),
    'availability.availability_rules.default_open_hours.0.start',
  ],
  [
    'hours that end before they start',
    open({ end: '8:00' }),
    'availability.availability_rules.default_open_hours.0.end',
  ],
  [
    'a date that does not exist',
    open({ exdates: ['2027-02-30'] }),
    'availability.availability_rules.default_open_hours.0.exdates.0',
  ],
  [
    'default dates without a zone',
    rules({ default_specific_time_availability: [dated({ timezone: null })] }),
    'availability.availability_rules.default_specific_time_availability.0.timezone',
  ],
  [
    'default dates of an event without a zone',
    { ...rules({ default_specific_time_availability: [dated({})] }), event_booking: { title: 'Meeting' } },
    'event_booking.timezone',
  ],
  ['a script as link', { scheduler: { cancellation_url: 'javascript:alert(1)' } }, 'scheduler.cancellation_url'],
  ['a logo that is no address', { appearance: { company_logo_url: 'data:x' } }, 'appearance.company_logo_url'],
  ['51 additional fields', { scheduler: { additional_fields: many } }, 'scheduler.additional_fields'],
  ['choices without options', field({ type: 'dropdown' }), 'scheduler.additional_fields.a.options'],
  ['a pattern that does not compile', field({ pattern: '(' }), 'scheduler.additional_fields.a.pattern'],
  ['a pattern with a parenthesis too many', field({ pattern: 'a)|(b' }), 'scheduler.additional_fields.a.pattern'],
  ['a slug that is a path', { slug: '..' }, 'slug'],
  ['a slug in the form of an id', { slug: '7c1d9a52-4e08-4f6b-9b3e-2a60d5f8c714' }, 'slug'],
  [
    'a subject of a notification',
    { event_booking: { title: 'M', reminders: [{ type: 'webhook', minutes_before_event: 5, email_subject: 'x' }] } },
    'event_booking.reminders.0.email_subject',
  ],
  [
    'Zoom without its account',
    { event_booking: { title: 'M', conferencing: { provider: 'Zoom Meeting', autocreate: {} } } },
    'event_booking.conferencing.autocreate.conf_grant_id',
  ],
  ['a group without name', { ...group, group_booking: { calendar_id: 'c' } }, 'name'],
  ['a group without calendar', { ...group, name: 'Class' }, 'group_booking'],
  [
    'a reminder of a group for all',
    {
      ...group,
      name: 'Class',
      group_booking: {
        calendar_id: 'c',
        reminders: [{ type: 'email', minutes_before_event: 5, recipient: 'all' }],
      },
    },
    'group_booking.reminders.0.recipient',
  ],
])('%s is refused, and the problem names the field', (_, change, at) => {
  expect(Object.keys(check(change))).toEqual([at])
})

test('a day that is closed from 0:00 to 0:00 is allowed', () => {
  const closed = dated({ start: '00:00', end: '00:00' })
  expect(check(rules({ default_specific_time_availability: [closed] }))).toEqual({})
})

test('a group has no participants', () => {
  const problems = check({
    ...group,
    name: 'Class',
    group_booking: { calendar_id: 'c' },
    participants: least.participants,
  })
  expect(Object.keys(problems)).toEqual(['participants'])
})
