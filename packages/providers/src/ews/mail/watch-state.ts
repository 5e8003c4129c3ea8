/** The state of watching the mail of an account, stored in the cursor. */
import type { Departures } from '../../mail/message-places.ts'
import type { ToldMessages } from '../../mail/reported-messages.ts'
import type { SyncedFolder } from '../watch/folder-sync.ts'

export interface WatchedFolder extends SyncedFolder {
  name: string
  /** The id of its parent in the API. */
  parent?: string
}

export interface MailState extends ToldMessages {
  /** By id in the API. */
  folders: Record<string, WatchedFolder>
  /** The newest change that was seen, in milliseconds of the server's clock. */
  newest: number
  /** If deletions are notified: messages that left their places, and the number of stored places. */
  departures?: Departures
}
