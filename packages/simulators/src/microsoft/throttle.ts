// The limits of one application per mailbox: four concurrent requests, and 10,000 in ten minutes.
// https://learn.microsoft.com/graph/throttling-limits#outlook-service-limits
import { GraphError } from './errors.ts'

export interface ThrottleLimits {
  /** Concurrent requests; default 4. */
  readonly concurrent?: number
  /** Requests in ten minutes; default 10,000. */
  readonly requests?: number
}

export interface Throttle {
  /** Reserves up to `wanted` slots of a mailbox; returns how many were free. */
  take(mailbox: string, wanted: number): number
  give(mailbox: string, places: number): void
  /** Counts a request; throws if it exceeds the limit for ten minutes. */
  count(mailbox: string): void
}

const windowMs = 10 * 60_000

export const CONCURRENT = 4

export function createThrottle(now: () => number, limits: ThrottleLimits = {}): Throttle {
  const { concurrent = CONCURRENT, requests = 10_000 } = limits
  const busy = new Map<string, number>()
  const windows = new Map<string, { since: number; count: number }>()
  return {
    take(mailbox, wanted) {
      const taken = busy.get(mailbox) ?? 0
      const given = Math.max(0, Math.min(wanted, concurrent - taken))
      busy.set(mailbox, taken + given)
      return given
    },
    give(mailbox, places) {
      busy.set(mailbox, (busy.get(mailbox) ?? 0) - places)
    },
    count(mailbox) {
      let window = windows.get(mailbox)
      if (window === undefined || now() - window.since >= windowMs) window = { since: now(), count: 0 }
      windows.set(mailbox, window)
      window.count++
      if (window.count <= requests) return
      const seconds = Math.ceil((window.since + windowMs - now()) / 1000)
      throw throttled('Application is over its MailboxRequests limit.', seconds)
    },
  }
}

export function overConcurrency(): GraphError {
  return throttled('Application is over its MailboxConcurrency limit.', 1)
}

function throttled(message: string, seconds: number): GraphError {
  return new GraphError(429, 'ApplicationThrottled', message, { 'retry-after': String(seconds) })
}
