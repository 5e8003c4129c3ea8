/** Figures of this node that other modules hold, read at each scrape as samples of metrics. */
import type { CountedPool } from '@waypost/platform/parsing/pool'
import type { Sample } from '@waypost/platform/tally'
import { version } from '@waypost/platform/versions'
import type { StoreFigures } from '@waypost/store/engine/statement-figures'
import type { OperationKind } from '@waypost/store/store-health'
import type { Load } from './load.ts'
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
export interface WatchedFigures {
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
