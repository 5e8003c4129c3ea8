/** The content of `/metrics`: the figures of `metric-table.ts`, held as plain numbers, and those of the process. */
import type { ErrorCode } from '@waypost/contract'
import { type Count, Counts, type Histogram, Histograms, type Sample } from '@waypost/platform/tally'
import type { Family } from './exposition.ts'
import { type Metric, type MetricName, metricTable, type Scope } from './metric-table.ts'
import { followProcess } from './process-figures.ts'

export interface Metrics {
  /** All current values, or those of one scope. */
  families(of?: Scope): Promise<Family[]>
  /** The counter of this name. */
  counts(name: MetricName): Counts
  /** The histogram of this name. */
  histograms(name: MetricName): Histograms
  /** Has the values of a metric read at each scrape. A metric that cannot be read has no samples. */
  read(name: MetricName, samples: () => Iterable<Sample> | Promise<Iterable<Sample>>): void
  /** Records one answered request. */
  answered(routeId: string, status: number, milliseconds: number): void
  /** Records that a request was answered with an error, by its name in the table of errors. */
  erred(code: ErrorCode): void
  /** Records that a browser refused something to the dashboard. */
  violated(): void
}

export function createMetrics(): Metrics {
  const counted = new Map<MetricName, Counts>()
  const measured = new Map<MetricName, Histograms>()
  const readers = new Map<MetricName, () => Iterable<Sample> | Promise<Iterable<Sample>>>()

  const samplesOf = async (name: MetricName): Promise<Iterable<Sample>> => {
    const read = readers.get(name)
    if (!read) return counted.get(name)?.samples() ?? []
    try {
      return await read()
    } catch {
      // If the store does not answer, the other figures are still reported.
      return []
    }
  }
  const all = Object.keys(metricTable) as MetricName[]
  const namesOf = (of: Scope | undefined): MetricName[] =>
    of === undefined ? all : all.filter((name) => metricTable[name].scope === of)
  const familyOf = async (name: MetricName): Promise<Family> => {
    const { type, help, labels }: Metric = metricTable[name]
    const histograms = type === 'histogram' ? (measured.get(name)?.entries() ?? []) : undefined
    const values = histograms ? { histograms } : { samples: await samplesOf(name) }
    return { name, type, help, labels, values }
  }
  const process = followProcess()

  const counts: Metrics['counts'] = (name) => retained(counted, name, () => new Counts())
  const histograms: Metrics['histograms'] = (name) => retained(measured, name, () => new Histograms(boundsOf(name)))
  const requests = counts('waypost_http_requests_total')
  const durations = histograms('waypost_http_request_seconds')
  /** By route and status, so that a request creates no labels. */
  const routes = new Map<string, { times: Histogram; statuses: Map<number, Count> }>()
  const errors = counts('waypost_http_errors_total')
  const violations = counts('waypost_csp_reports_total').of()
  return {
    families: async (of) => [
      ...(of === undefined || of === 'node' ? await process() : []),
      ...(await Promise.all(namesOf(of).map(familyOf))),
    ],
    counts,
    histograms,
    read: (name, samples) => void readers.set(name, samples),
    answered(routeId, status, milliseconds) {
      let route = routes.get(routeId)
      if (!route) {
        route = { times: durations.of(routeId), statuses: new Map() }
        routes.set(routeId, route)
      }
      let count = route.statuses.get(status)
      if (!count) {
        count = requests.of(routeId, String(status))
        route.statuses.set(status, count)
      }
      count.value++
      route.times.observe(milliseconds / 1000)
    },
    erred: (code) => errors.add(code),
    violated: () => void violations.value++,
  }
}

/** A metric with the samples of another place. */
export function sampledFamily(name: MetricName, samples: Iterable<Sample>): Family {
  const { help, labels, type }: Metric = metricTable[name]
  return { name, type, help, labels, values: { samples } }
}

function retained<T>(all: Map<MetricName, T>, name: MetricName, make: () => T): T {
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
