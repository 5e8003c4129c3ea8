// The MIME of a calendar item, which is iCalendar.
import { calendarText, type ItipEvent } from '../../shared/calendar/itip.ts'
import { exceptionItems, masterSlots } from '../../shared/calendar/series.ts'
import { setFields } from '../items/writing.ts'
import { bodyAsText } from '../shapes/said-fields.ts'
import type { StoredItem } from '../store/stored.ts'
import { writtenNode } from '../written.ts'
import { element } from '../xml/write.ts'
import { type CalendarContent, type CalendarItem, eventOf } from './content.ts'
import { type CalendarField, xmlField } from './field-forms.ts'
import { icalBody } from './ical-body.ts'
import { itipOf } from './meeting-content.ts'
import { occurrenceItem } from './occurrences.ts'

/** An event, a series with its exceptions, or one occurrence. */
export function calendarMime(item: CalendarItem, now: number): string {
  const event = eventOf(item)
  const exceptions = item.content.recurrence === null ? [] : exceptionItems(event)
  const events = [
    published(item.content, deletedStarts(item)),
    ...exceptions.map((one) => published(occurrenceItem(item, one).content, [])),
  ]
  return calendarText(events, { method: 'PUBLISH', now })
}

function published(content: CalendarContent, excluded: readonly number[]): ItipEvent {
  const { attendees, text, isReminderOn, reminderMinutes } = content
  const described = {
    item: itipOf(content, content.sequence),
    attendees,
    comment: '',
    description: bodyAsText(text.body),
  }
  return { ...described, excluded, ...(isReminderOn && { alarm: reminderMinutes }) }
}

/** The start times of deleted occurrences. */
export function deletedStarts(item: CalendarItem): number[] {
  const event = eventOf(item)
  const left = new Set(event.cancelled)
  const starts: number[] = []
  if (left.size === 0) return starts
  for (const { date, start } of masterSlots(event)) {
    if (left.delete(date)) starts.push(start)
    if (left.size === 0) break
  }
  return starts
}

export const mimeField: CalendarField = xmlField(
  { name: 'MimeContent', uri: 'item:MimeContent', shape: 'asked', onlyGet: true },
  (item, { call }) => {
    const text = calendarMime(item, call.world.now())
    return element('t:MimeContent', { CharacterSet: 'UTF-8' }, Buffer.from(text).toString('base64'))
  },
  {
    // The iCalendar content is set as if it had been written as elements.
    set(item, { text }, { call }) {
      const body = icalBody(Buffer.from(text, 'base64').toString())
      setFields(call, item as StoredItem, writtenNode('CalendarItem', body))
    },
  },
)
