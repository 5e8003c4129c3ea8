/**
 * Which process works on a step. The lease is a row, not a session lock, because it must work behind a pooler and
 * outlast the single transactions of a step. What changes the schema runs in a transaction under the lock of
 * `exclusively` as well, so a process that was frozen beyond its lease does no harm.
 */
import { type Database, type Queries, sql } from '../../engine/database.ts'
import { compatibleFrom, factsOf, type PlannedStep, type RecordedStep } from '../recorded-steps.ts'

const claim = sql('schema_changes.claim')`
   insert into schema_changes (number, step, kind, name, version, compatible_from, state, runner, leased_until,
   started_at) values ($1, $2, $3, $4, $5, $6, 'running', $7, $8, $9)
   on conflict (number, step) do update set state = 'running', runner = excluded.runner,
   leased_until = excluded.leased_until, started_at = coalesce(schema_changes.started_at, excluded.started_at)
   where schema_changes.state <> 'done' and (schema_changes.leased_until is null
   or schema_changes.leased_until < excluded.started_at or schema_changes.runner = excluded.runner)`
const renew = sql('schema_changes.renew')`update schema_changes set leased_until = $4, done_rows = $5, total_rows = $6
   where number = $1 and step = $2 and runner = $3 and state = 'running'`
const advance = sql('schema_changes.advance')`update schema_changes
   set leased_until = $4, after_key = $5, done_rows = done_rows + $6
   where number = $1 and step = $2 and runner = $3 and state = 'running'`
const release = sql('schema_changes.release')`update schema_changes set leased_until = null, state = $4
   where number = $1 and step = $2 and runner = $3 and state = 'running'`
const read = sql<RecordedStep>('schema_changes.read')`
   select number, step, kind, name, version, compatible_from, state, runner, leased_until, started_at, finished_at,
   after_key, done_rows, total_rows from schema_changes where number = $1 and step = $2`

export interface Runner {
  /** Names the process to others. */
  runner: string
  leaseMs: number
}

const keyOf = ({ change, step }: PlannedStep): [number, string] => [change.number, step.name]

export const readStep = (queries: Queries, planned: PlannedStep): Promise<RecordedStep | undefined> =>
  queries.get(read, keyOf(planned))

/** Takes the step, unless it is done or another process has it. */
export async function claimStep(
  database: Database,
  planned: PlannedStep,
  { runner, leaseMs }: Runner,
): Promise<boolean> {
  const now = await database.now()
  const row = [...factsOf(planned), compatibleFrom(planned), runner, now + leaseMs, now]
  return (await database.run(claim, row)) === 1
}

/** Extends the lease, and records the progress of a step that has no batches. */
export const renewLease = async (
  database: Database,
  planned: PlannedStep,
  { runner, leaseMs, done = 0, total = 0 }: Runner & { done?: number; total?: number },
): Promise<number> => database.run(renew, [...keyOf(planned), runner, (await database.now()) + leaseMs, done, total])

/** The lease ended, and another process may have gone on. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** Records a batch in its own transaction. A process without the lease must not commit. */
export async function recordBatch(
  tx: Queries,
  planned: PlannedStep,
  { runner, until, after, rows }: { runner: string; until: number; after: string; rows: number },
): Promise<void> {
  const count = await tx.run(advance, [...keyOf(planned), runner, until, after, rows])
  if (count !== 1) throw new LeaseLost(`the lease of ${planned.step.name} has ended`)
}

/** Gives up the lease. The step stays under way, or waits again. */
export const releaseStep = (
  queries: Queries,
  planned: PlannedStep,
  { runner, state }: { runner: string; state: 'running' | 'waiting' },
): Promise<number> => queries.run(release, [...keyOf(planned), runner, state])
