/** The state of watching the mail of an account, stored in the cursor. */
import type { ToldMessages } from '../../mail/reported-messages.ts'
import type { PushSubscription, StoredSubscription } from '../../shared/push-subscription.ts'
import type { GmailLabel } from './gmail-api.ts'

export interface MailState extends ToldMessages {
  /** The history id to continue from. */
  historyId: string
  /** The names of labels by id. */
  labels: Record<string, string>
  /** While messages are searched by date: the start in milliseconds, and the next page. */
  gap?: { from: number; token?: string }
  /** The push subscription. */
  push?: StoredSubscription<PushSubscription>
}

export const namesOf = (labels: readonly GmailLabel[]): Record<string, string> =>
  Object.fromEntries(labels.map(({ id, name }) => [id, name]))
