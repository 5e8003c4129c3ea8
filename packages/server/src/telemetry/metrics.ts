/** What `/metrics` tells: the figures of `metric-table.ts`, kept as plain numbers, and the process's own. */
import type { ErrorCode } from '@waypost/contract'
import { type Metric as ClientMetric, collectDefaultMetrics, Registry } from 'prom-client'
import { Counts, type Histogram, Histograms, type Labels, type Sample } from '../lib/tally.ts'
import { type Metric, type MetricName, metricTable } from './metric-table.ts'

export interface Metrics {
  registry: Registry
  /** What is counted under a name. */
  counts(name: MetricName): Counts
  /** What is measured under a name. */
  histograms(name: MetricName): Histograms
  /** Has the values of a metric read when somebody looks; what cannot be read has none. */
  read(name: MetricName, samples: () => Iterable<Sample> | Promise<Iterable<Sample>>): void
  /** Records one answered request. */
  answered(routeId: string, status: number, milliseconds: number): void
  /** Records that a request was answered with an error, by its name in the table of errors. */
  erred(code: ErrorCode): void
  /** Records that a browser refused something to the dashboard. */
  violated(): void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'waypost_' })
  const counted = new Map<MetricName, Counts>()
  const measured = new Map<MetricName, Histograms>()
  const readers = new Map<MetricName, () => Iterable<Sample> | Promise<Iterable<Sample>>>()

  const samplesOf = async (name: MetricName): Promise<Iterable<Sample>> => {
    const read = readers.get(name)
    if (!read) return counted.get(name)?.samples() ?? []
    try {
      return await read()
    } catch {
      // A store that does not answer must not take the other figures with it.
      return []
    }
  }
  const names = Object.keys(metricTable) as MetricName[]
  for (const name of names) {
    const metric: Metric = metricTable[name]
    const { type, help, labels } = metric
    const values = async (): Promise<Value[]> =>
      type === 'histogram'
        ? (measured.get(name)?.entries() ?? []).flatMap((each) => bucketsOf(name, labels, each))
        : Array.from(await samplesOf(name), ([given, value]) => ({ labels: named(labels, given), value }))
    const read = async () => ({ name, help, type, values: await values(), aggregator: 'sum' })
    // The registry asks nothing else of a metric than this.
    registry.registerMetric({ name, help, type, get: read } as unknown as ClientMetric)
  }

  const counts: Metrics['counts'] = (name) => kept(counted, name, () => new Counts())
  const histograms: Metrics['histograms'] = (name) => kept(measured, name, () => new Histograms(boundsOf(name)))
  const requests = counts('waypost_http_requests_total')
  const durations = histograms('waypost_http_request_seconds')
  const errors = counts('waypost_http_errors_total')
  const violations = counts('waypost_csp_reports_total').of()
  return {
    registry,
    counts,
    histograms,
    read: (name, samples) => void readers.set(name, samples),
    answered(routeId, status, milliseconds) {
      requests.add(routeId, String(status))
      durations.of(routeId).observe(milliseconds / 1000)
    },
    erred: (code) => errors.add(code),
    violated: () => void violations.value++,
  }
}

interface Value {
  labels: Record<string, string | number>
  value: number
  metricName?: string
}

function kept<T>(all: Map<MetricName, T>, name: MetricName, make: () => T): T {
  const known = all.get(name)
  if (known) return known
  const made = make()
  all.set(name, made)
  return made
}

function boundsOf(name: MetricName): readonly number[] {
  const metric: Metric = metricTable[name]
  if (metric.type !== 'histogram') throw new Error(`${name} is no histogram`)
  return metric.bounds
}

const named = (names: Labels, values: Labels): Record<string, string> =>
  Object.fromEntries(names.map((name, place) => [name, values[place] ?? '']))

/** A histogram as Prometheus reads it: each bucket counts all that is within its bound. */
function bucketsOf(name: string, names: Labels, [given, histogram]: readonly [Labels, Histogram]): Value[] {
  const labels = named(names, given)
  let total = 0
  const buckets = histogram.counts.map((count, place) => {
    total += count
    return { metricName: `${name}_bucket`, labels: { ...labels, le: histogram.bounds[place] ?? '+Inf' }, value: total }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: histogram.sum },
    { metricName: `${name}_count`, labels, value: total },
  ]
}
