/**
 * Does what was written to be done later: claims due jobs under a lease, runs the handler of their kind, and tries again
 * later what failed for a while. A job whose process dies is free again when its lease ends, so it may run twice.
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

/** Thrown by a handler whose job has to wait for another: it is looked at again after so long, and has not failed. */
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
/** 30 s, doubled each time up to 6 h: ten tries spread over about a day. */
const maxAttempts = 10
const delayAfter = (attempts: number): number => Math.min(30_000 * 2 ** (attempts - 1), 6 * 3_600_000)

/** Runs one batch; answers how many jobs it claimed. */
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
      log.error({ ...facts, error }, 'a job failed for good')
      await completeOutbox(database, job, nodeId)
      return
    }
    log.warn({ ...facts, error }, 'a job failed and is tried again')
    await failOutbox(database, job, nodeId, clock.now() + delayAfter(job.attempts))
  }
}
