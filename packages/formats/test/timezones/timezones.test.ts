import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  civilDate,
  dayNumber,
  FIRST_DAY,
  formatDate,
  LAST_DAY,
  parseDate,
  weekdayOf,
} from '../../src/timezones/dates.ts'
import {
  closingInstant,
  dayStart,
  instantSkippingGap,
  instantToWall,
  openingInstant,
  resolveTimeZone,
  wallToInstant,
} from '../../src/timezones/timezones.ts'
import { windowsZones } from '../../src/timezones/windows-names.ts'
import { at } from '../recurrence/making-series.ts'

const zones = [
  'America/New_York',
  'Europe/Berlin',
  'Europe/London',
  'Europe/Dublin',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'America/Toronto',
  'Pacific/Apia',
  'Pacific/Kwajalein',
  'Asia/Manila',
  'America/Juneau',
  'Asia/Kolkata',
  'Africa/Casablanca',
  'Africa/Monrovia',
  'UTC',
]
const anyZone = fc.constantFrom(...zones)
const anyInstant = fc.oneof(
  fc.integer({ min: FIRST_DAY * 86_400 + 86_400, max: LAST_DAY * 86_400 }),
  fc.integer({ min: at('1900-01-01T00:00Z'), max: at('2040-01-01T00:00Z') }),
)
/** A wall time near a clock change. */
const nearChange = fc
  .tuple(anyZone, anyInstant, fc.integer({ min: -100_000, max: 100_000 }))
  .map(([zone, from, by]) => {
    const change = zoned(from, zone).getTimeZoneTransition('next')
    return { zone, wall: wallOf(change ?? zoned(from, zone)) + by }
  })

const zoned = (instant: number, zone: string) => new Temporal.ZonedDateTime(BigInt(instant) * 1_000_000_000n, zone)
const wallOf = (moment: Temporal.ZonedDateTime): number =>
  moment.toPlainDateTime().toZonedDateTime('UTC').epochMilliseconds / 1000
const seconds = (text: string): number => at(`${text}Z`)

function byTemporal(zone: string, wall: number, disambiguation: 'earlier' | 'later' | 'compatible'): number {
  const plain = zoned(wall, 'UTC').toPlainDateTime()
  return plain.toZonedDateTime(zone, { disambiguation }).epochMilliseconds / 1000
}

describe('names of time zones', () => {
  test.each([
    ['America/New_York', 'America/New_York'],
    ['america/new_york', 'America/New_York'],
    ['US/Eastern', 'US/Eastern'],
    ['EST5EDT', 'EST5EDT'],
    ['Asia/Calcutta', 'Asia/Calcutta'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
    ['utc', 'UTC'],
    ['Eastern Standard Time', 'America/New_York'],
    ['w. europe standard time', 'Europe/Berlin'],
    ['India Standard Time', 'Asia/Kolkata'],
    ['UTC-11', 'Etc/GMT+11'],
    ['Pacific Standard Time (Mexico)', 'America/Tijuana'],
  ])('%s is %s', (name, id) => {
    expect(resolveTimeZone(name)).toBe(id)
  })

  test.each(['', 'Mars/Olympus', '+05:30', 'Z', '../../etc/passwd', 'a'.repeat(10_000), '__proto__'])(
    '%j is not a zone',
    (name) => {
      expect(resolveTimeZone(name)).toBeUndefined()
    },
  )

  test('every Windows name maps to an existing zone', () => {
    const names = Object.keys(windowsZones)
    expect(names.length).toBe(139)
    expect(names.filter((name) => resolveTimeZone(resolveTimeZone(name) ?? '') === undefined)).toEqual([])
  })
})

describe('wall times', () => {
  test.each([
    ['America/New_York', '2026-07-01T09:00', 'unique', '2026-07-01T09:00-04:00'],
    ['America/New_York', '2026-03-08T02:30', 'gap', '2026-03-08T03:30-04:00'],
    ['America/New_York', '2026-11-01T01:30', 'overlap', '2026-11-01T01:30-04:00'],
    ['Australia/Lord_Howe', '2026-10-04T02:15', 'gap', '2026-10-04T02:45+11:00'],
    ['Australia/Lord_Howe', '2026-04-05T01:45', 'overlap', '2026-04-05T01:45+11:00'],
    ['America/Sao_Paulo', '2018-11-04T00:00', 'gap', '2018-11-04T01:00-02:00'],
    ['Pacific/Apia', '2011-12-30T12:00', 'gap', '2011-12-31T12:00+14:00'],
    ['America/New_York', '9999-07-01T09:00', 'unique', '9999-07-01T09:00-04:00'],
  ])('in %s %s is of kind %s', (zone, wall, kind, instant) => {
    expect(wallToInstant(zone, seconds(wall))).toEqual({ kind, instant: at(instant) })
  })

  test('an occurrence skips a gap and uses the first pass of an overlap', () => {
    expect(instantSkippingGap('Europe/Berlin', seconds('2026-03-29T02:30'))).toBeUndefined()
    expect(instantSkippingGap('Europe/Berlin', seconds('2026-10-25T02:30'))).toBe(at('2026-10-25T02:30+02:00'))
  })

  test('a period starts at the first and ends at the second pass, and moves out of a gap', () => {
    expect(openingInstant('Europe/Berlin', seconds('2026-10-25T02:30'))).toBe(at('2026-10-25T02:30+02:00'))
    expect(closingInstant('Europe/Berlin', seconds('2026-10-25T02:30'))).toBe(at('2026-10-25T02:30+01:00'))
    expect(openingInstant('Europe/Berlin', seconds('2026-03-29T02:30'))).toBe(at('2026-03-29T03:30+02:00'))
    expect(closingInstant('Europe/Berlin', seconds('2026-03-29T02:30'))).toBe(at('2026-03-29T03:30+02:00'))
  })

  test('are computed as Temporal does, in every year', () => {
    fc.assert(
      fc.property(anyZone, anyInstant, (zone, instant) => {
        expect(instantToWall(zone, instant)).toBe(wallOf(zoned(instant, zone)))
      }),
      { numRuns: runs(1000) },
    )
  })

  test('become instants as in Temporal, near every clock change', () => {
    fc.assert(
      fc.property(nearChange, ({ zone, wall }) => {
        expect(openingInstant(zone, wall)).toBe(byTemporal(zone, wall, 'compatible'))
        expect(closingInstant(zone, wall)).toBe(byTemporal(zone, wall, 'later'))
        const { kind, instant } = wallToInstant(zone, wall)
        expect(kind === 'gap').toBe(instantSkippingGap(zone, wall) === undefined)
        expect(kind === 'unique').toBe(byTemporal(zone, wall, 'earlier') === byTemporal(zone, wall, 'later'))
        expect(instant).toBe(byTemporal(zone, wall, 'compatible'))
      }),
      { numRuns: runs(1000) },
    )
  })
})

describe('the first instant of a date', () => {
  test.each([
    ['America/New_York', '2026-03-08', '2026-03-08T00:00-05:00'],
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T01:00-02:00'],
    ['America/Toronto', '1919-03-31', '1919-03-31T00:30-04:00'],
    ['Pacific/Apia', '2011-12-30', '2011-12-31T00:00+14:00'],
    ['Pacific/Apia', '2011-12-31', '2011-12-31T00:00+14:00'],
  ])('in %s, %s', (zone, date, instant) => {
    expect(dayStart(zone, date)).toBe(at(instant))
  })

  test('is the same as in Temporal, in every year', () => {
    const anyDay = fc.integer({ min: FIRST_DAY + 2, max: LAST_DAY - 2 })
    fc.assert(
      fc.property(anyZone, anyDay, (zone, day) => {
        const date = formatDate(day)
        expect(dayStart(zone, date)).toBe(
          Temporal.PlainDate.from(date).toZonedDateTime({ timeZone: zone }).epochMilliseconds / 1000,
        )
      }),
      { numRuns: runs(1000) },
    )
  })
})

describe('dates', () => {
  test.each([
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '0000-01-01',
    '10000-01-01',
    '2026-1-1',
    '2026-01-01T00',
    ' 2026-01-01',
  ])('%j is not a date', (text) => {
    expect(parseDate(text)).toBeUndefined()
  })

  test('of all years are numbered without a gap', () => {
    let expected = FIRST_DAY
    for (let year = 1; year <= 9999; year++) {
      expect(dayNumber(year, 1, 1)).toBe(expected)
      expected += year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 366 : 365
    }
    expect(expected - 1).toBe(LAST_DAY)
    expect(dayNumber(1970, 1, 1)).toBe(0)
  })

  test('are converted to numbers and back as in Temporal', () => {
    fc.assert(
      fc.property(fc.integer({ min: FIRST_DAY, max: LAST_DAY }), (number) => {
        const date = Temporal.PlainDate.from('1970-01-01').add({ days: number })
        expect(formatDate(number)).toBe(date.toString())
        expect(parseDate(date.toString())).toBe(number)
        expect(civilDate(number)).toEqual({ year: date.year, month: date.month, day: date.day })
        expect(weekdayOf(number)).toBe(date.dayOfWeek - 1)
      }),
    )
    expect(addDays('2024-02-28', 2)).toBe('2024-03-01')
  })
})
