/** What `waypost db distribute` will do, and what keeps it from starting. */
import { type Database, type Queries, sql } from '../engine/database.ts'
import { liveNodes } from '../tables/applications/nodes.ts'
import { type Cluster, readCluster } from './cluster.ts'
import { currentPlacement, missingSteps } from './distribute.ts'
import { type Placement, tablePlacement } from './table-placement.ts'

export interface PlannedTable {
  table: string
  placement: Placement
  why: string
  /** The estimate of PostgreSQL. */
  rows: number
  bytes: number
  /** What happens to the table while the step runs. */
  blocked: string
}

export interface DistributionPlan {
  cluster: Cluster | undefined
  /** Reasons not to start, each with its remedy. */
  problems: string[]
  /** Facts to know, which do not prevent it. */
  warnings: string[]
  steps: PlannedTable[]
}

const sizes = sql<{ name: string; rows: number; bytes: number }>('citus.sizes')`
   select c.relname as name, cast(greatest(c.reltuples, 0) as bigint) as rows,
   coalesce((select sum(pg_total_relation_size(t.relid)) from pg_partition_tree(c.oid) t), pg_total_relation_size(c.oid))
   as bytes
   from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
   and not c.relispartition`

const blockedBy: Record<Placement, string> = {
  distributed: 'no reads and writes while its rows are copied to the workers',
  reference: 'no reads and writes while its rows are copied to every server',
  coordinator: 'no reads and writes for a moment; no row is copied',
  local: 'nothing',
}

async function clusterProblems(cluster: Cluster | undefined): Promise<string[]> {
  if (!cluster) {
    return ['the database has no Citus: install it on every server, and run "create extension citus" in each database']
  }
  const problems: string[] = []
  if (!cluster.hasCoordinator)
    problems.push(`the coordinator is unknown to Citus: run "select citus_set_coordinator_host('HOST', PORT)"`)
  if (cluster.workers.length === 0)
    problems.push(`there is no worker: run "select citus_add_node('HOST', PORT)" for each`)
  for (const { host, port, isReachable } of cluster.workers) {
    if (!isReachable)
      problems.push(`the worker ${host}:${port} does not answer: start it, or remove it from the cluster`)
  }
  return problems
}

const unplaced = (tables: Iterable<string>): string[] =>
  [...tables].filter((table) => tablePlacement[table] === undefined && !table.startsWith('distribution'))

/** Reads everything, and changes nothing. */
export async function planDistribution(database: Database, now: number): Promise<DistributionPlan> {
  if (database.engine !== 'postgresql') {
    const only = 'SQLite is one file on one machine: only a store on PostgreSQL can be distributed (DATABASE_URL)'
    return { cluster: undefined, problems: [only], warnings: [], steps: [] }
  }
  const cluster = await readCluster(database)
  const problems = await clusterProblems(cluster)
  if (database.isPooled())
    problems.push('the address leads to a pooler: set WAYPOST_DATABASE_DIRECT_URL to that of PostgreSQL')
  const nodes = await liveNodes(database, now)
  if (nodes.length > 0) problems.push(`nodes are running (${nodes.join(', ')}): stop them, and start them afterwards`)
  if (!cluster) return { cluster, problems, warnings: [], steps: [] }
  const strangers = unplaced((await currentPlacement(database)).keys())
  const warnings = strangers.map((table) => `the table ${table} is not one of Waypost, and stays where it is`)
  if (cluster.walLevel !== 'logical')
    warnings.push(
      'wal_level is not logical: shards can be moved to new workers only while their rows cannot be written',
    )
  return { cluster, problems, warnings, steps: await plannedTables(database) }
}

async function plannedTables(queries: Queries): Promise<PlannedTable[]> {
  const found = new Map((await queries.all(sizes)).map((row) => [row.name, row]))
  return (await missingSteps(queries)).map(({ table, placement }) => ({
    table,
    placement,
    why: tablePlacement[table]?.why ?? '',
    rows: Number(found.get(table)?.rows ?? 0),
    bytes: Number(found.get(table)?.bytes ?? 0),
    blocked: blockedBy[placement],
  }))
}
