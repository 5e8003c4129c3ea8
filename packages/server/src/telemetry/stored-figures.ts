/**
 * Figures that are read from the store for `/metrics`: all of them together, and at most every few seconds, so that
 * the load on the store does not depend on the number of scrapers.
 */
import type { Clock } from '@waypost/platform/clock'
import type { Sample } from '@waypost/platform/tally'
import type { Queries } from '@waypost/store/engine/database'
import { recordedSteps } from '@waypost/store/migrations/recorded-steps'
import { stepKinds } from '@waypost/store/migrations/schema-change'
import { countOpenApprovals } from '@waypost/store/tables/agents/approvals'
import { countEventsToRemove } from '@waypost/store/tables/calendars-contacts/removed-calendars'
import { tallyDestinations } from '@waypost/store/tables/figures/health-figures'
import { countGrants, dueJobs, lastBackup, oldestDelivery } from '@waypost/store/tables/figures/installation-figures'
import { countWaiting } from '@waypost/store/tables/notifications/deliveries'
import { countFailedJobs } from '@waypost/store/tables/notifications/failed-jobs'
import { outboxDepth } from '@waypost/store/tables/notifications/outbox'
import type { MetricName } from './metric-table.ts'
import type { Metrics } from './metrics.ts'

type Figures = Partial<Record<MetricName, Sample[]>>

/** How long figures stay valid: at least `keptMs`, and a multiple of the time that reading them took. */
const retainedMs = 2_000
const retainedTimes = 50

export interface StoredFiguresOptions {
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
