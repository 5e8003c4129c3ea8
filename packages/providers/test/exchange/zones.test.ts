/** Time zones between IANA and Windows, for Microsoft and Exchange alike. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { zoneOffset } from '@waypost/formats/timezones/timezones'
import { windowsName } from '@waypost/formats/timezones/windows-names'
import { describe, expect, test } from 'vitest'
import { currentTable } from '../../../../scripts/windows-zones.ts'
import { ianaZones } from '../../../formats/test/timezones/iana-zones.ts'
import type { ExchangeEvent } from '../../src/calendar/exchange/event-model.ts'
import { ownProperty } from '../../src/calendar/exchange/own-property.ts'
import { storedZones, toTimes, whenOf } from '../../src/calendar/exchange/when.ts'
import { ianaZone, isWindowsName, windowsZone } from '../../src/calendar/exchange/zones.ts'
import { graphTimes } from '../../src/microsoft/calendar/graph-times.ts'

const hour = 3600
const start = Date.UTC(2027, 0, 12, 9) / 1000
/** Every six hours of the years 2027 to 2031, and each full hour around the clock changes of most zones. */
const sampled = Array.from({ length: 5 * 365 * 4 }, (_, place) => start + place * 6 * hour)
const keepsTime = (a: string, b: string): boolean => sampled.every((at) => zoneOffset(a, at) === zoneOffset(b, at))

/** An event as Exchange returns it after it was written in a zone. */
function shownAgain(zone: string, at = start): ExchangeEvent {
  const when = {
    object: 'timespan',
    start_time: at,
    end_time: at + hour,
    start_timezone: zone,
    end_timezone: zone,
  } as const
  const { start: begin = {}, end = {}, isAllDay } = graphTimes(toTimes(when))
  const property = ownProperty({}, { zones: storedZones(when) ?? null })
  return {
    id: 'x',
    isAllDay: isAllDay === true,
    start: begin,
    end,
    originalStartTimeZone: begin.timeZone ?? '',
    originalEndTimeZone: end.timeZone ?? '',
    ...(property ? { singleValueExtendedProperties: [property] } : {}),
  }
}

const cldr = ((): boolean => {
  try {
    return createRequire(import.meta.url).resolve('cldr-core/supplemental/windowsZones.json') !== ''
  } catch {
    console.warn('cldr-core is not installed: the table of Windows zones is not compared with it (npm ci)')
    return false
  }
})()

test.skipIf(!cldr)('the table of Windows zones is that of CLDR', () => {
  const file = path.join(import.meta.dirname, '../../../formats/src/timezones/windows-zones.ts')
  expect(readFileSync(file, 'utf8')).toBe(currentTable())
})

test.each([
  ['America/Toronto', 'Eastern Standard Time'],
  ['America/Detroit', 'Eastern Standard Time'],
  ['America/Nassau', 'Eastern Standard Time'],
  ['America/Kentucky/Louisville', 'Eastern Standard Time'],
  ['America/Indiana/Indianapolis', 'US Eastern Standard Time'],
  ['America/Fort_Wayne', 'US Eastern Standard Time'],
  ['US/Eastern', 'Eastern Standard Time'],
  ['EST5EDT', 'Eastern Standard Time'],
  ['America/Havana', 'Cuba Standard Time'],
  ['Cuba', 'Cuba Standard Time'],
  ['Europe/Athens', 'GTB Standard Time'],
  ['Europe/Helsinki', 'FLE Standard Time'],
  ['Europe/Sofia', 'FLE Standard Time'],
  ['Europe/Kiev', 'FLE Standard Time'],
  ['Europe/Chisinau', 'E. Europe Standard Time'],
  ['Europe/Vienna', 'W. Europe Standard Time'],
  ['Europe/Budapest', 'Central Europe Standard Time'],
  ['Europe/Madrid', 'Romance Standard Time'],
  ['Asia/Calcutta', 'India Standard Time'],
  ['Asia/Saigon', 'SE Asia Standard Time'],
  ['America/Buenos_Aires', 'Argentina Standard Time'],
  ['Etc/GMT-3', 'E. Africa Standard Time'],
  ['Etc/GMT+12', 'Dateline Standard Time'],
  ['Etc/UTC', 'UTC'],
  ['Zulu', 'UTC'],
])('%s is written as %s', (zone, name) => {
  expect(windowsZone(zone, start)).toBe(name)
})

describe('every IANA zone', () => {
  test('is written as its CLDR Windows zone, unless their clocks differ', () => {
    const others = ianaZones.filter((zone) => windowsZone(zone, start) !== windowsName(zone))
    for (const zone of others) {
      const named = ianaZone(windowsName(zone))
      expect(named !== undefined && keepsTime(zone, named), zone).toBe(false)
    }
    // Zones whose clocks changed after the CLDR table was made.
    expect(others.length).toBeLessThan(20)
  })

  test('keeps its clock: its Windows zone has the same time in the coming years', () => {
    const wrong = ianaZones.filter((zone) => {
      const name = windowsZone(zone, start)
      return name !== undefined && !keepsTime(zone, ianaZone(name) ?? 'UTC')
    })
    expect(wrong).toEqual([])
  })

  test('is returned as it was sent, at the same instant', () => {
    for (const zone of ianaZones) {
      expect(whenOf(shownAgain(zone))).toEqual({
        object: 'timespan',
        start_time: start,
        end_time: start + hour,
        start_timezone: zone,
        end_timezone: zone,
      })
    }
  })
})

test('a zone with an unusual clock is written by its offset if that is constant, or else a single event in UTC', () => {
  // The offset of Casey has been the same since 2023; the CLDR table has an older one.
  expect(windowsZone('Antarctica/Casey', start)).toBe('Singapore Standard Time')
  // Two hours of summer time: Windows has no such zone.
  expect(windowsZone('Antarctica/Troll', start)).toBeUndefined()
  expect(shownAgain('Antarctica/Troll').originalStartTimeZone).toBe('UTC')
  const when = { object: 'time', time: start, timezone: 'Antarctica/Troll' } as const
  expect(() => graphTimes({ ...toTimes(when), recurrence: { pattern: { type: 'daily' } } })).toThrow(
    /Antarctica\/Troll/,
  )
})

test('a zone that was chosen in Outlook overrides the stored one', () => {
  const toronto = shownAgain('America/Toronto')
  const zonesOf = (event: ExchangeEvent) => whenOf(event)
  expect(zonesOf(toronto)).toMatchObject({ start_timezone: 'America/Toronto' })
  const chosen = (name: string) => ({ ...toronto, originalStartTimeZone: name, originalEndTimeZone: name })
  // Both have the same time as Toronto.
  expect(zonesOf(chosen('US Eastern Standard Time'))).toMatchObject({ start_timezone: 'America/Indiana/Indianapolis' })
  expect(zonesOf(chosen('Pacific Standard Time'))).toMatchObject({ start_timezone: 'America/Los_Angeles' })
  expect(zonesOf(chosen('UTC'))).toMatchObject({ start_timezone: 'UTC' })
  expect(zonesOf(chosen('tzone://Microsoft/Custom'))).toMatchObject({ start_timezone: null, end_timezone: null })
  const garbled = { id: 'x', value: '{"zones":{"start":"Mars/Olympus","end":"Mars/Olympus"}}' }
  expect(zonesOf({ ...toronto, singleValueExtendedProperties: [garbled] })).toMatchObject({
    start_timezone: 'America/New_York',
  })
})

test('the second pass of a repeated hour keeps its zone', () => {
  const at = Date.UTC(2027, 10, 7, 6, 30) / 1000
  expect(shownAgain('America/Toronto', at).originalStartTimeZone).toBe('UTC')
  expect(whenOf(shownAgain('America/Toronto', at))).toMatchObject({
    start_time: at,
    start_timezone: 'America/Toronto',
  })
})

test('Windows names are read in any case, and unknown names give no zone', () => {
  expect(ianaZone('eastern standard time')).toBe('America/New_York')
  expect(ianaZone('tzone://Microsoft/Utc')).toBe('UTC')
  for (const name of ['tzone://Microsoft/Custom', 'Customized Time Zone', '', '(UTC+01:00) Berlin', 'constructor']) {
    expect(ianaZone(name)).toBeUndefined()
    expect(isWindowsName(name)).toBe(false)
  }
})
