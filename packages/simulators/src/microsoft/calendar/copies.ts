// Finds the copies of a meeting.
import {
  type CalendarState,
  defaultCalendar,
  type Mailbox,
  mailboxOf,
  type StoredCalendar,
  type StoredEvent,
} from './state.ts'

/** An attendee's copy, which is on the default calendar. */
export function findCopy(mailbox: Mailbox, uid: string): StoredEvent | undefined {
  return [...defaultCalendar(mailbox).events.values()].find((event) => event.uid === uid)
}

export interface Original {
  readonly calendar: StoredCalendar
  readonly event: StoredEvent
}

/** The organizer's event, on any calendar. */
export function findOriginal(state: CalendarState, copy: StoredEvent): Original | undefined {
  for (const calendar of mailboxOf(state, copy.organizer.address)?.calendars.values() ?? []) {
    for (const event of calendar.events.values()) {
      if (event.uid === copy.uid && event.isOrganizer) return { calendar, event }
    }
  }
  return undefined
}
