/**
 * Figures of this node by the minute, for the charts of the dashboard: counted in memory, written every few seconds.
 * Latencies are stored as histograms, so that figures of several nodes and minutes can be merged.
 */
import type { HealthFigures } from '@waypost/contract'
import type { Clock } from '@waypost/platform/clock'
import { seconds } from '@waypost/platform/clock'
import type { Queries } from '@waypost/store/engine/database'
import { type FiguresRow, saveFigures } from '@waypost/store/tables/figures/health-figures'
import { emptyHistogram, type Histogram, observe, percentile, together } from './latency-histogram.ts'

const minuteMs = 60_000
export interface HealthCounters extends AsyncDisposable {
  /** Counts an answered request. Without a time, the answer does not count towards latency. */
  answered(status: number, milliseconds: number | undefined): void
  attempted(isDelivered: boolean, milliseconds: number): void
  providerFailed(): void
  /** Writes the counts since the last call. */
  flush(): Promise<void>
}

type Latencies = 'latencies' | 'delivery_latencies'
type MinuteCount = Omit<FiguresRow, Latencies | 'memory_bytes' | 'watched_grants'> & Record<Latencies, Histogram>

export function createHealthCounters(
  queries: Queries,
  { clock, nodeId, watchedGrants }: { clock: Clock; nodeId: string; watchedGrants(): number },
): HealthCounters {
  const minuteNow = (): number => Math.floor(clock.now() / minuteMs) * minuteMs
  const begin = (minute: number): MinuteCount => ({
    at: minute,
    node_id: nodeId,
    requests: 0,
    errors: 0,
    latencies: emptyHistogram(),
    deliveries: 0,
    delivery_failures: 0,
    delivery_latencies: emptyHistogram(),
    provider_errors: 0,
  })
  let current = begin(minuteNow())
  /** Finished minutes that are not written yet: few, unless the store is down. */
  let over: MinuteCount[] = []
  const atMost = 60

  const turn = (): MinuteCount => {
    const minute = minuteNow()
    if (minute !== current.at) {
      over = [...over, current].slice(-atMost)
      current = begin(minute)
    }
    return current
  }
  const rowOf = (counted: MinuteCount): Omit<FiguresRow, 'memory_bytes'> => ({
    ...counted,
    latencies: JSON.stringify(counted.latencies),
    delivery_latencies: JSON.stringify(counted.delivery_latencies),
    watched_grants: watchedGrants(),
  })
  /**
   * The last written figures without memory use. A change of memory alone is not written, so that an idle node writes
   * nothing.
   */
  let written = ''
  const save = async (counted: MinuteCount): Promise<void> => {
    const row = rowOf(counted)
    const text = JSON.stringify(row)
    if (text === written) return
    await saveFigures(queries, { ...row, memory_bytes: process.memoryUsage.rss() })
    written = text
  }
  const flush = async (): Promise<void> => {
    turn()
    while (over[0]) {
      await save(over[0])
      over = over.slice(1)
    }
    await save(current)
  }

  return {
    answered(status, milliseconds) {
      const counted = turn()
      counted.requests++
      if (status >= 500) counted.errors++
      if (milliseconds !== undefined) observe(counted.latencies, milliseconds)
    },
    attempted(isDelivered, milliseconds) {
      const counted = turn()
      if (isDelivered) counted.deliveries++
      else counted.delivery_failures++
      observe(counted.delivery_latencies, milliseconds)
    },
    providerFailed() {
      turn().provider_errors++
    },
    flush,
    // A CLI command has counted nothing and is not a node.
    [Symbol.asyncDispose]: async () => {
      if (over.length > 0 || current.requests + current.deliveries + current.delivery_failures > 0)
        await flush().catch(() => undefined)
    },
  }
}

export interface SeriesSteps {
  from: number
  to: number
  stepMs: number
}

/** The start of a series over `hours`, and the length of its steps, which is longer in a long series. */
export function stepsOf(
  hours: number,
  now: number,
  [short, long]: readonly [number, number] = [minuteMs, 5 * minuteMs],
): SeriesSteps {
  const stepMs = hours > 8 ? long : short
  const to = Math.floor(now / stepMs) * stepMs
  return { from: to - hours * 3_600_000 + stepMs, to, stepMs }
}

/** The figures of each step, without gaps. */
export function inSteps<R extends { at: number }, F>(
  rows: readonly R[],
  { from, to, stepMs }: SeriesSteps,
  figuresAt: (at: number, rows: readonly R[]) => F,
): F[] {
  const byStep = Map.groupBy(rows, ({ at }) => Math.floor(at / stepMs) * stepMs)
  return Array.from({ length: Math.round((to - from) / stepMs) + 1 }, (_, index) => {
    const at = from + index * stepMs
    return figuresAt(at, byStep.get(at) ?? [])
  })
}

/** Rows of all nodes as a series. */
export const seriesOf = (rows: readonly FiguresRow[], steps: SeriesSteps): HealthFigures[] =>
  inSteps(rows, steps, figuresOf)

function figuresOf(at: number, rows: readonly FiguresRow[]): HealthFigures {
  const sum = (of: (row: FiguresRow) => number): number => rows.reduce((total, row) => total + of(row), 0)
  const latencies = together(rows.map((row) => row.latencies))
  // Of several minutes the last one counts: watched grants and memory are levels, not sums.
  const latest = [...new Map(rows.map((row) => [row.node_id, row])).values()]
  return {
    at: seconds(at),
    requests: sum((row) => row.requests),
    errors: sum((row) => row.errors),
    latency_p50_ms: percentile(latencies, 0.5),
    latency_p95_ms: percentile(latencies, 0.95),
    deliveries: sum((row) => row.deliveries),
    delivery_failures: sum((row) => row.delivery_failures),
    delivery_p50_ms: percentile(together(rows.map((row) => row.delivery_latencies)), 0.5),
    provider_errors: sum((row) => row.provider_errors),
    watched_grants: latest.reduce((total, row) => total + row.watched_grants, 0),
    memory_bytes: latest.reduce((total, row) => total + row.memory_bytes, 0),
  }
}
