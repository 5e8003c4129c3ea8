/**
 * Random rules on every way in. The work is counted independently of the budget, by the roundings of the calendar
 * arithmetic: each conversion between a day and its date makes between five and twelve.
 */

import { eventsOf, readCalendarObject } from '@waypost/formats/icalendar/calendar-object'
import { occurrenceAtSlot, occurrencesIn } from '@waypost/formats/icalendar/calendar-occurrences'
import { applyCancel } from '@waypost/formats/itip/cancel'
import { applyRequest } from '@waypost/formats/itip/request'
import { occurrencesBetween, previousSlots } from '@waypost/formats/recurrence/recurrence'
import { normaliseRecurrence } from '@waypost/formats/recurrence/rule'
import { LAST_INSTANT, type SeriesStart } from '@waypost/formats/recurrence/series'
import { editSeries } from '@waypost/formats/recurrence/series-edit'
import { MAX_STEPS, Steps } from '@waypost/formats/recurrence/steps'
import { LAST_DAY } from '@waypost/formats/timezones/dates'
import { ApiError } from '@waypost/platform/api-error'
import { runs } from '@waypost/testing/level'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needSeries, seriesAfter } from '../../src/calendar/series.ts'

const work = { calls: 0 }
const { floor } = Math
beforeAll(() => {
  Math.floor = (value) => {
    work.calls += 1
    return floor(value)
  }
})
afterAll(() => {
  Math.floor = floor
})

/** A step makes a few conversions; a way in uses at most two budgets, one for its text and one for its request. */
const maxCalls = 2 * 30 * MAX_STEPS

const at = Date.UTC(2026, 0, 5, 9) / 1000
const starts: SeriesStart[] = [
  { kind: 'timed', at, zone: 'Europe/Berlin', seconds: 3600 },
  { kind: 'timed', at, zone: 'UTC', seconds: 40 * 86_400 },
  { kind: 'all-day', date: '2026-01-05', days: 2 },
]

const some = (least: number, greatest: number, max: number): fc.Arbitrary<string> =>
  fc
    .uniqueArray(fc.integer({ min: least, max: greatest }), { minLength: 1, maxLength: max })
    .map((values) => values.join())
const signed = (greatest: number, max: number): fc.Arbitrary<string> =>
  fc
    .uniqueArray(
      fc.integer({ min: -greatest, max: greatest }).filter((value) => value !== 0),
      { minLength: 1, maxLength: max },
    )
    .map((values) => values.join())
const weekdays = fc
  .uniqueArray(
    fc
      .tuple(fc.constantFrom('', '1', '-1', '5', '53'), fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'))
      .map((pair) => pair.join('')),
    { minLength: 1, maxLength: 20 },
  )
  .map((values) => values.join())
const maybe = (name: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.option(value, { freq: 1, nil: '' }).map((text) => (text === '' ? '' : `;${name}=${text}`))

/** Rules of all kinds: valid ones, refused ones, and those that only other calendars may write. */
const anyRule = fc
  .tuple(
    fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'HOURLY', 'MINUTELY').map((freq) => `FREQ=${freq}`),
    maybe('INTERVAL', fc.constantFrom('1', '2', '7', '9999')),
    fc.constantFrom('', ';COUNT=10000', ';COUNT=400', ';UNTIL=99991231T000000Z'),
    maybe('BYMONTH', some(1, 12, 12)),
    maybe('BYWEEKNO', signed(53, 53)),
    maybe('BYYEARDAY', signed(366, 300)),
    maybe('BYMONTHDAY', signed(31, 60)),
    maybe('BYDAY', weekdays),
    maybe('BYHOUR', some(0, 23, 24)),
    maybe('BYMINUTE', some(0, 59, 50)),
    maybe('BYSETPOS', signed(366, 300)),
  )
  .map((parts) => parts.join(''))

const compact = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(/[-:]|\.000/g, '')
const dates = (name: string, count: number): string[] => {
  const days = Array.from({ length: count }, (_, index) => compact(at + index * 86_400))
  return [
    `${name};VALUE=DATE:${days.map((day) => day.slice(0, 8))}`,
    `${name};TZID=No/Zone:${days.map((day) => day.slice(0, 15))}`,
  ]
}
const observances = (rule: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => [
    'BEGIN:STANDARD',
    `DTSTART:${1970 + (index % 60)}0101T000000`,
    `TZOFFSETFROM:+0${index % 9}00`,
    `TZOFFSETTO:+0${(index + 1) % 9}00`,
    `RRULE:${rule}`,
    'END:STANDARD',
  ]).flat()
const people = ['ORGANIZER:mailto:ann@example.com', 'ATTENDEE:mailto:me@example.com']
const textOf = (lines: readonly string[], zones: readonly string[] = []): string =>
  [
    'BEGIN:VCALENDAR',
    ...zones,
    ...['BEGIN:VEVENT', 'UID:a@example.com', 'DTSTAMP:20260101T000000Z', 'SEQUENCE:1', ...people, ...lines],
    ...['END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\r\n')
const inZone = ['DTSTART;TZID=My/Zone:20260105T090000', 'DTEND;TZID=My/Zone:20260105T100000']
const window = { from: at, to: at + 400 * 86_400 }
const far = { from: at + 900 * 365 * 86_400, to: at + 901 * 365 * 86_400 }
const context = { addresses: ['me@example.com'], sender: 'ann@example.com', zone: 'Europe/Berlin', now: 0 }

function readText(text: string): void {
  const object = readCalendarObject(text)
  if (!object) return
  const read = eventsOf(object, { zone: 'Europe/Berlin' })
  const steps = new Steps()
  for (const one of [window, far]) {
    occurrencesIn(read, one, { zone: 'Europe/Berlin', steps })
  }
  occurrenceAtSlot(read, compact(at + 86_400), { zone: 'Europe/Berlin', steps })
}

type WayIn = (rule: string, other: string, start: SeriesStart) => unknown

const ways: Record<string, WayIn> = {
  'an event in a text': (rule) => readText(textOf([...inZone, `RRULE:${rule}`])),
  'an event with thousands of dates': (rule) =>
    readText(textOf([...inZone, `RRULE:${rule}`, ...dates('EXDATE', 2500), ...dates('RDATE', 2500)])),
  'the observances of a zone': (rule, other) =>
    readText(
      textOf(
        [...inZone, `RRULE:${other}`],
        ['BEGIN:VTIMEZONE', 'TZID:My/Zone', ...observances(rule, 100), 'END:VTIMEZONE'],
      ),
    ),
  'many zones': (rule, other) => {
    const names = Array.from({ length: 60 }, (_, index) => `Zone/${index}`)
    const zones = names.flatMap((name) => ['BEGIN:VTIMEZONE', `TZID:${name}`, ...observances(rule, 3), 'END:VTIMEZONE'])
    const lines = names.map((name) => `EXDATE;TZID=${name}:20260106T090000`)
    readText(textOf([...inZone, `RRULE:${other}`, ...lines], zones))
  },
  'an invitation and its cancellation by mail': (rule, other) => {
    const text = textOf([...inZone, `RRULE:${rule}`])
    const stored = readCalendarObject(text)
    const sent = readCalendarObject(textOf([...inZone, `RRULE:${other}`, 'SUMMARY:New']))
    const gone = readCalendarObject(textOf([...inZone, 'RECURRENCE-ID;TZID=My/Zone:20260107T090000']))
    if (!stored || !sent || !gone) return
    applyRequest(stored, sent, context)
    applyCancel(stored, gone, context)
  },
  'lines of the API': (rule, _, start) => normaliseRecurrence([`RRULE:${rule}`], start, strict()),
  'a new event of the API': (rule) => needSeries(when, [`RRULE:${rule}`]),
  'a change of the API': (rule, other) => {
    const before = needSeries(when, ['RRULE:FREQ=DAILY;COUNT=9999', dates('EXDATE', 2000)[0] ?? ''])
    const after = seriesAfter(before, { after: { when }, change: { recurrence: [`RRULE:${rule}`] } })
    seriesAfter(after.series, { after: { when: later }, change: { recurrence: [`RRULE:${other}`] } })
  },
  'a series that moves': (rule, _, start) => {
    const read = normaliseRecurrence([`RRULE:${rule}`, ...dates('EXDATE', 2000).slice(0, 1)], start, loose())
    if (!read.ok) return
    const to: SeriesStart =
      start.kind === 'timed' ? { ...start, at: start.at + 90_000 } : { ...start, date: '2026-01-09' }
    const edited = editSeries({ start, recurrence: read.value }, { start: to, allowRdate: true, steps: new Steps() })
    if (edited.ok) edited.placesOf([compact(at), compact(at + 86_400)])
  },
  'a window and what precedes it': (rule, _, start) => {
    const read = normaliseRecurrence([`RRULE:${rule}`], start, loose())
    if (!read.ok) return
    const steps = new Steps()
    occurrencesBetween({ start, recurrence: read.value }, far, { allDayZone: 'Europe/Berlin', steps })
    previousSlots({ start, recurrence: read.value }, far.to, { allDayZone: 'UTC', limit: 3, steps })
  },
}

const strict = () => ({ allowRdate: true, startOutsideRule: 'refuse', steps: new Steps() }) as const
const loose = () => ({ allowRdate: true, startOutsideRule: 'follow-rule', steps: new Steps() }) as const
const timespan = (from: number) => ({
  object: 'timespan' as const,
  start_time: from,
  end_time: from + 3600,
  start_timezone: 'Europe/Berlin',
  end_timezone: 'Europe/Berlin',
})
const [when, later] = [timespan(at), timespan(at + 90_000)]

test.each(Object.entries(ways))('%s: any rule is expanded or refused within the budget', (_, wayIn) => {
  fc.assert(
    fc.property(anyRule, anyRule, fc.constantFrom(...starts), (rule, other, start) => {
      work.calls = 0
      try {
        wayIn(rule, other, start)
      } catch (error) {
        // A refusal names what is wrong; anything else is a fault.
        if (!(error instanceof ApiError) || error.code !== 'invalid_request') throw error
      }
      expect(work.calls).toBeLessThan(maxCalls)
    }),
    { numRuns: runs(40) },
  )
})

test('the counted calls are those of the expansion', () => {
  const rule = 'FREQ=DAILY;BYMONTH=1;BYMONTHDAY=5;COUNT=10000'
  work.calls = 0
  expect(normaliseRecurrence([`RRULE:${rule}`], { kind: 'all-day', date: '2026-01-05', days: 1 }, strict()).ok).toBe(
    false,
  )
  expect(work.calls).toBeGreaterThan(MAX_STEPS / 2)
  expect(LAST_INSTANT).toBe((LAST_DAY + 1) * 86_400 - 1)
})

test('a rule of the API that takes too many steps is refused for the field', () => {
  const rules = ['FREQ=DAILY;BYMONTH=1;BYMONTHDAY=5;COUNT=10000', 'FREQ=MONTHLY;BYMONTHDAY=5;BYSETPOS=1;COUNT=10000']
  for (const rule of rules) {
    expect(() => needSeries(when, [`RRULE:${rule}`])).toThrow(
      'recurrence: RRULE: the rule takes too many steps to expand',
    )
  }
})
