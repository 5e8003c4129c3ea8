// The text of a calendar object after a change: components replaced, added or left out, with a VTIMEZONE for every zone
// that is new to it, without METHOD (RFC 4791 §4.1), and with CRLF at the end of every line: a text that came in XML has
// lost them.

import { resolveTimeZone } from '../timezones/timezones.ts'
import { tzidOf } from '../timezones/zones-reading.ts'
import { type CalendarObject, readCalendarObject } from './calendar-object.ts'
import { ComponentNode, ContentLine, type Item, parseComponents, writeItems } from './content-lines.ts'
import { PRODUCT, plain, text, timeZone, write } from './icalendar.ts'

export interface NewComponents {
  /** Undefined takes a component away. */
  readonly replaced?: ReadonlyMap<ComponentNode, ComponentNode | undefined>
  readonly added?: readonly ComponentNode[]
  /** Milliseconds. */
  readonly now: number
}

/** The text with other components; undefined where no event is left. */
export function newText(
  object: CalendarObject,
  { replaced = new Map(), added = [], now }: NewComponents,
): string | undefined {
  const kept = object.calendar.items.flatMap((item) => {
    if (item.name === 'METHOD' && item instanceof ContentLine) return []
    return item instanceof ComponentNode && replaced.has(item) ? (replaced.get(item) ?? []) : item
  })
  const last = kept.findLastIndex(isEvent)
  const at = last === -1 ? kept.length : last + 1
  const items = [...kept.slice(0, at), ...added, ...kept.slice(at)]
  if (!items.some(isEvent)) return undefined
  const calendar = object.calendar.with(withZones(items, object, now))
  return withLineEnds(writeItems(object.items.map((item) => (item === object.calendar ? calendar : item))))
}

/** A text as it goes out. */
const withLineEnds = (text: string): string => `${text.replace(/\r*\n/g, '\r\n').replace(/\r\n$/, '')}\r\n`

const isEvent = (item: Item): item is ComponentNode => item.name === 'VEVENT' && item instanceof ComponentNode

/** Zones that came with the change; a text that names zones without describing them has its own reasons. */
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

/** The first of January of the first year that a start names; the rules of its zone must be known from there on. */
function firstTime(items: readonly Item[], now: number): number {
  const years = items.filter(isEvent).flatMap((event) => {
    const year = Number(event.line('DTSTART')?.value.slice(0, 4))
    return Number.isInteger(year) && year >= 1900 ? [Date.UTC(year, 0, 1) / 1000] : []
  })
  return Math.min(now, ...years)
}

/** An object with nothing but an event that has a UID, to be filled. */
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
