/** How far the contacts of an account were told. */
import type { SyncedFolder } from '../watch/folder-sync.ts'
import type { StoredContacts } from './known-contacts.ts'

export interface WatchedFolder extends SyncedFolder {
  known?: StoredContacts
}

export interface ContactsState {
  /** By their ids, as ours. */
  folders: Record<string, WatchedFolder>
}
