/** What a node counts of itself: for `/metrics`, and for the charts of the dashboard. */
import type { Database } from '../store/database.ts'
import { countWaiting } from '../store/deliveries.ts'
import { outboxDepth } from '../store/outbox.ts'
import { createHealthCounters, type HealthCounters } from '../telemetry/health-counters.ts'
import { createLoad, type Load } from '../telemetry/load.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics.ts'
import type { Storage } from './storage.ts'

/** Answers that do not say how fast the service is: some wait for something to tell, and some are of no route. */
const telling: ReadonlySet<string> = new Set(['notifications.list', 'none'])

export function openTelemetry(
  stack: AsyncDisposableStack,
  { database, clock, serviceClock }: Storage,
  { nodeId, watchedGrants }: { nodeId: string; watchedGrants(): number },
): { metrics: Metrics; figures: HealthCounters } {
  const figures = stack.use(createHealthCounters(database, { clock, nodeId, watchedGrants }))
  const counters = createMetrics()
  const metrics: Metrics = {
    ...counters,
    answered(routeId, status, milliseconds) {
      counters.answered(routeId, status, milliseconds)
      figures.answered(status, telling.has(routeId) ? undefined : milliseconds)
    },
  }
  // A store that does not answer must not take the other figures with it.
  metrics.gauge('waypost_outbox_jobs', 'Jobs that wait or are under way', () =>
    outboxDepth(database).catch(() => Number.NaN),
  )
  metrics.gauge('waypost_deliveries_waiting', 'Notifications that wait for delivery, each counted by destination', () =>
    countWaiting(database).catch(() => Number.NaN),
  )
  metrics.gauge(
    'waypost_clock_difference_seconds',
    'How far the clock of the machine is ahead of the one the service goes by',
    async () => serviceClock.machineAhead / 1000,
  )
  metrics.gauge('waypost_watched_grants', 'Grants whose changes this node looks for', async () => watchedGrants())
  return { metrics, figures }
}

/** Who is served when more is asked than the node holds, with its figures. */
export function openLoad(database: Database, metrics: Metrics): Load {
  const load = createLoad({ unanswered: () => database.unanswered() })
  metrics.gauge(
    'waypost_requests_under_way',
    'Requests that this node is at work on',
    async () => load.figures().underWay,
  )
  metrics.gauge('waypost_requests_waiting', 'Requests that wait for their turn', async () => load.figures().waiting)
  return load
}
