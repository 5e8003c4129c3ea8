/** Where watching the mail of an account stands; kept in the cursor. */
import type { ToldMessages } from '../../mail/told-messages.ts'
import type { KeptSubscription } from '../../shared/push-subscription.ts'
import type { Subscription } from '../kept-subscription.ts'

/** A folder that is watched. */
export interface WatchedFolder {
  name: string
  parent?: string
  /** Where what happens in it goes on, as a path of Graph; absent where it was not looked into yet. */
  link?: string
  /** While all that is in it is read: only what came since is told, in milliseconds. */
  from?: number
}

export interface MailState extends ToldMessages {
  /** By their ids. */
  folders: Record<string, WatchedFolder>
  /** Where what happens to the folders themselves goes on. */
  tree: string
  /** What makes Graph tell of changes. */
  push?: KeptSubscription<Subscription>
}
