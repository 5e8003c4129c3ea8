/**
 * A contract step removes what older versions use, so it waits until none of them is alive.
 *
 * A node may start while the step begins. Therefore the step is announced first: from then on, older versions refuse
 * to start. A node reads the announcement once more after its first heartbeat, and the step looks for older nodes
 * once more after the announcement, so at least one of them sees the other. Version 0.1.0 reads only the table
 * `migrations` and only once; an entry there and the pause before the second look cover it.
 */
import { sleep } from '@waypost/platform/clock'
import { isOlder } from '@waypost/platform/versions'
import { type Database, sql } from '../../engine/database.ts'
import { nodesOlderThan } from '../../tables/applications/nodes.ts'
import type { PlannedStep } from '../recorded-steps.ts'
import type { ContractStep } from '../schema-change.ts'
import { progressOf } from './progress.ts'
import { runStep, type StepOutcome, type StepRunner } from './run-step.ts'
import { claimStep, readStep, releaseStep } from './step-lease.ts'

const announce = sql('migrations.announce')`insert into migrations (number, name, applied_at) values ($1, $2, $3)
   on conflict (number) do nothing`
const withdraw = sql('migrations.withdraw')`delete from migrations where number = $1`

/** The version that reads only the table `migrations`. */
const firstVersion = '0.1.0'

/** Runs a contract step if no older node is alive. `waiting` if one is. */
export async function runContract(
  options: StepRunner,
  planned: PlannedStep & { step: ContractStep },
): Promise<StepOutcome | 'waiting'> {
  const { database, runner, pace, signal } = options
  if ((await readStep(database, planned))?.state === 'done') return 'found'
  if (await isInUse(options, planned)) return 'waiting'
  if (!(await claimStep(database, planned, { runner, leaseMs: pace.announceMs + pace.leaseMs }))) {
    return (await readStep(database, planned))?.state === 'done' ? 'found' : 'waiting'
  }
  const { change, step } = planned
  if (isOlder(firstVersion, step.unusedSince)) {
    await database.run(announce, [change.number, change.name, await database.now()])
  }
  await sleep(pace.announceMs, signal)
  if (signal.aborted || (await isInUse(options, planned))) {
    await takeBack(database, planned, runner)
    return signal.aborted ? 'stopped' : 'waiting'
  }
  try {
    return await runStep(options, { change, step })
  } catch (error) {
    await takeBack(database, planned, runner)
    throw error
  }
}

async function isInUse(options: StepRunner, planned: PlannedStep & { step: ContractStep }): Promise<boolean> {
  const { database, report } = options
  const now = await database.now()
  const nodes = await nodesOlderThan(database, planned.step.unusedSince, now)
  if (nodes.length === 0) return false
  report(progressOf(planned, { runner: undefined, isOwn: false, since: now, olderNodes: nodes }))
  return true
}

/** Older versions may start again. */
const takeBack = (database: Database, planned: PlannedStep, runner: string): Promise<void> =>
  database.transaction(async (tx) => {
    await releaseStep(tx, planned, { runner, state: 'waiting' })
    if ((await readStep(tx, planned))?.state !== 'done') await tx.run(withdraw, [planned.change.number])
  })
