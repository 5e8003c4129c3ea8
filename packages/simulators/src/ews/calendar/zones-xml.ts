// `TimeZoneDefinition`: a zone by Windows id, optionally with its periods and transitions.

import { weekdays } from '../../shared/calendar/recurrence-days.ts'
import { windowsZones } from '../../shared/calendar/windows-zones.ts'
import { type ClockChange, zoneRules } from '../../shared/calendar/zone-rules.ts'
import { findZone, UTC, windowsName, type Zone } from '../../shared/calendar/zones.ts'
import { EwsError } from '../soap/errors.ts'
import type { XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'
import { capitalized } from './recurrence-xml.ts'
import { zoneByRules } from './zones-by-rules.ts'

/** The supported Windows ids, sorted. */
export const zoneIds: readonly string[] = Object.keys(windowsZones).sort()

export function invalidZone(): EwsError {
  return new EwsError('ErrorTimeZone', 'An error occurred while processing the time zone.')
}

/** The zone of a Windows id, under its Windows name; Exchange accepts no other names. */
export function zoneOfId(id: string): Zone {
  const zone = findZone(id)
  if (zone === undefined || (zone.name !== 'UTC' && !Object.hasOwn(windowsZones, zone.name))) throw invalidZone()
  return zone.iana === 'UTC' ? UTC : zone
}

/** The year used to compare zones by rules. */
const rulesYear = 2026

/** Parses `StartTimeZone`, `EndTimeZone` (by id or rules) or `MeetingTimeZone` (by name). */
export function readZone(written: XmlNode): Zone {
  const { attributes } = written
  const id = attributes.Id ?? attributes.TimeZoneName ?? ''
  const isKnown = id === 'UTC' || Object.hasOwn(windowsZones, id)
  const iana = isKnown ? undefined : zoneByRules(written, rulesYear)
  return iana === undefined ? zoneOfId(id) : { name: id, iana }
}

/** `(UTC+01:00) W. Europe` */
export function zoneTitle({ name, iana }: Zone, year: number): string {
  const { standardOffset } = zoneRules(iana, year)
  if (iana === 'UTC' || iana === 'Etc/UTC') return '(UTC) Coordinated Universal Time'
  const minutes = Math.abs(standardOffset)
  const clock = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
  return `(UTC${standardOffset < 0 ? '-' : '+'}${clock}) ${name.replace(/ (Standard )?Time$/, '')}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

/** A definition with a tag such as `t:StartTimeZone`; with its rules if `full` is set. */
export function zoneXml(tag: string, zone: Zone, { year, full }: { year: number; full: boolean }): Xml {
  const attributes = { Id: zoneId(zone), Name: zoneTitle(zone, year) }
  return full ? element(tag, attributes, rulesXml(zone, year)) : element(tag, attributes)
}

/** Whether the zone's name is not a Windows name, because a client described it by rules. */
const isDescribed = ({ name, iana }: Zone) => iana !== 'UTC' && iana !== 'Etc/UTC' && !Object.hasOwn(windowsZones, name)

/** The id in responses; for a described zone, the id that the client gave it. */
export const zoneId = (zone: Zone): string => (isDescribed(zone) ? zone.name : windowsName(zone.iana))

function rulesXml(zone: Zone, year: number): Xml[] {
  const { standardOffset, toStandard, toDaylight } = zoneRules(zone.iana, year)
  const prefix = `trule:Microsoft/Registry/${windowsName(zone.iana)}/1-`
  const changes = toStandard !== undefined && toDaylight !== undefined
  const period = (name: string, offset: number) =>
    element('t:Period', { Bias: duration(-offset), Name: name, Id: prefix + name })
  const to = (kind: string, target: string) => element('t:To', { Kind: kind }, target)
  const groups = changes
    ? [
        changeXml(toDaylight, to('Period', `${prefix}Daylight`)),
        changeXml(toStandard, to('Period', `${prefix}Standard`)),
      ]
    : [element('t:Transition', [to('Period', `${prefix}Standard`)])]
  return [
    element('t:Periods', [
      period('Standard', standardOffset),
      changes ? period('Daylight', toDaylight.offset) : undefined,
    ]),
    element('t:TransitionsGroups', [element('t:TransitionsGroup', { Id: '0' }, groups)]),
    element('t:Transitions', [element('t:Transition', [to('Group', '0')])]),
  ]
}

function changeXml({ month, dayOfWeek, occurrence, minutes }: ClockChange, to: Xml): Xml {
  return element('t:RecurringDayTransition', [
    to,
    element('t:TimeOffset', duration(minutes)),
    element('t:Month', month),
    element('t:DayOfWeek', capitalized(weekdays[dayOfWeek - 1] ?? 'sunday')),
    element('t:Occurrence', occurrence),
  ])
}

/** `-PT1H30M` */
export function duration(minutes: number): string {
  const hours = Math.floor(Math.abs(minutes) / 60)
  const rest = Math.abs(minutes) % 60
  const text = `${hours > 0 ? `${hours}H` : ''}${rest > 0 ? `${rest}M` : ''}`
  return `${minutes < 0 ? '-' : ''}PT${text === '' ? '0S' : text}`
}
