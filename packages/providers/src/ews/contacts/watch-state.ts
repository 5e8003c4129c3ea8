/** The state of watching the contacts of an account, stored in the cursor. */
import type { SyncedFolder } from '../watch/folder-sync.ts'
import type { StoredContacts } from './known-contacts.ts'

export interface WatchedFolder extends SyncedFolder {
  known?: StoredContacts
}

export interface ContactsState {
  /** By id in the API. */
  folders: Record<string, WatchedFolder>
}
