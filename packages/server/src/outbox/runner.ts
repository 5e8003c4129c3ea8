/**
 * Runs outbox jobs: claims due jobs under a lease, calls the handler of their kind, and retries failures later. If a
 * process dies, its jobs become available when the lease ends, so a job may run twice.
 */
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Database } from '../store/engine/database.ts'
import {
  claimOutbox,
  completeOutbox,
  deferOutbox,
  failOutbox,
  type OutboxRow,
} from '../store/tables/notifications/outbox.ts'

export type JobHandlers = Readonly<Record<string, (payload: string, signal: AbortSignal) => Promise<void>>>

/**
 * Thrown by a handler whose job must wait for another. The job is retried after this delay and does not count as
 * failed.
 */
export class JobDeferred extends Error {
  override readonly name = 'JobDeferred'
  readonly ms: number

  constructor(ms: number) {
    super('the job waits for another')
    this.ms = ms
  }
}

export interface Runner {
  database: Database
  clock: Clock
  log: Log
  nodeId: string
  handlers: JobHandlers
  signal: AbortSignal
}

const leaseMs = 60_000
const batch = 20
/** The delay starts at 30 s and doubles up to 6 h: ten attempts take about a day. */
const maxAttempts = 10
const delayAfter = (attempts: number): number => Math.min(30_000 * 2 ** (attempts - 1), 6 * 3_600_000)

/** Runs one batch. Returns the number of claimed jobs. */
export async function runDueJobs(runner: Runner): Promise<number> {
  const { database, clock, nodeId } = runner
  const now = clock.now()
  const jobs = await claimOutbox(database, { owner: nodeId, leaseUntil: now + leaseMs, now, limit: batch })
  await Promise.all(jobs.map((job) => runJob(runner, job)))
  return jobs.length
}

async function runJob({ database, clock, log, nodeId, handlers, signal }: Runner, job: OutboxRow): Promise<void> {
  const facts = { job: job.id, kind: job.kind, grant_id: job.grant_id, attempts: job.attempts }
  try {
    const handler = handlers[job.kind]
    if (!handler) throw new Error(`no handler for jobs of kind ${job.kind}`)
    await handler(job.payload, signal)
    await completeOutbox(database, job, nodeId)
  } catch (error) {
    if (error instanceof JobDeferred) {
      await deferOutbox(database, job, nodeId, clock.now() + error.ms)
      return
    }
    if (job.attempts >= maxAttempts) {
      log.error({ ...facts, error }, 'a job failed permanently')
      await completeOutbox(database, job, nodeId)
      return
    }
    log.warn({ ...facts, error }, 'a job failed and will be retried')
    await failOutbox(database, job, nodeId, clock.now() + delayAfter(job.attempts))
  }
}
