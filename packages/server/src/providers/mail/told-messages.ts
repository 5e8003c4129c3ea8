/** Messages that were told of lately, as the state of a watch keeps them: none is told as new twice. */
import { RecentIds } from '../shared/recent-ids.ts'

export interface ToldMessages {
  /** When the account was last looked at to the end, in milliseconds. */
  at: number
  /** By the marks of their ids, with their dates in seconds. */
  recent: Record<string, number>
}

/** Clocks differ by less, and a message comes up that long after its date at most. */
export const slackSeconds = 900
const recentLimits = { hashLength: 8, max: 2_000 }

export const recentOf = ({ recent }: ToldMessages): RecentIds => new RecentIds(recent, recentLimits)

/** Notes messages that are told, and forgets those that cannot come up again. */
export function withRecent<State extends ToldMessages>(
  state: State,
  told: readonly { id: string; date?: number | undefined }[],
): State {
  const recent = recentOf(state)
  for (const { id, date = 0 } of told) recent.add(id, date)
  recent.prune(state.at / 1000 - 2 * slackSeconds)
  return { ...state, recent: recent.stored() }
}
