/**
 * Runs outbox jobs: claims due jobs under a lease, calls the handler of their kind, and retries failures later. A job
 * that used all its attempts is kept as failed, and the operator is notified. If a process dies, its jobs become
 * available when the lease ends, so a job may run twice.
 */
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Log } from '@waypost/platform/log'
import type { Counts } from '@waypost/platform/tally'
import type { Database } from '@waypost/store/engine/database'
import { addFailedJob } from '@waypost/store/tables/notifications/failed-jobs'
import {
  claimOutbox,
  completeOutbox,
  deferOutbox,
  failOutbox,
  type JobKind,
  type OutboxRow,
} from '@waypost/store/tables/notifications/outbox'
import { announceFailedJob, jobErrorOf, type OperatorMail } from './failed-jobs.ts'

/** Names a job in every attempt to do it. */
export type JobName = Pick<OutboxRow, 'application_id' | 'id'>
export type JobHandler = (payload: string, signal: AbortSignal, job: JobName) => Promise<void>
export type JobHandlers<K extends JobKind> = Readonly<Record<K, JobHandler>>

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
  handlers: JobHandlers<JobKind>
  signal: AbortSignal
  /** Encrypts the messages of errors. */
  seals: DataSeals
  /** Jobs that failed permanently, by kind. */
  failures: Pick<Counts, 'add'>
  /** Undefined if the service cannot send mail. */
  operatorMail: OperatorMail | undefined
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

async function runJob(runner: Runner, job: OutboxRow): Promise<void> {
  const { database, clock, log, nodeId, handlers, signal } = runner
  const facts = { job: job.id, kind: job.kind, grant_id: job.grant_id, attempts: job.attempts }
  try {
    await handlers[job.kind](job.payload, signal, job)
    await completeOutbox(database, job, nodeId)
  } catch (error) {
    if (error instanceof JobDeferred) {
      await deferOutbox(database, job, nodeId, clock.now() + error.ms)
      return
    }
    if (job.attempts >= maxAttempts) {
      if (await keepFailed(runner, job, error)) log.error({ ...facts, error }, 'a job failed permanently')
      return
    }
    log.warn({ ...facts, error }, 'a job failed and will be retried')
    await failOutbox(database, job, nodeId, clock.now() + delayAfter(job.attempts))
  }
}

/** Moves a job to the failed ones. False if another node has taken it over. */
async function keepFailed(runner: Runner, job: OutboxRow, error: unknown): Promise<boolean> {
  const { database, clock, nodeId, seals, failures, operatorMail } = runner
  const now = clock.now()
  const isMoved = await database.transaction(async (tx) => {
    if ((await completeOutbox(tx, job, nodeId)) === 0) return false
    await addFailedJob(tx, job, { ...jobErrorOf(error), now, seals })
    if (operatorMail) await announceFailedJob(tx, job, { ...operatorMail, now })
    return true
  })
  if (isMoved) failures.add(job.kind)
  return isMoved
}
