/** The state of watching the calendars of an account, stored in the cursor. */
import type { SyncedFolder } from '../watch/folder-sync.ts'
import type { StoredEvents } from './known-events.ts'

export interface WatchedCalendar extends SyncedFolder {
  name: string
  known?: StoredEvents
  /** Changes up to this time were notified, in milliseconds of the server's clock. */
  at?: number
}

export interface CalendarState {
  /** The last poll with a change, in milliseconds. */
  taken: number
  /** By id in the API. */
  calendars: Record<string, WatchedCalendar>
}
