import { describe, expect, test } from 'vitest'
import {
  type AvailabilityQuestion,
  checkAvailability,
  eventWindowOf,
  gridOf,
  roundRobinGroupOf,
} from '../src/availability-question.ts'

const question: AvailabilityQuestion = {
  start_time: 1780318800,
  end_time: 1780329600,
  duration_minutes: 30,
  participants: [{ email: 'ann@x.test' }, { grant_id: 'grant_1' }],
}
const hours = { days: [1], timezone: 'Europe/Berlin', start: '9:00', end: '17:00' }
const withHours = (change: object): AvailabilityQuestion => ({
  ...question,
  participants: [{ email: 'ann@x.test', open_hours: [hours, { ...hours, ...change }] }],
})
const withTime = (change: object): AvailabilityQuestion => ({
  ...question,
  participants: [
    {
      email: 'ann@x.test',
      specific_time_availability: [{ date: '2026-06-01', start: '9:00', end: '10:00', timezone: 'UTC', ...change }],
    },
  ],
})

describe('the check of a question', () => {
  test('finds nothing wrong with a good one', () => {
    expect(checkAvailability(question)).toEqual({})
    expect(checkAvailability(withHours({ end: '24:00', exdates: ['2026-06-01'] }))).toEqual({})
    expect(checkAvailability(withTime({ start: '00:00', end: '00:00' }))).toEqual({})
  })

  test('names the window that is empty, turned round or too long', () => {
    const end = (end_time: number) => checkAvailability({ ...question, end_time })
    expect(end(question.start_time)).toEqual({ end_time: 'must be after start_time' })
    expect(end(question.start_time - 300)).toEqual({ end_time: 'must be after start_time' })
    expect(end(question.start_time + 93 * 86_400)).toEqual({})
    expect(end(question.start_time + 93 * 86_400 + 300)).toEqual({
      end_time: 'must be at most 93 days after start_time',
    })
  })

  test('names a grid that is too fine', () => {
    const fine = { ...question, end_time: question.start_time + 90 * 86_400, interval_minutes: 1, round_to: 1 }
    expect(Object.keys(checkAvailability(fine))).toEqual(['interval_minutes'])
  })

  test.each([
    [{ end: '9:00' }, 'end', 'must be after start'],
    [{ end: '8:00' }, 'end', 'must be after start'],
    [{ start: '0:00', end: '0:00' }, 'end', 'must be after start'],
    [{ start: '9' }, 'start', 'must be a time from 0:00 to 23:59'],
    [{ start: '24:00', end: '24:00' }, 'start', 'must be a time from 0:00 to 23:59'],
    [{ end: '24:30' }, 'end', 'must be a time from 0:01 to 24:00'],
    [{ timezone: 'Mars/Olympus' }, 'timezone', 'must be a time zone of the IANA database, such as Europe/Paris'],
    [{ exdates: ['2026-06-01', '2026-02-30'] }, 'exdates.1', 'must be a date that exists, as YYYY-MM-DD'],
  ])('names the open hours that cannot be: %j', (change, field, message) => {
    expect(checkAvailability(withHours(change))).toMatchObject({ [`participants.0.open_hours.1.${field}`]: message })
  })

  test('looks at the default open hours as well', () => {
    const requested = { ...question, availability_rules: { default_open_hours: [{ ...hours, end: '9:00' }] } }
    expect(checkAvailability(requested)).toEqual({
      'availability_rules.default_open_hours.0.end': 'must be after start',
    })
  })

  test.each([
    [{ date: '2026-06-31' }, 'date'],
    [{ end: '8:00' }, 'end'],
    [{ start: '1:00', end: '1:00' }, 'end'],
    [{ timezone: '' }, 'timezone'],
    [{ start: '0:00', end: '0:00', timezone: 'Nowhere' }, 'timezone'],
  ])('names the specific time that cannot be: %j', (change, field) => {
    expect(Object.keys(checkAvailability(withTime(change)))).toEqual([
      `participants.0.specific_time_availability.0.${field}`,
    ])
  })

  test('names the participant without a name and the one who is there twice', () => {
    const participants = [{ email: 'ann@x.test' }, {}, { email: 'Ann@x.test' }]
    expect(checkAvailability({ ...question, participants })).toEqual({
      'participants.1.email': 'give email or grant_id',
      'participants.2.email': 'is listed twice',
    })
  })
})

test('the group has two spellings', () => {
  expect(roundRobinGroupOf({ round_robin_event_id: 'a' })).toBe('a')
  expect(roundRobinGroupOf({ round_robin_event_id: 'a', round_robin_group_id: 'b' })).toBe('b')
  expect(roundRobinGroupOf(undefined)).toBeUndefined()
})

test('events matter as far outside the window as their buffers reach', () => {
  const requested = { ...question, availability_rules: { buffer: { before: 10, after: 20 } } }
  expect(eventWindowOf(requested)).toEqual({ start: question.start_time - 1200, end: question.end_time + 600 })
})

test('the grid of every combination of steps is that of the formula', () => {
  for (const interval_minutes of [5, 10, 15, 20, 25, 40])
    for (const round_to of [5, 10, 15, 30, 60])
      for (const offset of [0, 300, 900, 2100])
        for (const length of [1500, 1800, 3600, 10_500]) {
          const requested = {
            ...question,
            start_time: 1780318800 + offset,
            end_time: 1780318800 + offset + length,
            interval_minutes,
            round_to,
          }
          const expected = new Set<number>()
          for (let time = requested.start_time; time <= requested.end_time; time += interval_minutes * 60) {
            const rounded = Math.ceil(time / (round_to * 60)) * round_to * 60
            if (rounded + 1800 <= requested.end_time) expected.add(rounded)
          }
          const { count, startTime } = gridOf(requested)
          expect(Array.from({ length: count }, (_, i) => startTime(i))).toEqual([...expected])
        }
})
