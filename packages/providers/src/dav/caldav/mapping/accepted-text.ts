/**
 * Adapts texts that some servers reject: points in time, and properties that a server itself has duplicated. Pure.
 */
import { POINT } from '@waypost/formats/icalendar/calendar-times'
import { changedLine, putLine, putProperty } from '@waypost/formats/icalendar/content-line-changes'
import { ComponentNode, ContentLine, type Item, parseItems, writeItems } from '@waypost/formats/icalendar/content-lines'
import { plain } from '@waypost/formats/icalendar/icalendar'
import { basicUtc, parseBasic } from '@waypost/formats/recurrence/series'

/** Gives points in time an end equal to their start, because iCloud rejects events without an end. */
export const withPointEnds = (text: string): string => changedPoints(text, (node, start) => withEnd(node, start.value))

/** Gives points in time a marked duration of one second; returns the same text if there are none. */
export const withPointSeconds = (text: string): string =>
  changedPoints(text, (node, start) => {
    const later = secondAfter(start.value)
    if (later === undefined) return node
    const ended = withEnd(node, later)
    return ended.with(putProperty(ended.items, plain(POINT, 'TRUE')))
  })

function changedPoints(text: string, change: (node: ComponentNode, start: ContentLine) => ComponentNode): string {
  const changed = (item: Item): Item => {
    if (!(item instanceof ComponentNode)) return item
    if (item.name === 'VCALENDAR') return item.with(item.items.map(changed))
    const start = item.line('DTSTART')
    return item.name === 'VEVENT' && start && isPoint(item, start) ? change(item, start) : item
  }
  return writeItems(parseItems(text).map(changed))
}

/** Properties that an event may have once (RFC 5545 §3.6.1). */
const once = ['CLASS', 'DESCRIPTION', 'LOCATION', 'PRIORITY', 'SEQUENCE', 'STATUS', 'SUMMARY', 'TRANSP', 'URL']

/** Removes duplicates of properties that an event may have once; the last one stays. */
export const withoutRepetition = (text: string): string =>
  writeItems(
    parseItems(text).map((item) =>
      item instanceof ComponentNode ? item.with(item.items.map((inner) => withOnce(inner))) : item,
    ),
  )

function withOnce(item: Item): Item {
  if (!(item instanceof ComponentNode) || item.name !== 'VEVENT') return item
  const isRepeated = (line: Item, index: number): boolean =>
    line instanceof ContentLine &&
    once.includes(line.name) &&
    item.items.findLastIndex(({ name }) => name === line.name) > index
  return item.items.some(isRepeated) ? item.with(item.items.filter((line, index) => !isRepeated(line, index))) : item
}

function isPoint(node: ComponentNode, start: ContentLine): boolean {
  if (node.line('DURATION') || start.parameter('VALUE')?.toUpperCase() === 'DATE') return false
  const end = node.line('DTEND')
  return !end || (end.value === start.value && end.parameter('TZID') === start.parameter('TZID'))
}

/** Adds an end in the form of the start. */
function withEnd(node: ComponentNode, value: string): ComponentNode {
  const start = node.line('DTSTART')
  if (!start) return node
  const { raw } = changedLine(start, { value })
  return node.with(putLine(node.items, 'DTEND', () => new ContentLine(raw.replace(/^DTSTART/i, 'DTEND'), 'DTEND')))
}

function secondAfter(value: string): string | undefined {
  const time = parseBasic(value.trim().toUpperCase())
  if (time?.seconds === undefined) return undefined
  const text = basicUtc(time.day * 86_400 + time.seconds + 1)
  return time.utc ? text : text.slice(0, -1)
}
