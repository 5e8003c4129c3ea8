import { expect, test } from 'vitest'
import { type EventTime, formatInstant } from '../src/google/calendar/event-time.ts'
import { occurrences } from '../src/google/calendar/recurrence.ts'

function starts(start: EventTime, recurrence: string[], max = 5): string[] {
  const found: string[] = []
  for (const time of occurrences({ start, recurrence })) {
    found.push('date' in time ? time.date : formatInstant(time.ms, time.zone))
    if (found.length === max) break
  }
  return found
}

function at(text: string, zone = 'Europe/Zurich'): EventTime {
  return { ms: Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds, zone }
}

test('a daily meeting keeps its local hour across clock changes', () => {
  expect(starts(at('2026-03-27T10:00'), ['RRULE:FREQ=DAILY'], 4)).toEqual([
    '2026-03-27T10:00:00+01:00',
    '2026-03-28T10:00:00+01:00',
    '2026-03-29T10:00:00+02:00',
    '2026-03-30T10:00:00+02:00',
  ])
})

test('an hour that does not exist moves forward', () => {
  expect(starts(at('2026-03-28T02:30'), ['RRULE:FREQ=DAILY;COUNT=3'])).toEqual([
    '2026-03-28T02:30:00+01:00',
    '2026-03-29T03:30:00+02:00',
    '2026-03-30T02:30:00+02:00',
  ])
})

test('weeks start with WKST', () => {
  const start: EventTime = { date: '1997-08-05' }
  const rule = 'RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST='
  expect(starts(start, [`${rule}MO`])).toEqual(['1997-08-05', '1997-08-10', '1997-08-19', '1997-08-24'])
  expect(starts(start, [`${rule}SU`])).toEqual(['1997-08-05', '1997-08-17', '1997-08-19', '1997-08-31'])
})

test('a month without the day is skipped', () => {
  expect(starts({ date: '2026-01-31' }, ['RRULE:FREQ=MONTHLY'], 4)).toEqual([
    '2026-01-31',
    '2026-03-31',
    '2026-05-31',
    '2026-07-31',
  ])
})

test('the last working day of the month is found by its position', () => {
  const rule = 'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3'
  expect(starts({ date: '2026-01-30' }, [rule])).toEqual(['2026-01-30', '2026-02-27', '2026-03-31'])
})

test('years support the nth weekday of a month, days from the end, and leap days', () => {
  expect(starts({ date: '2026-11-26' }, ['RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;COUNT=2'])).toEqual([
    '2026-11-26',
    '2027-11-25',
  ])
  expect(starts({ date: '2026-02-28' }, ['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1;COUNT=3'])).toEqual([
    '2026-02-28',
    '2027-02-28',
    '2028-02-29',
  ])
  expect(starts({ date: '2024-02-29' }, ['RRULE:FREQ=YEARLY;COUNT=2'])).toEqual(['2024-02-29', '2028-02-29'])
})

test('UNTIL is inclusive, in UTC and as a day', () => {
  const daily = (until: string) => starts(at('2026-01-01T10:00'), [`RRULE:FREQ=DAILY;UNTIL=${until}`])
  expect(daily('20260103T090000Z')).toHaveLength(3)
  expect(daily('20260103T085959Z')).toHaveLength(2)
  expect(daily('20260103')).toHaveLength(3)
  expect(starts({ date: '2026-01-01' }, ['RRULE:FREQ=DAILY;UNTIL=20260102'])).toEqual(['2026-01-01', '2026-01-02'])
})

test('dates are added and removed, each in its own zone', () => {
  const lines = [
    'RRULE:FREQ=DAILY;COUNT=4',
    'EXDATE;TZID=Europe/Zurich:20260102T100000',
    'EXDATE:20260103T090000Z',
    'RDATE;TZID=America/New_York:20260102T120000',
  ]
  expect(starts(at('2026-01-01T10:00'), lines)).toEqual([
    '2026-01-01T10:00:00+01:00',
    '2026-01-02T18:00:00+01:00',
    '2026-01-04T10:00:00+01:00',
  ])
})

test('a rule without occurrences ends', () => {
  expect(starts({ date: '2026-01-01' }, ['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'])).toEqual(['2026-01-01'])
})

test('an invalid rule is refused', () => {
  for (const line of [
    'FREQ=DAILY',
    'RRULE:FREQ=SOMETIMES',
    'RRULE:FREQ=DAILY;COUNT=0',
    'DTSTART:20260101',
    'EXDATE:soon',
  ]) {
    expect(() => starts({ date: '2026-01-01' }, [line])).toThrow('Invalid recurrence rule.')
  }
})
