/**
 * The calls of applications: their figures by provider, counted in memory and written every few seconds, and as a series
 * over time; and those of each grant by route.
 */

import type { TrafficFigures } from '@waypost/contract'
import { type Clock, seconds } from '@waypost/platform/clock'
import type { Log } from '@waypost/platform/log'
import type { Queries } from '@waypost/store/engine/database'
import { type ApplicationFiguresRow, saveApplicationFigures } from '@waypost/store/tables/figures/installation-figures'
import { createCallBook } from './grant-calls.ts'
import { inSteps, type SeriesSteps, stepsOf } from './health-counters.ts'
import { emptyHistogram, type Histogram, observe, percentile, together } from './latency-histogram.ts'

/** An answer, and the application that it was for. */
interface TrafficCall {
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

const figureStepMs = 300_000
/**
 * Pairs of application and provider that are counted in one step. Calls beyond that appear only in the figures of the
 * node.
 */
const maxPairs = 5_000

/** The key of a figure: an application, and the kind of account; empty if the request concerned no account. */
export interface CountedOf {
  applicationId: string
  provider: string
}

interface ApplicationCounters extends AsyncDisposable {
  /** Counts an answer. Without a time, the answer does not count towards latency. */
  answered(of: CountedOf, status: number, milliseconds: number | undefined): void
  providerFailed(of: CountedOf): void
  /** Writes the changes since the last call. */
  flush(): Promise<void>
}

interface ApplicationCount extends Omit<ApplicationFiguresRow, 'latencies'> {
  latencies: Histogram
  isWritten: boolean
}

function createApplicationCounters(
  queries: Queries,
  { clock, log, nodeId }: { clock: Clock; log: Log; nodeId: string },
): ApplicationCounters {
  /** By application, then by provider. */
  let current = new Map<string, Map<string, ApplicationCount>>()
  let pairs = 0
  let step = stepOf(clock.now())
  /** Rows of finished steps that are not written yet. */
  let over: ApplicationFiguresRow[] = []

  const turn = (): void => {
    const now = stepOf(clock.now())
    if (now === step) return
    over = [...over, ...changed()].slice(-maxPairs)
    current = new Map()
    pairs = 0
    step = now
  }
  const countedOf = ({ applicationId, provider }: CountedOf): ApplicationCount | undefined => {
    turn()
    let ofApplication = current.get(applicationId)
    const known = ofApplication?.get(provider)
    if (known) return known
    if (pairs >= maxPairs) return undefined
    ofApplication ??= new Map()
    current.set(applicationId, ofApplication)
    const fresh: ApplicationCount = {
      application_id: applicationId,
      at: step,
      provider,
      node_id: nodeId,
      requests: 0,
      refused: 0,
      errors: 0,
      provider_errors: 0,
      latencies: emptyHistogram(),
      isWritten: true,
    }
    ofApplication.set(provider, fresh)
    pairs++
    return fresh
  }
  function changed(written: ApplicationCount[] = []): ApplicationFiguresRow[] {
    const rows: ApplicationFiguresRow[] = []
    for (const ofApplication of current.values()) {
      for (const counted of ofApplication.values()) {
        if (counted.isWritten) continue
        counted.isWritten = true
        written.push(counted)
        rows.push(rowOf(counted))
      }
    }
    return rows
  }
  const flush = async (): Promise<void> => {
    turn()
    const ended = over
    const written: ApplicationCount[] = []
    const running = changed(written)
    over = []
    try {
      await saveApplicationFigures(queries, [...ended, ...running])
    } catch (error) {
      // On failure the running step is written again with later counts. A step that ended meanwhile already has a
      // newer row.
      for (const counted of written) counted.isWritten = false
      over = [...ended, ...over].slice(-maxPairs)
      log.warn({ error }, 'figures of applications could not be written; it is tried again')
    }
  }

  return {
    answered(of, status, milliseconds) {
      const counted = countedOf(of)
      if (!counted) return
      counted.requests++
      if (status >= 500) counted.errors++
      else if (status >= 400) counted.refused++
      if (milliseconds !== undefined) observe(counted.latencies, milliseconds)
      counted.isWritten = false
    },
    providerFailed(of) {
      const counted = countedOf(of)
      if (!counted) return
      counted.provider_errors++
      counted.isWritten = false
    },
    flush,
    [Symbol.asyncDispose]: flush,
  }
}

const stepOf = (now: number): number => Math.floor(now / figureStepMs) * figureStepMs

const rowOf = ({ latencies, isWritten: _, ...counts }: ApplicationCount): ApplicationFiguresRow => ({
  ...counts,
  latencies: JSON.stringify(latencies),
})

type TrafficField = 'requests' | 'refused' | 'errors' | 'provider_errors'

const sum = (rows: readonly ApplicationFiguresRow[], field: TrafficField): number =>
  rows.reduce((total, row) => total + row[field], 0)

/** The start of a series over `hours`, and the length of its steps. */
export const trafficSteps = (hours: number, now: number): SeriesSteps =>
  stepsOf(hours, now, [figureStepMs, 3 * figureStepMs])

/** Figures of all nodes and providers. */
export const trafficOf = (rows: readonly ApplicationFiguresRow[], steps: SeriesSteps): TrafficFigures[] =>
  inSteps(rows, steps, (at, ofStep) => {
    const latencies = together(ofStep.map((row) => row.latencies))
    return {
      at: seconds(at),
      requests: sum(ofStep, 'requests'),
      refused: sum(ofStep, 'refused'),
      errors: sum(ofStep, 'errors'),
      provider_errors: sum(ofStep, 'provider_errors'),
      latency_p50_ms: percentile(latencies, 0.5),
      latency_p95_ms: percentile(latencies, 0.95),
    }
  })

interface ProviderFigures {
  provider: string
  requests: number
  errors: number
}

/** The same by provider, the one with the most errors first. Requests that concern no account belong to none. */
export const byProvider = (rows: readonly ApplicationFiguresRow[]): ProviderFigures[] =>
  Array.from(
    Map.groupBy(
      rows.filter(({ provider }) => provider !== ''),
      ({ provider }) => provider,
    ),
    ([provider, all]) => ({ provider, requests: sum(all, 'requests'), errors: sum(all, 'provider_errors') }),
  ).sort((a, b) => b.errors - a.errors || b.requests - a.requests)

export const totalsOf = (rows: readonly ApplicationFiguresRow[]): { requests: number; errors: number } => ({
  requests: sum(rows, 'requests'),
  errors: sum(rows, 'errors'),
})
