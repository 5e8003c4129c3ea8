/** Fixed windows, counted in memory. The nodes of an installation divide each limit by the number of live nodes. */
import { type RateGroup, rates } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'

export interface RateState {
  limit: number
  remaining: number
  /** Seconds until the window ends. */
  reset: number
}

export interface RateLimiter {
  /** Counts a call; throws `rate_limited` when the limit of the window is used up. */
  take(group: Exclude<RateGroup, 'none'>, id: string, now: number): RateState
  /** Throws if the id already had `max` failures in this minute; returns the function that counts one more. */
  takeFailure(id: string, max: number, now: number): () => void
  /**
   * Counts an attempt for each id in this minute before it is made, so that concurrent attempts count too. Throws if
   * one of them already had `max`; returns the function that takes the count back, for an attempt that did not fail.
   * Nodes divide this limit like the others.
   */
  takeAttempt(ids: Iterable<readonly [id: string, max: number]>, now: number): () => void
  setNodes(count: number): void
}

interface Window {
  ends: number
  used: number
}

export function createRateLimiter(): RateLimiter {
  const windows = new Map<string, Window>()
  let nodes = 1
  let sweepAt = 0

  const windowOf = (key: string, windowMs: number, now: number): Window => {
    if (now >= sweepAt) {
      for (const [name, window] of windows) if (window.ends <= now) windows.delete(name)
      sweepAt = now + 60_000
    }
    let window = windows.get(key)
    if (!window || window.ends <= now) {
      window = { ends: Math.floor(now / windowMs) * windowMs + windowMs, used: 0 }
      windows.set(key, window)
    }
    return window
  }

  return {
    take(group, id, now) {
      const { limit, windowSeconds } = rates[group]
      const share = Math.max(1, Math.floor(limit / nodes))
      const window = windowOf(`${group} ${id}`, windowSeconds * 1000, now)
      window.used++
      const reset = Math.max(1, Math.ceil((window.ends - now) / 1000))
      if (window.used <= share) return { limit, remaining: share - window.used, reset }
      throw new ApiError('rate_limited', `more than ${limit} requests in ${windowSeconds} s: wait ${reset} s`, {
        retryAfter: reset,
        headers: rateHeaders({ limit, remaining: 0, reset }),
      })
    },
    takeFailure(id, max, now) {
      const window = windowOf(`failure ${id}`, 60_000, now)
      if (window.used < max) return () => void window.used++
      const retryAfter = Math.max(1, Math.ceil((window.ends - now) / 1000))
      throw new ApiError('rate_limited', `too many wrong credentials: wait ${retryAfter} s`, { retryAfter })
    },
    takeAttempt(ids, now) {
      const counted: Window[] = []
      const takeBack = (): void => {
        for (const window of counted.splice(0)) window.used--
      }
      for (const [id, max] of ids) {
        const window = windowOf(`attempt ${id}`, 60_000, now)
        if (window.used >= Math.max(1, Math.floor(max / nodes))) {
          takeBack()
          const retryAfter = Math.max(1, Math.ceil((window.ends - now) / 1000))
          throw new ApiError('rate_limited', `too many wrong credentials: wait ${retryAfter} s`, { retryAfter })
        }
        window.used++
        counted.push(window)
      }
      return takeBack
    },
    setNodes(alive) {
      nodes = Math.max(1, alive)
    },
  }
}

export const rateHeaders = (state: RateState): Record<string, string> => ({
  'ratelimit-limit': String(state.limit),
  'ratelimit-remaining': String(state.remaining),
  'ratelimit-reset': String(state.reset),
})
