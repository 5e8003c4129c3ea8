/** Where watching the mail of an account stands; kept in the cursor. */
import type { ToldMessages } from '../../mail/told-messages.ts'
import type { KeptSubscription, PushSubscription } from '../../shared/push-subscription.ts'
import type { GmailLabel } from './gmail-api.ts'

export interface MailState extends ToldMessages {
  /** Where the history goes on. */
  historyId: string
  /** The names of labels by their ids. */
  labels: Record<string, string>
  /** While messages are looked for by their dates: from when on, in milliseconds, and the next page. */
  gap?: { from: number; token?: string }
  /** What makes Google tell of changes. */
  push?: KeptSubscription<PushSubscription>
}

export const namesOf = (labels: readonly GmailLabel[]): Record<string, string> =>
  Object.fromEntries(labels.map(({ id, name }) => [id, name]))
