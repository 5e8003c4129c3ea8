/** Counters for `/metrics`: by route id (the pattern, for pages beside the contract) and status, never by tenant, path or address. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** How an attempt to deliver ended: with 2xx, with another status, or without an answer. */
export type AttemptOutcome = 'delivered' | 'refused' | 'unanswered'

export interface Metrics {
  registry: Registry
  /** Records one answered request. */
  answered(routeId: string, status: number, milliseconds: number): void
  /** Records one attempt to deliver a notification. */
  attempted(outcome: AttemptOutcome): void
  /** Records that a browser refused something to the dashboard. */
  violated(): void
  /** Values read when somebody looks. */
  gauge(name: string, help: string, read: () => Promise<number>): void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'waypost_' })
  const requests = new Counter({
    name: 'waypost_http_requests_total',
    help: 'Requests answered, by route and status',
    labelNames: ['route', 'status'],
    registers: [registry],
  })
  const duration = new Histogram({
    name: 'waypost_http_request_seconds',
    help: 'Time from a request to its answer, by route',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 90],
    registers: [registry],
  })
  const attempts = new Counter({
    name: 'waypost_delivery_attempts_total',
    help: 'Attempts to deliver a notification, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const attemptsBy = {
    delivered: attempts.labels({ outcome: 'delivered' }),
    refused: attempts.labels({ outcome: 'refused' }),
    unanswered: attempts.labels({ outcome: 'unanswered' }),
  }
  const violations = new Counter({
    name: 'waypost_csp_reports_total',
    help: 'Reports of browsers that refused something to the dashboard',
    registers: [registry],
  })
  const counters = new Map<string, Counter.Internal>()
  const histograms = new Map<string, Histogram.Internal<'route'>>()

  return {
    registry,
    answered(routeId, status, milliseconds) {
      const key = `${routeId} ${status}`
      let counter = counters.get(key)
      if (!counter) {
        counter = requests.labels({ route: routeId, status: String(status) })
        counters.set(key, counter)
      }
      counter.inc()
      let histogram = histograms.get(routeId)
      if (!histogram) {
        histogram = duration.labels({ route: routeId })
        histograms.set(routeId, histogram)
      }
      histogram.observe(milliseconds / 1000)
    },
    violated: () => violations.inc(),
    attempted: (outcome) => attemptsBy[outcome].inc(),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await read())
        },
      })
    },
  }
}
