// The limits of one user: concurrent requests, and requests per minute.

import { EwsError } from './soap/errors.ts'
import { isSince, type ServerVersion } from './soap/versions.ts'

export interface ThrottleLimits {
  /** Concurrent requests (EwsMaxConcurrency); default 27, and 10 before Exchange 2013. */
  readonly concurrent?: number
  /** Requests per minute; default: unlimited. */
  readonly requestsPerMinute?: number
}

export interface Throttle {
  /** Counts a request while it runs; throws if it exceeds a limit. */
  during<T>(user: string, work: () => Promise<T>): Promise<T>
}

const MINUTE = 60_000

export function createThrottle(now: () => number, server: ServerVersion, limits: ThrottleLimits = {}): Throttle {
  const {
    concurrent = isSince(server.schema, 'Exchange2013') ? 27 : 10,
    requestsPerMinute = Number.POSITIVE_INFINITY,
  } = limits
  const busy = new Map<string, number>()
  const windows = new Map<string, { since: number; count: number }>()

  function count(user: string): void {
    const known = windows.get(user)
    const window = known === undefined || now() - known.since >= MINUTE ? { since: now(), count: 0 } : known
    windows.set(user, window)
    window.count++
    if (window.count <= requestsPerMinute) return
    const values = { BackOffMilliseconds: window.since + MINUTE - now() }
    throw new EwsError('ErrorServerBusy', 'The server cannot service this request right now. Try again later.', {
      values,
    })
  }

  return {
    async during(user, work) {
      count(user)
      const at = busy.get(user) ?? 0
      if (at >= concurrent) {
        const message =
          'You have exceeded the available concurrent connections for your account. Try again once your other requests have completed.'
        throw new EwsError('ErrorExceededConnectionCount', message)
      }
      busy.set(user, at + 1)
      try {
        return await work()
      } finally {
        busy.set(user, (busy.get(user) ?? 1) - 1)
      }
    },
  }
}
