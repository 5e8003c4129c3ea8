import { Configuration, ConfigurationDraft } from '@waypost/contract'
import { expect, test } from 'vitest'
import { completeConfiguration } from '../../src/configurations/complete.ts'

const id = '7c1d9a52-4e08-4f6b-9b3e-2a60d5f8c714'
const host = { email: 'ann@x.test', availability: { calendar_ids: ['primary'] }, booking: { calendar_id: 'primary' } }
const least = {
  participants: [{ ...host, name: 'Ann' }],
  availability: { duration_minutes: 30 },
  event_booking: { title: 'Meeting' },
}
const complete = (draft: unknown) => completeConfiguration(id, ConfigurationDraft.parse(draft))

/** The places of nulls in a value. */
const nullsIn = (value: unknown, at = ''): string[] => {
  if (value === null) return [at]
  if (typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, item]) => nullsIn(item, `${at}.${name}`))
}

test('the least configuration gets every default', () => {
  expect(complete(least)).toMatchObject({
    id,
    name: 'Ann',
    slug: null,
    type: '',
    requires_session_auth: false,
    participants: [{ is_organizer: true, specific_time_availability: [], only_specific_time_availability: false }],
    availability: { round_to: 15, availability_rules: { availability_method: 'collective', buffer: { before: 0 } } },
    event_booking: { booking_type: 'booking', disable_emails: false, reminders: [] },
    scheduler: { available_days_in_future: 30, min_booking_notice: 60, min_cancellation_notice: 0 },
    appearance: null,
    embed_origins: [],
  })
})

test('nulls and empty texts count as not set, and no answer has a null in a nested object', () => {
  const empty = complete({
    ...least,
    slug: '',
    name: '',
    version: '1.0.0',
    requires_session_auth: null,
    participants: [{ ...host, name: '', timezone: '', grant_id: '' }],
    availability: {
      duration_minutes: 30,
      interval_minutes: null,
      availability_rules: { round_robin_group_id: '', buffer: null, default_open_hours: null },
    },
    event_booking: { title: 'Meeting', conferencing: {}, timezone: '', reminders: null, location: null },
    scheduler: {
      min_booking_notice: null,
      rescheduling_url: '',
      email_template: null,
      additional_fields: { a: { label: 'A', type: 'text', required: false, pattern: '', options: null } },
    },
  })
  expect(nullsIn(empty)).toEqual(['.slug', '.appearance'])
  expect(empty.name).toBe('ann@x.test')
  expect(empty.event_booking).not.toHaveProperty('conferencing')
  expect(empty.scheduler.min_booking_notice).toBe(60)
  expect(empty.scheduler.additional_fields).toEqual({ a: { label: 'A', type: 'text', required: false } })
})

test('an answer sent back gives the same configuration', () => {
  const first = complete({ ...least, participants: [...least.participants, { email: 'guest@x.test' }].slice(0, 1) })
  expect(complete(first)).toEqual(first)
  expect(Configuration.parse(first)).toEqual(first)
  const group = complete({ type: 'group', name: 'Class', group_booking: { calendar_id: 'c' } })
  expect(group).toMatchObject({
    participants: [],
    availability: { duration_minutes: 0 },
    event_booking: { title: '' },
  })
  expect(group.group_booking).toMatchObject({ booking_type: 'booking', default_capacity: 10, reminders: [] })
  expect(complete(group)).toEqual(group)
})

test('an invitee has empty calendars, and stays an invitee when it is sent back', () => {
  const { participants } = complete({
    ...least,
    participants: [{ ...host, is_organizer: true }, { email: 'guest@x.test' }],
  })
  expect(participants[1]).toMatchObject({
    availability: { calendar_ids: [], open_hours: [] },
    booking: { calendar_id: '' },
  })
})

test('ex_dates is another name of exdates', () => {
  const hours = { days: [1], start: '9:00', end: '17:00', exdates: ['2027-01-01'], ex_dates: ['2027-01-02'] }
  const { availability } = complete({
    ...least,
    availability: { duration_minutes: 30, availability_rules: { default_open_hours: [hours] } },
  })
  const [shown] = availability.availability_rules?.default_open_hours ?? []
  expect(shown).toEqual({ days: [1], start: '9:00', end: '17:00', exdates: ['2027-01-01', '2027-01-02'] })
})
