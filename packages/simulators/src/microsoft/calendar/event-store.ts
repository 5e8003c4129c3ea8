// Adds, changes and deletes events on calendars. Every change gets a version number and notifies subscriptions. A
// change of an occurrence is a change of its series, because the series stores it.
import { tellChange } from './changes.ts'
import {
  type CalendarState,
  type EventDetails,
  type EventException,
  nextVersion,
  type StoredCalendar,
  type StoredEvent,
} from './state.ts'

export type NewEvent = Omit<StoredEvent, 'created' | 'modified' | 'version' | 'exceptions' | 'cancelled'> &
  Partial<Pick<StoredEvent, 'exceptions' | 'cancelled'>>

export function addEvent(state: CalendarState, calendar: StoredCalendar, event: NewEvent): StoredEvent {
  const now = state.world.now()
  const stored: StoredEvent = {
    exceptions: new Map(),
    cancelled: [],
    ...event,
    created: now,
    modified: now,
    version: nextVersion(state),
  }
  calendar.events.set(stored.key, stored)
  tellChange(state, calendar, { changeType: 'created', event: stored })
  return stored
}

/** Replaces a stored event with its new state. */
export function changeStored(
  state: CalendarState,
  calendar: StoredCalendar,
  { event, change }: { event: StoredEvent; change: Partial<StoredEvent> },
): StoredEvent {
  const stored: StoredEvent = { ...event, ...change, modified: state.world.now(), version: nextVersion(state) }
  calendar.events.set(stored.key, stored)
  tellChange(state, calendar, { changeType: 'updated', event: stored })
  return stored
}

export function removeStored(state: CalendarState, calendar: StoredCalendar, event: StoredEvent): void {
  if (!calendar.events.delete(event.key)) return
  calendar.removals.push({ key: event.key, version: nextVersion(state) })
  tellChange(state, calendar, { changeType: 'deleted', event })
}

export interface OccurrenceChange {
  readonly master: StoredEvent
  readonly date: string
  readonly changes: Partial<EventDetails>
}

/** Makes an occurrence an exception, or changes an existing exception. */
export function changeOccurrence(
  state: CalendarState,
  calendar: StoredCalendar,
  { master, date, changes }: OccurrenceChange,
): StoredEvent {
  const now = state.world.now()
  const known = master.exceptions.get(date)
  const exception: EventException = {
    created: known?.created ?? now,
    modified: now,
    version: state.version + 1,
    // An exception has its own `showAs` from the start.
    changes: { showAs: master.showAs, ...known?.changes, ...changes },
  }
  const exceptions = new Map(master.exceptions).set(date, exception)
  return changeStored(state, calendar, { event: master, change: { exceptions } })
}

/** Deletes an occurrence. */
export function cancelOccurrence(
  state: CalendarState,
  calendar: StoredCalendar,
  { master, date }: { master: StoredEvent; date: string },
): StoredEvent {
  const exceptions = new Map(master.exceptions)
  exceptions.delete(date)
  const cancelled = [...master.cancelled, date].sort()
  return changeStored(state, calendar, { event: master, change: { exceptions, cancelled } })
}
