import { describe, expect, test } from 'vitest'
import { normaliseRecurrence } from '../../src/recurrence/rule.ts'
import { allDay, at, lenient, problemOf, recurrenceOf, strict, timed } from './making-series.ts'

const zone = 'America/New_York'
/** A Tuesday. */
const tuesday = timed('2026-06-02T09:00', zone)
const june2 = allDay('2026-06-02')
const lines = (start: Parameters<typeof recurrenceOf>[0], ...given: string[]): readonly string[] =>
  recurrenceOf(start, ...given).lines

describe('a rule', () => {
  test("is returned in upper case and without blanks, as the vendor's sample requires", () => {
    expect(lines(tuesday, ' rrule:freq=weekly; byday=tu ;count = 2; ')).toEqual(['RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=2'])
  })

  test('can number weekdays with a plus', () => {
    expect(problemOf(tuesday, 'RRULE:FREQ=MONTHLY;BYDAY=+1TU')).toBeUndefined()
  })

  test.each([
    ['RRULE:INTERVAL=2', 'FREQ'],
    ['RRULE:FREQ=FORTNIGHTLY', 'FREQ=FORTNIGHTLY'],
    ['RRULE:FREQ=HOURLY', 'FREQ=HOURLY'],
    ['RRULE:FREQ=MINUTELY;COUNT=3', 'FREQ=MINUTELY'],
    ['RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30', 'FREQ=SECONDLY'],
    ['RRULE:FREQ=DAILY;FREQ=DAILY', 'FREQ'],
    ['RRULE:FREQ=DAILY;INTERVAL=0', 'INTERVAL=0'],
    ['RRULE:FREQ=DAILY;INTERVAL=-1', 'INTERVAL=-1'],
    ['RRULE:FREQ=DAILY;INTERVAL=1.5', 'INTERVAL=1.5'],
    ['RRULE:FREQ=DAILY;INTERVAL=10001', 'INTERVAL=10001'],
    ['RRULE:FREQ=DAILY;COUNT=0', 'COUNT=0'],
    ['RRULE:FREQ=DAILY;COUNT=10001', 'COUNT=10001'],
    ['RRULE:FREQ=DAILY;COUNT=', 'COUNT'],
    ['RRULE:FREQ=DAILY;COUNT=2;UNTIL=20270101T000000Z', 'COUNT'],
    ['RRULE:FREQ=DAILY;UNTIL=20260602T125959Z', 'UNTIL=20260602T125959Z'],
    ['RRULE:FREQ=DAILY;UNTIL=20260631', 'UNTIL=20260631'],
    ['RRULE:FREQ=DAILY;UNTIL=2027-01-01', 'UNTIL=2027-01-01'],
    ['RRULE:FREQ=WEEKLY;BYDAY=1TU', 'BYDAY'],
    ['RRULE:FREQ=DAILY;BYDAY=-1TU', 'BYDAY'],
    ['RRULE:FREQ=YEARLY;BYWEEKNO=23;BYDAY=1TU', 'BYDAY'],
    ['RRULE:FREQ=WEEKLY;BYDAY=XX', 'BYDAY=XX'],
    ['RRULE:FREQ=MONTHLY;BYDAY=0TU', 'BYDAY=0TU'],
    ['RRULE:FREQ=MONTHLY;BYDAY=54TU', 'BYDAY=54TU'],
    ['RRULE:FREQ=MONTHLY;BYWEEKNO=23', 'BYWEEKNO'],
    ['RRULE:FREQ=DAILY;BYYEARDAY=153', 'BYYEARDAY'],
    ['RRULE:FREQ=WEEKLY;BYYEARDAY=153', 'BYYEARDAY'],
    ['RRULE:FREQ=MONTHLY;BYYEARDAY=153', 'BYYEARDAY'],
    ['RRULE:FREQ=WEEKLY;BYMONTHDAY=2', 'BYMONTHDAY'],
    ['RRULE:FREQ=MONTHLY;BYMONTHDAY=0', 'BYMONTHDAY=0'],
    ['RRULE:FREQ=MONTHLY;BYMONTHDAY=32', 'BYMONTHDAY=32'],
    ['RRULE:FREQ=YEARLY;BYMONTH=13', 'BYMONTH=13'],
    ['RRULE:FREQ=YEARLY;BYMONTH=-1', 'BYMONTH=-1'],
    ['RRULE:FREQ=DAILY;BYHOUR=24', 'BYHOUR=24'],
    ['RRULE:FREQ=MONTHLY;BYSETPOS=1', 'BYSETPOS'],
    ['RRULE:FREQ=DAILY;WKST=MONDAY', 'WKST=MONDAY'],
    ['RRULE:FREQ=YEARLY;RSCALE=HEBREW', 'RSCALE'],
    ['RRULE:FREQ=DAILY;X-FOO=1', 'X-FOO'],
    ['RRULE;X=1:FREQ=DAILY', 'RRULE'],
    ['RRULE:FREQ=DAILY\nATTENDEE:mailto:x@y.z', 'FREQ=DAILY\nATTENDEE:MAILTO:X@Y.Z'],
    ['DTSTART:20260602T090000Z', 'DTSTART'],
    ['EXRULE:FREQ=DAILY', 'EXRULE'],
    ['RDATE:20260603T090000Z', 'RDATE'],
    ['FREQ=DAILY', 'FREQ=DAILY'],
    ['EXDATE:20260603T090000Z', 'RRULE'],
    [`RRULE:FREQ=DAILY;BYHOUR=9${','.repeat(1010)}`, 'RRULE'],
  ])('%s is refused for %s', (line, part) => {
    expect(problemOf(tuesday, line)?.split(': ')[0]).toBe(part)
  })

  test('is required, once', () => {
    expect(problemOf(tuesday)).toBe('RRULE: is required')
    expect(problemOf(tuesday, 'RRULE:FREQ=DAILY', 'RRULE:FREQ=WEEKLY')).toBe('RRULE: is given twice')
  })

  test.each(['BYHOUR=9', 'BYMINUTE=0', 'BYSECOND=0'])('with %s is refused in an all-day series', (part) => {
    expect(problemOf(june2, `RRULE:FREQ=DAILY;${part}`)).toContain(part.split('=')[0])
  })

  test('with more than a thousand combinations of its lists is refused', () => {
    const numbers = (count: number): string => Array.from({ length: count }, (_, n) => n).join(',')
    const rule = `RRULE:FREQ=DAILY;BYHOUR=${numbers(24)};BYMINUTE=${numbers(21)};BYSECOND=${numbers(10)}`
    expect(problemOf(tuesday, rule)).toBe('BYHOUR×BYMINUTE×BYSECOND: the lists multiply to 5040, more than 1000')
  })
})

describe('UNTIL', () => {
  test.each([
    ['20260630T130000Z', '20260630T130000Z'],
    ['20260630T090000', '20260630T130000Z'],
    ['20260630', '20260701T035959Z'],
    ['20261101', '20261102T045959Z'],
  ])('%s of a timed series is %s', (given, canonical) => {
    expect(lines(tuesday, `RRULE:FREQ=DAILY;UNTIL=${given}`)).toEqual([`RRULE:FREQ=DAILY;UNTIL=${canonical}`])
  })

  test.each(['20260630', '20260630T000000Z', '20260630T235959'])('%s of an all-day series is a date', (given) => {
    expect(lines(june2, `RRULE:FREQ=DAILY;UNTIL=${given}`)).toEqual(['RRULE:FREQ=DAILY;UNTIL=20260630'])
  })
})

describe('EXDATE', () => {
  const rule = 'RRULE:FREQ=DAILY'
  test.each([
    ['EXDATE:20260603T130000Z', '20260603T130000Z'],
    ['exdate:20260603t130000z', '20260603T130000Z'],
    ['EXDATE;TZID=America/New_York:20260603T090000', '20260603T130000Z'],
    ['EXDATE;TZID="Europe/Berlin":20260603T150000', '20260603T130000Z'],
    ['EXDATE;TZID=Eastern Standard Time:20260603T090000', '20260603T130000Z'],
    ['EXDATE;VALUE=DATE-TIME:20260603T090000', '20260603T130000Z'],
    ['EXDATE;VALUE=DATE:20260603', '20260603T130000Z'],
    ['EXDATE:20260603', '20260603T130000Z'],
    ['EXDATE: 20260604T130000Z , 20260603T130000Z,20260604T130000Z', '20260603T130000Z,20260604T130000Z'],
    ['EXDATE:20260603T000000Z', '20260603T000000Z'],
  ])('%s is %s in a timed series', (line, canonical) => {
    expect(lines(tuesday, rule, line)).toEqual([rule, `EXDATE:${canonical}`])
  })

  test('with a date removes every time of that day', () => {
    const given = lines(tuesday, 'RRULE:FREQ=DAILY;BYHOUR=9,17', 'RDATE:20260603T230000Z', 'EXDATE;VALUE=DATE:20260603')
    expect(given[2]).toBe('EXDATE:20260603T130000Z,20260603T210000Z,20260603T230000Z')
  })

  test.each(['EXDATE;VALUE=DATE:20260603', 'EXDATE:20260603', 'EXDATE:20260603T000000Z'])(
    '%s is a date in an all-day series',
    (line) => {
      expect(lines(june2, rule, line)).toEqual([rule, 'EXDATE;VALUE=DATE:20260603'])
    },
  )

  test.each([
    ['EXDATE;TZID=../../etc:20260603T090000', 'EXDATE;TZID=../../etc'],
    ['EXDATE;VALUE=PERIOD:20260603T090000Z/PT1H', 'EXDATE;VALUE=PERIOD'],
    ['EXDATE;X-A=1:20260603', 'EXDATE;X-A'],
    ['EXDATE:20260231', 'EXDATE:20260231'],
    ['EXDATE:', 'EXDATE:'],
    ['EXDATE:20260603T130000Z,', 'EXDATE:'],
    ['EXDATE:tomorrow', 'EXDATE:TOMORROW'],
  ])('%s is refused', (line, part) => {
    expect(problemOf(tuesday, rule, line)?.startsWith(`${part}: `)).toBe(true)
  })

  test('at a time other than midnight is refused in an all-day series', () => {
    expect(problemOf(june2, rule, 'EXDATE:20260603T130000Z')).toContain('takes dates')
  })

  test('can have 5000 dates in one line, and no more', () => {
    const days = (count: number): string =>
      Array.from({ length: count }, (_, n) => Temporal.PlainDate.from('2026-06-03').add({ days: n }))
        .map((date) => `${date.toString().replaceAll('-', '')}T130000Z`)
        .join(',')
    expect(recurrenceOf(tuesday, rule, `EXDATE:${days(5000)}`).exdates.length).toBe(5000)
    expect(problemOf(tuesday, rule, `EXDATE:${days(5001)}`)).toContain('5000')
    expect(problemOf(tuesday, rule, ...Array.from({ length: 5001 }, () => 'EXDATE:20260603'))).toContain('5001')
    expect(
      problemOf(tuesday, 'RRULE:FREQ=DAILY;BYHOUR=9,10', `EXDATE:${days(2501)}`.replaceAll('T130000Z', '')),
    ).toContain('5000')
  })
})

describe('RDATE', () => {
  test('is accepted if the caller allows it, in the forms of EXDATE', () => {
    const recurrence = recurrenceOf(
      tuesday,
      'RRULE:FREQ=WEEKLY;COUNT=2',
      'RDATE;VALUE=DATE:20260701',
      'RDATE:20260501T130000Z',
    )
    expect(recurrence.lines).toEqual(['RRULE:FREQ=WEEKLY;COUNT=2', 'RDATE:20260501T130000Z,20260701T130000Z'])
    expect(recurrence.first).toBe(at('2026-05-01T13:00Z'))
    expect(recurrence.last).toBe(at('2026-07-01T14:00Z'))
  })

  test('is enough without a rule', () => {
    expect(recurrenceOf(june2, 'RDATE;VALUE=DATE:20260701').lines).toEqual(['RDATE;VALUE=DATE:20260701'])
  })
})

describe('the start', () => {
  test('must be an occurrence, and the problem names the next one', () => {
    expect(problemOf(tuesday, 'RRULE:FREQ=WEEKLY;BYDAY=MO')).toBe(
      `when: the start must fall on a day and time allowed by RRULE; the next one is ${at('2026-06-08T13:00Z')} (2026-06-08T09:00:00-04:00[America/New_York])`,
    )
    expect(problemOf(june2, 'RRULE:FREQ=MONTHLY;BYMONTHDAY=31')).toContain('the next one is 2026-07-31')
    expect(problemOf(tuesday, 'RRULE:FREQ=DAILY;BYHOUR=10')).toContain('2026-06-02T10:00:00-04:00')
    expect(problemOf(tuesday, 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30')).toContain('never occurs')
  })

  test('can be outside the rule if a provider expands its own series', () => {
    const options = { ...strict, startOutsideRule: 'follow-rule' } as const
    expect(normaliseRecurrence(['RRULE:FREQ=WEEKLY;BYDAY=MO'], tuesday, options).ok).toBe(true)
  })

  test('in the second pass of an overlap is an occurrence', () => {
    const second = { ...tuesday, at: at('2026-11-01T01:30-05:00') }
    expect(problemOf(second, 'RRULE:FREQ=DAILY')).toBeUndefined()
  })
})

describe('the bounds of a series', () => {
  const bounds = (...given: Parameters<typeof recurrenceOf>) => {
    const { first, last } = recurrenceOf(...given)
    return { first, last }
  }

  test('have no end if the rule has none', () => {
    expect(bounds(tuesday, 'RRULE:FREQ=DAILY')).toEqual({ first: tuesday.at, last: null })
  })

  test('end with the last of COUNT, excluded or not', () => {
    const last = at('2026-06-04T14:00Z')
    expect(bounds(tuesday, 'RRULE:FREQ=DAILY;COUNT=3').last).toBe(last)
    expect(bounds(tuesday, 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20260604T130000Z').last).toBe(last)
  })

  test('end with UNTIL', () => {
    expect(bounds(tuesday, 'RRULE:FREQ=DAILY;UNTIL=20260604T130000Z').last).toBe(at('2026-06-04T14:00Z'))
  })

  test('include a day on both sides of an all-day series, for the time zones', () => {
    expect(bounds(allDay('2026-06-02', 2), 'RRULE:FREQ=DAILY;COUNT=3')).toEqual({
      first: at('2026-06-01T00:00Z'),
      last: at('2026-06-07T00:00Z'),
    })
  })

  test('end in the year 9999 if COUNT extends beyond', () => {
    const start = timed('9998-06-02T09:00', 'UTC')
    expect(bounds(start, 'RRULE:FREQ=YEARLY;COUNT=10000').last).toBe(at('9999-06-02T10:00Z'))
  })

  test('are found for a series that starts in the year 1', () => {
    expect(bounds(allDay('0001-01-01'), 'RRULE:FREQ=YEARLY;COUNT=2').last).toBe(at('0002-01-03T00:00Z'))
  })
})

describe('a malicious rule', () => {
  test.each([
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=DAILY;BYMONTH=6;BYMONTHDAY=2;COUNT=10000',
    'FREQ=DAILY;BYDAY=TU;BYSETPOS=2',
    'FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=366',
    'FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=0,1,2,3,4,5,6,7,8,9;BYMINUTE=0,1,2,3,4,5,6,7,8,9;BYSETPOS=1;COUNT=10000',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31;BYDAY=MO',
    'FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2,4,6,9,11',
    'FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6',
  ])('%s is refused at once', (rule) => {
    expect(problemOf(tuesday, `RRULE:${rule}`)).toMatch(/^RRULE: |^when: /)
  })

  test('is refused for its length before it is parsed', () => {
    expect(problemOf(tuesday, `RRULE:FREQ=DAILY;BYDAY=${'MO,'.repeat(3_000_000)}MO`)).toContain('1024')
    expect(problemOf(tuesday, 'RRULE:FREQ=DAILY', `EXDATE:${'20260603,'.repeat(1_000_000)}`)).toContain('100000')
    expect(problemOf(tuesday, `${' '.repeat(1_000_000)}RRULE`)?.length).toBeLessThan(200)
  })
})

test('normalizing canonical lines again returns the same', () => {
  for (const start of [tuesday, june2]) {
    const once = recurrenceOf(
      start,
      'rrule: freq=weekly; byday=tu,th;until=20270101',
      'EXDATE:20260604,20260609',
      'RDATE:20260605',
    )
    expect(normaliseRecurrence(once.lines, start, lenient)).toEqual({ ok: true, value: once })
    expect(JSON.parse(JSON.stringify(once))).toEqual(once)
  }
})
