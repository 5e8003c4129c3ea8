/** The servers of a Citus cluster, as the coordinator knows them. */
import { type Queries, sql } from '../engine/database.ts'

export interface Worker {
  host: string
  port: number
  /** The parts of tables that it holds. */
  shards: number
  isReachable: boolean
}

export interface Cluster {
  citusVersion: string
  /** Whether the coordinator is among its own servers, which tables on it require. */
  hasCoordinator: boolean
  workers: Worker[]
  walLevel: string
}

const installed = sql<{ version: string }>('citus.installed')`select extversion as version from pg_extension
   where extname = 'citus'`
const servers = sql<{ host: string; port: number; is_coordinator: boolean; shards: number }>('citus.servers')`
   select n.nodename as host, n.nodeport as port, n.groupid = 0 as is_coordinator,
   (select count(*) from pg_dist_placement p where p.groupid = n.groupid) as shards
   from pg_dist_node n where n.noderole = 'primary' and n.isactive and (n.groupid = 0 or n.shouldhaveshards)
   order by n.groupid`
const answering = sql<{ nodename: string; nodeport: number; success: boolean }>('citus.answering')`
   select nodename, nodeport, success from run_command_on_workers(cast($1 as text))`
const walLevel = sql<{ level: string }>('citus.walLevel')`select current_setting('wal_level') as level`

/** Undefined if the database has no Citus. */
export async function readCluster(queries: Queries): Promise<Cluster | undefined> {
  const extension = await queries.get(installed)
  if (!extension) return undefined
  const all = await queries.all(servers)
  const answers = await queries.all(answering, ['select 1'])
  const reached = new Set(answers.filter(({ success }) => success).map((one) => `${one.nodename}:${one.nodeport}`))
  return {
    citusVersion: extension.version,
    hasCoordinator: all.some((server) => server.is_coordinator),
    workers: all
      .filter((server) => !server.is_coordinator)
      .map(({ host, port, shards }) => ({ host, port, shards, isReachable: reached.has(`${host}:${port}`) })),
    walLevel: (await queries.get(walLevel))?.level ?? '',
  }
}
