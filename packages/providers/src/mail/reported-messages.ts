/** Recently reported messages in the state of a watch, so that none is reported as new twice. */
import { RecentIds } from '../shared/recent-ids.ts'

export interface ToldMessages {
  /** When the account was last polled completely, in milliseconds. */
  at: number
  /** Hashed ids with dates in seconds. */
  recent: Record<string, number>
}

/** Clocks differ by less, and a message appears at most this long after its date. */
export const slackSeconds = 900
const recentLimits = { hashLength: 8, max: 2_000 }

export const recentOf = ({ recent }: ToldMessages): RecentIds => new RecentIds(recent, recentLimits)

/** Records reported messages and removes those that cannot appear again. */
export function withRecent<State extends ToldMessages>(
  state: State,
  told: readonly { id: string; date?: number | undefined }[],
): State {
  const recent = recentOf(state)
  for (const { id, date = 0 } of told) recent.add(id, date)
  recent.prune(state.at / 1000 - 2 * slackSeconds)
  return { ...state, recent: recent.stored() }
}
