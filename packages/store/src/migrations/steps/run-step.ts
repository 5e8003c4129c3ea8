/** Runs one step under its lease, or waits until another process has done so. */
import { sleep } from '@waypost/platform/clock'
import type { Database } from '../../engine/database.ts'
import { changeDistributed } from '../../sharding/new-tables.ts'
import { type PlannedStep, recordDone } from '../recorded-steps.ts'
import { type BackfillStep, type ContractStep, createIndex, type ExpandStep, type IndexStep } from '../schema-change.ts'
import { buildIndex, indexProgress } from './build-index.ts'
import { isLockWait, type LockWaits, usualLockWaits, type Waiting, withShortLocks } from './lock-waits.ts'
import { progressOf, type Report } from './progress.ts'
import { claimStep, readStep, recordBatch, releaseStep, renewLease } from './step-lease.ts'

export interface Pace {
  waits: LockWaits
  /** A process that does not renew its lease for this long counts as dead. */
  leaseMs: number
  /** How often a process looks whether another has finished a step. */
  pollMs: number
  /** The least pause between two batches of a backfill. */
  batchPauseMs: number
  /** The time between the announcement of a contract step and the last look for older nodes. */
  announceMs: number
}

export const usualPace: Pace = {
  waits: usualLockWaits,
  leaseMs: 15_000,
  pollMs: 500,
  batchPauseMs: 20,
  announceMs: 15_000,
}

export interface StepRunner {
  database: Database
  /** Names this process to others. */
  runner: string
  report: Report
  pace: Pace
  /** Ends waits and backfills. */
  signal: AbortSignal
}

/** `done` by this process, `found` done by another, or `stopped` by the signal. */
export type StepOutcome = 'done' | 'found' | 'stopped'

/** Runs a step, unless another process has done it or does it now: then waits for it. */
export async function runStep(options: StepRunner, planned: PlannedStep): Promise<StepOutcome> {
  const { database, runner, report, pace, signal } = options
  while (!signal.aborted) {
    const recorded = await readStep(database, planned)
    if (recorded?.state === 'done') return 'found'
    if (await claimStep(database, planned, { runner, leaseMs: pace.leaseMs })) {
      if (await runClaimed(options, planned)) return 'done'
      continue
    }
    const now = await readStep(database, planned)
    if (now?.state === 'running') {
      const { runner: other, started_at: startedAt, done_rows: done, total_rows: total } = now
      report(progressOf(planned, { runner: other ?? undefined, isOwn: false, since: startedAt ?? 0, done, total }))
    }
    await sleep(pace.pollMs, signal)
  }
  return 'stopped'
}

/** Runs a step whose lease this process has. Returns whether the step is done. */
async function runClaimed(options: StepRunner, planned: PlannedStep): Promise<boolean> {
  const { database, runner } = options
  const { step } = planned
  try {
    if (step.kind === 'backfill') return await fill(options, planned, step)
    await using _lease = keepLease(options, planned)
    if (step.kind === 'index') await index(options, planned, step)
    else await define(options, planned, step)
    return true
  } catch (error) {
    // Others need not wait for the end of the lease. If the store is away, the lease ends by itself.
    await releaseStep(database, planned, { runner, state: 'running' }).catch(() => undefined)
    throw error
  }
}

/** Renews the lease in the background, and reports the progress of a long step. */
function keepLease({ database, runner, report, pace }: StepRunner, planned: PlannedStep): AsyncDisposable {
  const ended = new AbortController()
  const { step } = planned
  const follow = async (): Promise<void> => {
    const since = await database.now().catch(() => 0)
    for (;;) {
      await sleep(Math.min(1_000, pace.leaseMs / 3), ended.signal)
      if (ended.signal.aborted) return
      const isWatched = step.kind === 'index' && database.engine === 'postgresql'
      const blocks = isWatched ? await indexProgress(database, step.table).catch(() => undefined) : undefined
      report(progressOf(planned, { runner, isOwn: true, since, ...blocks }))
      await renewLease(database, planned, { runner, leaseMs: pace.leaseMs, ...blocks }).catch(() => undefined)
    }
  }
  const following = follow()
  return {
    async [Symbol.asyncDispose]() {
      ended.abort()
      await following
    },
  }
}

const waitingFor = ({ runner, report, pace }: StepRunner, planned: PlannedStep, since: number): Waiting => ({
  what: `change ${planned.change.number} (${planned.change.name}), ${planned.step.kind} ${planned.step.name}`,
  waits: pace.waits,
  waited: (blockedBy) => report(progressOf(planned, { runner, isOwn: true, since, blockedBy })),
})

/** Runs DDL and records it, in one transaction with short waits for locks. */
async function define(options: StepRunner, planned: PlannedStep, step: ExpandStep | ContractStep): Promise<void> {
  const { database, runner } = options
  const now = await database.now()
  await withShortLocks(
    database,
    async (tx, execute) => {
      // Another process may have been faster while this one was frozen.
      if ((await readStep(tx, planned))?.state === 'done') return
      if (database.isDistributed()) await changeDistributed(tx, execute, step.text)
      else await execute(step.text)
      await recordDone(tx, planned, { runner, now })
    },
    waitingFor(options, planned, now),
  )
}

async function index(options: StepRunner, planned: PlannedStep, step: IndexStep): Promise<void> {
  const { database, runner } = options
  const now = await database.now()
  if (database.engine === 'postgresql') {
    await buildIndex(database, step, waitingFor(options, planned, now))
    await recordDone(database, planned, { runner, now: await database.now() })
    return
  }
  await database.exclusively(async (tx, execute) => {
    await execute(createIndex(step))
    await recordDone(tx, planned, { runner, now })
  })
}

/** Runs batches until none is left. Returns false if the signal ended it before. */
async function fill(options: StepRunner, planned: PlannedStep, step: BackfillStep): Promise<boolean> {
  const { database, runner, report, pace, signal } = options
  const recorded = await readStep(database, planned)
  let after = recorded?.after_key ?? undefined
  let done = recorded?.done_rows ?? 0
  const total = recorded?.total_rows || (await step.total(database))
  const since = recorded?.started_at ?? (await database.now())
  await renewLease(database, planned, { runner, leaseMs: pace.leaseMs, done, total })
  while (!signal.aborted) {
    const began = performance.now()
    const now = await database.now()
    const until = now + pace.leaseMs
    const result = await database
      .transaction(async (tx) => {
        const batch = await step.batch(tx, after)
        if (batch) await recordBatch(tx, planned, { runner, until, ...batch })
        else await recordDone(tx, planned, { runner, now })
        return batch
      })
      .catch((error) => {
        // A request was faster: the same batch again.
        if (isLockWait(error)) return { after, rows: 0 }
        throw error
      })
    if (!result) return true
    after = result.after
    done += result.rows
    report(progressOf(planned, { runner, isOwn: true, since, done, total }))
    // The store belongs to requests for at least half of the time.
    await sleep(Math.max(pace.batchPauseMs, performance.now() - began), signal)
  }
  await releaseStep(database, planned, { runner, state: 'running' })
  return false
}
