import { expect, test } from 'vitest'
import { formatEventTime, formatInstant, parseEventTime } from '../src/microsoft/calendar/event-time.ts'
import { alignSeries, parseRecurrence, recurrenceJson } from '../src/microsoft/calendar/recurrence.ts'
import { requireZone } from '../src/microsoft/calendar/zones.ts'
import { parseTimestamp } from '../src/shared/calendar/event-time.ts'
import { newGlobalId, occurrenceGlobalId } from '../src/shared/calendar/global-id.ts'
import { slotsOf } from '../src/shared/calendar/recurrence.ts'
import { findZone, UTC, windowsName } from '../src/shared/calendar/zones.ts'

interface Given {
  readonly start?: string
  readonly hours?: number
  readonly zone?: string
  readonly pattern: object
  readonly range?: object
}

function series({ start = '2026-01-31T09:00', hours = 1, zone = 'Europe/Zurich', pattern, range }: Given) {
  const from = parseEventTime({ dateTime: start, timeZone: zone })
  const recurrence = parseRecurrence(
    { pattern: { interval: 1, ...pattern }, range: { type: 'noEnd', startDate: start.slice(0, 10), ...range } },
    from,
  )
  return { start: from, end: { ...from, ms: from.ms + hours * 3_600_000 }, recurrence }
}

function dates(given: Given, count = 4): string[] {
  return [...slotsOf(series(given)).take(count)].map(({ date }) => date)
}

test('every kind of pattern has its days', () => {
  const on = '2026-01-05T09:00'
  expect(dates({ start: on, pattern: { type: 'daily', interval: 3 } })).toEqual([
    '2026-01-05',
    '2026-01-08',
    '2026-01-11',
    '2026-01-14',
  ])
  const weekly = { type: 'weekly', interval: 2, daysOfWeek: ['monday', 'sunday'] }
  expect(dates({ start: on, pattern: weekly })).toEqual(['2026-01-05', '2026-01-18', '2026-01-19', '2026-02-01'])
  expect(dates({ start: on, pattern: { ...weekly, firstDayOfWeek: 'monday' } })).toEqual([
    '2026-01-05',
    '2026-01-11',
    '2026-01-19',
    '2026-01-25',
  ])
  const relative = { type: 'relativeMonthly', daysOfWeek: ['tuesday'], index: 'last' }
  expect(dates({ start: on, pattern: relative })).toEqual(['2026-01-27', '2026-02-24', '2026-03-31', '2026-04-28'])
  const yearly = { type: 'relativeYearly', month: 11, daysOfWeek: ['thursday'], index: 'fourth' }
  expect(dates({ start: on, pattern: yearly }, 2)).toEqual(['2026-11-26', '2027-11-25'])
  const weekday = { type: 'relativeMonthly', daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] }
  expect(dates({ start: '2026-01-01T09:00', pattern: weekday }, 3)).toEqual(['2026-01-01', '2026-02-02', '2026-03-02'])
})

test('a day that a month does not have is its last one', () => {
  const monthly = { type: 'absoluteMonthly', dayOfMonth: 31 }
  expect(dates({ pattern: monthly })).toEqual(['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30'])
  const leap = { type: 'absoluteYearly', month: 2, dayOfMonth: 29 }
  expect(dates({ start: '2024-02-29T09:00', pattern: leap }, 3)).toEqual(['2024-02-29', '2025-02-28', '2026-02-28'])
})

test('the end date is the last day in the recurrence time zone, inclusive', () => {
  const late = { start: '2026-03-09T23:00', zone: 'Pacific Standard Time', pattern: { type: 'daily' } }
  const range = { type: 'endDate', endDate: '2026-03-11' }
  const slots = [...slotsOf(series({ ...late, range }))]
  expect(slots.map(({ date }) => date)).toEqual(['2026-03-09', '2026-03-10', '2026-03-11'])
  expect(formatInstant(slots[2]?.start ?? 0)).toBe('2026-03-12T06:00:00Z')
  expect(dates({ ...late, range: { type: 'numbered', numberOfOccurrences: 2 } })).toHaveLength(2)
})

test('occurrences start and end at the same hours across a clock change', () => {
  const over = series({ start: '2026-03-27T22:00', hours: 8, pattern: { type: 'daily' } })
  expect([...slotsOf(over).take(2)].map(({ start, end }) => (end - start) / 3_600_000)).toEqual([8, 7])
})

test('a start that does not fit its pattern moves to the first day that does', () => {
  const { start, recurrence } = alignSeries(
    series({ start: '2026-01-01T09:00', pattern: { type: 'weekly', daysOfWeek: ['monday'] } }),
  )
  expect(formatEventTime(start.ms, start.zone).dateTime).toBe('2026-01-05T09:00:00.0000000')
  expect(recurrence.range.startDate).toBe('2026-01-05')
})

test('a recurrence is returned with every property', () => {
  const { recurrence } = series({ pattern: { type: 'daily' } })
  expect(recurrenceJson(recurrence)).toEqual({
    pattern: { type: 'daily', interval: 1, month: 0, dayOfMonth: 0, firstDayOfWeek: 'sunday', index: 'first' },
    range: {
      type: 'noEnd',
      startDate: '2026-01-31',
      endDate: '0001-01-01',
      recurrenceTimeZone: 'Europe/Zurich',
      numberOfOccurrences: 0,
    },
  })
})

test.each([
  ['no interval', { pattern: { type: 'daily', interval: 0 } }],
  ['no days of the week', { pattern: { type: 'weekly' } }],
  ['no day of the month', { pattern: { type: 'absoluteMonthly' } }],
  ['no month', { pattern: { type: 'absoluteYearly', dayOfMonth: 1 } }],
  ['an unknown type', { pattern: { type: 'hourly' } }],
  ['another first day than the event', { pattern: { type: 'daily' }, range: { startDate: '2026-02-01' } }],
  ['no number', { pattern: { type: 'daily' }, range: { type: 'numbered' } }],
  ['an end in the year 4500', { pattern: { type: 'daily' }, range: { type: 'endDate', endDate: '4500-09-01' } }],
])('%s is refused', (_, given) => {
  expect(() => series(given)).toThrow(expect.objectContaining({ status: 400 }))
})

test('zones have the names of Windows and of IANA, and keep the written one', () => {
  expect(findZone('w. europe standard time')).toEqual({ name: 'W. Europe Standard Time', iana: 'Europe/Berlin' })
  expect(findZone('Europe/Zurich')).toEqual({ name: 'Europe/Zurich', iana: 'Europe/Zurich' })
  expect(findZone('tzone://Microsoft/Utc')?.iana).toBe('UTC')
  expect(windowsName('America/New_York')).toBe('Eastern Standard Time')
  expect(windowsName('Etc/UTC')).toBe('UTC')
  for (const name of ['tzone://Microsoft/Custom', 'Customized Time Zone', 'Mars/Olympus', '+01:00']) {
    expect(() => requireZone(name)).toThrow(expect.objectContaining({ code: 'TimeZoneNotSupportedException' }))
  }
})

test('times have seven digits, and an offset takes precedence over the zone', () => {
  expect(formatEventTime(Date.UTC(2026, 0, 2, 8), requireZone('Europe/Zurich'))).toEqual({
    dateTime: '2026-01-02T09:00:00.0000000',
    timeZone: 'Europe/Zurich',
  })
  expect(parseTimestamp('2026-01-02T09:00:00+01:00', UTC)).toBe(Date.UTC(2026, 0, 2, 8))
  expect(parseTimestamp('2026-01-02T09:00', UTC)).toBe(Date.UTC(2026, 0, 2, 9))
  expect(parseTimestamp('2026-01-02', UTC)).toBe(Date.UTC(2026, 0, 2))
  expect(parseTimestamp('tomorrow', UTC)).toBeUndefined()
  expect(() => parseEventTime({ dateTime: '2026-13-40T00:00:00' })).toThrow(expect.objectContaining({ status: 400 }))
})

test('the global id of an occurrence contains its day', () => {
  const uid = newGlobalId(Date.UTC(2026, 0, 2))
  expect(uid).toMatch(/^040000008200E00074C5B7101A82E00800000000[0-9A-F]{16}000000000000000010000000[0-9A-F]{32}$/)
  const occurrence = occurrenceGlobalId(uid, '2024-03-09')
  expect(occurrence.slice(32, 40)).toBe('07E80309')
  expect(occurrence.slice(40)).toBe(uid.slice(40))
})
