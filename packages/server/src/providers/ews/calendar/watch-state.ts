/** Where watching the calendars of an account stands; kept in the cursor. */
import type { SyncedFolder } from '../watch/folder-sync.ts'
import type { StoredEvents } from './known-events.ts'

export interface WatchedCalendar extends SyncedFolder {
  name: string
  known?: StoredEvents
  /** Up to when changes were told, in milliseconds of the server's clock. */
  at?: number
}

export interface CalendarState {
  /** When the account was last looked at and something was another, in milliseconds. */
  taken: number
  /** By their ids, as ours. */
  calendars: Record<string, WatchedCalendar>
}
