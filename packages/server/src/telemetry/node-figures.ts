/**
 * Figures that other modules hold, or that are read from the store, as samples of metrics at each scrape. Those of the
 * store are read all together, and at most every few seconds, so that its load does not depend on the number of scrapers.
 */

import type { Clock } from '@waypost/platform/clock'
import type { CountedPool } from '@waypost/platform/parsing/pool'
import type { Sample } from '@waypost/platform/tally'
import { version } from '@waypost/platform/versions'
import type { Queries } from '@waypost/store/engine/database'
import type { StoreFigures } from '@waypost/store/engine/statement-figures'
import { recordedSteps } from '@waypost/store/migrations/recorded-steps'
import { stepKinds } from '@waypost/store/migrations/schema-change'
import type { OperationKind } from '@waypost/store/store-health'
import { countOpenApprovals } from '@waypost/store/tables/agents/approvals'
import { countEventsToRemove } from '@waypost/store/tables/calendars-contacts/removed-calendars'
import { tallyDestinations } from '@waypost/store/tables/figures/health-figures'
import { countGrants, dueJobs, lastBackup, oldestDelivery } from '@waypost/store/tables/figures/installation-figures'
import { countWaiting } from '@waypost/store/tables/notifications/deliveries'
import { countFailedJobs } from '@waypost/store/tables/notifications/failed-jobs'
import { outboxDepth } from '@waypost/store/tables/notifications/outbox'
import type { Load } from './load.ts'
import type { MetricName } from './metric-table.ts'
import type { Metrics } from './metrics.ts'

const one = (value: number): Sample[] => [[[], value]]

/** Records how long the store takes to answer. */
export function storeTimes(
  metrics: Pick<Metrics, 'histograms'>,
): (requested: OperationKind, milliseconds: number) => void {
  const all = metrics.histograms('waypost_store_seconds')
  const by = { read: all.of('read'), write: all.of('write'), transaction: all.of('transaction') }
  return (requested, milliseconds) => by[requested].observe(milliseconds / 1000)
}

export function readStore(
  metrics: Pick<Metrics, 'read'>,
  { engine, figures, unanswered }: { engine: string; figures: StoreFigures; unanswered(): number },
): void {
  const byStatement = (of: (figures: { count: number; seconds: number }) => number) => (): Sample[] =>
    Array.from(figures.statements(), ([name, each]) => [[name], of(each)])
  metrics.read('waypost_build_info', () => [[[version, process.version, engine], 1]])
  metrics.read(
    'waypost_store_statements_total',
    byStatement(({ count }) => count),
  )
  metrics.read(
    'waypost_store_statement_seconds_total',
    byStatement(({ seconds }) => seconds),
  )
  metrics.read('waypost_store_retries_total', () => one(figures.retries))
  metrics.read('waypost_store_unanswered', () => one(unanswered()))
  metrics.read('waypost_store_connections', () => {
    const connections = figures.connections()
    if (!connections) return []
    return [
      [['used'], connections.used],
      [['idle'], connections.idle],
    ]
  })
  metrics.read('waypost_store_connections_waiting', () => {
    const connections = figures.connections()
    return connections ? one(connections.waiting) : []
  })
}

export function readPools(metrics: Pick<Metrics, 'read'>, pools: Readonly<Record<string, CountedPool>>): void {
  const ofPools = (samples: (figures: ReturnType<CountedPool['figures']>, pool: string) => Sample[]) => (): Sample[] =>
    Object.entries(pools).flatMap(([pool, each]) => samples(each.figures(), pool))
  metrics.read(
    'waypost_threads',
    ofPools(({ busy, idle }, pool) => [
      [[pool, 'busy'], busy],
      [[pool, 'idle'], idle],
    ]),
  )
  metrics.read(
    'waypost_thread_jobs_waiting',
    ofPools(({ waiting }, pool) => [[[pool], waiting]]),
  )
  metrics.read(
    'waypost_thread_failures_total',
    ofPools(({ failures }, pool) => Object.entries(failures).map(([reason, count]) => [[pool, reason], count])),
  )
}

export function readLoad(metrics: Pick<Metrics, 'read'>, load: Pick<Load, 'figures'>): void {
  metrics.read('waypost_requests_under_way', () => one(load.figures().underWay))
  metrics.read('waypost_requests_waiting', () => one(load.figures().waiting))
  metrics.read('waypost_load_refusals_total', () =>
    Object.entries(load.figures().refused).map(([reason, count]) => [[reason], count]),
  )
}

/** Figures of the watches of a node. */
interface WatchedFigures {
  watched: number
  due: number
  polling: number
  resting: number
  oldestDueMs: number
}

export function readWatches(metrics: Pick<Metrics, 'read'>, figures: () => WatchedFigures): void {
  metrics.read('waypost_watched_grants', () => one(figures().watched))
  metrics.read('waypost_watch_oldest_due_seconds', () => one(figures().oldestDueMs / 1000))
  metrics.read('waypost_watches', () => {
    const { watched, due, polling, resting } = figures()
    return [
      [['waiting'], Math.max(0, watched - due - polling - resting)],
      [['due'], due],
      [['looking'], polling],
      [['resting'], resting],
    ]
  })
}

type Figures = Partial<Record<MetricName, Sample[]>>

/** How long figures stay valid: at least `keptMs`, and a multiple of the time that reading them took. */
const retainedMs = 2_000
const retainedTimes = 50

interface StoredFiguresOptions {
  queries: Queries
  clock: Clock
  /** A monotonic clock in milliseconds. */
  now?(): number
}

/** Reads the metrics of the installation from the store. */
export function readStoredFigures(metrics: Pick<Metrics, 'read'>, options: StoredFiguresOptions): void {
  const figures = cached(options)
  for (const name of storedNames) metrics.read(name, async () => (await figures())[name] ?? [])
}

const storedNames: readonly MetricName[] = [
  'waypost_grants',
  'waypost_destinations',
  'waypost_deliveries_waiting',
  'waypost_deliveries_oldest_waiting_seconds',
  'waypost_approvals_open',
  'waypost_outbox_jobs',
  'waypost_failed_jobs',
  'waypost_events_to_remove',
  'waypost_queue_due',
  'waypost_queue_oldest_seconds',
  'waypost_schema_steps_unfinished',
  'waypost_schema_backfill_rows',
  'waypost_last_backup_timestamp_seconds',
]

function cached({ queries, clock, now = () => performance.now() }: StoredFiguresOptions): () => Promise<Figures> {
  let last: { until: number; figures: Promise<Figures> } | undefined
  return () => {
    const began = now()
    if (last && began < last.until) return last.figures
    const figures = readFigures(queries, clock.now())
    const reading = { until: Number.POSITIVE_INFINITY, figures }
    const done = (): void => {
      reading.until = now() + Math.max(retainedMs, (now() - began) * retainedTimes)
    }
    figures.then(done, done)
    last = reading
    return figures
  }
}

async function readFigures(queries: Queries, now: number): Promise<Figures> {
  const grants = await countGrants(queries)
  const destinations = await tallyDestinations(queries)
  const jobs = await dueJobs(queries, now)
  const oldest = await oldestDelivery(queries, now)
  const backup = await lastBackup(queries)
  const steps = (await recordedSteps(queries)).filter(({ state }) => state !== 'done')
  return {
    waypost_schema_steps_unfinished: stepKinds.map((kind) => [
      [kind],
      steps.filter((step) => step.kind === kind).length,
    ]),
    waypost_schema_backfill_rows: steps
      .filter(({ kind }) => kind === 'backfill')
      .flatMap(({ number, done_rows, total_rows }): Sample[] => [
        [[String(number), 'done'], done_rows],
        [[String(number), 'total'], total_rows],
      ]),
    waypost_grants: grants.map(({ provider, state, count }) => [[provider, state], count]),
    waypost_destinations: Object.entries(destinations).map(([status, count]) => [[status], count]),
    waypost_deliveries_waiting: [[[], await countWaiting(queries)]],
    waypost_deliveries_oldest_waiting_seconds: [[[], secondsSince(oldest ?? now, now)]],
    waypost_approvals_open: [[[], await countOpenApprovals(queries)]],
    waypost_outbox_jobs: [[[], await outboxDepth(queries)]],
    waypost_failed_jobs: (await countFailedJobs(queries)).map(({ kind, n }) => [[kind], n]),
    waypost_events_to_remove: [[[], await countEventsToRemove(queries)]],
    waypost_queue_due: jobs.map(({ kind, count }) => [[kind], count]),
    waypost_queue_oldest_seconds: jobs.map(({ kind, dueAt }) => [[kind], secondsSince(dueAt, now)]),
    waypost_last_backup_timestamp_seconds: backup === undefined ? [] : [[[], backup / 1000]],
  }
}

const secondsSince = (at: number, now: number): number => Math.max(0, now - at) / 1000
