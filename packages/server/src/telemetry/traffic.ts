/** The calls of applications: their figures by provider, and those of each grant by route. */
import type { Clock } from '@waypost/platform/clock'
import type { Log } from '@waypost/platform/log'
import type { Queries } from '@waypost/store/engine/database'
import { type CountedOf, createApplicationCounters } from './application-counters.ts'
import { createCallBook } from './grant-calls.ts'

/** An answer, and the application that it was for. */
export interface TrafficCall {
  caller?: { id: string; acting?: unknown } | undefined
  grant?: { grant: { id: string; provider: string } } | undefined
  route: string
  status: number
  milliseconds: number
  requestId: string
}

export interface Traffic extends AsyncDisposable {
  /** Counts a call of an application. Calls by administrators do not count. */
  answered(call: TrafficCall): void
  providerFailed(of: CountedOf): void
  flush(): Promise<void>
}

/** A long poll: its duration says nothing about latency. */
const waiting = 'notifications.list'

export function createTraffic(queries: Queries, options: { clock: Clock; log: Log; nodeId: string }): Traffic {
  const counters = createApplicationCounters(queries, options)
  const calls = createCallBook(queries, options)
  return {
    answered({ caller, grant, route, status, milliseconds, requestId }) {
      if (!caller || caller.acting !== undefined) return
      const of = { applicationId: caller.id, provider: grant?.grant.provider ?? '' }
      counters.answered(of, status, route === waiting ? undefined : milliseconds)
      if (grant) calls.answered({ grantId: grant.grant.id, route, status, milliseconds, requestId })
    },
    providerFailed: counters.providerFailed,
    async flush() {
      await counters.flush()
      await calls.flush()
    },
    async [Symbol.asyncDispose]() {
      await counters[Symbol.asyncDispose]()
      await calls[Symbol.asyncDispose]()
    },
  }
}
