import { describe, expect, test } from 'vitest'
import { instanceId, parseInstanceId, slotOf } from '../../src/recurrence/instance-ids.ts'
import { nextOccurrence, occurrenceAt, occurrencesBetween, previousSlots } from '../../src/recurrence/recurrence.ts'
import type { Series } from '../../src/recurrence/series.ts'
import { RecurrenceTooLarge, Steps } from '../../src/recurrence/steps.ts'
import { allDay, at, seriesOf, timed } from './making-series.ts'

const options = {
  allDayZone: 'America/New_York',
  /** A budget for each use. */
  get steps(): Steps {
    return new Steps()
  },
}
const always = { from: at('0002-01-01T00:00Z'), to: at('9999-01-01T00:00Z') }

/** The first starts of a series as local times with their offset, such as `2026-03-09T02:30-04:00`. */
const local = (series: Series, limit: number, zone = series.start.kind === 'timed' ? series.start.zone : 'UTC') =>
  occurrencesBetween(series, always, { ...options, limit }).map(({ start }) =>
    Temporal.Instant.fromEpochMilliseconds(start * 1000)
      .toZonedDateTimeISO(zone)
      .toString({ smallestUnit: 'minute', timeZoneName: 'never' }),
  )
const slots = (series: Series, from: string, to: string): string[] =>
  occurrencesBetween(series, { from: at(from), to: at(to) }, options).map(({ slot }) => slot)

describe('clocks set forward', () => {
  test.each([
    ['America/New_York', '2026-03-07T02:30', ['2026-03-07T02:30-05:00', '2026-03-09T02:30-04:00']],
    ['Europe/Berlin', '2026-03-28T02:30', ['2026-03-28T02:30+01:00', '2026-03-30T02:30+02:00']],
    ['Australia/Lord_Howe', '2026-10-03T02:15', ['2026-10-03T02:15+10:30', '2026-10-05T02:15+11:00']],
    ['America/Sao_Paulo', '2018-11-03T00:00', ['2018-11-03T00:00-03:00', '2018-11-05T00:00-02:00']],
    ['Pacific/Apia', '2011-12-29T12:00', ['2011-12-29T12:00-10:00', '2011-12-31T12:00+14:00']],
  ])('in %s skip the time that does not exist and do not count it', (zone, from, expected) => {
    const series = seriesOf(timed(from, zone), 'RRULE:FREQ=DAILY;COUNT=2')
    expect(local(series, 9)).toEqual(expected)
  })

  test('skip it in a weekly series with UNTIL', () => {
    const series = seriesOf(timed('2026-03-01T02:15', 'America/New_York'), 'RRULE:FREQ=WEEKLY;UNTIL=20260316T000000Z')
    expect(local(series, 9)).toEqual(['2026-03-01T02:15-05:00', '2026-03-15T02:15-04:00'])
  })

  test('leave a gap no position for BYSETPOS', () => {
    const start = timed('2026-03-07T02:30', 'America/New_York')
    const series = seriesOf(start, 'RRULE:FREQ=DAILY;BYHOUR=2,5;BYSETPOS=1;COUNT=3')
    expect(local(series, 9)).toEqual(['2026-03-07T02:30-05:00', '2026-03-08T05:30-04:00', '2026-03-09T02:30-04:00'])
  })
})

describe('clocks set back', () => {
  test.each([
    [
      'America/New_York',
      '2026-10-31T01:30',
      ['2026-10-31T01:30-04:00', '2026-11-01T01:30-04:00', '2026-11-02T01:30-05:00'],
    ],
    [
      'Europe/Berlin',
      '2025-10-25T02:30',
      ['2025-10-25T02:30+02:00', '2025-10-26T02:30+02:00', '2025-10-27T02:30+01:00'],
    ],
  ])('in %s use the first pass, once', (zone, from, expected) => {
    expect(local(seriesOf(timed(from, zone), 'RRULE:FREQ=DAILY;COUNT=3'), 9)).toEqual(expected)
  })

  test('keep a start in the second pass, for that slot only', () => {
    const start = { ...timed('2026-11-01T01:30', 'America/New_York'), at: at('2026-11-01T01:30-05:00') }
    const series = seriesOf(start, 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU', 'EXDATE:20281105T053000Z')
    expect(local(series, 3)).toEqual(['2026-11-01T01:30-05:00', '2027-11-07T01:30-04:00', '2029-11-04T01:30-04:00'])
    expect(occurrenceAt(series, '20261101T063000Z', options)).toBeDefined()
    expect(occurrenceAt(series, '20261101T053000Z', options)).toBeUndefined()
  })

  test('leave the length of an occurrence exact', () => {
    const night = timed('2026-10-31T22:00', 'America/New_York', 8 * 3600)
    const [first] = occurrencesBetween(seriesOf(night, 'RRULE:FREQ=DAILY;COUNT=1'), always, options)
    expect(first?.end).toBe(at('2026-11-01T05:00-05:00'))
  })
})

describe('hard cases', () => {
  test('a weekly series keeps its local time across both changes', () => {
    const series = seriesOf(timed('2026-03-02T09:00', 'America/New_York'), 'RRULE:FREQ=WEEKLY;INTERVAL=18;COUNT=3')
    expect(local(series, 9)).toEqual(['2026-03-02T09:00-05:00', '2026-07-06T09:00-04:00', '2026-11-09T09:00-05:00'])
  })

  test.each([
    ['20260604T130000Z', 3],
    ['20260604T125959Z', 2],
    ['20260605T120000Z', 3],
    ['20260604', 3],
  ])('UNTIL=%s leaves %i occurrences', (until, count) => {
    const series = seriesOf(timed('2026-06-02T09:00', 'America/New_York'), `RRULE:FREQ=DAILY;UNTIL=${until}`)
    expect(local(series, 9)).toHaveLength(count)
  })

  test('UTC UNTIL on the next UTC day still counts by instant', () => {
    const series = seriesOf(timed('2026-06-02T21:00', 'America/New_York'), 'RRULE:FREQ=DAILY;UNTIL=20260604T010000Z')
    expect(local(series, 9)).toEqual(['2026-06-02T21:00-04:00', '2026-06-03T21:00-04:00'])
  })

  test('COUNT includes slots that EXDATE removes', () => {
    const series = seriesOf(
      timed('2026-06-02T09:00', 'UTC'),
      'RRULE:FREQ=DAILY;COUNT=4',
      'EXDATE:20260603T090000Z,20260605T090000Z',
    )
    expect(local(series, 9)).toEqual(['2026-06-02T09:00+00:00', '2026-06-04T09:00+00:00'])
  })

  test('an EXDATE that is not a slot removes nothing', () => {
    const series = seriesOf(timed('2026-06-02T09:00', 'UTC'), 'RRULE:FREQ=DAILY;COUNT=2', 'EXDATE:20260603T000000Z')
    expect(local(series, 9)).toHaveLength(2)
  })

  test.each([
    ['2024-02-29', 'FREQ=YEARLY;COUNT=3', ['20240229', '20280229', '20320229']],
    ['2026-01-31', 'FREQ=MONTHLY;COUNT=4', ['20260131', '20260331', '20260531', '20260731']],
    ['2026-01-30', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3', ['20260130', '20260227', '20260331']],
    ['2026-06-03', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,3;COUNT=3', ['20260603', '20260608', '20260610']],
    ['2020-12-28', 'FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO;COUNT=2', ['20201228', '20261228']],
    ['2021-01-03', 'FREQ=YEARLY;BYWEEKNO=53;COUNT=2', ['20210103', '20270103']],
    ['2024-12-31', 'FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO,TU;COUNT=4', ['20241231', '20251229', '20251230', '20270104']],
    [
      '2006-03-31',
      'FREQ=YEARLY;BYYEARDAY=-275,-276,-277,-278,-279,-280,-281;BYDAY=FR;COUNT=3',
      ['20060331', '20070330', '20080328'],
    ],
    ['2026-09-04', 'FREQ=MONTHLY;BYDAY=+1FR;COUNT=2', ['20260904', '20261002']],
    ['2026-06-02', 'FREQ=WEEKLY; BYDAY=TU;COUNT=2', ['20260602', '20260609']],
    ['2016-12-31', 'FREQ=YEARLY;BYYEARDAY=366;COUNT=2', ['20161231', '20201231']],
  ])('from %s on, %s', (date, rule, expected) => {
    const series = seriesOf(allDay(date), `RRULE:${rule}`)
    expect(occurrencesBetween(series, always, options).map(({ slot }) => slot)).toEqual(expected)
  })
})

describe('a window', () => {
  const series = seriesOf(timed('2026-06-02T09:00', 'UTC'), 'RRULE:FREQ=DAILY')

  test('contains overlapping occurrences and not those that only touch it', () => {
    expect(slots(series, '2026-06-03T10:00Z', '2026-06-04T09:00Z')).toEqual([])
    expect(slots(series, '2026-06-03T09:59Z', '2026-06-04T09:01Z')).toEqual(['20260603T090000Z', '20260604T090000Z'])
  })

  test('contains a point in time at its start and not at its end', () => {
    const points = seriesOf(timed('2026-06-02T09:00', 'UTC', 0), 'RRULE:FREQ=DAILY')
    expect(slots(points, '2026-06-03T09:00Z', '2026-06-04T09:00Z')).toEqual(['20260603T090000Z'])
  })

  test('contains long occurrences that started before it', () => {
    const long = seriesOf(timed('2026-06-02T09:00', 'UTC', 10 * 86_400), 'RRULE:FREQ=WEEKLY')
    expect(slots(long, '2026-07-01T00:00Z', '2026-07-01T00:01Z')).toEqual(['20260623T090000Z', '20260630T090000Z'])
  })

  test('before the series, after it or without length contains nothing', () => {
    const ended = seriesOf(timed('2026-06-02T09:00', 'UTC'), 'RRULE:FREQ=DAILY;COUNT=2')
    expect(slots(ended, '2026-01-01T00:00Z', '2026-06-02T09:00Z')).toEqual([])
    expect(slots(ended, '2026-06-03T10:00Z', '2027-01-01T00:00Z')).toEqual([])
    expect(slots(ended, '2026-06-02T09:30Z', '2026-06-02T09:30Z')).toEqual([])
  })

  test('takes the same time whatever the age of the series', () => {
    const old = seriesOf(timed('0001-06-02T09:00', 'America/New_York'), 'RRULE:FREQ=DAILY;BYMONTH=1,2,3')
    expect(slots(old, '9000-01-01T00:00Z', '9000-01-03T00:00Z')).toEqual(['90000101T140000Z', '90000102T140000Z'])
  })

  test('with more than ten thousand occurrences is refused, unless there is a limit', () => {
    const window = { from: at('2026-01-01T00:00Z'), to: at('2100-01-01T00:00Z') }
    expect(() => occurrencesBetween(series, window, options)).toThrow(RecurrenceTooLarge)
    expect(occurrencesBetween(series, window, { ...options, limit: 3 })).toHaveLength(3)
  })

  test('contains RDATE in order, without repeating a slot, and EXDATE removes it', () => {
    const mixed = seriesOf(
      timed('2026-06-02T09:00', 'UTC'),
      'RRULE:FREQ=WEEKLY;COUNT=2',
      'RDATE:20260601T090000Z,20260604T090000Z,20260609T090000Z,20260611T090000Z,20260612T090000Z',
      'EXDATE:20260611T090000Z',
    )
    const expected = [
      '20260601T090000Z',
      '20260602T090000Z',
      '20260604T090000Z',
      '20260609T090000Z',
      '20260612T090000Z',
    ]
    expect(slots(mixed, '2026-01-01T00:00Z', '2027-01-01T00:00Z')).toEqual(expected)
    expect(occurrencesBetween(mixed, always, { ...options, limit: 3 }).map(({ slot }) => slot)).toEqual(
      expected.slice(0, 3),
    )
    expect(occurrenceAt(mixed, '20260604T090000Z', options)).toBeDefined()
    expect(occurrenceAt(mixed, '20260611T090000Z', options)).toBeUndefined()
  })

  test('contains the start and RDATE of a series without a rule', () => {
    const bare = seriesOf(allDay('2026-06-02'), 'RDATE;VALUE=DATE:20260701')
    expect(slots(bare, '2026-01-01T00:00Z', '2027-01-01T00:00Z')).toEqual(['20260602', '20260701'])
  })
})

describe('an all-day series', () => {
  test('has its days in the zone of the calendar and both dates inclusive', () => {
    const series = seriesOf(allDay('2026-03-07', 2), 'RRULE:FREQ=WEEKLY;COUNT=1')
    expect(occurrencesBetween(series, always, options)).toEqual([
      {
        slot: '20260307',
        start: at('2026-03-07T00:00-05:00'),
        end: at('2026-03-09T00:00-04:00'),
        startDate: '2026-03-07',
        endDate: '2026-03-08',
      },
    ])
  })

  test('touches a window only in its own zone', () => {
    const series = seriesOf(allDay('2026-06-02'), 'RRULE:FREQ=DAILY;COUNT=1')
    const window = { from: at('2026-06-02T00:00Z'), to: at('2026-06-02T04:00Z') }
    expect(occurrencesBetween(series, window, { allDayZone: 'America/New_York', steps: new Steps() })).toEqual([])
    expect(occurrencesBetween(series, window, { allDayZone: 'Asia/Tokyo', steps: new Steps() })).toHaveLength(1)
    const late = { from: at('2026-06-01T15:00Z'), to: at('2026-06-01T15:01Z') }
    expect(occurrencesBetween(series, late, { allDayZone: 'Asia/Tokyo', steps: new Steps() })).toHaveLength(1)
  })

  test('is computed on dates, even if a zone has skipped one', () => {
    const series = seriesOf(allDay('2011-12-29'), 'RRULE:FREQ=DAILY;COUNT=3')
    const found = occurrencesBetween(series, always, { allDayZone: 'Pacific/Apia', steps: new Steps() })
    expect(found.map(({ slot, start, end }) => [slot, end - start])).toEqual([
      ['20111229', 86_400],
      ['20111230', 0],
      ['20111231', 86_400],
    ])
  })
})

describe('a slot', () => {
  const series = seriesOf(timed('2026-06-02T09:00', 'America/New_York'), 'RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE:20260609')

  test('returns its occurrence', () => {
    const start = at('2026-06-16T13:00Z')
    expect(occurrenceAt(series, '20260616T130000Z', options)).toEqual({
      slot: '20260616T130000Z',
      start,
      end: start + 3600,
    })
  })

  test.each([
    '20260609T130000Z',
    '20260623T130000Z',
    '20260616T130001Z',
    '20260616',
    '20260616T130000',
    '20260231',
    '',
  ])('%j returns nothing', (slot) => {
    expect(occurrenceAt(series, slot, options)).toBeUndefined()
  })

  test('is part of the id of an instance, and is parsed from it', () => {
    expect(slotOf(at('2026-06-16T13:00Z'))).toBe('20260616T130000Z')
    expect(slotOf('2026-06-16')).toBe('20260616')
    const id = instanceId('abc_20200101', '20260616T130000Z')
    expect(parseInstanceId(id)).toEqual({ masterId: 'abc_20200101', slot: '20260616T130000Z' })
    expect(parseInstanceId('abc_20260616')).toEqual({ masterId: 'abc', slot: '20260616' })
    for (const other of ['abc', 'abc_', '_20260616', 'abc_20260231', 'abc_20260616T130000', 'abc_2026-06-16']) {
      expect(parseInstanceId(other)).toBeUndefined()
    }
  })
})

describe('before and after an instant', () => {
  const series = seriesOf(timed('2026-06-02T09:00', 'UTC'), 'RRULE:FREQ=WEEKLY', 'EXDATE:20260609T090000Z')

  test('the next occurrence starts later', () => {
    expect(nextOccurrence(series, at('2020-01-01T00:00Z'), options)?.slot).toBe('20260602T090000Z')
    expect(nextOccurrence(series, at('2026-06-02T09:00Z'), options)?.slot).toBe('20260616T090000Z')
    expect(nextOccurrence(series, at('2026-06-02T08:59:59Z'), options)?.slot).toBe('20260602T090000Z')
    const ended = seriesOf(allDay('2026-06-02'), 'RRULE:FREQ=DAILY;COUNT=2')
    expect(nextOccurrence(ended, at('2026-06-02T00:00-04:00'), options)?.slot).toBe('20260603')
    expect(nextOccurrence(ended, at('2026-06-03T00:00-04:00'), options)).toBeUndefined()
  })

  test('the previous slots start earlier', () => {
    const before = (text: string, limit: number) => previousSlots(series, at(text), { ...options, limit })
    expect(before('2026-06-16T09:00Z', 5)).toEqual(['20260602T090000Z'])
    expect(before('2026-06-16T09:00:01Z', 1)).toEqual(['20260616T090000Z'])
    expect(before('9999-01-01T00:00Z', 2)).toHaveLength(2)
    expect(before('2026-06-02T09:00Z', 2)).toEqual([])
    const rare = seriesOf(allDay('1904-02-29'), 'RRULE:FREQ=YEARLY')
    expect(previousSlots(rare, at('2026-01-01T00:00Z'), { ...options, limit: 2 })).toEqual(['20200229', '20240229'])
  })
})
