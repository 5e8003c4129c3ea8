/**
 * Distributes a store over the workers of a Citus cluster (ADR 0035). The steps are recorded in the store, each is one
 * transaction, and a run that was interrupted is continued by the next one.
 *
 * Citus refuses references between a table that is distributed and one that is not yet. So all references are dropped
 * first, and added again at the end. Nothing else may write to the store in the meantime.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, type Queries, StoreUnavailable, sql } from '../engine/database.ts'
import { givenUpReferences, type Placement, tablePlacement } from './table-placement.ts'

export interface DistributeOptions {
  /** The number of parts of each table. */
  shards: number
  /** Called before each step. */
  onStep?(step: DistributionStep): void
}

export interface DistributionStep {
  what: string
  table: string
  /** Rows at the beginning; 0 for steps that copy nothing. */
  rows: number
}

export interface Reference {
  table: string
  name: string
  definition: string
  to: string
}

/** All references between tables. */
export const references = sql<Reference>('citus.references')`
   select c.relname as table, f.conname as name, pg_get_constraintdef(f.oid) as definition, p.relname as to
   from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class p on p.oid = f.confrelid
   where f.contype = 'f' and f.connamespace = current_schema()::regnamespace order by c.relname, f.conname`
const tables = sql<{ name: string; placement: Placement | null }>('citus.tables')`select c.relname as name,
   case when d.logicalrelid is null then 'local' when d.partmethod = 'h' then 'distributed'
   when d.repmodel = 't' then 'reference' else 'coordinator' end as placement
   from pg_class c left join pg_dist_partition d on d.logicalrelid = c.oid
   where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
   order by c.relname`
const read = sql<{ value: string }>('citus.read')`select value from distribution_progress where name = $1`
const write = sql('citus.write')`insert into distribution_progress (name, value) values ($1, $2)
   on conflict (name) do update set value = excluded.value`
const exists = sql<{ found: boolean }>('citus.exists')`select to_regclass($1) is not null as found`

export const hasTable = async (queries: Queries, name: string): Promise<boolean> =>
  (await queries.get(exists, [name]))?.found === true

/** Where each table is now. */
export const currentPlacement = async (queries: Queries): Promise<Map<string, Placement>> =>
  new Map((await queries.all(tables)).map(({ name, placement }) => [name, placement ?? 'local']))

const countOf = async (queries: Queries, table: string): Promise<number> =>
  Number((await queries.get(sql<{ count: number }>('')`select count(*) as count from ${table}`))?.count)

export type Execute = (script: string) => Promise<void>

const tries = 5

/**
 * One transaction that no other process of the installation is in, without a time limit. A step that lost its
 * connection has changed nothing and runs again: a server that copies tables may be too busy for a sign of life.
 */
export async function step<T>(database: Database, work: (tx: Queries, execute: Execute) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.exclusively(async (tx, execute) => {
        await execute('set local statement_timeout = 0; set local client_min_messages = error')
        return work(tx, execute)
      })
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || attempt === tries) throw error
      await sleep(attempt * 1_000)
    }
  }
}

/** Remembers all references and drops them. */
async function dropReferences(tx: Queries, execute: Execute): Promise<void> {
  await execute('create table if not exists distribution_progress (name text primary key, value text not null)')
  if (await tx.get(read, ['references'])) return
  const found = await tx.all(references)
  const ours = found.filter(({ table }) => tablePlacement[table]?.placement !== 'local')
  await tx.run(write, ['references', JSON.stringify(ours)])
  for (const { table, name } of ours) await execute(`alter table ${table} drop constraint ${name}`)
}

/** Whether a distributed store has the reference too. */
export const isRetained = ({ table, to }: Reference): boolean =>
  !givenUpReferences.some((given) => given.table === table && given.to === to)

/** Adds the references again. */
async function addReferences(tx: Queries, execute: Execute): Promise<void> {
  const stored = (await tx.get(read, ['references']))?.value ?? '[]'
  const wanted: Reference[] = JSON.parse(stored)
  const there = new Set((await tx.all(references)).map(({ name }) => name))
  for (const reference of wanted.filter((each) => isRetained(each) && !there.has(each.name))) {
    await execute(addReference(reference))
  }
}

export const addReference = ({ table, name, definition }: Reference): string =>
  `alter table ${table} add constraint ${name} ${definition}`

/** The first table that is distributed; the others are placed with it. */
const first = 'grants'

/** The statement that places a table; a distributed store already has the first one. */
export const placing: Record<Placement, (table: string, shards: number) => string | undefined> = {
  reference: (table) => `select create_reference_table('${table}')`,
  coordinator: (table) => `select citus_add_local_table_to_metadata('${table}')`,
  distributed: (table, shards) =>
    table === first
      ? `select create_distributed_table('${table}', 'application_id', colocate_with => 'none', shard_count => ${shards})`
      : `select create_distributed_table('${table}', 'application_id', colocate_with => '${first}')`,
  local: () => undefined,
}

const order: readonly Placement[] = ['reference', 'distributed', 'coordinator']

/** The tables that are not yet where they belong, in the order of their steps. */
export async function missingSteps(queries: Queries): Promise<{ table: string; placement: Placement }[]> {
  const now = await currentPlacement(queries)
  const rank = (table: string): number => (table === first ? 0 : 1)
  return order.flatMap((placement) =>
    [...now]
      .filter(([table, at]) => tablePlacement[table]?.placement === placement && at !== placement)
      .map(([table]) => ({ table, placement }))
      .toSorted((a, b) => rank(a.table) - rank(b.table)),
  )
}

/** Places every table, adds the references, and marks the store as distributed. */
export async function distribute(database: Database, { shards, onStep }: DistributeOptions): Promise<void> {
  if (await hasTable(database, 'distribution')) return
  onStep?.({ what: 'drop references', table: '', rows: 0 })
  await step(database, dropReferences)
  for (const { table, placement } of await missingSteps(database)) {
    const rows = await countOf(database, table)
    onStep?.({ what: placement, table, rows })
    await step(database, async (tx, execute) => {
      await execute(placing[placement](table, shards) ?? '')
      const placed = await countOf(tx, table)
      if (placed !== rows) throw new Error(`${table} had ${rows} rows and has ${placed} now: something still writes`)
    })
  }
  onStep?.({ what: 'add references', table: '', rows: 0 })
  await step(database, addReferences)
  await step(database, (_tx, execute) => execute('alter table distribution_progress rename to distribution'))
}
