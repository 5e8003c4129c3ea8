/**
 * Polls a part of an account without push notifications at the node's poll interval, and not each time another part
 * of the account, such as its mail, has something new.
 */
import type { WatchedPart, WatchingSession } from '../shared/watched-parts.ts'

export function pacedPart<S extends WatchingSession, State>(part: WatchedPart<S, State>): WatchedPart<S, State> {
  /** When each session may be polled again, in milliseconds. */
  const rests = new WeakMap<S, number>()
  return {
    ...part,
    async since(session, state, options) {
      const { clock, pollSeconds } = session.io
      const left = (rests.get(session) ?? 0) - clock.now()
      if (state !== undefined && left > 0) return { changes: [], state, again: Math.ceil(left / 1000) }
      const found = await part.since(session, state, options)
      // A slow poll is not repeated immediately.
      rests.set(session, found.more ? 0 : clock.now() + (found.again ?? pollSeconds) * 1000)
      return found
    },
  }
}
