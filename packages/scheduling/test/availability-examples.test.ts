import { describe, expect, test } from 'vitest'
import type { FetchedParticipant } from '../src/availability.ts'
import {
  alone,
  at,
  attended,
  bookedLater,
  busy,
  type Change,
  collective,
  find,
  seconds,
  starts,
  startsUtc,
  zone,
} from './availability-questions.ts'

/** The day of a clock change, one person with one rule of open hours. */
const sunday = (date: string, [start, end]: [string, string], minutes: number): Change => ({
  start_time: seconds(`${date}T00:00Z`),
  end_time: seconds(`${date}T23:00Z`),
  duration_minutes: minutes,
  interval_minutes: minutes,
  round_to: minutes,
  participants: [{ ...alone, open_hours: [{ days: [0], timezone: zone, start, end }] }],
})

describe('worked examples of the contract', () => {
  test('A1: collective keeps the slots that suit everybody', () => {
    const found = find({ rules: collective })
    expect(starts(found)).toBe('09:00 10:00 10:30 11:30')
    expect(found).not.toHaveProperty('order')
    expect(found.time_slots[0]).toEqual({
      emails: ['ann@x.test', 'bob@x.test'],
      start_time: at('09:00'),
      end_time: at('09:30'),
    })
  })

  test('A2: a buffer of 15 minutes on both sides leaves one', () => {
    expect(starts(find({ rules: { ...collective, buffer: { before: 15, after: 15 } } }))).toBe('11:30')
  })

  test('A3: a start at 9:05 is rounded up', () => {
    expect(starts(find({ rules: collective, start_time: at('09:05') }))).toBe('10:15 11:15')
    const grid = find({ start_time: at('09:05'), participants: [alone] })
    expect(starts(grid)).toBe('09:15 09:45 10:15 10:45 11:15')
  })

  test('A4: steps of 10 minutes rounded to 15 meet every quarter once', () => {
    expect(starts(find({ interval_minutes: 10, end_time: at('10:00'), participants: [alone] }))).toBe(
      '09:00 09:15 09:30',
    )
  })

  test('A4b: steps of 10 minutes rounded to 5 stay', () => {
    const found = find({ interval_minutes: 10, round_to: 5, end_time: at('10:00'), participants: [alone] })
    expect(starts(found)).toBe('09:00 09:10 09:20 09:30')
  })

  test('A5: max-availability of people who were never booked', () => {
    const found = find({ rules: { availability_method: 'max-availability' } })
    expect(found.order).toEqual(['ann@x.test', 'bob@x.test'])
    expect(attended(found)).toBe('09:00 ab, 09:30 b, 10:00 ab, 10:30 ab, 11:00 a, 11:30 ab')
    expect(find({})).toEqual(found)
  })

  test('A6: who was booked last comes last', () => {
    const found = find({ participants: bookedLater })
    expect(found.order).toEqual(['bob@x.test', 'ann@x.test'])
    expect(attended(found)).toBe('09:00 ba, 09:30 b, 10:00 ba, 10:30 ba, 11:00 a, 11:30 ba')
  })

  test('A7: max-fairness looks at the half whose turn it is', () => {
    const found = find({ rules: { availability_method: 'max-fairness' }, participants: bookedLater })
    expect(found.order).toEqual(['bob@x.test'])
    expect(attended(found)).toBe('09:00 b, 09:30 b, 10:00 b, 10:30 b, 11:30 b')
  })

  test('A8: max-fairness falls back on everybody when that half has no time at all', () => {
    const full = [bookedLater[0], { ...bookedLater[1], busy: [busy('09:00', '12:00')] }]
    const found = find({ rules: { availability_method: 'max-fairness' }, participants: full })
    expect(found.order).toEqual(['bob@x.test', 'ann@x.test'])
    expect(attended(found)).toBe('09:00 a, 10:00 a, 10:30 a, 11:00 a, 11:30 a')
  })

  test('A9: open hours over the spring change have the two hours that exist', () => {
    expect(startsUtc(find(sunday('2026-03-08', ['1:00', '4:00'], 60)))).toEqual([
      '2026-03-08T06:00',
      '2026-03-08T07:00',
    ])
  })

  test('A10: open hours over the autumn change have four hours', () => {
    const hours = ['05:00', '06:00', '07:00', '08:00'].map((time) => `2026-11-01T${time}`)
    expect(startsUtc(find(sunday('2026-11-01', ['1:00', '4:00'], 60)))).toEqual(hours)
  })

  test('A11: open hours that end in the repeated hour end with its second pass', () => {
    const hours = ['04:00', '04:30', '05:00', '05:30', '06:00'].map((time) => `2026-11-01T${time}`)
    expect(startsUtc(find(sunday('2026-11-01', ['0:00', '1:30'], 30)))).toEqual(hours)
  })

  const special: FetchedParticipant = {
    ...alone,
    open_hours: [{ days: [1, 2, 3], timezone: zone, start: '9:00', end: '11:00', exdates: ['2026-06-02'] }],
    specific_time_availability: [{ date: '2026-06-03', start: '14:00', end: '15:00', timezone: zone }],
  }
  const threeDays: Change = {
    start_time: seconds('2026-06-01T00:00-04:00'),
    end_time: seconds('2026-06-04T00:00-04:00'),
    duration_minutes: 60,
    interval_minutes: 60,
  }

  test('A12: an excluded date is closed and a specific time replaces the hours of its date', () => {
    const found = find({ ...threeDays, participants: [special] })
    expect(startsUtc(found)).toEqual(['2026-06-01T13:00', '2026-06-01T14:00', '2026-06-03T18:00'])
  })

  test('A13: only specific times', () => {
    const found = find({ ...threeDays, participants: [{ ...special, only_specific_time_availability: true }] })
    expect(startsUtc(found)).toEqual(['2026-06-03T18:00'])
  })

  test('A14: a meeting may touch another', () => {
    const found = find({ participants: [{ ...alone, busy: [busy('09:00', '09:30')] }] })
    expect(starts(found)).toBe('09:30 10:00 10:30 11:00 11:30')
  })
})
