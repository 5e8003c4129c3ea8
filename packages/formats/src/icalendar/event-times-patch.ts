/** Changes DTSTART and DTEND of one VEVENT. DTEND replaces DURATION, because all servers accept DTEND. */
import type { When } from '@waypost/contract'
import type { SeriesStart } from '../recurrence/series.ts'
import { dayOf } from '../timezones/dates.ts'
import {
  endWriting,
  startWriting,
  type TimeWriting,
  timeProperties,
  writingIn,
  type ZonesInText,
  zonesOf,
} from './calendar-time-lines.ts'
import type { Span } from './calendar-times.ts'
import { changedLine, lineOf, putProperty, withoutLines } from './content-line-changes.ts'
import { type ComponentNode, ContentLine, type Item } from './content-lines.ts'

export interface NewTime {
  readonly when: When
  /** The form of the new start. */
  readonly writing: TimeWriting
  readonly end: TimeWriting
}

/** The forms in which an event writes a new time. */
export function newTimeOf(
  event: ComponentNode,
  { when, span, text }: { when: When; span: Span; text: ZonesInText },
): NewTime {
  if (when.object === 'date' || when.object === 'datespan')
    return { when, writing: { form: 'date' }, end: { form: 'date' } }
  const zones = zonesOf(when)
  const writing = writingIn(zones.start, startWriting(event, span), text)
  const former = endWriting(event, span)
  return { when, writing, end: writingIn(zones.end, former.form === 'date' ? writing : former, text) }
}

/** The items with the new time. All starts of a series must have the same form. */
export function putTimes(items: readonly Item[], { when, writing, end }: NewTime, repeats: boolean): Item[] {
  const [first, last] = timeProperties(when, { start: writing, end, repeats })
  const started = putProperty(withoutLines(items, ['DURATION']), first)
  const isAllDay = writing.form === 'date'
  const ended = last ? putAfterStart(started, last) : withoutLines(started, ['DTEND'])
  return ended.map((item) =>
    item instanceof ContentLine && item.name === 'X-MICROSOFT-CDO-ALLDAYEVENT'
      ? changedLine(item, { value: isAllDay ? 'TRUE' : 'FALSE' })
      : item,
  )
}

function putAfterStart(items: readonly Item[], end: Parameters<typeof lineOf>[0]): Item[] {
  if (items.some(({ name }) => name === 'DTEND')) return putProperty(items, end)
  const at = items.findIndex(({ name }) => name === 'DTSTART') + 1
  return [...items.slice(0, at), lineOf(end), ...items.slice(at)]
}

/** The start of a series with this time. */
export function startAfter({ when, writing }: NewTime): SeriesStart {
  const zone = 'zone' in writing ? writing.zone : 'UTC'
  switch (when.object) {
    case 'time':
      return { kind: 'timed', at: when.time, zone, seconds: 0 }
    case 'timespan':
      return { kind: 'timed', at: when.start_time, zone, seconds: when.end_time - when.start_time }
    case 'date':
      return { kind: 'all-day', date: when.date, days: 1 }
    case 'datespan':
      return { kind: 'all-day', date: when.start_date, days: dayOf(when.end_date) - dayOf(when.start_date) + 1 }
  }
}
