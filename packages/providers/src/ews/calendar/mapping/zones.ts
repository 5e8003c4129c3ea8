/** Time zones by their names and descriptions in EWS. Pure. */

import { zoneOfChanges } from '@waypost/formats/icalendar/vtimezone'
import { dayNumber, daysInMonth, SECONDS_PER_DAY, weekdayOf } from '@waypost/formats/timezones/dates'
import { haveSameClock, rulesZone, type ZoneChange } from '@waypost/formats/timezones/timezones'
import { invalidField } from '@waypost/platform/api-error'
import { clockZone, ianaZone, windowsZone } from '../../../calendar/exchange/zones.ts'
import { weekdays } from '../../types/recurrence.ts'
import type { TimeZoneDefinition, Transition } from '../../types/time-zone.ts'
import { definitionByRules } from './zone-definition.ts'

/**
 * The zone of an event: an id that the server has, or its rules if it has none. If the rules of one year do not hold
 * in later years, the event is written in UTC, with its zone in our own property.
 */
export function definitionOf(name: string, at: number, serverIds: ReadonlySet<string> | undefined): TimeZoneDefinition {
  const zone = clockZone(name) ?? 'UTC'
  const id = windowsZone(zone, at)
  if (id !== undefined && (serverIds === undefined || serverIds.has(id))) return { Id: id }
  const definition = definitionByRules(zone, at)
  return isLike(zone, definition, at) ? definition : { Id: 'UTC' }
}

const comparedSeconds = 10 * 366 * SECONDS_PER_DAY
const isLike = (zone: string, definition: TimeZoneDefinition, from: number): boolean =>
  haveSameClock(zone, rulesZone(changesOf(definition)), { from, to: from + comparedSeconds })

/** Refuses a series that would repeat in UTC instead of its own zone. */
export function needOwnClock({ Id }: TimeZoneDefinition, name: string, at: number): void {
  const zone = clockZone(name) ?? 'UTC'
  if (Id !== 'UTC' || windowsZone(zone, at) === 'UTC') return
  throw invalidField(
    'when.start_timezone',
    `Exchange has no time zone with the clock of ${zone}, so a series cannot repeat in it: use another zone, such as UTC`,
  )
}

const durationForm = /^(-)?P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.\d+)?S)?)?$/

function secondsOfDuration(text: string | undefined): number {
  const [, sign, days = 0, hours = 0, minutes = 0, seconds = 0] = durationForm.exec(text ?? '') ?? []
  const size = Number(days) * SECONDS_PER_DAY + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return sign ? -size : size
}

type Yearly = Extract<Transition, { TimeOffset: string }>
const isYearly = (one: Transition): one is Yearly => 'TimeOffset' in one

/** The day of a year on which the clock changes. */
function dayOfChange(change: Yearly, year: number): number {
  const { Month: month } = change
  if (change.kind === 'RecurringDateTransition') return dayNumber(year, month, change.Day)
  // Monday is 0 here, Sunday there.
  const weekday = ((weekdays as readonly string[]).indexOf(change.DayOfWeek) + 6) % 7
  if (change.Occurrence > 0) {
    const first = dayNumber(year, month, 1)
    return first + ((weekday - weekdayOf(first) + 7) % 7) + (Math.min(change.Occurrence, 4) - 1) * 7
  }
  const last = dayNumber(year, month, daysInMonth(year, month))
  return last - ((weekdayOf(last) - weekday + 7) % 7)
}

const firstYear = 1970
const lastYear = 2060

/** The rules with the years in which they apply. */
function stretches({ Transitions }: TimeZoneDefinition): { from: number; to: number; target: Transition['To'] }[] {
  const all = Transitions?.Transitions ?? []
  const begin = (one: Transition): number =>
    one.kind === 'AbsoluteDateTransition' ? Number(one.DateTime.slice(0, 4)) : firstYear
  return all.map((one, index) => {
    const next = all[index + 1]
    return { from: begin(one), to: next ? begin(next) : lastYear, target: one.To }
  })
}

/** The offsets of a zone in ascending order; the first entry applies to all time before. */
function changesOf(definition: TimeZoneDefinition): ZoneChange[] {
  const offsets = new Map((definition.Periods ?? []).map(({ Id = '', Bias }) => [Id, -secondsOfDuration(Bias)]))
  const offsetOf = ({ value }: Transition['To']): number => offsets.get(value) ?? 0
  const changes: ZoneChange[] = []
  const add = (at: number, offset: number): void => {
    if (changes.length === 0) changes.push({ at: Number.NEGATIVE_INFINITY, offset })
    else if (changes.at(-1)?.offset !== offset) changes.push({ at, offset })
  }
  for (const { from, to, target } of stretches(definition)) {
    const group = definition.TransitionsGroups?.find(({ Id }) => Id === target.value)?.Transitions ?? []
    const yearly = group.filter(isYearly).sort((a, b) => a.Month - b.Month)
    const [only] = group
    const before = yearly.at(-1)?.To ?? (target.Kind === 'Period' ? target : only?.To)
    if (!before) continue
    add(dayNumber(from, 1, 1) * SECONDS_PER_DAY - offsetOf(before), offsetOf(before))
    for (let year = Math.max(from, firstYear); year < to; year += 1) {
      for (const one of yearly) {
        const wall = dayOfChange(one, year) * SECONDS_PER_DAY + secondsOfDuration(one.TimeOffset)
        add(wall - (changes.at(-1)?.offset ?? 0), offsetOf(one.To))
      }
    }
  }
  return changes
}

/** The zone that was stored with an event, and the instant from which it is compared. */
export interface StoredZone {
  zone: string | undefined
  at: number
}

/**
 * The zone that a definition names or describes: an IANA zone, or a computed one (`rulesZone`). If several zones have
 * the described rules, it is the one that was stored with the event. Undefined if the definition neither names nor
 * describes one.
 */
export function zoneOf(
  definition: TimeZoneDefinition | undefined,
  id?: string,
  stored?: StoredZone,
): string | undefined {
  const name = ianaZone(definition?.Id) ?? ianaZone(id)
  if (name !== undefined || !definition?.Periods) return name
  const known = ianaZone(stored?.zone)
  if (stored && known !== undefined && isLike(known, definition, stored.at)) return known
  return zoneOfChanges(changesOf(definition))?.id
}
