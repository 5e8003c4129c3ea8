import { describe, expect, test } from 'vitest'
import { nextOccurrence, occurrencesBetween, previousSlots } from '../../src/recurrence/recurrence.ts'
import type { SeriesStart } from '../../src/recurrence/series.ts'
import { Steps } from '../../src/recurrence/steps.ts'
import { describeVectors } from './describing-vectors.ts'
import { allDay, at, problemOf, seriesOf, timed } from './making-series.ts'
import { readTable, readVectors, typedDates } from './reading-vectors.ts'
import { refused, vectors } from './recurrence-vectors-dateutil.ts'
import { yearlyMisread, yearlyVectors } from './recurrence-vectors-yearly.ts'

const start = timed('1997-09-02T09:00', 'UTC')
const options = {
  allDayZone: 'UTC',
  /** A budget for each use. */
  get steps(): Steps {
    return new Steps()
  },
}
const everything = { from: at('1990-01-01'), to: at('2050-01-01') }

const datesOf = (from: SeriesStart, ...lines: string[]): string[] =>
  occurrencesBetween(seriesOf(from, ...lines), everything, options).map(({ slot }) => slot.slice(0, 8))

describeVectors('rules that dateutil tests', readVectors(vectors))
describeVectors('yearly rules of several parts, as dateutil and rrule-temporal read them', readVectors(yearlyVectors))
describeVectors('yearly rules of several parts, as dateutil reads them', readVectors(yearlyMisread))

test('COUNT ends a rule after that number of slots', () => {
  for (const vector of readVectors(vectors).filter(({ rule }) => rule.includes('COUNT='))) {
    for (const [n] of vector.slots.entries()) {
      const series = seriesOf(vector.start, `RRULE:${vector.rule.replace(/COUNT=\d+/, `COUNT=${n + 1}`)}`)
      const found = occurrencesBetween(series, { from: 0, to: 1e11 }, options).map(({ slot }) => slot)
      expect(found, vector.title).toEqual(vector.slots.slice(0, n + 1))
    }
  }
})

describe('rules that dateutil expands and we refuse', () => {
  test.each(readTable(refused))('%s', (rule, part = '') => {
    expect(problemOf(start, `RRULE:${rule}`)?.split(': ')[0]).toBe(part)
  })

  test.each(['HOURLY', 'MINUTELY', 'SECONDLY'])('%s, whatever it is combined with', (freq) => {
    for (const vector of readVectors(vectors)) {
      const line = `RRULE:${vector.rule.replace(/FREQ=\w+/, `FREQ=${freq}`)}`
      expect(problemOf(vector.start, line), line).toMatch(new RegExp(`^FREQ=${freq}: `))
    }
  })

  test.each([
    ['FREQ=DAILY;COUNT=3;UNTIL=19970904T090000', 'COUNT'],
    ['FREQ=YEARLY;UNTIL=TheCowsComeHome;BYDAY=1TU,-1TH', 'UNTIL=THECOWSCOMEHOME'],
    ['FREQ=WEEKLY;BYDAY=;WKST=SU', 'BYDAY'],
    ['FREQ=WEEKLY;BYDAY=-1OK;WKST=SU', 'BYDAY=-1OK'],
    ['FREQ=MONTHLY;COUNT=1;BYDAY=MO;BYSETPOS=0', 'BYSETPOS=0'],
    ['FREQ=MONTHLY;COUNT=1;BYDAY=MO;BYSETPOS=-1,0,1', 'BYSETPOS=0'],
    ['FREQ=YEARLY;COUNT=3;BYWEEKDAY=TH', 'BYWEEKDAY'],
    ['FREQ=YEARLY;COUNT=0', 'COUNT=0'],
  ])('%s', (rule, part) => {
    expect(problemOf(start, `RRULE:${rule}`)?.split(': ')[0]).toBe(part)
  })

  test('two rules, and EXRULE', () => {
    expect(problemOf(start, 'RRULE:FREQ=YEARLY;BYDAY=TU', 'RRULE:FREQ=YEARLY;BYDAY=TH')).toMatch(/^RRULE: /)
    expect(problemOf(start, 'RRULE:FREQ=YEARLY;BYDAY=TU', 'EXRULE:FREQ=YEARLY;BYDAY=TH')).toMatch(/^EXRULE: /)
  })
})

test('a rule without an occurrence before the year 10000 is refused', () => {
  const late = timed('9997-09-02T09:00', 'UTC')
  expect(problemOf(late, 'RRULE:FREQ=YEARLY;COUNT=3;BYMONTH=2;BYMONTHDAY=31')).toMatch(/^RRULE: never occurs/)
})

describe('sets of dates', () => {
  const rule = 'RRULE:FREQ=YEARLY;COUNT=6;BYDAY=TU,TH'
  const brussels = timed('1997-09-02T09:00', 'Europe/Brussels')

  test.each<[string, SeriesStart, string[], string]>([
    ['EXDATE, one a line', start, [rule, 'EXDATE:19970904T090000', 'EXDATE:19970911T090000'], '1997 Sep 2 9 16 18'],
    ['EXDATE, several in a line', start, [rule, 'EXDATE:19970904T090000,19970911T090000'], '1997 Sep 2 9 16 18'],
    [
      'EXDATE with TZID',
      brussels,
      [rule, 'EXDATE;TZID=Europe/Brussels:19970904T090000,19970911T090000'],
      '1997 Sep 2 9 16 18',
    ],
    ['EXDATE of type DATE-TIME', start, [rule, 'EXDATE;VALUE=DATE-TIME:19970902T090000'], '1997 Sep 4 9 11 16 18'],
    [
      'EXDATE of an all-day series',
      allDay('1997-09-02'),
      [rule, 'EXDATE;VALUE=DATE:19970902'],
      '1997 Sep 4 9 11 16 18',
    ],
    [
      'RDATE beside the rule',
      start,
      ['RRULE:FREQ=YEARLY;COUNT=1;BYDAY=TU', 'RDATE:19970904T090000', 'RDATE:19970909T090000'],
      '1997 Sep 2 4 9',
    ],
    [
      'RDATE and EXDATE without a rule',
      start,
      ['RDATE:19970902T090000,19970904T090000,19970909T090000,19970911T090000', 'EXDATE:19970904T090000'],
      '1997 Sep 2 9 11',
    ],
    [
      'UNTIL in UTC before the last local midnight',
      timed('1997-01-01T00:00', 'America/New_York'),
      ['RRULE:FREQ=YEARLY;UNTIL=19990101T000000Z'],
      '1997 Jan 1; 1998 Jan 1',
    ],
    ['lower case', start, ['rrule:freq=yearly;count=3'], '1997 Sep 2; 1998 Sep 2; 1999 Sep 2'],
    ['blanks', start, [' RRULE:FREQ=YEARLY;COUNT=3 '], '1997 Sep 2; 1998 Sep 2; 1999 Sep 2'],
  ])('%s', (_, from, lines, dates) => {
    expect(datesOf(from, ...lines)).toEqual(typedDates(dates))
  })
})

test('occurrences before, after and between, without the edges', () => {
  const daily = seriesOf(timed('1997-09-02T09:00', 'UTC', 0), 'RRULE:FREQ=DAILY')
  const fifth = at('1997-09-05T09:00')
  expect(previousSlots(daily, fifth, { ...options, limit: 1 })).toEqual(['19970904T090000Z'])
  expect(nextOccurrence(daily, fifth - 86_400, options)?.slot).toBe('19970905T090000Z')
  const between = occurrencesBetween(daily, { from: fifth - 3 * 86_400 + 1, to: fifth }, options)
  expect(between.map(({ slot }) => slot)).toEqual(['19970903T090000Z', '19970904T090000Z'])
})
