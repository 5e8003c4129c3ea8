import { describe, expect, test } from 'vitest'
import { findAvailability } from '../src/availability.ts'
import { mergeIntervals } from '../src/intervals.ts'
import {
  alone,
  ann,
  ask,
  at,
  attended,
  bob,
  busy,
  type Change,
  collective,
  find,
  seconds,
  starts,
  startsUtc,
  zone,
} from './availability-questions.ts'

describe('buffers', () => {
  const hourly = {
    duration_minutes: 30,
    interval_minutes: 15,
    round_to: 5,
    participants: [{ ...alone, busy: [busy('10:00', '10:30')] }],
  }

  test('surround existing meetings, each side on its own', () => {
    expect(starts(find({ ...hourly, end_time: at('11:30') }))).toBe('09:00 09:15 09:30 10:30 10:45 11:00')
    expect(starts(find({ ...hourly, end_time: at('11:30'), rules: { buffer: { before: 15 } } }))).toBe(
      '09:00 09:15 10:30 10:45 11:00',
    )
    expect(starts(find({ ...hourly, end_time: at('11:30'), rules: { buffer: { after: 15 } } }))).toBe(
      '09:00 09:15 09:30 10:45 11:00',
    )
  })

  test('of a meeting outside the window reach into it', () => {
    const participants = [{ ...alone, busy: [busy('08:30', '09:00'), busy('12:00', '13:00')] }]
    expect(starts(find({ participants, rules: { buffer: { before: 30, after: 30 } } }))).toBe('09:30 10:00 10:30 11:00')
  })

  test('do not shrink open hours', () => {
    const open_hours = [{ days: [1], timezone: zone, start: '10:00', end: '11:00' }]
    const found = find({ participants: [{ ...alone, open_hours }], rules: { buffer: { before: 60, after: 60 } } })
    expect(starts(found)).toBe('10:00 10:30')
  })

  test('make a point event block', () => {
    const participants = [{ ...alone, busy: [busy('10:00', '10:00')] }]
    expect(starts(find({ participants, end_time: at('11:00') }))).toBe('09:00 09:30 10:00 10:30')
    expect(starts(find({ participants, end_time: at('11:00'), rules: { buffer: { before: 5 } } }))).toBe(
      '09:00 10:00 10:30',
    )
  })
})

describe('the grid', () => {
  const grid = (change: Change): string => starts(find({ participants: [alone], ...change }))

  test('steps by the duration by default', () => {
    expect(grid({ duration_minutes: 45, interval_minutes: undefined })).toBe('09:00 09:45 10:30 11:15')
  })

  test('is rounded to 15 minutes by default, to 30 by the older flag, and by round_to before the flag', () => {
    const change = { start_time: at('09:05'), interval_minutes: 60, end_time: at('11:00') }
    expect(grid(change)).toBe('09:15 10:15')
    expect(grid({ ...change, round_to_30_minutes: true })).toBe('09:30 10:30')
    expect(grid({ ...change, round_to_30_minutes: false })).toBe('09:15 10:15')
    expect(grid({ ...change, round_to_30_minutes: true, round_to: 5 })).toBe('09:05 10:05')
  })

  test('rounds each step on its own, so long steps keep their average', () => {
    expect(grid({ interval_minutes: 25, end_time: at('11:00') })).toBe('09:00 09:30 10:00 10:15')
  })

  test('rounds on the Unix clock', () => {
    const found = find({
      start_time: seconds('2026-06-01T09:00+05:30'),
      end_time: seconds('2026-06-01T12:00+05:30'),
      duration_minutes: 60,
      interval_minutes: 60,
      round_to: 60,
      participants: [alone],
    })
    expect(startsUtc(found)).toEqual(['2026-06-01T04:00', '2026-06-01T05:00'])
  })

  test('is empty when the meeting is longer than the window', () => {
    expect(find({ duration_minutes: 240 }).time_slots).toEqual([])
    expect(find({ duration_minutes: 180, interval_minutes: 5, participants: [alone] }).time_slots).toHaveLength(1)
  })

  test('of more than 50,000 start times is refused, whatever the participants', () => {
    const step = { duration_minutes: 5, interval_minutes: 5, round_to: 5, start_time: 0, participants: [] }
    expect(findAvailability(ask({ ...step, end_time: 50_000 * 300 }))).toEqual({ time_slots: [], order: [] })
    expect(findAvailability(ask({ ...step, end_time: 50_001 * 300 }))).toEqual({
      problem: 'too_many_start_times',
      count: 50_001,
      limit: 50_000,
    })
  })
})

describe('methods', () => {
  const people = ['dan', 'cat', 'bob', 'ann', 'eve'].map((name, i) => ({
    email: `${name}@x.test`,
    busy: [],
    lastBooked: i === 0 ? undefined : 1000 - i,
  }))

  test('collective keeps the order of the request', () => {
    const [slot] = find({ rules: collective, participants: people }).time_slots
    expect(slot.emails.map((email) => email.slice(0, 3))).toEqual(['dan', 'cat', 'bob', 'ann', 'eve'])
  })

  test('max-fairness keeps the larger half of an odd number', () => {
    const found = find({ rules: { availability_method: 'max-fairness' }, participants: people })
    expect(found.order?.map((email) => email.slice(0, 3))).toEqual(['dan', 'eve', 'ann'])
    expect(found.time_slots[0].emails).toEqual(found.order)
  })

  test('max-fairness does not fall back while the half has one slot', () => {
    const nearlyFull = [
      { ...ann, lastBooked: 2000 },
      { ...bob, busy: [busy('09:00', '11:30')] },
    ]
    const found = find({ rules: { availability_method: 'max-fairness' }, participants: nearlyFull })
    expect(found.order).toEqual(['bob@x.test'])
    expect(attended(found)).toBe('11:30 b')
  })

  test('round-robin methods answer with an order even when nobody has time', () => {
    const full = [ann, bob].map((person) => ({ ...person, busy: [busy('08:00', '13:00')] }))
    for (const availability_method of ['max-fairness', 'max-availability'] as const)
      expect(find({ rules: { availability_method }, participants: full })).toEqual({
        time_slots: [],
        order: ['ann@x.test', 'bob@x.test'],
      })
  })

  test('one person alone gets the same slots from every method', () => {
    const [first, ...others] = (['collective', 'max-fairness', 'max-availability'] as const).map(
      (availability_method) => find({ rules: { availability_method }, participants: [ann] }),
    )
    for (const other of others) expect(other.time_slots).toEqual(first.time_slots)
  })
})

describe('open hours of several people', () => {
  const nineToTen = [{ days: [1], timezone: zone, start: '9:00', end: '10:00' }]
  const tenToEleven = [{ days: [1], timezone: zone, start: '10:00', end: '11:00' }]

  test('are the default ones unless a participant has some; an empty list is none', () => {
    const participants = [
      alone,
      { ...alone, email: 'bob@x.test', open_hours: tenToEleven },
      { ...alone, email: 'cat@x.test', open_hours: [] },
    ]
    const found = find({ participants, rules: { default_open_hours: nineToTen } })
    expect(attended(found)).toBe('09:00 ac, 09:30 ac, 10:00 b, 10:30 b')
  })

  test('let a specific time replace the default ones', () => {
    const specific_time_availability = [{ date: '2026-06-01', start: '11:00', end: '12:00', timezone: zone }]
    const participants = [alone, { ...alone, email: 'bob@x.test', specific_time_availability }]
    const found = find({ participants, rules: { default_open_hours: nineToTen } })
    expect(attended(found)).toBe('09:00 a, 09:30 a, 11:00 b, 11:30 b')
  })

  test('of adjoining windows hold a meeting that lies over their border, and of parted ones do not', () => {
    const rules = { default_open_hours: [...nineToTen, ...tenToEleven] }
    expect(starts(find({ duration_minutes: 120, participants: [alone], rules }))).toBe('09:00')
    const parted = { default_open_hours: [...nineToTen, { ...nineToTen[0], start: '10:05', end: '12:00' }] }
    expect(starts(find({ duration_minutes: 120, participants: [alone], rules: parted }))).toBe('')
  })
})

test('fifty people over three months take little more than merging their meetings', () => {
  // A generous bound against a change of complexity, not a benchmark: bench/availability.ts measures.
  const start_time = seconds('2026-06-01T00:00Z')
  const participants = Array.from({ length: 50 }, (_, p) => ({
    email: `p${p}@x.test`,
    busy: Array.from({ length: 900 }, (_, i) => ({
      start: start_time + i * 8640 + p * 60,
      end: start_time + i * 8640 + p * 60 + 1800,
    })),
    open_hours: [
      { days: [1, 2, 3, 4, 5], timezone: p % 2 === 0 ? zone : 'Europe/Berlin', start: '9:00', end: '17:00' },
    ],
  }))
  const request = ask({
    start_time,
    end_time: start_time + 92 * 86_400,
    interval_minutes: 15,
    participants,
    rules: collective,
  })
  /** In processor time, which other programs do not take. */
  const time = (work: () => unknown): number => {
    const runs = Array.from({ length: 9 }, () => {
      const before = process.cpuUsage()
      work()
      const { user, system } = process.cpuUsage(before)
      return user + system
    })
    return Math.min(...runs)
  }
  const floor = time(() => participants.map((participant) => mergeIntervals(participant.busy)))
  expect(time(() => findAvailability(request)) / floor).toBeLessThan(40)
})
