import { dayOf, SECONDS_PER_DAY } from '@waypost/formats/timezones/dates'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { minutesOfDay, momentsOf, momentsOfDays, zoneOffsetsAround } from '../src/local-time.ts'

const seconds = (text: string): number => Temporal.Instant.from(text).epochMilliseconds / 1000
const utc = (moment: number): string => Temporal.Instant.fromEpochMilliseconds(moment * 1000).toString()

/** The moments of a local window of one date, in UTC. */
function moments(timezone: string, date: string, [start, end]: [string, string]): [string, string] | undefined {
  const midnight = dayOf(date) * SECONDS_PER_DAY
  const offsets = zoneOffsetsAround({ start: midnight, end: midnight + SECONDS_PER_DAY })(timezone)
  const [from, to] = [start, end].map((time) => midnight + (minutesOfDay(time) ?? Number.NaN) * 60)
  const found = momentsOf(offsets, from, to)
  return found && [utc(found.start), utc(found.end)]
}

describe('a local window on the day of a clock change', () => {
  test.each([
    // The clock jumps from 2:00 to 3:00 at 07:00Z.
    ['starts in the gap', 'America/New_York', '2026-03-08', ['2:30', '4:00'], ['07:00', '08:00']],
    ['ends in the gap', 'America/New_York', '2026-03-08', ['1:00', '2:30'], ['06:00', '07:00']],
    ['ends where the gap begins', 'America/New_York', '2026-03-08', ['1:00', '2:00'], ['06:00', '07:00']],
    ['starts where the gap ends', 'America/New_York', '2026-03-08', ['3:00', '4:00'], ['07:00', '08:00']],
    ['reaches over the gap', 'America/New_York', '2026-03-08', ['1:00', '4:00'], ['06:00', '08:00']],
    // It goes back from 2:00 to 1:00 at 06:00Z.
    ['starts in the overlap', 'America/New_York', '2026-11-01', ['1:30', '3:00'], ['05:30', '08:00']],
    ['ends in the overlap', 'America/New_York', '2026-11-01', ['0:00', '1:30'], ['04:00', '06:30']],
    ['lies in the overlap', 'America/New_York', '2026-11-01', ['1:15', '1:45'], ['05:15', '06:45']],
    ['ends where the overlap begins', 'America/New_York', '2026-11-01', ['0:00', '1:00'], ['04:00', '05:00']],
    ['starts where the overlap ends', 'America/New_York', '2026-11-01', ['2:00', '3:00'], ['07:00', '08:00']],
    // Berlin: 2:00 to 3:00 at 01:00Z, and back at 01:00Z.
    ['starts in the gap', 'Europe/Berlin', '2026-03-29', ['2:15', '3:30'], ['01:00', '01:30']],
    ['ends in the overlap', 'Europe/Berlin', '2026-10-25', ['1:00', '2:30'], ['-23:00', '01:30']],
  ] as const)('%s: %s %s', (_, timezone, date, [start, end], [from, to]) => {
    const at = (text: string): string => {
      const earlier = text.startsWith('-')
      const day = Temporal.PlainDate.from(date).subtract({ days: earlier ? 1 : 0 })
      return `${day}T${text.replace('-', '')}:00Z`
    }
    expect(moments(timezone, date, [start, end])).toEqual([at(from), at(to)])
  })

  test('is empty when it lies in the gap', () => {
    expect(moments('America/New_York', '2026-03-08', ['2:10', '2:50'])).toBeUndefined()
  })

  test('follows the half hour of Lord Howe Island', () => {
    // Forward from 2:00 to 2:30 at 15:30Z, back from 2:00 to 1:30 at 15:00Z.
    expect(moments('Australia/Lord_Howe', '2026-10-04', ['2:15', '3:00'])).toEqual([
      '2026-10-03T15:30:00Z',
      '2026-10-03T16:00:00Z',
    ])
    expect(moments('Australia/Lord_Howe', '2026-10-04', ['1:00', '4:00'])).toEqual([
      '2026-10-03T14:30:00Z',
      '2026-10-03T17:00:00Z',
    ])
    expect(moments('Australia/Lord_Howe', '2026-04-05', ['1:00', '1:45'])).toEqual([
      '2026-04-04T14:00:00Z',
      '2026-04-04T15:15:00Z',
    ])
    expect(moments('Australia/Lord_Howe', '2026-04-05', ['1:40', '2:00'])).toEqual([
      '2026-04-04T14:40:00Z',
      '2026-04-04T15:30:00Z',
    ])
  })

  test('is found where midnight itself is skipped or repeated, and where a whole day is', () => {
    // Havana: 0:00 to 1:00 on 2026-03-08 (05:00Z), and 1:00 back to 0:00 on 2026-11-01 (05:00Z).
    expect(moments('America/Havana', '2026-03-08', ['0:00', '9:00'])).toEqual([
      '2026-03-08T05:00:00Z',
      '2026-03-08T13:00:00Z',
    ])
    expect(moments('America/Havana', '2026-10-31', ['9:00', '24:00'])).toEqual([
      '2026-10-31T13:00:00Z',
      '2026-11-01T04:00:00Z',
    ])
    expect(moments('America/Havana', '2026-11-01', ['0:00', '24:00'])).toEqual([
      '2026-11-01T04:00:00Z',
      '2026-11-02T05:00:00Z',
    ])
    expect(moments('Pacific/Apia', '2011-12-30', ['9:00', '17:00'])).toBeUndefined()
  })
})

const zones = [
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'America/Havana',
  'Asia/Kathmandu',
  'Pacific/Apia',
]

test('the moments of a window hold exactly what the local clock shows, up to the second pass of an overlap', () => {
  const minute = fc.integer({ min: 0, max: 1440 })
  const day = fc.integer({ min: dayOf('2026-01-01'), max: dayOf('2026-12-31') })
  const changes = fc.constantFrom('2026-03-08', '2026-11-01', '2026-03-29', '2026-10-25', '2026-10-04', '2026-04-05')
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.oneof(day, changes.map(dayOf)), minute, minute, (zone, date, a, b) => {
      fc.pre(a !== b)
      const [from, to] = [Math.min(a, b), Math.max(a, b)].map((time) => date * SECONDS_PER_DAY + time * 60)
      const offsets = zoneOffsetsAround({ start: date * SECONDS_PER_DAY, end: date * SECONDS_PER_DAY })(zone)
      const shown: number[] = []
      for (let at = (date - 1) * SECONDS_PER_DAY; at < (date + 2) * SECONDS_PER_DAY; at += 300) {
        const local = Temporal.Instant.fromEpochMilliseconds(at * 1000).toZonedDateTimeISO(zone)
        const wall = at + local.offsetNanoseconds / 1e9
        if (wall >= from && wall < to) shown.push(at)
      }
      const found = momentsOf(offsets, from, to)
      for (const at of shown) {
        expect(found?.start).toBeLessThanOrEqual(at)
        expect(found?.end).toBeGreaterThan(at)
      }
      if (found !== undefined && shown.length > 0) {
        expect(shown[0] - found.start).toBeLessThan(300)
        expect(found.end - (shown.at(-1) ?? 0)).toBeLessThanOrEqual(300)
      }
    }),
  )
})

test('whole days are as long as the zone makes them', () => {
  const offsets = zoneOffsetsAround({ start: seconds('2026-03-08T00:00Z'), end: seconds('2026-03-09T00:00Z') })
  const day = dayOf('2026-03-08')
  const length = (zone: string): number => {
    const found = momentsOfDays(offsets(zone), day, day)
    return found === undefined ? 0 : (found.end - found.start) / 3600
  }
  expect(length('America/New_York')).toBe(23)
  expect(length('Europe/Berlin')).toBe(24)
})

test('times of day are read strictly', () => {
  for (const [text, minutes] of [
    ['9:00', 540],
    ['09:05', 545],
    ['0:00', 0],
    ['24:00', 1440],
  ] as const)
    expect(minutesOfDay(text)).toBe(minutes)
  for (const text of ['24:01', '9', '9:5', '9:60', '-1:00', '9:00 ', '']) expect(minutesOfDay(text)).toBeUndefined()
})

test('zones are found by any of their names, and an unknown one is never mistaken for another', () => {
  const offsets = zoneOffsetsAround({ start: seconds('2026-03-01T00:00Z'), end: seconds('2026-04-01T00:00Z') })
  expect(offsets('Eastern Standard Time')).toEqual(offsets('America/New_York'))
  expect(offsets('America/New_York')).toHaveLength(2)
  expect(() => offsets('Mars/Olympus')).toThrow('not a time zone: Mars/Olympus')
})
