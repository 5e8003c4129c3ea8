/** Time zones as EWS names and describes them. Pure. */
import { dayNumber, daysInMonth, SECONDS_PER_DAY, weekdayOf } from '../../../../formats/dates.ts'
import type { ZoneChange } from '../../../../formats/timezones.ts'
import { zoneOfChanges } from '../../../../formats/vtimezone.ts'
import { clockZone, ianaZone, runAlike, windowsZone } from '../../../calendar/exchange/zones.ts'
import { weekdays } from '../../types/recurrence.ts'
import type { TimeZoneDefinition, Transition } from '../../types/time-zone.ts'
import { definitionByRules } from './zone-definition.ts'

/** A zone with which an event goes: by an id that the server has, or by its rules where it has none. */
export function definitionOf(name: string, at: number, serverIds: ReadonlySet<string> | undefined): TimeZoneDefinition {
  const zone = clockZone(name) ?? 'UTC'
  const id = windowsZone(zone)
  const isWindows = id !== zone || id === 'UTC'
  if (isWindows && (serverIds === undefined || serverIds.has(id))) return { Id: id }
  const alike = [...(serverIds ?? [])].find((other) => {
    const known = ianaZone(other)
    return known !== undefined && runAlike(known, zone)
  })
  return alike === undefined ? definitionByRules(zone, at) : { Id: alike }
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

/** Which rules hold from which year on. */
function stretches({ Transitions }: TimeZoneDefinition): { from: number; to: number; target: Transition['To'] }[] {
  const all = Transitions?.Transitions ?? []
  const begin = (one: Transition): number =>
    one.kind === 'AbsoluteDateTransition' ? Number(one.DateTime.slice(0, 4)) : firstYear
  return all.map((one, index) => {
    const next = all[index + 1]
    return { from: begin(one), to: next ? begin(next) : lastYear, target: one.To }
  })
}

/** What a zone does, ascending; the first entry is for all time before. */
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

/** The zone that a definition names or describes: one of IANA, or one to reckon with (`rulesZone`); undefined where it says neither. */
export function zoneOf(definition: TimeZoneDefinition | undefined, id?: string): string | undefined {
  const name = ianaZone(definition?.Id) ?? ianaZone(id)
  if (name !== undefined || !definition?.Periods) return name
  return zoneOfChanges(changesOf(definition))?.id
}
