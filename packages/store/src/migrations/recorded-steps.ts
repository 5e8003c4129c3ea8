/** The steps of schema changes as the store records them. */
import { type Engine, type Queries, sql } from '../engine/database.ts'
import type { SchemaChange, Step } from './schema-change.ts'

export type StepState = 'waiting' | 'running' | 'done'

export interface RecordedStep {
  number: number
  step: string
  kind: Step['kind']
  /** The name of the change. */
  name: string
  /** The version that brought the change. */
  version: string
  /** The oldest version whose nodes can run once the step has started. */
  compatible_from: string
  state: StepState
  /** The process that works on the step, while `leased_until` lies ahead. */
  runner: string | null
  leased_until: number | null
  started_at: number | null
  finished_at: number | null
  /** Where a backfill goes on. */
  after_key: string | null
  done_rows: number
  total_rows: number
}

const list = sql<RecordedStep>('schema_changes.list')`
   select number, step, kind, name, version, compatible_from, state, runner, leased_until, started_at, finished_at,
   after_key, done_rows, total_rows from schema_changes order by number, started_at, step`
const record = sql('schema_changes.record')`
   insert into schema_changes (number, step, kind, name, version, compatible_from, state, runner, started_at,
   finished_at) values ($1, $2, $3, $4, $5, $6, 'done', $7, $8, $8)
   on conflict (number, step) do update set state = 'done', runner = excluded.runner, leased_until = null,
   started_at = coalesce(schema_changes.started_at, excluded.started_at), finished_at = excluded.finished_at`

export const recordedSteps = (queries: Queries): Promise<RecordedStep[]> => queries.all(list)

/** A step together with its change. */
export interface PlannedStep {
  readonly change: SchemaChange
  readonly step: Step
}

export const stepsOf = (changes: readonly SchemaChange[], engine: Engine): PlannedStep[] =>
  changes.flatMap((change) => change.steps(engine).map((step) => ({ change, step })))

export const compatibleFrom = ({ change, step }: PlannedStep): string =>
  step.kind === 'contract' ? step.unusedSince : change.compatibleFrom

export const factsOf = ({ change, step }: PlannedStep) => [
  change.number,
  step.name,
  step.kind,
  change.name,
  change.version,
]

/** Records a step as done, in the transaction that does it. */
export const recordDone = (
  tx: Queries,
  planned: PlannedStep,
  { runner, now }: { runner: string; now: number },
): Promise<number> => tx.run(record, [...factsOf(planned), compatibleFrom(planned), runner, now])
