/** The state of watching the mail of an account, stored in the cursor. */
import type { ToldMessages } from '../../mail/reported-messages.ts'
import type { StoredSubscription } from '../../shared/push-subscription.ts'
import type { Subscription } from '../stored-subscription.ts'

export interface WatchedFolder {
  name: string
  parent?: string
  /** The delta link of its messages, as a path of Graph; absent if it was not read yet. */
  link?: string
  /** While the whole folder is read: only messages since this time are notified, in milliseconds. */
  from?: number
}

export interface MailState extends ToldMessages {
  /** By id. */
  folders: Record<string, WatchedFolder>
  /** The delta link of the folder tree. */
  tree: string
  /** Hashed ids of messages whose deletion is not notified, with the seconds at which they were seen. */
  silent?: Record<string, number>
  /** The push subscription. */
  push?: StoredSubscription<Subscription>
}
