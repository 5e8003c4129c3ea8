/**
 * Writes the text of a calendar object after components are replaced, added or removed. The text gets a VTIMEZONE for
 * each zone that is new to it and loses METHOD (RFC 4791 §4.1). Every line ends in CRLF, because a text that was
 * transported in XML has lost them.
 */

import { resolveTimeZone } from '../timezones/timezones.ts'
import { type CalendarObject, readCalendarObject } from './calendar-object.ts'
import { ComponentNode, ContentLine, type Item, parseComponents, writeItems } from './content-lines.ts'
import { PRODUCT, plain, text, timeZone, write } from './icalendar.ts'
import { tzidOf } from './zones-reading.ts'

export interface NewComponents {
  /** Undefined removes the component. */
  readonly replaced?: ReadonlyMap<ComponentNode, ComponentNode | undefined>
  readonly added?: readonly ComponentNode[]
  /** Milliseconds. */
  readonly now: number
}

/** The text with changed components, or undefined if no event remains. */
export function newText(
  object: CalendarObject,
  { replaced = new Map(), added = [], now }: NewComponents,
): string | undefined {
  const retained = object.calendar.items.flatMap((item) => {
    if (item.name === 'METHOD' && item instanceof ContentLine) return []
    return item instanceof ComponentNode && replaced.has(item) ? (replaced.get(item) ?? []) : item
  })
  const last = retained.findLastIndex(isEvent)
  const at = last === -1 ? retained.length : last + 1
  const items = [...retained.slice(0, at), ...added, ...retained.slice(at)]
  if (!items.some(isEvent)) return undefined
  const calendar = object.calendar.with(withZones(items, object, now))
  return withLineEnds(writeItems(object.items.map((item) => (item === object.calendar ? calendar : item))))
}

/** The text with CRLF as line ending. */
const withLineEnds = (text: string): string => `${text.replace(/(?<!\r)\r*\n/g, '\r\n').replace(/\r\n$/, '')}\r\n`

const isEvent = (item: Item): item is ComponentNode => item.name === 'VEVENT' && item instanceof ComponentNode

/**
 * Adds a VTIMEZONE for zones that the change introduced. Zones that the text already used without a definition stay
 * without one.
 */
function withZones(items: readonly Item[], { calendar }: CalendarObject, now: number): Item[] {
  const before = new Set(calendar.items.filter(isEvent).flatMap(zonesIn))
  const described = new Set(calendar.components.filter(({ name }) => name === 'VTIMEZONE').map(tzidOf))
  const names = new Set(items.filter(isEvent).flatMap(zonesIn))
  const zones = [...names].filter((tzid) => !before.has(tzid) && !described.has(tzid) && resolveTimeZone(tzid) === tzid)
  if (zones.length === 0) return [...items]
  const seconds = now / 1000
  const made = zones.flatMap((zone) =>
    parseComponents(write(timeZone(zone, { from: firstTime(items, seconds), to: seconds }))),
  )
  const at = items.findIndex(isEvent)
  return [...items.slice(0, at), ...made, ...items.slice(at)]
}

const zonesIn = (event: ComponentNode): string[] => event.lines.flatMap((line) => line.parameter('TZID') ?? [])

/** January 1 of the earliest year of a DTSTART. The zone's rules must be valid from then on. */
function firstTime(items: readonly Item[], now: number): number {
  const years = items.filter(isEvent).flatMap((event) => {
    const year = Number(event.line('DTSTART')?.value.slice(0, 4))
    return Number.isInteger(year) && year >= 1900 ? [Date.UTC(year, 0, 1) / 1000] : []
  })
  return Math.min(now, ...years)
}

/** An object with one event that has only a UID. */
export function skeleton(uid: string): { object: CalendarObject; event: ComponentNode } {
  const component = {
    name: 'VCALENDAR',
    properties: [plain('VERSION', '2.0'), text('PRODID', PRODUCT), plain('CALSCALE', 'GREGORIAN')],
    components: [{ name: 'VEVENT', properties: [text('UID', uid)] }],
  }
  const object = readCalendarObject(write(component))
  if (object?.master === undefined) throw new RangeError('an event has a UID')
  return { object, event: object.master }
}
