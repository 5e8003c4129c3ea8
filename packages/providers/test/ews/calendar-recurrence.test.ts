/** Series between iCalendar and EWS: supported ones survive the round trip as XML, others are refused by name. */

import { parseXml } from '@waypost/platform/xml/xml'
import { describe, expect, test } from 'vitest'
import { startOf } from '../../src/calendar/event-input.ts'
import { recurrenceLines } from '../../src/calendar/exchange/recurrence-lines.ts'
import { writtenSeries } from '../../src/calendar/exchange/recurrence-pattern.ts'
import { fromRecurrence, toRecurrence } from '../../src/ews/calendar/mapping/recurrence.ts'
import { writeElement } from '../../src/ews/soap/description.ts'
import { namespaces } from '../../src/ews/soap/envelope.ts'
import { recurrence } from '../../src/ews/types/recurrence.ts'

const zone = 'America/New_York'
const seconds = (text: string): number =>
  Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds / 1000
const at = (text: string) => ({
  object: 'timespan' as const,
  start_time: seconds(text),
  end_time: seconds(text) + 3600,
  start_timezone: zone,
  end_timezone: zone,
})
/** A Tuesday. */
const tuesday = at('2026-06-02T09:00')
type When = Parameters<typeof startOf>[0]

const written = (rule: string, when: When = tuesday): string =>
  writeElement(
    't',
    'Recurrence',
    recurrence,
    toRecurrence(writtenSeries([`RRULE:${rule}`], startOf(when), 'follow-rule').recurrence),
  )
const read = (xml: string, when: When = tuesday): string[] => {
  const element = parseXml(xml.replace('<t:Recurrence', `<t:Recurrence xmlns:t="${namespaces.t}"`))
  const value = recurrence.read(element, () => undefined)
  if (!value) throw new Error('no recurrence')
  return recurrenceLines(fromRecurrence(value, zone), when)
}
const elements = (xml: string): string =>
  xml.replaceAll(/<\/?t:(Recurrence|NoEndRecurrence)>|<t:StartDate>.*?<\/t:StartDate>/g, '')

const tag = (name: string, content: string | number): string => `<t:${name}>${content}</t:${name}>`
const relative = (days: string, place: string): string => tag('DaysOfWeek', days) + tag('DayOfWeekIndex', place)

test.each([
  ['FREQ=DAILY', tag('DailyRecurrence', tag('Interval', 1))],
  ['FREQ=DAILY;INTERVAL=999', tag('DailyRecurrence', tag('Interval', 999))],
  [
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU',
    tag('WeeklyRecurrence', tag('Interval', 2) + tag('DaysOfWeek', 'Tuesday Sunday') + tag('FirstDayOfWeek', 'Sunday')),
  ],
  ['FREQ=MONTHLY;BYMONTHDAY=2', tag('AbsoluteMonthlyRecurrence', tag('Interval', 1) + tag('DayOfMonth', 2))],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', tag('AbsoluteMonthlyRecurrence', tag('Interval', 1) + tag('DayOfMonth', 31))],
  [
    'FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1',
    tag('AbsoluteMonthlyRecurrence', tag('Interval', 1) + tag('DayOfMonth', 30)),
  ],
  ['FREQ=MONTHLY;BYDAY=1TU', tag('RelativeMonthlyRecurrence', tag('Interval', 1) + relative('Tuesday', 'First'))],
  [
    'FREQ=MONTHLY;INTERVAL=3;BYDAY=-1FR',
    tag('RelativeMonthlyRecurrence', tag('Interval', 3) + relative('Friday', 'Last')),
  ],
  [
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
    tag('RelativeMonthlyRecurrence', tag('Interval', 1) + relative('Weekday', 'Last')),
  ],
  [
    'FREQ=MONTHLY;BYDAY=SU,SA;BYSETPOS=2',
    tag('RelativeMonthlyRecurrence', tag('Interval', 1) + relative('WeekendDay', 'Second')),
  ],
  ['FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=2', tag('AbsoluteYearlyRecurrence', tag('DayOfMonth', 2) + tag('Month', 'June'))],
  [
    'FREQ=YEARLY;BYMONTH=11;BYDAY=4TH',
    tag('RelativeYearlyRecurrence', relative('Thursday', 'Fourth') + tag('Month', 'November')),
  ],
  // EWS has no interval of years: twenty-four months from June on are the same.
  [
    'FREQ=YEARLY;INTERVAL=2;BYMONTH=6;BYMONTHDAY=2',
    tag('AbsoluteMonthlyRecurrence', tag('Interval', 24) + tag('DayOfMonth', 2)),
  ],
  [
    'FREQ=YEARLY;INTERVAL=8;BYMONTH=6;BYDAY=1TU',
    tag('RelativeMonthlyRecurrence', tag('Interval', 96) + relative('Tuesday', 'First')),
  ],
])('%s survives the round trip to EWS', (rule, expected) => {
  const xml = written(rule)
  expect(elements(xml)).toBe(expected)
  const days = /BYDAY=([A-Z,]+);BYSETPOS/.exec(rule)?.[1]?.split(',').sort()
  const [line = ''] = read(xml)
  // The order of days has no meaning.
  const sorted = line.replace(
    /BYDAY=([A-Z,]+);BYSETPOS/,
    (_, list: string) => `BYDAY=${list.split(',').sort()};BYSETPOS`,
  )
  expect(sorted).toBe(`RRULE:${days ? rule.replace(/BYDAY=[A-Z,]+/, `BYDAY=${days}`) : rule}`)
})

test.each([
  ['BYSETPOS', 'FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=1'],
  ['BYYEARDAY', 'FREQ=YEARLY;BYYEARDAY=100'],
  ['BYWEEKNO', 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO'],
  ['BYMONTH', 'FREQ=DAILY;BYMONTH=6'],
  ['BYMONTHDAY', 'FREQ=MONTHLY;BYMONTHDAY=1,15'],
  ['BYMONTHDAY', 'FREQ=MONTHLY;BYMONTHDAY=31'],
  ['BYDAY', 'FREQ=MONTHLY;BYDAY=TU'],
  ['BYHOUR', 'FREQ=DAILY;BYHOUR=9,10'],
  ['COUNT', 'FREQ=DAILY;COUNT=1000'],
  // Graph supports these, EWS does not.
  ['BYDAY', 'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1'],
  ['BYDAY', 'FREQ=YEARLY;BYMONTH=6;BYDAY=MO,TU,WE;BYSETPOS=-1'],
  ['INTERVAL', 'FREQ=DAILY;INTERVAL=1000'],
  ['INTERVAL', 'FREQ=WEEKLY;INTERVAL=100'],
  ['INTERVAL', 'FREQ=MONTHLY;INTERVAL=100'],
  ['INTERVAL', 'FREQ=YEARLY;INTERVAL=9'],
  ['INTERVAL', 'FREQ=YEARLY;INTERVAL=2;BYMONTH=7;BYMONTHDAY=2'],
])('%s is refused by name if EWS has no such series: %s', (part, rule) => {
  expect(() => written(rule)).toThrow(new RegExp(`^recurrence: ${part}: Exchange`))
})

describe('the range', () => {
  test('ends after a number, on a day, or never', () => {
    expect(written('FREQ=DAILY;COUNT=5')).toContain(
      '<t:NumberedRecurrence><t:StartDate>2026-06-02</t:StartDate><t:NumberOfOccurrences>5</t:NumberOfOccurrences>',
    )
    const until = written('FREQ=DAILY;UNTIL=20260610T235959Z')
    expect(until).toContain('<t:StartDate>2026-06-02</t:StartDate><t:EndDate>2026-06-10</t:EndDate>')
    // Only the day is stored: UNTIL is read as the start on that day.
    expect(read(until)).toEqual(['RRULE:FREQ=DAILY;UNTIL=20260610T130000Z'])
    expect(written('FREQ=DAILY')).toContain('<t:NoEndRecurrence><t:StartDate>2026-06-02</t:StartDate>')
  })

  test('is read if a server writes times instead of days, and several days instead of one', () => {
    const xml =
      '<t:Recurrence><t:RelativeMonthlyRecurrence><t:Interval>1</t:Interval><t:DaysOfWeek>Monday Tuesday</t:DaysOfWeek>' +
      '<t:DayOfWeekIndex>First</t:DayOfWeekIndex></t:RelativeMonthlyRecurrence><t:NumberedRecurrence>' +
      '<t:StartDate>2026-06-01T00:00:00.000000Z</t:StartDate><t:NumberOfOccurrences>4</t:NumberOfOccurrences>' +
      '</t:NumberedRecurrence></t:Recurrence>'
    expect(read(xml)).toEqual(['RRULE:FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1;COUNT=4'])
  })
})
