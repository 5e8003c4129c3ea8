/** The figures of a node, for `/metrics` and for the charts of the dashboard. */

import type { Tracer } from '@waypost/platform/span'
import type { Database } from '@waypost/store/engine/database'
import type { Watcher } from '../changes/watcher.ts'
import type { Config } from '../config.ts'
import type { LedgerOptions } from '../sending/ledger/ledger.ts'
import type { CountedOf } from '../telemetry/application-counters.ts'
import { type CredentialLog, createCredentialLog } from '../telemetry/credential-log.ts'
import { createHealthCounters, type HealthCounters } from '../telemetry/health-counters.ts'
import { createLoad, type Load } from '../telemetry/load.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { readLoad, readPools, readStore, readWatches } from '../telemetry/node-figures.ts'
import { outcomeOf } from '../telemetry/outcomes.ts'
import { readStoredFigures } from '../telemetry/stored-figures.ts'
import { createTracing } from '../telemetry/tracing.ts'
import { createTraffic, type Traffic } from '../telemetry/traffic.ts'
import { isDelivered } from '../webhooks/delivery/attempt.ts'
import type { Outcome } from '../webhooks/delivery/destination-worker.ts'
import type { Storage } from './storage.ts'
import type { Threads } from './threads.ts'

/** Answers whose duration says nothing about latency: long polls, and requests outside every route. */
const telling: ReadonlySet<string> = new Set(['notifications.list', 'none'])

interface TelemetryParts {
  nodeId: string
  watcher(): Pick<Watcher, 'size' | 'figures'>
  threads: Threads
}

export interface Telemetry {
  metrics: Metrics
  figures: HealthCounters
  traffic: Traffic
  credentialLog: CredentialLog
  /** Counts a failure of a provider, and the account that it concerned. */
  providerFailed(of: CountedOf | undefined): void
  /** Counts a delivery attempt. */
  attempted(outcome: Outcome): void
  /** Counts a poll for changes. */
  polled(provider: string, error: unknown, milliseconds: number): void
  /** Counts the outcome of an attempt to send a message. */
  settled: NonNullable<LedgerOptions['settled']>
}

export function openTelemetry(
  stack: AsyncDisposableStack,
  { metrics: counters, database, clock, log, serviceClock }: Storage,
  { nodeId, watcher, threads }: TelemetryParts,
): Telemetry {
  const figures = stack.use(createHealthCounters(database, { clock, nodeId, watchedGrants: () => watcher().size }))
  const traffic = stack.use(createTraffic(database, { clock, log, nodeId }))
  const credentialLog = stack.use(createCredentialLog(database, { clock, log }))
  const metrics: Metrics = {
    ...counters,
    answered(routeId, status, milliseconds) {
      counters.answered(routeId, status, milliseconds)
      figures.answered(status, telling.has(routeId) ? undefined : milliseconds)
    },
  }
  readStore(metrics, database)
  readStoredFigures(metrics, { queries: database, clock })
  readPools(metrics, { parse: threads.parse, compose: threads.composing, answers: threads.answers })
  readWatches(metrics, () => ({ watched: watcher().size, ...watcher().figures() }))
  metrics.read('waypost_clock_difference_seconds', () => [[[], serviceClock.machineAhead / 1000]])
  const providerFailed = (of: CountedOf | undefined): void => {
    figures.providerFailed()
    if (of) traffic.providerFailed(of)
  }
  return { metrics, figures, traffic, credentialLog, providerFailed, ...countersOf(metrics, figures) }
}

/** The functions that other modules call to count. */
function countersOf(metrics: Metrics, figures: HealthCounters): Pick<Telemetry, 'attempted' | 'polled' | 'settled'> {
  const attempts = metrics.counts('waypost_delivery_attempts_total')
  const attemptTimes = metrics.histograms('waypost_delivery_attempt_seconds')
  const polls = metrics.counts('waypost_watch_looks_total')
  const pollTimes = metrics.histograms('waypost_watch_look_seconds')
  const sends = metrics.counts('waypost_sends_total')
  // Counters exist from the start, so that the first increase is visible.
  for (const outcome of ['delivered', 'refused', 'unanswered']) attempts.of(outcome)
  for (const outcome of Object.values(sendOutcomes)) sends.of(outcome)
  return {
    attempted(outcome) {
      const isOk = isDelivered(outcome)
      const name = isOk ? 'delivered' : outcome.status === null ? 'unanswered' : 'refused'
      attempts.add(name)
      attemptTimes.of(name).observe(outcome.latencyMs / 1000)
      figures.attempted(isOk, outcome.latencyMs)
    },
    polled(provider, error, milliseconds) {
      polls.add(provider, outcomeOf(error))
      pollTimes.of(provider).observe(milliseconds / 1000)
    },
    settled: (trigger) => sends.add(sendOutcomes[trigger]),
  }
}

const sendOutcomes = {
  take: 'sent',
  refuse: 'failed',
  postpone: 'postponed',
  lose: 'unknown',
  find: 'found',
  give_up: 'given_up',
  resend: 'resent',
} as const

/** Opens tracing, where the settings name a receiver. */
export const openTracing = (
  stack: AsyncDisposableStack,
  { metrics, clock, log }: Storage,
  { config, headers, nodeId }: { config: Config; headers: Readonly<Record<string, string>>; nodeId: string },
): Tracer | undefined =>
  config.otlpUrl === undefined
    ? undefined
    : stack.use(
        createTracing({
          ...{ url: config.otlpUrl, headers, ratio: config.traceRatio, clock, log, nodeId },
          spans: metrics.counts('waypost_trace_spans_total'),
        }),
      )

/** Opens load shedding, with its figures. */
export function openLoad(database: Database, metrics: Metrics): Load {
  const load = createLoad({ unanswered: () => database.unanswered() })
  readLoad(metrics, load)
  return load
}
