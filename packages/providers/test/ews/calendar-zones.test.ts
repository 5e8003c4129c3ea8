/** Time zones between IANA and EWS: by the names that the server has, and by their rules if it has none. */

import { isRulesZone, zoneOffset } from '@waypost/formats/timezones/timezones'
import { expect, test } from 'vitest'
import { definitionOf, needOwnClock, zoneOf } from '../../src/ews/calendar/mapping/zones.ts'

const june = Date.UTC(2026, 5, 2, 9) / 1000
const years = Array.from({ length: 365 }, (_, day) => june + day * 86_400)
const runsLike = (zone: string, other: string): boolean =>
  years.every((at) => zoneOffset(zone, at) === zoneOffset(other, at))

test('a zone is written with a name that the server knows', () => {
  expect(definitionOf('Europe/Berlin', june, undefined)).toEqual({ Id: 'W. Europe Standard Time' })
  expect(definitionOf('UTC', june, undefined)).toEqual({ Id: 'UTC' })
  // An old server that does not know it gets its rules, never another zone with the same clock.
  const old = new Set(['UTC', 'Romance Standard Time'])
  expect(definitionOf('Europe/Berlin', june, old)).toMatchObject({ Id: 'Custom', Periods: [{}, {}] })
})

test.each(['Antarctica/Troll', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'])(
  '%s is written with its rules if the server knows no name for it, and is read from them',
  (zone) => {
    const definition = definitionOf(zone, june, new Set(['Tonga Standard Time']))
    expect(definition.Periods?.length).toBeGreaterThan(0)
    const read = zoneOf({ ...definition, Id: 'Customized Time Zone' })
    expect(read !== undefined && runsLike(read, zone)).toBe(true)
  },
)

test.each(['Europe/Athens', 'Europe/Vienna', 'America/Toronto', 'Antarctica/Troll'])(
  'among zones with the same rules, %s is the one that was stored with the event',
  (zone) => {
    const definition = definitionOf(zone, june, new Set(['Tonga Standard Time']))
    expect(zoneOf({ ...definition, Id: 'Customized Time Zone' }, undefined, { zone, at: june })).toBe(zone)
    const stored = { zone: 'Asia/Tokyo', at: june }
    expect(zoneOf({ ...definition, Id: 'Customized Time Zone' }, undefined, stored)).not.toBe('Asia/Tokyo')
  },
)

test('with rules that change from year to year, a single event is written in UTC and a series is refused', () => {
  for (const zone of ['Africa/Casablanca', 'America/Santiago']) {
    const definition = definitionOf(zone, june, new Set(['UTC']))
    expect(definition).toEqual({ Id: 'UTC' })
    expect(() => needOwnClock(definition, zone, june)).toThrow(zone)
  }
  expect(() => needOwnClock(definitionOf('Europe/Berlin', june, new Set(['UTC'])), 'Europe/Berlin', june)).not.toThrow()
  expect(() => needOwnClock({ Id: 'UTC' }, 'UTC', june)).not.toThrow()
})

test('rules that match no known zone are used as they are, and zones without information are ignored', () => {
  const made = {
    Id: 'tzone://Microsoft/Custom',
    Periods: [
      { Bias: '-PT1H23M', Name: 'Standard', Id: 's' },
      { Bias: '-PT2H23M', Name: 'Daylight', Id: 'd' },
    ],
    TransitionsGroups: [
      {
        Id: '0',
        Transitions: [
          {
            kind: 'RecurringDayTransition' as const,
            To: { Kind: 'Period' as const, value: 'd' },
            TimeOffset: 'PT2H',
            Month: 3,
            DayOfWeek: 'Sunday' as const,
            Occurrence: -1,
          },
          {
            kind: 'RecurringDateTransition' as const,
            To: { Kind: 'Period' as const, value: 's' },
            TimeOffset: 'P0DT3H0M0.0S',
            Month: 10,
            Day: 25,
          },
        ],
      },
    ],
    Transitions: { Transitions: [{ kind: 'Transition' as const, To: { Kind: 'Group' as const, value: '0' } }] },
  }
  const zone = zoneOf(made) ?? ''
  expect(isRulesZone(zone)).toBe(true)
  expect(zoneOffset(zone, june)).toBe(2 * 3600 + 23 * 60)
  expect(zoneOffset(zone, june - 150 * 86_400)).toBe(3600 + 23 * 60)
  expect(zoneOf({ Id: 'Customized Time Zone' })).toBeUndefined()
  expect(zoneOf(undefined, 'Tokyo Standard Time')).toBe('Asia/Tokyo')
})
