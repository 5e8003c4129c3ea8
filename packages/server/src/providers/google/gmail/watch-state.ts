/** Where watching the mail of an account stands; kept in the cursor. */
import type { KeptSubscription, PushSubscription } from '../../shared/push-subscription.ts'
import { RecentIds } from '../../shared/recent-ids.ts'
import type { GmailLabel } from './gmail-api.ts'

export interface MailState {
  /** Where the history goes on. */
  historyId: string
  /** When it was last read to its end, in milliseconds. */
  at: number
  /** The names of labels by their ids. */
  labels: Record<string, string>
  /** Messages that were told lately by the marks of their ids, with their dates in seconds. */
  recent: Record<string, number>
  /** What makes Google tell of changes. */
  push?: KeptSubscription<PushSubscription>
}

/** Clocks differ by less, and a message is in the history that long after its date at most. */
export const slackSeconds = 900
const recentLimits = { hashLength: 8, max: 2_000 }

export const recentOf = ({ recent }: MailState): RecentIds => new RecentIds(recent, recentLimits)

/** Notes messages that are told, and forgets those that cannot come up again. */
export function withRecent(state: MailState, told: readonly { id: string; date?: number | undefined }[]): MailState {
  const recent = recentOf(state)
  for (const { id, date = 0 } of told) recent.add(id, date)
  recent.prune(state.at / 1000 - 2 * slackSeconds)
  return { ...state, recent: recent.stored() }
}

export const namesOf = (labels: readonly GmailLabel[]): Record<string, string> =>
  Object.fromEntries(labels.map(({ id, name }) => [id, name]))
