// Notifies subscriptions of changes to events. A change of an occurrence is reported as a change of its series.

import { etagOf } from './event-json.ts'
import { eventId } from './ids.ts'
import type { CalendarState, StoredCalendar, StoredEvent } from './state.ts'

export interface EventChange {
  readonly changeType: 'created' | 'updated' | 'deleted'
  readonly event: StoredEvent
}

/** The collection name for all events of a mailbox. */
export const allEvents = 'events'
/** The collection name for the events of its default calendar. */
export const defaultEvents = 'calendar'

export function calendarCollection(key: string): string {
  return `calendar:${key}`
}

export function tellChange(state: CalendarState, calendar: StoredCalendar, { changeType, event }: EventChange): void {
  state.world.tell({
    owner: calendar.holder,
    changeType,
    collections: [allEvents, calendarCollection(calendar.key), ...(calendar.isDefault ? [defaultEvents] : [])],
    type: '#Microsoft.Graph.Event',
    path: 'Events',
    id: (immutable) => eventId(calendar, event.key, immutable),
    etag: etagOf(event.version),
  })
}
