// The ids of events, calendars and groups.

import { findItem } from '../../shared/calendar/series.ts'
import { itemNotFound } from '../errors.ts'
import { folderId, itemId, readId } from '../item-ids.ts'
import type { EventItem, Mailbox, StoredCalendar, StoredGroup } from './state.ts'

export function eventId(calendar: StoredCalendar, key: string, immutable: boolean): string {
  return itemId(calendar.holder, { folder: calendar.key, key }, immutable)
}

export function calendarId({ holder, key }: StoredCalendar): string {
  return folderId(holder, key)
}

export function groupId({ owner }: Mailbox, { key }: StoredGroup): string {
  return folderId(owner, key)
}

export function calendarOf({ owner, calendars }: Mailbox, id: string): StoredCalendar {
  const calendar = calendars.get(readId(owner, id).key)
  if (calendar === undefined) throw itemNotFound()
  return calendar
}

export function groupOf({ owner, groups }: Mailbox, id: string): StoredGroup {
  const group = groups.get(readId(owner, id).key)
  if (group === undefined) throw itemNotFound()
  return group
}

export interface FoundEvent {
  readonly calendar: StoredCalendar
  readonly item: EventItem
}

/** The event of an id, on the calendar `within` if given. */
export function eventOf({ owner, calendars }: Mailbox, id: string, within?: StoredCalendar): FoundEvent {
  const { folder, key } = readId(owner, id)
  for (const calendar of calendars.values()) {
    if (folder !== undefined && folder !== calendar.key) continue
    const item = findItem(calendar, key)
    if (item === undefined) continue
    if (within !== undefined && within !== calendar) throw itemNotFound()
    return { calendar, item }
  }
  throw itemNotFound()
}
