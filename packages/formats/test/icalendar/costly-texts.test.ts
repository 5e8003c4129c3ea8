/** Texts of strangers whose rules, zones and dates would take long to expand. One budget covers a whole text. */
import { describe, expect, test } from 'vitest'
import { eventsOf, type ReadEvents, readCalendarObject } from '../../src/icalendar/calendar-object.ts'
import { occurrencesIn } from '../../src/icalendar/calendar-occurrences.ts'
import { applyCancel } from '../../src/itip/cancel.ts'
import { MAX_STEPS, RecurrenceTooLarge, Steps } from '../../src/recurrence/steps.ts'

const numbers = (count: number): string => Array.from({ length: count }, (_, index) => index).join()
const days = (count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(2026, 0, 1 + index)).toISOString().replace(/-|T.*/g, ''),
  )

/** Rules that examine many days or times for each occurrence, or never occur. */
const costly = [
  'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=366;COUNT=10000',
  `FREQ=DAILY;BYHOUR=${numbers(24)};BYMINUTE=${numbers(41)};BYSETPOS=-1`,
  'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=2',
  'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=9;COUNT=10000',
  `FREQ=YEARLY;BYYEARDAY=${numbers(120).slice(2)};BYMONTH=12;COUNT=10000`,
  'FREQ=YEARLY;BYWEEKNO=53,52,51;BYMONTH=6;BYDAY=MO,TU,WE,TH,FR;COUNT=10000',
  `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${numbers(20)};BYSETPOS=366;COUNT=10000`,
  'FREQ=MONTHLY;BYDAY=53MO,53TU,53WE,53TH,53FR,53SA,53SU,52MO,52TU,52WE;COUNT=10000',
  'FREQ=HOURLY;INTERVAL=1;BYMONTH=2;BYMONTHDAY=31;COUNT=10000',
]

const zone = (rule: string, observances: number, tzid = 'Their/Zone'): string[] => [
  'BEGIN:VTIMEZONE',
  `TZID:${tzid}`,
  ...Array.from({ length: observances }, (_, index) => [
    'BEGIN:STANDARD',
    `DTSTART:${1970 + (index % 50)}0101T000000`,
    `TZOFFSETFROM:+0${index % 9}00`,
    `TZOFFSETTO:+0${(index + 1) % 9}00`,
    `RRULE:${rule}`,
    'END:STANDARD',
  ]).flat(),
  'END:VTIMEZONE',
]

const calendar = (zones: readonly string[], lines: readonly string[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...zones,
    'BEGIN:VEVENT',
    'UID:costly@example.com',
    'DTSTAMP:20260101T000000Z',
    'SUMMARY:Costly',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')

function readWhole(text: string): { events: ReadEvents; steps: Steps } {
  const object = readCalendarObject(text)
  if (!object) throw new Error('the text has no event')
  return { events: eventsOf(object, { zone: 'Europe/Berlin' }), steps: object.steps }
}

const inTheirZone = ['DTSTART;TZID=Their/Zone:20260105T100000', 'DTEND;TZID=Their/Zone:20260105T110000']
const january = { from: Date.UTC(2026, 0, 1) / 1000, to: Date.UTC(2026, 1, 1) / 1000 }

describe.each(costly)('%s', (rule) => {
  test.each([1, 20, 200])('in %i observances of a zone leaves the event with its time', (observances) => {
    const { events } = readWhole(calendar(zone(rule, observances), inTheirZone))
    expect(events.main?.title).toBe('Costly')
    expect(events.span).toMatchObject({ kind: 'timed' })
    const [first] = occurrencesIn(events, january, { zone: 'Europe/Berlin', steps: new Steps() })
    expect((first?.end ?? 0) - (first?.start ?? 0)).toBe(3600)
  })

  test('in an event keeps the event with its first occurrence and its rule as written', () => {
    const { events } = readWhole(calendar([], ['DTSTART:20260105T100000Z', 'DTEND:20260105T110000Z', `RRULE:${rule}`]))
    expect(events.main?.recurrence?.[0]).toContain(rule.slice(0, 12))
    const [first] = occurrencesIn(events, january, { zone: 'Europe/Berlin', steps: new Steps() })
    expect(first?.start).toBe(Date.UTC(2026, 0, 5, 10) / 1000)
  })
})

test('a zone that takes too many steps is read as floating, and the rule of its event is not expanded either', () => {
  const text = calendar(zone(costly[0] ?? '', 200), [...inTheirZone, 'RRULE:FREQ=DAILY;COUNT=3'])
  const { events, steps } = readWhole(text)
  expect(steps.left).toBe(0)
  expect(events.span).toMatchObject({ startZone: { name: 'Europe/Berlin' }, form: 'floating' })
  expect(events.series?.problem).toMatch(/^RRULE: the rule takes too many steps to expand/)
  expect(events.main?.recurrence).toContain('RRULE:FREQ=DAILY;COUNT=3')
})

test('all zones of a text share one budget', () => {
  const zones = Array.from({ length: 60 }, (_, index) => zone('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 1, `Z/${index}`))
  const dates = days(60).map((day, index) => `EXDATE;TZID=Z/${index}:${day}T100000`)
  const { events, steps } = readWhole(
    calendar(zones.flat(), ['DTSTART:20260105T100000Z', 'RRULE:FREQ=DAILY', ...dates]),
  )
  expect(steps.left).toBe(0)
  expect(events.main?.title).toBe('Costly')
})

test('a rule that has used up the budget is not walked again', () => {
  const { steps } = readWhole(
    calendar([], ['DTSTART:20260105T100000Z', 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=2']),
  )
  expect(() => steps.take(0)).toThrow(RecurrenceTooLarge)
  expect(steps.left).toBe(0)
})

test('the rule of a zone without an end is walked to the last year that is needed, not to its count', () => {
  const { steps, events } = readWhole(calendar(zone('FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;COUNT=9999', 1), inTheirZone))
  expect(MAX_STEPS - steps.left).toBeLessThan(3000)
  expect(events.span).toMatchObject({ form: 'zoned' })
})

test('many dates without a time, for a rule with many times a day, are bounded', () => {
  const rule = `FREQ=DAILY;BYHOUR=${numbers(24)};BYMINUTE=${numbers(41)}`
  const { events } = readWhole(
    calendar([], ['DTSTART:20260105T000000Z', `RRULE:${rule}`, `EXDATE;VALUE=DATE:${days(2500)}`]),
  )
  expect(events.series?.problem).toBeDefined()
  expect(events.series?.recurrence.exdates.length).toBeLessThanOrEqual(5000)
})

test('changes of the offset within a day count as one, so that a local time is found among few', () => {
  const onsets = Array.from({ length: 900 }, (_, index) => {
    const [minute, second] = [Math.floor(index / 60), index % 60]
    return `20260105T10${String(minute).padStart(2, '0')}${String(second).padStart(2, '0')}`
  })
  const observance = (name: string, to: string, dates: readonly string[]): string[] => [
    `BEGIN:${name}`,
    'DTSTART:20250101T000000',
    'TZOFFSETFROM:+0000',
    `TZOFFSETTO:${to}`,
    `RDATE:${dates}`,
    `END:${name}`,
  ]
  const even = onsets.filter((_, index) => index % 2 === 0)
  const odd = onsets.filter((_, index) => index % 2 === 1)
  const lines = [...observance('STANDARD', '+0100', even), ...observance('DAYLIGHT', '+0200', odd)]
  const { events } = readWhole(calendar(['BEGIN:VTIMEZONE', 'TZID:Their/Zone', ...lines, 'END:VTIMEZONE'], inTheirZone))
  const id = events.span?.kind === 'timed' ? events.span.startZone.id : ''
  expect(id.split(',').length).toBeLessThan(5)
})

test('real zones of other calendars are read as before', () => {
  const outlook = [
    'BEGIN:VTIMEZONE',
    'TZID:Their/Zone',
    'BEGIN:STANDARD',
    'DTSTART:16011028T030000',
    'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0100',
    'END:STANDARD',
    'BEGIN:DAYLIGHT',
    'DTSTART:16010325T020000',
    'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
    'END:DAYLIGHT',
    'END:VTIMEZONE',
  ]
  const { events, steps } = readWhole(calendar(outlook, [...inTheirZone, 'RRULE:FREQ=DAILY;COUNT=10000']))
  expect(events.span).toMatchObject({ startZone: { name: 'Europe/Berlin' } })
  expect(events.series?.problem).toBeUndefined()
  expect(steps.left).toBeGreaterThan(MAX_STEPS / 3)
})

test('a mail that cancels very many occurrences of a large event is refused as a whole', () => {
  const guest = ['ORGANIZER:mailto:ann@example.com', 'ATTENDEE:mailto:me@example.com']
  const stored = calendar(
    [],
    ['DTSTART:20260105T100000Z', 'RRULE:FREQ=DAILY', `DESCRIPTION:${'long '.repeat(8000)}`, ...guest],
  )
  const parts = days(300).map((day) =>
    calendar([], [`RECURRENCE-ID:${day}T100000Z`, 'DTSTART:20260105T100000Z', 'SEQUENCE:1', ...guest])
      .split('\r\n')
      .slice(2, -2),
  )
  const mail = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'METHOD:CANCEL', ...parts.flat(), 'END:VCALENDAR', ''].join('\r\n')
  const [before, sent] = [readCalendarObject(stored), readCalendarObject(mail)]
  if (!before || !sent) throw new Error('no objects')
  const context = { addresses: ['me@example.com'], sender: 'ann@example.com', zone: 'UTC', now: 0 }
  expect(() => applyCancel(before, sent, context)).toThrow(RecurrenceTooLarge)
})
