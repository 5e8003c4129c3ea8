/** The four forms of a time: validates client input and converts times to instants. */
import type { When, WhenInput } from '@waypost/contract'
import { addDays, dayOf, parseDate, SECONDS_PER_DAY } from './dates.ts'
import { dayStart, dayStartOf, instantToWall, openingInstant, resolveTimeZone } from './timezones.ts'

export type NormalisedWhen = { ok: true; when: When } | { ok: false; field: string; problem: string }

const refuse = (field: string, problem: string): NormalisedWhen => ({ ok: false, field: `when${field}`, problem })

const shapes: Record<When['object'], readonly (keyof WhenInput)[]> = {
  time: ['time'],
  timespan: ['start_time', 'end_time'],
  date: ['date'],
  datespan: ['start_date', 'end_date'],
}
const members = Object.values(shapes).flat()

/** The form that the given members match. */
function shapeOf(input: WhenInput): When['object'] | NormalisedWhen {
  const given = members.filter((member) => input[member] !== undefined && input[member] !== null)
  const entries = Object.entries(shapes) as [When['object'], readonly (keyof WhenInput)[]][]
  const fitting = entries.find(
    ([, needed]) => needed.length === given.length && needed.every((member) => given.includes(member)),
  )
  if (!fitting) {
    return refuse('', 'must be exactly one of: time; start_time and end_time; date; start_date and end_date')
  }
  if (input.object && input.object !== fitting[0]) {
    return refuse('.object', `says ${input.object}, but the fields are those of a ${fitting[0]}`)
  }
  return fitting[0]
}

const zones: Record<When['object'], readonly (keyof WhenInput)[]> = {
  time: ['timezone'],
  timespan: ['start_timezone', 'end_timezone'],
  date: [],
  datespan: [],
}
const zoneMembers = Object.values(zones).flat()

/** Zones that the form of a time does not use: those of another form, and all zones with whole days. */
export function unusedZones(input: WhenInput | undefined): string[] {
  const shape = input && shapeOf(input)
  if (typeof shape !== 'string') return []
  return zoneMembers
    .filter((member) => input?.[member] && !zones[shape].includes(member))
    .map((member) => `when.${member}`)
}

/** A zone of the database, null if none is given, undefined if it is unknown. */
function zoneOf(name: string | null | undefined): string | null | undefined {
  return name === null || name === undefined ? null : resolveTimeZone(name)
}

const unknownZone = (field: string): NormalisedWhen =>
  refuse(field, 'is not a time zone: use an IANA name such as Europe/Berlin')

/** Converts client input to one of the four forms, or returns the problem. */
export function normaliseWhen(input: WhenInput): NormalisedWhen {
  const shape = shapeOf(input)
  if (typeof shape !== 'string') return shape
  switch (shape) {
    case 'time':
      return point(input)
    case 'timespan':
      return span(input)
    case 'date':
      return days(input.date ?? '', input.date ?? '', '.date', '.date')
    case 'datespan':
      return days(input.start_date ?? '', input.end_date ?? '', '.start_date', '.end_date')
  }
}

function point(input: WhenInput): NormalisedWhen {
  const zone = zoneOf(input.timezone)
  if (zone === undefined) return unknownZone('.timezone')
  return { ok: true, when: { object: 'time', time: input.time ?? 0, timezone: zone } }
}

function span(input: WhenInput): NormalisedWhen {
  const [start, end] = [input.start_time ?? 0, input.end_time ?? 0]
  const startZone = zoneOf(input.start_timezone)
  const endZone = zoneOf(input.end_timezone)
  if (startZone === undefined) return unknownZone('.start_timezone')
  if (endZone === undefined) return unknownZone('.end_timezone')
  if ((startZone === null) !== (endZone === null)) {
    return refuse('', 'start_timezone and end_timezone go together: give both or neither')
  }
  if (end <= start) return refuse('.end_time', 'must be after start_time')
  return {
    ok: true,
    when: { object: 'timespan', start_time: start, end_time: end, start_timezone: startZone, end_timezone: endZone },
  }
}

function days(first: string, last: string, firstField: string, lastField: string): NormalisedWhen {
  if (parseDate(first) === undefined) return refuse(firstField, 'is not a date of the calendar')
  if (parseDate(last) === undefined) return refuse(lastField, 'is not a date of the calendar')
  if (last < first) return refuse(lastField, 'must not be before start_date')
  return first === last
    ? { ok: true, when: { object: 'date', date: first } }
    : { ok: true, when: { object: 'datespan', start_date: first, end_date: last } }
}

export interface Instants {
  start: number
  end: number
}

/** The start and end of a time. Whole days are those of `allDayZone`. */
export function instantsOf(when: When, allDayZone: string): Instants {
  switch (when.object) {
    case 'time':
      return { start: when.time, end: when.time }
    case 'timespan':
      return { start: when.start_time, end: when.end_time }
    case 'date':
      return { start: dayStart(allDayZone, when.date), end: dayStartOf(allDayZone, dayOf(when.date) + 1) }
    case 'datespan':
      return { start: dayStart(allDayZone, when.start_date), end: dayStartOf(allDayZone, dayOf(when.end_date) + 1) }
  }
}

/** The same time of day, some days later, in the zone of the time. */
export function laterByDays(when: When, days: number): When {
  const later = (at: number, zone: string | null): number =>
    days === 0 ? at : openingInstant(zone ?? 'UTC', instantToWall(zone ?? 'UTC', at) + days * SECONDS_PER_DAY)
  switch (when.object) {
    case 'time':
      return { ...when, time: later(when.time, when.timezone) }
    case 'timespan': {
      const start = later(when.start_time, when.start_timezone)
      return { ...when, start_time: start, end_time: start + when.end_time - when.start_time }
    }
    case 'date':
      return { object: 'date', date: addDays(when.date, days) }
    case 'datespan':
      return {
        object: 'datespan',
        start_date: addDays(when.start_date, days),
        end_date: addDays(when.end_date, days),
      }
  }
}

/** The time with the zone of the series, if it names none. */
export function inZoneOf(when: When, series: When): When {
  const zone = series.object === 'time' ? series.timezone : series.object === 'timespan' ? series.start_timezone : null
  if (zone === null) return when
  if (when.object === 'time' && when.timezone === null) return { ...when, timezone: zone }
  if (when.object !== 'timespan' || when.start_timezone !== null) return when
  const end = series.object === 'timespan' ? (series.end_timezone ?? zone) : zone
  return { ...when, start_timezone: zone, end_timezone: end }
}
