/** Where watching the mail of an account stands; kept in the cursor. */
import type { ToldMessages } from '../../mail/told-messages.ts'
import type { SyncedFolder } from '../watch/folder-sync.ts'

export interface WatchedFolder extends SyncedFolder {
  name: string
  /** The id of the folder that it lies in, as ours. */
  parent?: string
}

export interface MailState extends ToldMessages {
  /** By their ids, as ours. */
  folders: Record<string, WatchedFolder>
  /** The newest change that was seen, in milliseconds of the server's clock. */
  newest: number
}
