/** The figures of a node, for `/metrics` and for the charts of the dashboard. */

import type { Tracer } from '@waypost/platform/span'
import type { Watcher } from '../changes/watcher.ts'
import type { LedgerOptions } from '../sending/ledger/ledger.ts'
import { type CredentialLog, createCredentialLog, createKeyUse, type KeyUseBook } from '../telemetry/credential-log.ts'
import { createHealthCounters, type HealthCounters } from '../telemetry/health-counters.ts'
import { createLoad, type Load } from '../telemetry/load.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { readLoad, readPools, readStore, readStoredFigures, readWatches } from '../telemetry/node-figures.ts'
import { outcomeOf } from '../telemetry/provider-calls.ts'
import { createRateLimiter, type RateLimiter } from '../telemetry/rate-limit.ts'
import { createRefusalLog, type RefusalLog } from '../telemetry/refusal-log.ts'
import { createTracing } from '../telemetry/tracing.ts'
import { type CountedOf, createTraffic, type Traffic } from '../telemetry/traffic.ts'
import { createUnderWay, type UnderWay } from '../telemetry/under-way.ts'
import { isDelivered } from '../webhooks/delivery/attempt.ts'
import type { Outcome } from '../webhooks/delivery/destination-worker.ts'
import type { Given } from './build-options.ts'
import type { Storage } from './storage.ts'
import type { Threads } from './threads.ts'

/** Answers whose duration says nothing about latency: long polls, and requests outside every route. */
const telling: ReadonlySet<string> = new Set(['notifications.list', 'none'])

interface TelemetryParts {
  storage: Storage
  /** The metrics of the store count in these as well. */
  counters: Metrics
  nodeId: string
  watcher(): Pick<Watcher, 'size' | 'figures'>
  threads: Threads
}

export interface Telemetry {
  metrics: Metrics
  /** Begins spans, where traces are on. */
  tracer: Tracer | undefined
  /** Figures for the charts of the dashboard. */
  figures: HealthCounters
  /** Counts the calls of applications and grants. */
  traffic: Traffic
  /** The requests of restricted API keys and agents. */
  credentialLog: CredentialLog
  keyUse: KeyUseBook
  /** Logs refused requests, within bounds. */
  refusals: RefusalLog
  limiter: RateLimiter
  /** Sheds load when requests exceed the capacity of the node. */
  load: Load
  /** The running requests. */
  underWay: UnderWay
  /** Counts a failure of a provider, and the account that it concerned. */
  providerFailed(of: CountedOf | undefined): void
  /** Counts a delivery attempt. */
  attempted(outcome: Outcome): void
  /** Counts a poll for changes. */
  polled(provider: string, error: unknown, milliseconds: number): void
  /** Counts the outcome of an attempt to send a message. */
  settled: NonNullable<LedgerOptions['settled']>
}

export function openTelemetry(stack: AsyncDisposableStack, given: Given, parts: TelemetryParts): Telemetry {
  const { storage, counters, nodeId, watcher, threads } = parts
  const { database, clock, log, serviceClock } = storage
  const figures = stack.use(createHealthCounters(database, { clock, nodeId, watchedGrants: () => watcher().size }))
  const traffic = stack.use(createTraffic(database, { clock, log, nodeId }))
  const metrics: Metrics = {
    ...counters,
    answered(routeId, status, milliseconds) {
      counters.answered(routeId, status, milliseconds)
      figures.answered(status, telling.has(routeId) ? undefined : milliseconds)
    },
  }
  const load = given.overrides.load ?? createLoad({ unanswered: () => database.unanswered() })
  readStore(metrics, database)
  readStoredFigures(metrics, { queries: database, clock })
  readPools(metrics, { parse: threads.parse, compose: threads.composing, answers: threads.answers })
  readWatches(metrics, () => ({ watched: watcher().size, ...watcher().figures() }))
  if (!given.overrides.load) readLoad(metrics, load)
  metrics.read('waypost_clock_difference_seconds', () => [[[], serviceClock.machineAhead / 1000]])
  const suppressed = metrics.counts('waypost_log_suppressed_total').of()
  return {
    metrics,
    figures,
    traffic,
    load,
    tracer: openTracing(stack, given, { storage, metrics, nodeId }),
    credentialLog: stack.use(createCredentialLog(database, { clock, log })),
    keyUse: stack.use(createKeyUse(database)),
    refusals: stack.use(createRefusalLog({ log, suppressed })),
    limiter: createRateLimiter(),
    underWay: createUnderWay(),
    providerFailed(of) {
      figures.providerFailed()
      if (of) traffic.providerFailed(of)
    },
    ...countersOf(metrics, figures),
  }
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
function openTracing(
  stack: AsyncDisposableStack,
  { config, configSecrets }: Given,
  { storage: { clock, log }, metrics, nodeId }: Pick<TelemetryParts, 'storage' | 'nodeId'> & { metrics: Metrics },
): Tracer | undefined {
  const { otlpUrl, traceRatio } = config
  if (otlpUrl === undefined) return undefined
  const spans = metrics.counts('waypost_trace_spans_total')
  const headers = configSecrets.otlpHeaders
  return stack.use(createTracing({ url: otlpUrl, headers, ratio: traceRatio, clock, log, nodeId, spans }))
}
