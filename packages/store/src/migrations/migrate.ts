import { hostname } from 'node:os'
import { newShortName } from '@waypost/platform/ids'
import { version } from '@waypost/platform/versions'
import { type Database, type Engine, type Queries, sql } from '../engine/database.ts'
import { refuseForeignDatabase } from '../engine/foreign-database.ts'
import { refusePartlyDistributed } from '../sharding/new-tables.ts'
import { baseline, baselineName, baselineNumbers } from './baseline.ts'
import { changes } from './changes.ts'
import { schemaChanges } from './changes-1.0.ts'
import { type StoredSchema, schemaProblem } from './compatibility.ts'
import { type RecordedStep, recordDone, recordedSteps, stepsOf } from './recorded-steps.ts'
import { type BackfillStep, createIndex, type SchemaChange, splitSteps } from './schema-change.ts'
import { withShortLocks } from './steps/lock-waits.ts'
import type { Blocker, Report } from './steps/progress.ts'
import { type Pace, runStep, usualPace } from './steps/run-step.ts'
import { createSchemaWork, type SchemaWork } from './steps/schema-work.ts'

const applied = sql<{ number: number }>('migrations.applied')`select number from migrations order by number`
const record = sql('migrations.record')`insert into migrations (number, name, applied_at) values ($1, $2, $3)`

export interface MigrateOptions {
  /** For tests of changes that no version has. */
  changes?: readonly SchemaChange[]
  /** The version of this program. */
  version?: string
  /** Names this process to others that wait for it. */
  runner?: string
  /** Called while a step takes long or waits. */
  report?: Report
  pace?: Partial<Pace>
}

type Needed = Required<Omit<MigrateOptions, 'pace'>> & { pace: Pace }

const neededOf = ({ pace, ...options }: MigrateOptions): Needed => ({
  ...{
    changes,
    version,
    runner: `${hostname()}/${process.pid}/${newShortName(6)}`,
    report: () => undefined,
  },
  ...options,
  pace: { ...usualPace, ...pace },
})

/**
 * Brings the store to the schema of this version, except for steps that run in the background. Returns the names of
 * the changes that this process applied, `baseline` first for a new store.
 */
export async function migrate(database: Database, now: number, options: MigrateOptions = {}): Promise<string[]> {
  const needed = neededOf(options)
  return (await createStore(database, now, needed)) ?? applyChanges(database, needed)
}

/** The steps that `migrate` leaves for the time after the start. */
export function laterSteps(database: Database, options: MigrateOptions = {}): SchemaWork {
  const { changes: all, runner, report, pace } = neededOf(options)
  return createSchemaWork({ database, changes: all, runner, report, pace })
}

type Execute = (script: string) => Promise<void>

/**
 * Creates a new store in one transaction with all changes, so that nobody sees half of it. Returns undefined for an
 * existing store that this version can work on.
 */
function createStore(database: Database, now: number, needed: Needed): Promise<string[] | undefined> {
  const { engine } = database
  const waited = (blockedBy: readonly Blocker[]): void =>
    needed.report({
      change: 47,
      name: 'migrations',
      step: 'tables',
      kind: 'expand',
      runner: needed.runner,
      isOwn: true,
      since: now,
      done: 0,
      total: 0,
      blockedBy,
    })
  const work = async (tx: Queries, execute: Execute): Promise<string[] | undefined> => {
    await refuseForeignDatabase(database, tx)
    await execute(
      'create table if not exists migrations (number integer primary key, name text not null, applied_at bigint not null)',
    )
    if (needed.changes.length > 0) await execute(schemaChanges)
    const done = (await tx.all(applied)).map((row) => row.number)
    const steps = needed.changes.length > 0 ? await recordedSteps(tx) : []
    const problem = schemaProblem({ migrations: done, steps }, needed)
    if (problem !== undefined) throw new Error(problem)
    if (done.length > 0) return undefined
    await execute(baseline(engine))
    for (const number of baselineNumbers) await tx.run(record, [number, baselineName, now])
    await applyToNew(tx, execute, { engine, now, ...needed })
    return [baselineName, ...needed.changes.map(({ name }) => name)]
  }
  return withShortLocks(database, work, { what: 'the migration', waits: needed.pace.waits, waited })
}

/** Runs all steps at once: nobody uses the tables yet. */
async function applyToNew(
  tx: Queries,
  execute: Execute,
  { engine, now, changes: all, runner }: Needed & { engine: Engine; now: number },
): Promise<void> {
  for (const planned of stepsOf(all, engine)) {
    const { step } = planned
    if (step.kind === 'backfill') await fillAtOnce(tx, step)
    else await execute(step.kind === 'index' ? createIndex(step) : step.text)
    await recordDone(tx, planned, { runner, now })
  }
}

async function fillAtOnce(tx: Queries, step: BackfillStep): Promise<void> {
  let after: string | undefined
  do after = (await step.batch(tx, after))?.after
  while (after !== undefined)
}

/** Runs the steps that a node needs before it serves, each in its own transaction. SQLite has no background steps. */
async function applyChanges(database: Database, needed: Needed): Promise<string[]> {
  const { runner, report, pace } = needed
  const options = { database, runner, report, pace, signal: new AbortController().signal }
  const applied = new Set<string>()
  const done = new Set<string>()
  if (needed.changes.length > 0) {
    for (const { number, step, state } of await recordedSteps(database))
      if (state === 'done') done.add(`${number} ${step}`)
  }
  for (const change of needed.changes) {
    const steps = change.steps(database.engine)
    const { first, later } = splitSteps(steps)
    const atStart =
      database.engine === 'sqlite' ? [...first, ...later.filter(({ kind }) => kind !== 'contract')] : first
    for (const step of atStart) {
      if (done.has(`${change.number} ${step.name}`)) continue
      await refusePartlyDistributed(database)
      if ((await runStep(options, { change, step })) === 'done') applied.add(change.name)
    }
  }
  return [...applied]
}

/** Throws if a newer version has changed the store, or is about to, in a way that this version cannot work with. */
export async function checkSchema(
  database: Database,
  { version: own = version, changes: known = changes }: Pick<MigrateOptions, 'version' | 'changes'> = {},
): Promise<void> {
  const stored = { migrations: [], steps: await recordedSteps(database) }
  const problem = schemaProblem(stored, { version: own, changes: known })
  if (problem !== undefined) throw new Error(problem)
}

/** The scripts that create all tables of a new store, in order. */
export const schemaScripts = (engine: Engine): string[] => [
  'create table migrations (number integer primary key, name text not null, applied_at bigint not null)',
  baseline(engine),
  ...stepsOf(changes, engine).flatMap(({ step }) => {
    if (step.kind === 'backfill') return []
    return step.kind === 'index' ? createIndex(step) : step.text
  }),
]

/** The changes of this version that the store does not have. */
export const missingChanges = ({ steps }: StoredSchema): SchemaChange[] =>
  changes.filter(({ number }) => !steps.some((step) => step.number === number))

/** The schema that the store records; undefined for an empty store. */
export async function storedSchema(
  database: Database,
): Promise<(StoredSchema & { steps: RecordedStep[] }) | undefined> {
  const rows = await database.all(applied).catch(() => undefined)
  if (!rows) await refuseForeignDatabase(database, database)
  // Before version 1.0.0 there is no such table.
  const steps = await recordedSteps(database).catch(() => [])
  return rows && { migrations: rows.map(({ number }) => number), steps }
}
