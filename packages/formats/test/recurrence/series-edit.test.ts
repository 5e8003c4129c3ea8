/** The result of changing the start, the lines or both of a series, the same for every kind of calendar. */

import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { occurrencesBetween } from '../../src/recurrence/recurrence.ts'
import type { Series, SeriesStart } from '../../src/recurrence/series.ts'
import { editSeries } from '../../src/recurrence/series-edit.ts'
import { Steps } from '../../src/recurrence/steps.ts'
import { allDay, at, seriesOf, timed } from './making-series.ts'

const zone = 'America/New_York'

function edit(series: Series, start: SeriesStart, ...lines: string[]): Series {
  const edited = editSeries(series, {
    start,
    lines: lines.length === 0 ? undefined : lines,
    allowRdate: true,
    steps: new Steps(),
  })
  if (!edited.ok) throw new Error(edited.problem)
  return edited.series
}

function places(series: Series, start: SeriesStart, slots: readonly string[]): (string | undefined)[] {
  const edited = editSeries(series, { start, allowRdate: true, steps: new Steps() })
  if (!edited.ok) throw new Error(edited.problem)
  return edited.placesOf(slots).map((place) => place?.slot)
}

const slots = (series: Series, limit = 12): string[] =>
  occurrencesBetween(
    series,
    { from: at('2020-01-01T00:00Z'), to: at('2050-01-01T00:00Z') },
    { allDayZone: 'UTC', limit, steps: new Steps() },
  ).map(({ slot }) => slot)

describe('a series of which only the start moves', () => {
  const rules: [rule: string, from: string, to: string, expected: string][] = [
    ['FREQ=DAILY;COUNT=3', '2026-06-01', '2026-06-04', 'FREQ=DAILY;COUNT=3'],
    ['FREQ=WEEKLY;COUNT=4', '2026-06-01', '2026-06-02', 'FREQ=WEEKLY;COUNT=4'],
    ['FREQ=WEEKLY;BYDAY=MO;COUNT=4', '2026-06-01', '2026-06-02', 'FREQ=WEEKLY;BYDAY=TU;COUNT=4'],
    ['FREQ=WEEKLY;BYDAY=MO,WE,FR', '2026-06-01', '2026-06-02', 'FREQ=WEEKLY;BYDAY=TU,TH,SA'],
    ['FREQ=WEEKLY;BYDAY=MO,WE,FR', '2026-06-01', '2026-06-03', 'FREQ=WEEKLY;BYDAY=WE,FR,SU'],
    ['FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR', '2026-06-05', '2026-06-06', 'FREQ=DAILY;BYDAY=TU,WE,TH,FR,SA'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU', '2026-06-07', '2026-06-08', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE', '2026-06-01', '2026-06-02', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU', '2026-06-06', '2026-06-07', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=TU'],
    [
      'FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=FR,SA',
      '2026-06-05',
      '2026-06-06',
      'FREQ=WEEKLY;INTERVAL=2;WKST=MO;BYDAY=SA,SU',
    ],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE;BYSETPOS=-1', '2026-06-03', '2026-06-04', 'FREQ=WEEKLY;BYDAY=TU,WE,TH;BYSETPOS=-1'],
    ['FREQ=MONTHLY', '2026-06-15', '2026-06-17', 'FREQ=MONTHLY'],
    ['FREQ=MONTHLY;BYMONTHDAY=15', '2026-06-15', '2026-07-17', 'FREQ=MONTHLY;BYMONTHDAY=17'],
    ['FREQ=MONTHLY;BYMONTHDAY=1,15', '2026-06-01', '2026-06-03', 'FREQ=MONTHLY;BYMONTHDAY=3,17'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', '2026-06-30', '2026-07-31', 'FREQ=MONTHLY;BYMONTHDAY=-1'],
    ['FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1', '2026-06-30', '2026-06-12', 'FREQ=MONTHLY;BYMONTHDAY=12'],
    ['FREQ=MONTHLY;BYDAY=2TU', '2026-06-09', '2026-06-17', 'FREQ=MONTHLY;BYDAY=3WE'],
    ['FREQ=MONTHLY;BYDAY=-1FR', '2026-06-26', '2026-06-25', 'FREQ=MONTHLY;BYDAY=-1TH'],
    ['FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2', '2026-06-09', '2026-06-10', 'FREQ=MONTHLY;BYDAY=WE;BYSETPOS=2'],
    ['FREQ=MONTHLY;BYDAY=MO', '2026-06-01', '2026-06-02', 'FREQ=MONTHLY;BYDAY=TU'],
    ['FREQ=YEARLY', '2026-12-31', '2027-01-01', 'FREQ=YEARLY'],
    ['FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=15', '2026-06-15', '2026-07-01', 'FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=1'],
    ['FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', '2026-11-26', '2026-11-27', 'FREQ=YEARLY;BYMONTH=11;BYDAY=4FR'],
    ['FREQ=YEARLY;BYMONTH=3,9;BYMONTHDAY=1', '2026-03-01', '2026-03-05', 'FREQ=YEARLY;BYMONTH=3,9;BYMONTHDAY=5'],
  ]
  test.each(rules)('%s from %s to %s becomes %s', (rule, from, to, expected) => {
    const series = seriesOf(timed(`${from}T09:00`, zone), `RRULE:${rule}`)
    const moved = edit(series, timed(`${to}T10:30`, zone))
    expect(moved.recurrence.lines).toEqual([`RRULE:${expected}`])
    expect(slots(moved, 1)).toEqual(slots(seriesOf(timed(`${to}T10:30`, zone), 'RRULE:FREQ=DAILY;COUNT=1')))
  })

  test.each([
    ['FREQ=MONTHLY;BYMONTHDAY=-1', '2026-06-30', '2026-06-29'],
    ['FREQ=MONTHLY;BYMONTHDAY=1,31', '2026-06-01', '2026-06-02'],
    ['FREQ=MONTHLY;BYDAY=4MO', '2026-06-22', '2026-06-29'],
    ['FREQ=MONTHLY;BYDAY=1MO,3MO', '2026-06-01', '2026-06-02'],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1', '2026-06-01', '2026-06-02'],
    ['FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR', '2026-02-13', '2026-02-14'],
    ['FREQ=MONTHLY;BYMONTH=1,4,7,10;BYMONTHDAY=15', '2026-01-15', '2026-02-15'],
    ['FREQ=YEARLY;BYYEARDAY=100', '2026-04-10', '2026-04-11'],
    ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', '2026-05-11', '2026-05-12'],
    ['FREQ=WEEKLY;BYDAY=MO;BYMONTH=6', '2026-06-01', '2026-06-02'],
    ['FREQ=DAILY;BYMONTHDAY=1,2,3', '2026-06-01', '2026-06-04'],
  ])('%s from %s to %s is refused, because the new rule is ambiguous', (rule, from, to) => {
    const series = seriesOf(timed(`${from}T09:00`, zone), `RRULE:${rule}`)
    const edited = editSeries(series, { start: timed(`${to}T09:00`, zone), allowRdate: true, steps: new Steps() })
    expect(edited).toMatchObject({ ok: false, problem: expect.stringMatching(/send recurrence with the rule/) })
  })

  test('keeps an ambiguous rule if it contains the new start', () => {
    const series = seriesOf(timed('2026-06-01T09:00', zone), 'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1')
    expect(edit(series, timed('2026-07-01T09:00', zone)).recurrence.lines).toEqual(series.recurrence.lines)
  })

  test('moves its exceptions, its end and its additional dates', () => {
    const series = seriesOf(
      timed('2026-06-01T09:00', zone),
      'RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260622T130000Z',
      'RDATE:20260610T130000Z',
      'EXDATE:20260608T130000Z',
    )
    const moved = edit(series, timed('2026-06-02T08:00', zone))
    expect(moved.recurrence.lines).toEqual([
      'RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20260623T120000Z',
      'RDATE:20260611T120000Z',
      'EXDATE:20260609T120000Z',
    ])
    expect(places(series, timed('2026-06-02T08:00', zone), ['20260615T130000Z'])).toEqual(['20260616T120000Z'])
  })

  test('moves its exceptions on both sides of a clock change', () => {
    const series = seriesOf(
      timed('2026-02-23T09:00', zone),
      'RRULE:FREQ=WEEKLY;COUNT=4',
      'EXDATE:20260302T140000Z,20260309T130000Z',
    )
    const later = edit(series, timed('2026-02-23T10:30', zone))
    expect(later.recurrence.lines[1]).toBe('EXDATE:20260302T153000Z,20260309T143000Z')
    expect(slots(later)).toEqual(['20260223T153000Z', '20260316T143000Z'])
  })

  test('to another zone moves its weekdays as far as its local date', () => {
    const series = seriesOf(timed('2026-03-02T20:00', zone), 'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3')
    const moved = edit(series, {
      ...series.start,
      kind: 'timed',
      at: at('2026-03-02T20:00', zone),
      zone: 'Europe/Berlin',
      seconds: 3600,
    })
    expect(moved.recurrence.lines).toEqual(['RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=3'])
    expect(slots(moved)).toEqual(['20260303T010000Z', '20260310T010000Z', '20260317T010000Z'])
  })

  test('to another zone keeps the local time of its exceptions', () => {
    const series = seriesOf(timed('2026-03-02T09:00', zone), 'RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE:20260309T130000Z')
    expect(slots(edit(series, timed('2026-03-02T09:00', 'Europe/Berlin')))).toEqual([
      '20260302T080000Z',
      '20260316T080000Z',
    ])
  })

  test('by months moves the exception of a month to the corresponding month', () => {
    const series = seriesOf(
      timed('2026-06-09T09:00', 'UTC'),
      'RRULE:FREQ=MONTHLY;BYDAY=2TU;UNTIL=20261231T000000Z',
      'EXDATE:20260908T090000Z',
    )
    // The second Wednesday of July 2026 comes before its second Tuesday.
    const moved = edit(series, timed('2026-06-10T09:00', 'UTC'))
    expect(moved.recurrence.lines).toEqual([
      'RRULE:FREQ=MONTHLY;BYDAY=2WE;UNTIL=20261209T090000Z',
      'EXDATE:20260909T090000Z',
    ])
    expect(places(series, timed('2026-06-10T09:00', 'UTC'), ['20260714T090000Z'])).toEqual(['20260708T090000Z'])
    expect(slots(moved)).toHaveLength(slots(series).length)
  })

  test('drops the exception of a month without such a day', () => {
    const series = seriesOf(timed('2026-01-28T09:00', 'UTC'), 'RRULE:FREQ=MONTHLY;COUNT=5')
    expect(places(series, timed('2026-01-31T09:00', 'UTC'), ['20260228T090000Z', '20260328T090000Z'])).toEqual([
      undefined,
      '20260331T090000Z',
    ])
  })

  test('keeps its last occurrence when the time of day passes UNTIL', () => {
    const series = seriesOf(timed('2026-06-01T09:00', zone), 'RRULE:FREQ=DAILY;UNTIL=20260603T130000Z')
    expect(slots(edit(series, timed('2026-06-01T17:00', zone)))).toHaveLength(3)
    expect(slots(edit(series, timed('2026-06-01T00:30', zone)))).toHaveLength(3)
  })

  test('with fixed times of day keeps them if the new start is one of them, and moves them otherwise', () => {
    const series = seriesOf(
      timed('2026-06-01T09:00', 'UTC'),
      'RRULE:FREQ=DAILY;BYHOUR=9,12;COUNT=4',
      'EXDATE:20260602T120000Z',
    )
    expect(slots(edit(series, timed('2026-06-01T12:00', 'UTC')))).toEqual([
      '20260601T120000Z',
      '20260602T090000Z',
      '20260603T090000Z',
    ])
    expect(edit(series, timed('2026-06-01T10:00', 'UTC')).recurrence.lines).toEqual([
      'RRULE:FREQ=DAILY;BYHOUR=10,13;COUNT=4',
      'EXDATE:20260602T130000Z',
    ])
    const uncertain = editSeries(series, {
      start: timed('2026-06-01T10:30', 'UTC'),
      allowRdate: true,
      steps: new Steps(),
    })
    expect(uncertain.ok).toBe(false)
  })

  test('from timed to all-day and back keeps its exceptions', () => {
    const series = seriesOf(
      timed('2026-06-01T21:00', zone),
      'RRULE:FREQ=DAILY;UNTIL=20260605T010000Z',
      'EXDATE:20260603T010000Z',
    )
    const dates = edit(series, allDay('2026-06-01'))
    expect(dates.recurrence.lines).toEqual(['RRULE:FREQ=DAILY;UNTIL=20260604', 'EXDATE;VALUE=DATE:20260602'])
    expect(slots(edit(dates, series.start))).toEqual(slots(series))
    expect(edit(series, allDay('2026-06-01'), ...series.recurrence.lines)).toEqual(dates)
  })

  test('of many rules moves every occurrence by the same number of days', () => {
    const rule = fc.record({
      freq: fc.constantFrom('DAILY', 'WEEKLY'),
      interval: fc.integer({ min: 1, max: 3 }),
      days: fc.subarray(['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'], { minLength: 1 }),
      weekStart: fc.constantFrom('MO', 'SU', 'WE'),
      first: fc.integer({ min: 0, max: 6 }),
      by: fc.integer({ min: -30, max: 30 }),
    })
    fc.assert(
      fc.property(rule, ({ freq, interval, days, weekStart, first, by }) => {
        const text = `RRULE:FREQ=${freq};INTERVAL=${interval};BYDAY=${days.join()};WKST=${weekStart};COUNT=9`
        const [begin = ''] = slots(seriesOf(allDay(`2026-06-0${first + 1}`), text), 1)
        fc.pre(begin !== '')
        const date = Temporal.PlainDate.from(begin)
        const series = seriesOf(allDay(date.toString()), text)
        const moved = edit(series, allDay(date.add({ days: by }).toString()))
        const expected = slots(series).map((slot) => Temporal.PlainDate.from(slot).add({ days: by }).toString())
        expect(slots(moved).map((slot) => Temporal.PlainDate.from(slot).toString())).toEqual(expected)
      }),
      { seed: 5545, numRuns: runs(500) },
    )
  })
})

describe('a series whose lines change', () => {
  const from = seriesOf(
    timed('2026-06-01T09:00', zone),
    'RRULE:FREQ=DAILY;UNTIL=20260605T130000Z',
    'RDATE:20260610T130000Z',
    'EXDATE:20260602T130000Z',
  )
  const start = timed('2026-06-01T11:00', zone)
  const replaced = (...lines: string[]): readonly string[] | string => {
    const result = editSeries(from, { start, lines, allowRdate: true, steps: new Steps() })
    return result.ok ? result.series.recurrence.lines : result.problem
  }

  test('moves as a whole if the lines mean the same, in any form, also without EXDATE', () => {
    const moved = ['RRULE:FREQ=DAILY;UNTIL=20260605T150000Z', 'RDATE:20260610T150000Z', 'EXDATE:20260602T150000Z']
    const [rule, date] = ['RRULE:FREQ=DAILY;UNTIL=20260605T090000', 'rdate:20260610T130000Z']
    expect(replaced('EXDATE;TZID=America/New_York:20260602T090000', date, rule)).toEqual(moved)
    expect(replaced(rule, date)).toEqual(moved)
  })

  test('keeps the days of an unchanged rule if the new start is one of them, and moves them otherwise', () => {
    const series = seriesOf(timed('2026-06-01T09:00', zone), 'RRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=4')
    const lines = series.recurrence.lines
    expect(edit(series, timed('2026-06-03T09:00', zone), ...lines).recurrence.lines).toEqual(lines)
    expect(edit(series, timed('2026-06-02T09:00', zone), ...lines).recurrence.lines).toEqual([
      'RRULE:FREQ=WEEKLY;BYDAY=TU,TH;COUNT=4',
    ])
  })

  test('uses another rule unchanged, and moves its previous exceptions', () => {
    expect(replaced('RRULE:FREQ=DAILY;COUNT=5', 'EXDATE:20260602T130000Z,20260603T150000Z')).toEqual([
      'RRULE:FREQ=DAILY;COUNT=5',
      'EXDATE:20260602T150000Z,20260603T150000Z',
    ])
  })

  test('keeps deleted occurrences if another rule without EXDATE still contains them', () => {
    expect(replaced('RRULE:FREQ=DAILY;COUNT=5')).toEqual(['RRULE:FREQ=DAILY;COUNT=5', 'EXDATE:20260602T150000Z'])
    expect(replaced('RRULE:FREQ=DAILY;INTERVAL=2;COUNT=5')).toEqual(['RRULE:FREQ=DAILY;INTERVAL=2;COUNT=5'])
  })

  test('restores occurrences that new EXDATE lines do not contain', () => {
    expect(replaced('RRULE:FREQ=DAILY;COUNT=5', 'EXDATE:20260603T150000Z')).toEqual([
      'RRULE:FREQ=DAILY;COUNT=5',
      'EXDATE:20260603T150000Z',
    ])
  })

  test('keeps an exception that the new series contains, and one that the old did not have', () => {
    expect(replaced('RRULE:FREQ=DAILY;BYHOUR=9,11;COUNT=9', 'EXDATE:20260602T130000Z,20260604T130500Z')).toEqual([
      'RRULE:FREQ=DAILY;BYHOUR=9,11;COUNT=9',
      'EXDATE:20260602T130000Z,20260604T130500Z',
    ])
  })

  test('is refused for invalid lines, and if its start is outside the new rule', () => {
    expect(replaced('RRULE:FREQ=HOURLY')).toMatch(/HOURLY/)
    expect(replaced('RRULE:FREQ=WEEKLY;BYDAY=TU')).toMatch(/^when: the start must fall on a day.*2026-06-02/)
    expect(replaced('RRULE:FREQ=DAILY;COUNT=5;UNTIL=20260605T130000Z')).toMatch(/COUNT/)
  })
})
