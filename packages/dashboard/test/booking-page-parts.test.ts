/** The pure parts of the pages about booking: hours, defaults, questions, changes. */
import { describe, expect, test } from 'vitest'
import type { Configuration } from '../../sdk/src/index.ts'
import {
  changesOf,
  isChanged,
  setAppearance,
  setOwnHours,
  setRules,
  setScheduler,
  setZone,
} from '../src/pages/booking-pages/changes.ts'
import {
  blocksOf,
  commonOf,
  copied,
  nextSpan,
  problemOf,
  problemOfWeek,
  sayHours,
  timesFor,
  usualWeek,
  weekOf,
  withDay,
} from '../src/pages/booking-pages/hours.ts'
import { kindOf, ownerOf } from '../src/pages/booking-pages/kinds.ts'
import { joinMinutes, sayMinutes, splitMinutes } from '../src/pages/booking-pages/minutes.ts'
import {
  type Answers,
  conferenceOf,
  draftOf,
  firstAnswers,
  firstEventOf,
  freeSlug,
  missingIn,
  usualTitle,
  withKind,
} from '../src/pages/booking-pages/new-page.ts'
import { fieldsOf, moved, newQuestion, questionsOf } from '../src/pages/booking-pages/questions.ts'
import { slugOf } from '../src/pages/booking-pages/slug.ts'
import { byDay, eachStart, weekFrom } from '../src/pages/bookings/slots.ts'

const plain = { timezone: undefined, exdates: [] }

describe('weekly hours', () => {
  test('blocks become days and the same blocks again', () => {
    const blocks = [
      { days: [1, 2, 3, 4, 5], start: '09:00', end: '12:00', timezone: 'Europe/Berlin', exdates: ['2026-12-24'] },
      { days: [1, 3], start: '13:00', end: '17:30', timezone: 'Europe/Berlin', exdates: ['2026-12-24'] },
    ]
    const week = weekOf(blocks)
    expect(week[1]).toEqual([
      { start: '09:00', end: '12:00' },
      { start: '13:00', end: '17:30' },
    ])
    expect(week[0]).toEqual([])
    const common = commonOf(blocks)
    if (!common) throw new Error('the blocks have everything in common')
    expect(blocksOf(week, common)).toEqual(blocks)
    expect(sayHours(blocks)).toBe('Mon–Fri 09:00–12:00; Mon, Wed 13:00–17:30')
  })

  test('hours without a leading zero are the same hours', () => {
    expect(blocksOf(weekOf([{ days: [6], start: '9:00', end: '24:00' }]), plain)).toEqual([
      { days: [6], start: '09:00', end: '24:00' },
    ])
  })

  test('blocks in different time zones are not shown as one week', () => {
    const block = { days: [1], start: '09:00', end: '10:00' }
    expect(commonOf([block, { ...block, timezone: 'UTC' }])).toBeUndefined()
    expect(commonOf([block, { ...block, exdates: ['2026-01-01'] }])).toBeUndefined()
    expect(commonOf([{ ...block, timezone: 'UTC' }])).toEqual({ timezone: 'UTC', exdates: [] })
    expect(commonOf([])).toEqual(plain)
  })

  test('problems name the day, and new hours follow the last ones', () => {
    expect(problemOf([{ start: '10:00', end: '10:00' }])).toBe('The end must be after the start.')
    const clash = withDay(usualWeek, 2, [
      { start: '12:00', end: '14:00' },
      { start: '09:00', end: '12:30' },
    ])
    expect(problemOfWeek(clash)).toBe('Tuesday: The hours overlap.')
    expect(problemOfWeek(usualWeek)).toBeUndefined()
    expect(nextSpan([])).toEqual({ start: '09:00', end: '17:00' })
    expect(nextSpan([{ start: '09:00', end: '12:00' }])).toEqual({ start: '13:00', end: '15:00' })
    expect(nextSpan([{ start: '09:00', end: '23:00' }])).toEqual({ start: '23:00', end: '24:00' })
  })

  test('the hours of a day are copied to the other open days only', () => {
    const week = copied(withDay(usualWeek, 1, [{ start: '08:00', end: '10:00' }]), 1)
    expect(sayHours(blocksOf(week, plain))).toBe('Mon–Fri 08:00–10:00')
    expect(week[0]).toEqual([])
  })

  test('an unusual time stays among the times to choose from', () => {
    expect(timesFor('09:00').slice(0, 2)).toEqual(['00:00', '00:15'])
    expect(timesFor('09:00').at(-1)).toBe('24:00')
    expect(timesFor('09:07', { first: 540, last: 555 })).toEqual(['09:00', '09:07', '09:15'])
  })
})

const ada = { grantId: 'g1', email: 'ada@one.test', name: 'Ada', provider: 'google', calendarId: 'cal-1' }
const bob = { grantId: 'g2', email: 'bob@one.test', name: '', provider: 'google', calendarId: 'cal-2' }
const answers = (change: Partial<Answers>): Answers => ({
  ...firstAnswers('Europe/Berlin', '2026-12-01'),
  hosts: [ada],
  title: ' Intro call ',
  slug: 'intro-call',
  ...change,
})

describe('a new page', () => {
  test('one-on-one has an organizer, usual hours in the zone, and is booked at once', () => {
    expect(draftOf(answers({}))).toEqual({
      name: 'Intro call',
      slug: 'intro-call',
      participants: [
        {
          email: 'ada@one.test',
          name: 'Ada',
          grant_id: 'g1',
          is_organizer: true,
          availability: { calendar_ids: ['cal-1'] },
          booking: { calendar_id: 'cal-1' },
        },
      ],
      availability: {
        duration_minutes: 30,
        availability_rules: {
          availability_method: 'collective',
          default_open_hours: [{ days: [1, 2, 3, 4, 5], start: '09:00', end: '17:00', timezone: 'Europe/Berlin' }],
        },
      },
      event_booking: { title: 'Intro call', timezone: 'Europe/Berlin', booking_type: 'booking' },
    })
  })

  test('round robin has no organizer; confirmation, location and conference are as chosen', () => {
    const team = draftOf(
      answers({
        kind: 'round-robin',
        hosts: [ada, bob],
        method: 'max-fairness',
        needsConfirmation: true,
        place: 'conference',
      }),
    )
    expect(team.participants?.map(({ is_organizer }) => is_organizer)).toEqual([false, false])
    expect(team.participants?.[1]?.name).toBe('bob@one.test')
    expect(team.availability?.availability_rules?.availability_method).toBe('max-fairness')
    expect(team.event_booking).toMatchObject({
      booking_type: 'organizer-confirmation',
      conferencing: { provider: 'Google Meet', autocreate: {} },
    })
    const both = draftOf(answers({ kind: 'collective', hosts: [ada, bob], place: 'location', where: 'Room 4' }))
    expect(both.participants?.map(({ is_organizer }) => is_organizer)).toEqual([true, false])
    expect(both.event_booking).toMatchObject({ location: 'Room 4' })
    expect(both.event_booking?.conferencing).toBeUndefined()
    expect(draftOf(answers({ place: 'link', where: 'https://meet.example/1' })).event_booking?.conferencing).toEqual({
      provider: 'Online meeting',
      details: { url: 'https://meet.example/1' },
    })
  })

  test('a group page has a calendar and seats, and begins with an event', () => {
    const { event } = answers({})
    const group = answers({ kind: 'group', event: { ...event, capacity: 25, repeat: 'WEEKLY', times: 4 } })
    const start = Date.parse('2026-12-01T10:00:00+01:00') / 1000
    expect(firstEventOf(group)).toEqual({
      title: 'Intro call',
      when: {
        start_time: start,
        end_time: start + 3600,
        start_timezone: 'Europe/Berlin',
        end_timezone: 'Europe/Berlin',
      },
      capacity: 25,
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'],
    })
    expect(draftOf(group)).toEqual({
      type: 'group',
      name: 'Intro call',
      slug: 'intro-call',
      group_booking: { calendar_id: 'cal-1', default_capacity: 25 },
    })
  })

  test('the first step says what is missing', () => {
    expect(missingIn(answers({ hosts: [] }))).toBe('Choose an account.')
    expect(missingIn(answers({ kind: 'round-robin' }))).toBe('Choose at least two accounts.')
    expect(missingIn(answers({ hosts: [{ ...ada, calendarId: undefined }] }))).toMatch(/ada@one.test has no calendar/)
    expect(missingIn(answers({}))).toBeUndefined()
    expect(withKind(answers({ kind: 'collective', hosts: [ada, bob] }), 'one-on-one').hosts).toEqual([ada])
  })

  test('names, slugs and conferences are proposed', () => {
    expect(usualTitle(answers({}))).toBe('30 minutes with Ada')
    expect(usualTitle(answers({ hosts: [bob] }))).toBe('30 minutes with bob')
    expect(usualTitle(answers({ hosts: [ada, bob] }))).toBe('30 minutes with the team')
    expect(slugOf(' Intro call with Åsa! ')).toBe('intro-call-with-asa')
    expect(freeSlug('Intro', new Set(['intro', 'intro-2']))).toBe('intro-3')
    expect(freeSlug('会議', new Set())).toBe('meeting')
    expect(conferenceOf([ada, { provider: 'microsoft' }])).toBeUndefined()
    expect(conferenceOf([{ provider: 'virtual-calendar' }])).toBeUndefined()
  })
})

const configuration: Configuration = {
  id: '5e9d1f5c-0000-4000-8000-000000000001',
  name: 'Intro call',
  slug: 'intro-call',
  type: '',
  requires_session_auth: false,
  participants: [
    { email: 'ada@one.test', availability: { calendar_ids: ['a'] }, booking: { calendar_id: 'a' } },
    { email: 'eve@one.test', availability: { calendar_ids: [], open_hours: [] }, booking: { calendar_id: '' } },
  ],
  availability: {
    duration_minutes: 30,
    availability_rules: {
      availability_method: 'collective',
      default_open_hours: [{ days: [1], start: '09:00', end: '17:00', timezone: 'UTC' }],
      default_specific_time_availability: [{ date: '2026-12-24', start: '00:00', end: '00:00', timezone: 'UTC' }],
    },
  },
  event_booking: { title: 'Intro call', timezone: 'UTC' },
  scheduler: { min_booking_notice: 60, notetaker_settings: { retained: true } },
  appearance: { color: '#0a7d38' },
  embed_origins: [],
}

describe('an edited page', () => {
  test('saves the changed members only, each one complete', () => {
    expect(changesOf(configuration, { ...configuration })).toEqual({})
    expect(isChanged(configuration, structuredClone(configuration))).toBe(false)
    const edited = setScheduler({ min_booking_notice: 120 })(configuration)
    expect(changesOf(configuration, edited)).toEqual({
      scheduler: { min_booking_notice: 120, notetaker_settings: { retained: true } },
    })
    const buffered = setRules({ buffer: { before: 5, after: 10 } })(configuration)
    expect(changesOf(configuration, buffered).availability).toMatchObject({
      duration_minutes: 30,
      availability_rules: { buffer: { before: 5, after: 10 }, availability_method: 'collective' },
    })
  })

  test('a removed text is removed, and the last one leaves no appearance', () => {
    expect(setAppearance('submit_button_label', 'Go')(configuration).appearance).toEqual({
      color: '#0a7d38',
      submit_button_label: 'Go',
    })
    expect(changesOf(configuration, setAppearance('color', ' ')(configuration))).toEqual({ appearance: null })
  })

  test('another time zone keeps the clock times of hours and single days', () => {
    const { availability, event_booking } = setZone('Asia/Tokyo')(configuration)
    expect(event_booking.timezone).toBe('Asia/Tokyo')
    expect(availability.availability_rules?.default_open_hours).toEqual([
      { days: [1], start: '09:00', end: '17:00', timezone: 'Asia/Tokyo' },
    ])
    expect(availability.availability_rules?.default_specific_time_availability?.[0]?.timezone).toBe('Asia/Tokyo')
  })

  test('a host gets own hours and gives them back', () => {
    const own = setOwnHours(0, [{ days: [2], start: '10:00', end: '11:00' }])(configuration)
    expect(own.participants[0]?.availability).toEqual({
      calendar_ids: ['a'],
      open_hours: [{ days: [2], start: '10:00', end: '11:00' }],
    })
    expect(setOwnHours(0, undefined)(own).participants[0]?.availability?.open_hours).toEqual([])
    expect(own.participants[1]).toBe(configuration.participants[1])
  })

  test('its kind and owner follow from hosts and method; invitees do not count', () => {
    expect(kindOf(configuration)).toBe('one-on-one')
    expect(ownerOf(configuration)?.email).toBe('ada@one.test')
    expect(kindOf(setRules({ availability_method: 'max-fairness' })(configuration))).toBe('round-robin')
    expect(kindOf({ ...configuration, type: 'group' })).toBe('group')
    const second = { email: 'bob@one.test', booking: { calendar_id: 'b' } }
    expect(kindOf({ ...configuration, participants: [...configuration.participants, second] })).toBe('collective')
  })
})

describe('questions', () => {
  test('are ordered, keep their keys, and options belong to choices only', () => {
    const fields = {
      size: { label: 'Size', type: 'dropdown', required: true, order: 2, options: ['S', 'M'] },
      note: { label: 'Note', type: 'text', required: false, order: 1, options: ['left over'] },
      last: { label: 'Last', type: 'checkbox', required: false },
    } as const
    const questions = questionsOf(JSON.parse(JSON.stringify(fields)))
    expect(questions.map(({ key }) => key)).toEqual(['note', 'size', 'last'])
    const written = fieldsOf(moved(questions, 1, -1))
    expect(Object.entries(written).map(([key, { order }]) => `${key} ${order}`)).toEqual(['size 1', 'note 2', 'last 3'])
    expect(written.size?.options).toEqual(['S', 'M'])
    expect(written.note).not.toHaveProperty('options')
    expect(newQuestion([{ key: 'field_2', label: '', type: 'text', required: false }]).key).toBe('field_3')
  })
})

test('minutes have the largest unit that fits', () => {
  expect([splitMinutes(0), splitMinutes(45), splitMinutes(120), splitMinutes(2880)]).toEqual([
    { amount: 0, unit: 'minutes' },
    { amount: 45, unit: 'minutes' },
    { amount: 2, unit: 'hours' },
    { amount: 2, unit: 'days' },
  ])
  expect(joinMinutes(3, 'hours')).toBe(180)
  expect([sayMinutes(60), sayMinutes(90), sayMinutes(2880)]).toEqual(['1 hour', '90 minutes', '2 days'])
})

test('free times are grouped by day in a time zone, each start once', () => {
  const at = (time: string) => ({ start_time: Date.parse(time) / 1000 })
  const slots = [at('2026-11-20T23:30:00Z'), at('2026-11-20T09:00:00Z'), at('2026-11-20T09:00:00Z')]
  expect(byDay(eachStart(slots), 'Europe/Berlin').map(({ date, slots: all }) => `${date} ${all.length}`)).toEqual([
    '2026-11-20 1',
    '2026-11-21 1',
  ])
  expect(byDay(slots, 'UTC')).toHaveLength(1)
  // The clocks change in this week, so it has an hour more.
  const { start_time, end_time } = weekFrom('2026-10-20', 'Europe/Berlin')
  expect((end_time - start_time) / 3600).toBe(7 * 24 + 1)
})
