/**
 * Builds an index on PostgreSQL while others write to the table (`CREATE INDEX CONCURRENTLY`). A build that was
 * interrupted leaves an invalid index, which is dropped and built again.
 *
 * A partitioned table cannot be indexed in this way. Its index is declared for the table alone, then built on each
 * partition and attached. Partitions that are created meanwhile get theirs at once.
 */
import { sleep } from '@waypost/platform/clock'
import { type Database, type Queries, sql } from '../../engine/database.ts'
import { createIndex, type IndexStep } from '../schema-change.ts'
import { isLockWait, type Waiting, withShortLocks } from './lock-waits.ts'

const found = sql<{ valid: number; building: number }>('pg_index.state')`select cast(x.indisvalid as integer) as valid,
   (select count(*) from pg_stat_progress_create_index p where p.index_relid = x.indexrelid) as building
   from pg_index x join pg_class c on c.oid = x.indexrelid
   where c.relname = $1 and c.relnamespace = cast(current_schema() as regnamespace)`
const built = sql<{ done: number; total: number }>('pg_stat_progress_create_index.blocks')`
   select coalesce(sum(blocks_done), 0) as done, coalesce(sum(blocks_total), 0) as total
   from pg_stat_progress_create_index p join pg_class c on c.oid = p.relid
   where c.relname = $1 or c.oid in (select inhrelid from pg_inherits i join pg_class parent on parent.oid = i.inhparent
   where parent.relname = $1)`
const partitioned = sql<{ yes: number }>('pg_class.partitioned')`select 1 as yes from pg_class
   where relname = $1 and relkind = 'p' and relnamespace = cast(current_schema() as regnamespace)`
// Partitions whose index is not attached to the index of the table.
const unindexed = sql<{ name: string }>('pg_inherits.unindexed')`select part.relname as name from pg_inherits i
   join pg_class part on part.oid = i.inhrelid join pg_class parent on parent.oid = i.inhparent
   where parent.relname = $1 and parent.relnamespace = cast(current_schema() as regnamespace) and not exists (
     select 1 from pg_index x join pg_inherits a on a.inhrelid = x.indexrelid join pg_class whole on whole.oid = a.inhparent
     where x.indrelid = part.oid and whole.relname = $2) order by part.relname`

export type IndexState = 'missing' | 'building' | 'invalid' | 'valid'

export async function indexState(queries: Queries, name: string): Promise<IndexState> {
  const row = await queries.get(found, [name])
  if (!row) return 'missing'
  if (row.valid === 1) return 'valid'
  return row.building > 0 ? 'building' : 'invalid'
}

/** How far the running build is, in blocks of the table. */
export const indexProgress = async (queries: Queries, table: string): Promise<{ done: number; total: number }> => {
  const row = await queries.get(built, [table])
  return { done: Number(row?.done ?? 0), total: Number(row?.total ?? 0) }
}

export const isPartitioned = async (queries: Queries, table: string): Promise<boolean> =>
  (await queries.get(partitioned, [table])) !== undefined

export async function buildIndex(database: Database, step: IndexStep, waiting: Waiting): Promise<void> {
  if (await isPartitioned(database, step.table)) await buildOnPartitions(database, step, waiting)
  else await buildConcurrently(database, step, waiting)
}

/** The error of PostgreSQL for a table or index that is not there. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '42P01' || error.code === '42704')

const pauseMs = 500

async function buildConcurrently(database: Database, step: IndexStep, { waits, waited }: Waiting): Promise<void> {
  const statement = createIndex(step).replace(/\bindex /, 'index concurrently ')
  for (let attempt = 1; ; attempt++) {
    const state = await indexState(database, step.name)
    if (state === 'valid') return
    try {
      // The server may still build for a process that was killed.
      if (state === 'building') await sleep(pauseMs)
      else if (state === 'invalid') await database.maintain(`drop index concurrently if exists ${step.name}`)
      else await database.maintain(statement)
    } catch (error) {
      if (!isLockWait(error)) throw error
      waited([], attempt)
      await sleep(Math.min(waits.firstPauseMs * 2 ** (attempt - 1), waits.maxPauseMs))
    }
  }
}

async function buildOnPartitions(database: Database, step: IndexStep, waiting: Waiting): Promise<void> {
  const { name, table } = step
  const declare = createIndex(step).replace(` on ${table} `, ` on only ${table} `)
  if ((await indexState(database, name)) === 'missing')
    await withShortLocks(database, (_tx, execute) => execute(declare), waiting)
  for (;;) {
    const parts = await database.all(unindexed, [table, name])
    if (parts.length === 0) return
    for (const part of parts) {
      const own = `${name}_${part.name.replace(`${table}_`, '')}`
      try {
        await buildConcurrently(database, { ...step, name: own, table: part.name }, waiting)
        await withShortLocks(
          database,
          (_tx, execute) => execute(`alter index ${name} attach partition ${own}`),
          waiting,
        )
      } catch (error) {
        // Housekeeping drops expired partitions.
        if (!isMissing(error)) throw error
      }
    }
  }
}
