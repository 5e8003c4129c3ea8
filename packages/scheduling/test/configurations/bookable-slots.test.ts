/** The time rules of a configuration, one by one. Everything happens on Monday, 2026-06-01, unless stated otherwise. */
import type { BookingAvailability, Configuration, ConfigurationParticipant } from '@waypost/contract'
import { describe, expect, test } from 'vitest'
import { findBookableSlots } from '../../src/configurations/bookable-slots.ts'
import { planSlots } from '../../src/configurations/slot-plan.ts'
import { bareConfiguration } from './random-configurations.ts'

const seconds = (text: string): number => Temporal.Instant.from(text).epochMilliseconds / 1000
const utc = (moment: number): string => new Date(moment * 1000).toISOString().slice(0, 16)
const clock = (moment: number): string => utc(moment).slice(11)

const weekdays = [0, 1, 2, 3, 4, 5, 6]
const morning = { days: weekdays, start: '9:00', end: '11:00' }
const berlin = 'Europe/Berlin'
const newYork = 'America/New_York'

type Rules = NonNullable<BookingAvailability['availability_rules']>
const host = (fields: Partial<ConfigurationParticipant> = {}): ConfigurationParticipant => ({
  email: 'ann@x.test',
  availability: { calendar_ids: ['primary'] },
  booking: { calendar_id: 'primary' },
  ...fields,
})
const openHost = (open_hours: NonNullable<ConfigurationParticipant['availability']>['open_hours'], more = {}) =>
  host({ availability: { calendar_ids: ['primary'], open_hours }, ...more })

interface Asked {
  people?: ConfigurationParticipant[]
  rules?: Rules
  timing?: Partial<BookingAvailability>
  zone?: string
  scheduler?: Configuration['scheduler']
  now?: string
  from?: string
  to?: string
  busy?: Record<string, [string, string][]>
  lastBooked?: Record<string, number>
  first?: string
}

function find(requested: Asked) {
  const { people = [host()], rules, timing, zone, scheduler, busy = {}, lastBooked = {} } = requested
  const configuration = bareConfiguration({
    participants: people,
    availability: { duration_minutes: 60, ...timing, ...(rules ? { availability_rules: rules } : {}) },
    event_booking: { title: 'Meeting', timezone: zone },
    scheduler: { min_booking_notice: 0, ...scheduler },
  })
  const window = {
    start: seconds(requested.from ?? '2026-06-01T00:00Z'),
    end: seconds(requested.to ?? '2026-06-02T00:00Z'),
  }
  const plan = planSlots(configuration, { now: seconds(requested.now ?? '2026-05-31T12:00Z'), window })
  if (!plan) return { time_slots: [], hosts: [] }
  const fetched = plan.hosts.map((one) => ({
    host: one,
    busy: (busy[one.email] ?? []).map(([start, end]) => ({ start: seconds(start), end: seconds(end) })),
    lastBooked: lastBooked[one.email],
  }))
  return { ...findBookableSlots(plan, fetched, requested.first), hosts: plan.hosts.map(({ email }) => email) }
}
const starts = (requested: Asked): string =>
  find(requested)
    .time_slots.map(({ start_time }) => clock(start_time))
    .join(' ')

describe('time zones of open hours, the strongest first', () => {
  const inUtc = '09:00 10:00'
  const inBerlin = '07:00 08:00'
  const inNewYork = '13:00 14:00'
  test.each([
    ['the own zone of the hours', { hours: newYork, person: berlin, event: 'UTC' }, inNewYork],
    ['the zone of the participant', { hours: undefined, person: newYork, event: berlin }, inNewYork],
    ['the zone of the event', { hours: undefined, person: undefined, event: berlin }, inBerlin],
    ['an empty text is no zone', { hours: '', person: '', event: berlin }, inBerlin],
    ['UTC', { hours: undefined, person: undefined, event: undefined }, inUtc],
  ])('%s', (_name, { hours, person, event }, expected) => {
    const people = [openHost([{ ...morning, timezone: hours }], { timezone: person })]
    expect(starts({ people, zone: event })).toBe(expected)
  })

  test('the default hours are in the zone of the event, whatever zone the participant has', () => {
    const people = [host({ timezone: newYork })]
    expect(starts({ people, zone: berlin, rules: { default_open_hours: [morning] } })).toBe(inBerlin)
    const own = { default_open_hours: [{ ...morning, timezone: newYork }] }
    expect(starts({ people, zone: berlin, rules: own })).toBe(inNewYork)
  })

  test('open hours of a participant replace the default ones', () => {
    const people = [openHost([{ ...morning, start: '15:00', end: '16:00' }])]
    expect(starts({ people, rules: { default_open_hours: [morning] } })).toBe('15:00')
    expect(starts({ people: [openHost([])], rules: { default_open_hours: [morning] } })).toBe(inUtc)
  })
})

describe('single dates', () => {
  const date = '2026-06-01'
  const afternoon = { date, start: '14:00', end: '16:00' }
  const rules = { default_open_hours: [morning] }

  test('the hours of a date replace its open hours, and exdates close it', () => {
    expect(starts({ rules: { ...rules, default_specific_time_availability: [afternoon] } })).toBe('14:00 15:00')
    expect(starts({ rules: { default_open_hours: [{ ...morning, exdates: [date] }] } })).toBe('')
    expect(starts({ rules: { default_open_hours: [{ ...morning, ex_dates: [date] }] } })).toBe('')
  })

  test('a participant with hours for a date does not have the default ones of that date', () => {
    const people = [host({ specific_time_availability: [{ date, start: '20:00', end: '21:00' }] })]
    const both = [afternoon, { date: '2026-06-02', start: '6:00', end: '7:00' }]
    const requested = { people, rules: { ...rules, default_specific_time_availability: both }, to: '2026-06-03T00:00Z' }
    expect(starts(requested)).toBe('20:00 06:00')
  })

  test('00:00 to 00:00 closes a date', () => {
    const closed = { date, start: '00:00', end: '00:00' }
    expect(starts({ people: [host({ specific_time_availability: [closed] })], rules })).toBe('')
    expect(starts({ rules: { ...rules, default_specific_time_availability: [closed] } })).toBe('')
  })

  test('with only_specific_time_availability no other date is open, and without dates nothing is', () => {
    const only = { only_specific_time_availability: true }
    expect(starts({ rules: { ...rules, ...only } })).toBe('')
    expect(starts({ people: [host(only)], rules })).toBe('')
    expect(starts({ rules: { ...rules, ...only, default_specific_time_availability: [afternoon] } })).toBe(
      '14:00 15:00',
    )
    expect(starts({ people: [host({ ...only, specific_time_availability: [afternoon] })], rules })).toBe('14:00 15:00')
  })
})

describe('start times', () => {
  test('are counted from the opening, not from the window, and rounded to a quarter of an hour', () => {
    const people = [openHost([{ ...morning, start: '10:00', end: '13:00' }])]
    const fifty = { people, timing: { duration_minutes: 50 } }
    expect(starts(fifty)).toBe('10:00 11:00 11:45')
    expect(starts({ ...fifty, from: '2026-06-01T10:07:13Z' })).toBe('11:00 11:45')
    expect(starts({ ...fifty, timing: { duration_minutes: 50, round_to: 5 } })).toBe('10:00 10:50 11:40')
  })

  test('begin again after a break, and at midnight where nothing is closed', () => {
    const blocks = [
      { ...morning, end: '10:00' },
      { ...morning, start: '13:30', end: '15:30' },
    ]
    expect(starts({ people: [openHost(blocks)], timing: { duration_minutes: 45 } })).toBe('09:00 13:30 14:15')
    const always = { timing: { duration_minutes: 120, interval_minutes: 420 }, to: '2026-06-02T08:00Z' }
    expect(starts(always)).toBe('00:00 07:00 14:00 21:00 00:00 07:00')
  })

  test('are rounded on the local clock of the event, also in zones between the hours', () => {
    const people = [openHost([{ ...morning, start: '9:10', end: '12:00' }])]
    const found = find({ people, zone: 'Asia/Kathmandu', timing: { round_to: 60 } }).time_slots
    // 10:00 and 11:00 in Kathmandu.
    expect(found.map(({ start_time }) => clock(start_time))).toEqual(['04:15', '05:15'])
  })

  test('count if they are in the window, also if the meeting ends after it', () => {
    const timing = { duration_minutes: 60, interval_minutes: 30 }
    const window = { from: '2026-06-01T22:45:00Z', to: '2026-06-02T00:00:00Z' }
    expect(starts({ timing, ...window })).toBe('23:00 23:30')
  })

  test('on a day without an hour, and on a day with one twice', () => {
    const people = [openHost([{ ...morning, start: '1:00', end: '4:00', timezone: newYork }])]
    const requested = { people, zone: newYork, timing: { duration_minutes: 60 } }
    const spring = { now: '2026-03-07T00:00Z', from: '2026-03-08T05:00Z', to: '2026-03-09T04:00Z' }
    const autumn = { now: '2026-10-31T00:00Z', from: '2026-11-01T04:00Z', to: '2026-11-02T05:00Z' }
    expect(starts({ ...requested, ...spring })).toBe('06:00 07:00')
    expect(starts({ ...requested, ...autumn })).toBe('05:00 06:00 07:00 08:00')
  })
})

describe('notice and horizon', () => {
  const rules = { default_open_hours: [morning] }
  test('a start before the notice is not offered; the default is an hour', () => {
    const now = '2026-06-01T08:30:01Z'
    expect(starts({ rules, now, scheduler: { min_booking_notice: 30 } })).toBe('10:00')
    expect(starts({ rules, now, scheduler: { min_booking_notice: null } })).toBe('10:00')
    expect(starts({ rules, now: '2026-06-01T08:00Z', scheduler: { min_booking_notice: null } })).toBe('09:00 10:00')
    expect(starts({ rules, now, scheduler: { min_booking_notice: 24 * 60 } })).toBe('')
  })

  test('the last day can be booked until its end in the zone of the event; the default is 30 days', () => {
    const days = (available_days_in_future: number | null, zone: string) =>
      find({
        zone,
        rules: { default_open_hours: [{ ...morning, start: '23:00', end: '24:00', timezone: zone }] },
        now: '2026-06-01T12:00Z',
        to: '2026-08-01T00:00Z',
        scheduler: { available_days_in_future },
      }).time_slots.map(({ start_time }) => utc(start_time))
    expect(days(2, 'UTC')).toEqual(['2026-06-01T23:00', '2026-06-02T23:00', '2026-06-03T23:00'])
    expect(days(1, newYork)).toEqual(['2026-06-02T03:00', '2026-06-03T03:00'])
    expect(days(null, 'UTC').at(-1)).toBe('2026-07-01T23:00')
  })

  test('a window that is over, or behind the horizon, offers nothing', () => {
    expect(find({ now: '2026-06-03T00:00Z' })).toEqual({ time_slots: [], hosts: [] })
    expect(find({ now: '2026-04-01T00:00Z' })).toEqual({ time_slots: [], hosts: [] })
  })
})

describe('who must be free', () => {
  const busyAnn = { 'ann@x.test': [['2026-06-01T09:00Z', '2026-06-01T10:00Z']] as [string, string][] }
  const team = ['ann', 'bob', 'cleo', 'dan'].map((name) => host({ email: `${name}@x.test` }))
  const rules = (availability_method?: Rules['availability_method']): Rules => ({
    default_open_hours: [morning],
    availability_method,
  })
  const attended = (requested: Asked): string =>
    find(requested)
      .time_slots.map(({ start_time, emails }) => `${clock(start_time)} ${emails.map(([initial]) => initial).join('')}`)
      .join(', ')

  test('everyone by default, without invitees who have no calendars', () => {
    const people = [...team, { email: 'invited@x.test' }, { email: 'also@x.test', availability: { calendar_ids: [] } }]
    const found = find({ people, rules: rules(), busy: busyAnn })
    expect(found.hosts).toEqual(team.map(({ email }) => email))
    expect(found).not.toHaveProperty('order')
    expect(attended({ people, rules: rules(), busy: busyAnn })).toBe('10:00 abcd')
  })

  test('a single host is never in a round robin', () => {
    const requested = { people: [host()], rules: rules('max-fairness') }
    expect(find(requested)).not.toHaveProperty('order')
    expect(starts(requested)).toBe('09:00 10:00')
  })

  test('with max-availability anyone, except for hosts without a calendar for events', () => {
    const people = [...team.slice(0, 2), host({ email: 'cleo@x.test', booking: { calendar_id: '' } })]
    const requested = { people, rules: rules('max-availability'), busy: busyAnn, lastBooked: { 'ann@x.test': 5 } }
    expect(find(requested).order).toEqual(['bob@x.test', 'ann@x.test'])
    expect(attended(requested)).toBe('09:00 b, 10:00 ba')
  })

  test('with max-fairness the half that is next, and everyone on days when that half has no time', () => {
    const lastBooked = { 'ann@x.test': 1, 'bob@x.test': 2, 'cleo@x.test': 3, 'dan@x.test': 4 }
    const away: [string, string][] = [['2026-06-02T00:00Z', '2026-06-03T00:00Z']]
    const busy = { ...busyAnn, 'bob@x.test': away }
    const requested = { people: team, rules: rules('max-fairness'), lastBooked, busy, to: '2026-06-03T00:00Z' }
    expect(attended(requested)).toBe('09:00 b, 10:00 ab, 09:00 a, 10:00 a')
    const bothAway = { ...requested, busy: { 'ann@x.test': away, 'bob@x.test': away } }
    expect(attended(bothAway)).toBe('09:00 ab, 10:00 ab, 09:00 cd, 10:00 cd')
    expect(find(bothAway).order).toEqual(team.map(({ email }) => email))
    // A part of a day has the same result as the whole day.
    expect(attended({ ...bothAway, from: '2026-06-02T09:30Z' })).toBe('10:00 cd')
  })

  test('the host of a booking that moves comes first', () => {
    const requested = { people: team, rules: rules('max-fairness'), first: 'dan@x.test' }
    expect(find(requested).order).toEqual(['dan@x.test', 'ann@x.test', 'bob@x.test', 'cleo@x.test'])
    expect(attended(requested)).toBe('09:00 da, 10:00 da')
  })

  test('buffers keep the time around meetings free', () => {
    const timing = { duration_minutes: 30 }
    const busy = { 'ann@x.test': [['2026-06-01T09:45Z', '2026-06-01T10:00Z']] as [string, string][] }
    const requested = (before: number, after: number) =>
      starts({ timing, busy, rules: { default_open_hours: [morning], buffer: { before, after } } })
    expect(requested(0, 0)).toBe('09:00 10:00 10:30')
    expect(requested(20, 5)).toBe('10:30')
    expect(requested(15, 30)).toBe('09:00 10:30')
  })
})
