/** Where watching the mail of an account stands; kept in the cursor. */
import { createHash } from 'node:crypto'
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
  /** When Google is to be asked anew to tell of changes, in milliseconds. */
  pushUntil?: number
  /** Whether it does so. */
  pushes?: boolean
}

/** Clocks differ by less, and a message is in the history that long after its date at most. */
export const slackSeconds = 900
const maxRecent = 2_000

const markOf = (id: string): string => createHash('sha256').update(id).digest('base64url').slice(0, 8)

export const isRecent = ({ recent }: MailState, id: string): boolean => Object.hasOwn(recent, markOf(id))

/** Notes messages that are told, and forgets those that cannot come up again. */
export function withRecent(state: MailState, told: readonly { id: string; date?: number | undefined }[]): MailState {
  const oldest = state.at / 1000 - 2 * slackSeconds
  const all = [...Object.entries(state.recent), ...told.map(({ id, date = 0 }) => [markOf(id), date] as const)]
  const kept = all.filter(([, date]) => date >= oldest).slice(-maxRecent)
  return { ...state, recent: Object.fromEntries(kept) }
}

export const namesOf = (labels: readonly GmailLabel[]): Record<string, string> =>
  Object.fromEntries(labels.map(({ id, name }) => [id, name]))
