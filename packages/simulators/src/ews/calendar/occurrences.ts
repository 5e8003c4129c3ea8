// The occurrences of a series as items: their ids, and how changes to them are stored.
import { isDeepStrictEqual } from 'node:util'
import { itemOf, masterSlots, occurrenceOn, type Range, viewOf } from '../../shared/calendar/series.ts'
import { EwsError, itemNotFound, malformedId } from '../soap/errors.ts'
import type { ExtendedValue } from '../store/extended.ts'
import { writeId } from '../store/ids.ts'
import type { StoredFolder, StoredItem } from '../store/stored.ts'
import {
  type CalendarContent,
  type CalendarEvent,
  type CalendarItem,
  changeContent,
  detailsOf,
  type EventDetails,
  type EventItem,
  eventOf,
} from './content.ts'

export const isCalendarItem = (item: StoredItem): item is CalendarItem => item.type.element === 'CalendarItem'

/** The events of a folder, keyed by event key. */
export function calendarOf({ items }: StoredFolder): { events: Map<string, CalendarEvent> } {
  const events = [...items.values()].filter(isCalendarItem).map(eventOf)
  return { events: new Map(events.map((event) => [event.key, event])) }
}

/** `2026-01-02` as the four bytes used in global object ids. */
function dateBytes(date: string): Buffer {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return Buffer.from([year >> 8, year & 0xff, month, day])
}

function dateOfBytes(bytes: Buffer): string {
  if (bytes.length !== 4) throw malformedId()
  const year = bytes.readUInt16BE(0)
  const [month = 0, day = 0] = bytes.subarray(2)
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' }).toString()
  } catch {
    throw malformedId()
  }
}

/** The id of an occurrence: the id of its series, and its original day in the series. */
export function occurrenceId({ mailbox, folder, number }: CalendarItem, date: string): string {
  return writeId({ kind: 'item', mailbox: mailbox.id, folder: folder.number, item: number, extra: dateBytes(date) })
}

/** An occurrence as an item, with everything it inherits from its series. */
export function occurrenceItem(master: CalendarItem, event: EventItem): CalendarItem {
  const { date, originalStart, kind } = event
  if (date === undefined || originalStart === undefined) return master
  const exception = master.content.exceptions.get(date)
  const details = detailsOf(event)
  const content: CalendarContent = {
    ...master.content,
    ...details,
    recurrence: null,
    exceptions: new Map(),
    cancelled: [],
    occurrence: {
      master,
      date,
      originalStart,
      kind: kind === 'exception' ? 'exception' : 'occurrence',
      before: details,
    },
  }
  return {
    ...master,
    id: occurrenceId(master, date),
    itemClass: 'IPM.Appointment.Occurrence',
    content,
    extended: new Map([...master.extended, ...(exception?.extended ?? [])]),
    modifiedAt: exception?.modified ?? master.modifiedAt,
  }
}

/** The occurrence that the suffix of an id names. */
export function expandOccurrence(master: CalendarItem, extra: Buffer): CalendarItem {
  return expandDate(master, dateOfBytes(extra))
}

/** The occurrence that the series has on a day. */
export function expandDate(master: CalendarItem, date: string): CalendarItem {
  if (master.content.recurrence === null) throw itemNotFound()
  const found = occurrenceOn(eventOf(master), date)
  if (found === undefined) throw itemNotFound()
  return occurrenceItem(master, found)
}

/** The occurrence with an index, counted from 1 and including deleted ones. */
export function occurrenceAt(master: CalendarItem, index: number): CalendarItem {
  const event = eventOf(master)
  let count = 0
  for (const { date } of masterSlots(event)) {
    count++
    if (count < index) continue
    const found = index < 1 ? undefined : occurrenceOn(event, date)
    if (found !== undefined) return occurrenceItem(master, found)
    if (index < 1) break
    throw new EwsError('ErrorCalendarOccurrenceIsDeletedFromRecurrence', 'Occurrence is deleted from the recurrence.')
  }
  throw new EwsError(
    'ErrorCalendarOccurrenceIndexIsOutOfRecurrenceRange',
    'Occurrence index is out of recurrence range.',
  )
}

/** The calendar view: single events and occurrences in the range, by start. */
export function itemsInView(folder: StoredFolder, range: Range): CalendarItem[] {
  return viewOf(calendarOf(folder), range).map((event) =>
    event.masterKey === undefined ? event.item : occurrenceItem(event.item, event),
  )
}

/** The item in the form that the series functions use. */
export function eventItemOf(item: CalendarItem): EventItem {
  const { occurrence } = item.content
  if (occurrence === undefined) return itemOf(eventOf(item))
  const { master, date, originalStart, kind } = occurrence
  return { ...eventOf(item), kind, date, originalStart, masterKey: String(master.number) }
}

/** Stores the changes to an occurrence as an exception of its series; returns the updated occurrence. */
export function keepException(item: CalendarItem): CalendarItem {
  const { occurrence } = item.content
  if (occurrence === undefined) return item
  const { master, date, before } = occurrence
  changeOccurrence(master, date, { changes: changedDetails(before, detailsOf(item.content)), extended: item.extended })
  return expandDate(master, date)
}

function changedDetails(before: EventDetails, after: EventDetails): Partial<EventDetails> {
  const names = Object.keys(after) as (keyof EventDetails)[]
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]))
  return Object.fromEntries(changed.map((name) => [name, after[name]]))
}

interface OccurrenceChange {
  readonly changes: Partial<EventDetails>
  readonly extended?: ReadonlyMap<string, ExtendedValue>
}

/** Makes an occurrence an exception, or changes an existing exception. */
export function changeOccurrence(master: CalendarItem, date: string, { changes, extended }: OccurrenceChange): void {
  const { exceptions, showAs } = master.content
  const known = exceptions.get(date)
  const now = master.mailbox.now()
  const own = new Map(
    [...(extended ?? [])].filter(([key, value]) => !isDeepStrictEqual(master.extended.get(key), value)),
  )
  const exception = {
    created: known?.created ?? now,
    modified: now,
    version: master.changed + 1,
    // An exception has its own `showAs` from the start.
    changes: { showAs, ...known?.changes, ...changes },
    extended: extended === undefined ? (known?.extended ?? new Map()) : own,
  }
  changeContent(master, { exceptions: new Map(exceptions).set(date, exception) })
  master.mailbox.change(master)
}

/** Deletes an occurrence. */
export function cancelOccurrence(master: CalendarItem, date: string): void {
  const exceptions = new Map(master.content.exceptions)
  exceptions.delete(date)
  const cancelled = [...new Set([...master.content.cancelled, date])].sort()
  changeContent(master, { exceptions, cancelled })
  master.mailbox.change(master)
}
