/**
 * Writes the times of a VEVENT. An event keeps its form of times: a zone under the name that its calendar uses, UTC,
 * or floating. A zone that is new to the text gets its IANA name and a VTIMEZONE.
 */
import type { When } from '@waypost/contract'
import { slotKey } from '../recurrence/instance-ids.ts'
import { basicDate, basicUtc } from '../recurrence/series.ts'
import { dayOf, formatDate, SECONDS_PER_DAY } from '../timezones/dates.ts'
import { instantToWall, openingInstant } from '../timezones/timezones.ts'
import type { Span } from './calendar-times.ts'
import type { ComponentNode, ContentLine } from './content-lines.ts'
import { type Property, plain, utcTime, zoneOf } from './icalendar.ts'
import { tzidOf, type ZoneReader } from './zones-reading.ts'

/** The form in which times are written. */
export type TimeWriting =
  | { readonly form: 'date' }
  | { readonly form: 'utc' }
  | { readonly form: 'floating'; readonly zone: string }
  | { readonly form: 'zoned'; readonly zone: string; readonly tzid: string }

/** The current form of a time; `zone` is the zone in which it is read. */
function writingOf(line: ContentLine | undefined, zone: string): TimeWriting {
  if (line === undefined) return { form: 'utc' }
  const tzid = line.parameter('TZID')
  if (/Z\s*$/i.test(line.value)) return { form: 'utc' }
  // An unknown TZID is preserved; its times are read as floating.
  return tzid === undefined || tzid === '' ? { form: 'floating', zone } : { form: 'zoned', zone, tzid }
}

/** The current form of an event's start. */
export const startWriting = (event: ComponentNode, span: Span): TimeWriting =>
  span.kind === 'all-day' ? { form: 'date' } : writingOf(event.line('DTSTART'), span.startZone.id)

/** The current form of an event's end, or of its start if it has no DTEND. */
export function endWriting(event: ComponentNode, span: Span): TimeWriting {
  if (span.kind === 'all-day') return { form: 'date' }
  const line = event.line('DTEND')
  return line ? writingOf(line, span.endZone.id) : startWriting(event, span)
}

export interface ZonesInText {
  readonly calendar: ComponentNode
  readonly zones: ZoneReader
}

/** The form for times in a zone, which may differ from the form before. Null keeps the form, or selects UTC. */
export function writingIn(timezone: string | null, before: TimeWriting | undefined, text: ZonesInText): TimeWriting {
  if (timezone === null) return before === undefined || before.form === 'date' ? { form: 'utc' } : before
  const zone = zoneOf(timezone)
  if (zone === 'UTC') return { form: 'utc' }
  if (before !== undefined && 'zone' in before && before.zone === zone) return before
  const known = text.calendar.components.find((one) => one.name === 'VTIMEZONE' && text.zones(tzidOf(one))?.id === zone)
  return { form: 'zoned', zone, tzid: known ? tzidOf(known) : zone }
}

/** A property with Unix seconds in a form, as local time of its zone. */
function timeProperty(name: string, at: number, writing: TimeWriting): Property {
  if (!('zone' in writing)) return utcWithoutZone(name, at)
  const wall = basicUtc(instantToWall(writing.zone, at)).slice(0, -1)
  return plain(name, wall, { VALUE: undefined, TZID: writing.form === 'zoned' ? writing.tzid : undefined })
}

/**
 * A time property for a single instant. The second pass of a repeated hour has no local form and is written in UTC.
 */
const exactProperty = (name: string, at: number, writing: TimeWriting): Property =>
  'zone' in writing && openingInstant(writing.zone, instantToWall(writing.zone, at)) !== at
    ? utcWithoutZone(name, at)
    : timeProperty(name, at, writing)

const utcWithoutZone = (name: string, at: number): Property => ({
  ...utcTime(name, at),
  parameters: { VALUE: undefined, TZID: undefined },
})

const dateProperty = (name: string, day: number): Property =>
  plain(name, basicDate(day), { VALUE: 'DATE', TZID: undefined })

/** A slot of a series, in the form of its start. */
export function slotProperty(name: string, slot: string, writing: TimeWriting): Property {
  const place = slotKey(slot)
  if (place === undefined) throw new RangeError(`not a slot: ${slot}`)
  if (place.kind === 'all-day') return dateProperty(name, place.key)
  if (writing.form === 'date') return dateProperty(name, Math.floor(place.key / SECONDS_PER_DAY))
  return timeProperty(name, place.key, writing)
}

/** DTSTART and DTEND. A point in time has no DTEND, because an end must be after the start (RFC 5545 §3.8.2.2). */
export function timeProperties(
  when: When,
  { start, end, repeats }: { start: TimeWriting; end: TimeWriting; repeats: boolean },
): [start: Property, end?: Property] {
  const first = repeats ? timeProperty : exactProperty
  switch (when.object) {
    case 'time':
      return [first('DTSTART', when.time, start)]
    case 'timespan':
      return [first('DTSTART', when.start_time, start), exactProperty('DTEND', when.end_time, end)]
    case 'date':
      return [dateProperty('DTSTART', dayOf(when.date)), dateProperty('DTEND', dayOf(when.date) + 1)]
    case 'datespan':
      return [dateProperty('DTSTART', dayOf(when.start_date)), dateProperty('DTEND', dayOf(when.end_date) + 1)]
  }
}

/** The zones of a time; null if it names none or consists of days. */
export function zonesOf(when: When): { start: string | null; end: string | null } {
  if (when.object === 'time') return { start: when.timezone, end: when.timezone }
  if (when.object === 'timespan') return { start: when.start_timezone, end: when.end_timezone ?? when.start_timezone }
  return { start: null, end: null }
}

/** Whether two times are equal. A missing zone matches any zone. */
export function isSameWhen(before: When, after: When): boolean {
  const zones = [zonesOf(before), zonesOf(after)]
  const [was, is] = [boundsOf(before), boundsOf(after)]
  if (was !== is) return false
  return (['start', 'end'] as const).every((side) => {
    const [a, b] = zones.map((zone) => zone[side])
    return b === null || b === undefined || a === null || a === undefined || zoneOf(a) === zoneOf(b)
  })
}

function boundsOf(when: When): string {
  switch (when.object) {
    case 'time':
      return `${when.time}/${when.time}`
    case 'timespan':
      return `${when.start_time}/${when.end_time}`
    case 'date':
      return `${when.date}/${when.date}`
    case 'datespan':
      return `${formatDate(dayOf(when.start_date))}/${formatDate(dayOf(when.end_date))}`
  }
}
