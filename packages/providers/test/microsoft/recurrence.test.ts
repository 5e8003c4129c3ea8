/** Series between iCalendar and Graph: supported ones survive the round trip, others are refused by name. */

import { normaliseRecurrence } from '@waypost/formats/recurrence/rule'
import { Steps } from '@waypost/formats/recurrence/steps'
import { expect, test } from 'vitest'
import { startOf } from '../../src/calendar/event-input.ts'
import { recurrenceLines } from '../../src/calendar/exchange/recurrence-lines.ts'
import { writtenSeries } from '../../src/calendar/exchange/recurrence-pattern.ts'
import { changedTimes } from '../../src/calendar/exchange/series-change.ts'
import { toTimes, whenOf } from '../../src/calendar/exchange/when.ts'

const zone = 'America/New_York'
const seconds = (text: string, at = zone): number =>
  Temporal.PlainDateTime.from(text).toZonedDateTime(at).epochMilliseconds / 1000
const at = (text: string, zoned = zone) => ({
  object: 'timespan' as const,
  start_time: seconds(text, zoned),
  end_time: seconds(text, zoned) + 3600,
  start_timezone: zoned,
  end_timezone: zoned,
})
/** A Tuesday. */
const tuesday = at('2026-06-02T09:00')
const day = { object: 'date' as const, date: '2026-06-02' }

const written = (rule: string, when: Parameters<typeof startOf>[0] = tuesday) =>
  writtenSeries([`RRULE:${rule}`], startOf(when), 'follow-rule')

test.each([
  ['FREQ=DAILY', { type: 'daily', interval: 1 }],
  ['FREQ=DAILY;INTERVAL=3', { type: 'daily', interval: 3 }],
  ['FREQ=WEEKLY;BYDAY=TU', { type: 'weekly', interval: 1, daysOfWeek: ['tuesday'], firstDayOfWeek: 'monday' }],
  [
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU',
    { type: 'weekly', interval: 2, daysOfWeek: ['tuesday', 'sunday'], firstDayOfWeek: 'sunday' },
  ],
  ['FREQ=MONTHLY;BYMONTHDAY=2', { type: 'absoluteMonthly', interval: 1, dayOfMonth: 2 }],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', { type: 'absoluteMonthly', interval: 1, dayOfMonth: 31 }],
  ['FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1', { type: 'absoluteMonthly', interval: 1, dayOfMonth: 30 }],
  ['FREQ=MONTHLY;BYDAY=1TU', { type: 'relativeMonthly', interval: 1, daysOfWeek: ['tuesday'], index: 'first' }],
  ['FREQ=MONTHLY;BYDAY=-1FR', { type: 'relativeMonthly', interval: 1, daysOfWeek: ['friday'], index: 'last' }],
  [
    'FREQ=MONTHLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
    {
      type: 'relativeMonthly',
      interval: 2,
      daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
      index: 'last',
    },
  ],
  ['FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=2', { type: 'absoluteYearly', interval: 1, month: 6, dayOfMonth: 2 }],
  ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1', { type: 'absoluteYearly', interval: 1, month: 2, dayOfMonth: 31 }],
  [
    'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=1TU',
    { type: 'relativeYearly', interval: 4, month: 11, daysOfWeek: ['tuesday'], index: 'first' },
  ],
])('%s survives the round trip to Graph', (rule, pattern) => {
  const { recurrence } = written(rule)
  expect(recurrence.pattern).toEqual(pattern)
  expect(recurrence.range).toEqual({
    type: 'noEnd',
    startDate: '2026-06-02',
    recurrenceTimeZone: 'Eastern Standard Time',
  })
  const lines = recurrenceLines(recurrence, tuesday)
  expect(lines).toEqual([`RRULE:${rule}`])
  expect(
    normaliseRecurrence(lines, startOf(tuesday), {
      allowRdate: false,
      startOutsideRule: 'follow-rule',
      steps: new Steps(),
    }).ok,
  ).toBe(true)
})

test('parts of a rule that follow from its start are written explicitly', () => {
  expect(written('FREQ=WEEKLY').recurrence.pattern).toMatchObject({ type: 'weekly', daysOfWeek: ['tuesday'] })
  expect(written('FREQ=MONTHLY').recurrence.pattern).toMatchObject({ type: 'absoluteMonthly', dayOfMonth: 2 })
  expect(written('FREQ=YEARLY').recurrence.pattern).toMatchObject({ type: 'absoluteYearly', month: 6, dayOfMonth: 2 })
  expect(written('FREQ=DAILY;BYDAY=MO,WE').recurrence.pattern).toMatchObject({
    type: 'weekly',
    daysOfWeek: ['monday', 'wednesday'],
  })
})

test.each([
  ['BYSETPOS', 'FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=1'],
  ['BYSETPOS', 'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1,2'],
  ['BYSETPOS', 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=-2'],
  ['BYYEARDAY', 'FREQ=YEARLY;BYYEARDAY=100'],
  ['BYWEEKNO', 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO'],
  ['BYMONTH', 'FREQ=DAILY;BYMONTH=6'],
  ['BYMONTH', 'FREQ=MONTHLY;BYMONTH=6'],
  ['BYMONTH', 'FREQ=YEARLY;BYMONTH=6,7'],
  ['BYMONTHDAY', 'FREQ=MONTHLY;BYMONTHDAY=1,15'],
  ['BYMONTHDAY', 'FREQ=MONTHLY;BYMONTHDAY=-2'],
  ['BYMONTHDAY', 'FREQ=MONTHLY;BYMONTHDAY=31'],
  ['BYMONTHDAY', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29'],
  ['BYDAY', 'FREQ=MONTHLY;BYDAY=TU'],
  ['BYDAY', 'FREQ=MONTHLY;BYDAY=1TU,2WE'],
  ['BYDAY', 'FREQ=MONTHLY;BYDAY=5TU'],
  ['BYDAY', 'FREQ=YEARLY;BYDAY=20MO'],
  ['BYDAY', 'FREQ=DAILY;INTERVAL=2;BYDAY=MO'],
  ['BYHOUR', 'FREQ=DAILY;BYHOUR=9,10'],
  ['COUNT', 'FREQ=DAILY;COUNT=1000'],
])('%s is refused by name if Graph has no such series: %s', (part, rule) => {
  expect(() => written(rule)).toThrow(new RegExp(`^recurrence: ${part}: Exchange`))
})

test('the end of a series is its last day', () => {
  const until = (rule: string, when: Parameters<typeof startOf>[0] = tuesday) =>
    written(`FREQ=DAILY;${rule}`, when).recurrence
  expect(until('COUNT=5').range).toMatchObject({ type: 'numbered', numberOfOccurrences: 5 })
  // 09:00 in New York, and a second before.
  expect(until('UNTIL=20260610T130000Z').range).toMatchObject({ type: 'endDate', endDate: '2026-06-10' })
  expect(until('UNTIL=20260610T125959Z').range).toMatchObject({ endDate: '2026-06-09' })
  expect(until('UNTIL=20260610T035959Z').range).toMatchObject({ endDate: '2026-06-09' })
  expect(recurrenceLines(until('UNTIL=20260610T235959Z'), tuesday)).toEqual(['RRULE:FREQ=DAILY;UNTIL=20260610T130000Z'])
  expect(until('UNTIL=20260610', day).range).toMatchObject({ endDate: '2026-06-10', recurrenceTimeZone: 'UTC' })
  expect(recurrenceLines(until('UNTIL=20260610', day), day)).toEqual(['RRULE:FREQ=DAILY;UNTIL=20260610'])
})

test('deleted occurrences are EXDATE', () => {
  const { recurrence } = written('FREQ=DAILY;COUNT=5')
  const lines = recurrenceLines(recurrence, tuesday, ['OID.AAMk=.2026-06-04', 'OID.AAMk=.2026-06-03'])
  expect(lines[1]).toMatch(/^EXDATE.*20260603T130000Z,20260604T130000Z$/)
  expect(writtenSeries(lines, startOf(tuesday)).exdates).toEqual([
    seconds('2026-06-03T09:00'),
    seconds('2026-06-04T09:00'),
  ])
  expect(recurrenceLines(written('FREQ=DAILY', day).recurrence, day, ['OID.x.2026-06-04'])[1]).toMatch(
    /^EXDATE.*:20260604$/,
  )
})

test('a series that moves updates the parts that follow from its start', () => {
  const moved = (rule: string) => {
    const { recurrence } = written(rule)
    const before = { id: 'x', ...toTimes(tuesday), originalStartTimeZone: zone, recurrence }
    return changedTimes({ when: at('2026-06-10T09:00') }, before).fields.recurrence?.pattern
  }
  expect(moved('FREQ=WEEKLY')).toMatchObject({ daysOfWeek: ['wednesday'] })
  expect(moved('FREQ=WEEKLY;BYDAY=TU,TH')).toMatchObject({ daysOfWeek: ['wednesday', 'friday'] })
  expect(moved('FREQ=MONTHLY')).toMatchObject({ dayOfMonth: 10 })
  expect(moved('FREQ=MONTHLY;BYDAY=1TU')).toMatchObject({ daysOfWeek: ['wednesday'], index: 'second' })
  expect(moved('FREQ=YEARLY')).toMatchObject({ month: 6, dayOfMonth: 10 })
  expect(() => moved('FREQ=MONTHLY;BYMONTHDAY=20')).toThrow(/^recurrence: .*send recurrence with the rule/)
})

test('a repeated local time is read as the intended one', () => {
  const first = seconds('2026-11-01T01:30')
  const twice = (start_time: number) =>
    toTimes({ object: 'timespan', start_time, end_time: start_time + 600, start_timezone: zone, end_timezone: zone })
  expect(twice(first).start).toEqual({ dateTime: '2026-11-01T01:30:00', timeZone: 'Eastern Standard Time' })
  expect(twice(first + 3600).start).toEqual({ dateTime: '2026-11-01T06:30:00', timeZone: 'UTC' })
  for (const start of [first, first + 3600]) {
    expect(whenOf({ id: 'x', ...twice(start) })).toMatchObject({ start_time: start, end_time: start + 600 })
  }
})

test('times without seconds, days in any zone, and custom zones are read', () => {
  const start = { dateTime: '2026-06-02T09:00', timeZone: 'UTC' }
  const end = { dateTime: '2026-06-02T10:00:00.0000000', timeZone: 'UTC' }
  const custom = { originalStartTimeZone: 'tzone://Microsoft/Custom', originalEndTimeZone: 'tzone://Microsoft/Custom' }
  expect(whenOf({ id: 'x', start, end, ...custom })).toEqual({
    object: 'timespan',
    start_time: seconds('2026-06-02T09:00', 'UTC'),
    end_time: seconds('2026-06-02T10:00', 'UTC'),
    start_timezone: null,
    end_timezone: null,
  })
  const midnight = (date: string) => ({ dateTime: `${date}T00:00:00.0000000`, timeZone: 'Tokyo Standard Time' })
  expect(whenOf({ id: 'x', isAllDay: true, start: midnight('2026-06-02'), end: midnight('2026-06-03') })).toEqual(day)
})
