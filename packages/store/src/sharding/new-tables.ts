/**
 * Changes of the schema on a distributed store. Their texts are written for one PostgreSQL, and Citus refuses some of
 * them: several statements at once, and a new table with references to distributed tables. So the statements run one by
 * one. A new table is created with its indexes and references on the coordinator alone, then placed without references,
 * and gets them back. Its names and definitions are those that one PostgreSQL has.
 */
import { type Database, type Queries, sql } from '../engine/database.ts'
import { UnusableStore } from '../engine/sqlite-file.ts'
import {
  addReference,
  currentPlacement,
  type Execute,
  hasTable,
  isRetained,
  missingSteps,
  placing,
  references,
  step,
} from './distribute.ts'
import { type Placement, tablePlacement } from './table-placement.ts'

const lockWait = sql<{ value: string }>('citus.lockWait')`select current_setting('lock_timeout') as value`

/** Has Citus send later statements of the transaction to all machines through one connection each, and limits their waits. */
async function beginChange(tx: Queries, execute: Execute): Promise<void> {
  await execute(`set local citus.multi_shard_modify_mode to 'sequential'`)
  // Workers get what is set in these words, and not what a function sets.
  await execute(`set local lock_timeout to '${(await tx.get(lockWait))?.value ?? 0}'`)
}

/** Runs a statement without Citus. */
async function aloneOnCoordinator(execute: Execute, statement: string): Promise<void> {
  await execute('set local citus.enable_ddl_propagation to off')
  await execute(statement)
  await execute('set local citus.enable_ddl_propagation to on')
}

/** The statements of a script. None has a semicolon within. */
const statementsOf = (script: string): string[] =>
  script
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')

const createdTable = /^create table (?:if not exists )?(\w+)/
const indexedTable = /^create (?:unique )?index \w+\s+on (\w+)/

/** Runs the script of a schema change in a transaction of a distributed store, and places the tables that it creates. */
export async function changeDistributed(tx: Queries, execute: Execute, script: string): Promise<void> {
  await beginChange(tx, execute)
  const created: { table: string; placement: Placement }[] = []
  for (const statement of statementsOf(script)) {
    const table = createdTable.exec(statement)?.[1]
    const placement = tablePlacement[table ?? '']?.placement ?? 'local'
    if (table !== undefined && placement !== 'local') created.push({ table, placement })
    const touched = table ?? indexedTable.exec(statement)?.[1]
    if (created.some((each) => each.table === touched)) await aloneOnCoordinator(execute, statement)
    else await execute(statement)
  }
  await placeTables(tx, execute, created)
}

async function placeTables(
  tx: Queries,
  execute: Execute,
  tables: readonly { table: string; placement: Placement }[],
): Promise<void> {
  const own = (await tx.all(references)).filter((reference) => tables.some(({ table }) => table === reference.table))
  const now = await currentPlacement(tx)
  for (const { table, name } of own) {
    const drop = `alter table ${table} drop constraint ${name}`
    if (now.get(table) === 'local') await aloneOnCoordinator(execute, drop)
    else await execute(drop)
  }
  for (const { table, placement } of tables) await execute(placing[placement](table, 0) ?? '')
  for (const reference of own.filter(isRetained)) await execute(addReference(reference))
}

/** A distribution that was interrupted has dropped references and continues with the tables that it found. */
export async function refusePartlyDistributed(database: Database): Promise<void> {
  if (database.engine !== 'postgresql' || !(await hasTable(database, 'distribution_progress'))) return
  throw new UnusableStore(
    'the store is only partly distributed, and this version changes its tables',
    'run "waypost db distribute" of the version that began it to its end, then upgrade',
  )
}

/**
 * Places the tables that nodes of earlier versions created in a distributed store. Refuses a store whose distribution was
 * interrupted.
 */
export async function placeNewTables(database: Database): Promise<void> {
  if (database.engine !== 'postgresql') return
  if (await hasTable(database, 'distribution_progress')) {
    throw new UnusableStore('the store is only partly distributed', 'run "waypost db distribute" to its end')
  }
  if (!database.isDistributed() || (await missingSteps(database)).length === 0) return
  await step(database, async (tx, execute) => {
    await beginChange(tx, execute)
    await placeTables(tx, execute, await missingSteps(tx))
  })
}
