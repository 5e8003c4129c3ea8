import { isOlder } from '@waypost/platform/versions'
import { type Queries, sql } from '../../engine/database.ts'
import { named, number, type RowOf, table, text } from '../../engine/table.ts'

const nodes = table('nodes', {
  id: text,
  started_at: number,
  seen_at: number,
  delivers: number,
  roles: text,
  watched_grants: number,
  version: text,
  host: text,
  leases: number,
})
const beat = named<RowOf<typeof nodes>>('nodes.beat')`insert into nodes (${nodes.columns}) values (${nodes.values})
   on conflict (id) do update set
   seen_at = excluded.seen_at, watched_grants = excluded.watched_grants, leases = excluded.leases`
const leave = sql('nodes.leave', { raises: ['deliveries', 'sends', 'jobs', 'watches'] })`delete from nodes
   where id = $1`
// The row stays, because messages that its requests send belong to the node as long as its heartbeat continues.
const retire = sql('nodes.retire', { raises: ['deliveries', 'jobs', 'watches'] })`update nodes
   set roles = 'api', delivers = 0, watched_grants = 0, leases = 0 where id = $1`
const forget = sql('nodes.forget', { raises: ['deliveries', 'sends', 'jobs', 'watches'] })`delete from nodes
   where seen_at < $1`
const abandon = sql('nodes.abandon', { raises: ['deliveries', 'sends', 'jobs', 'watches'] })`delete from nodes`
const live = sql<{ id: string; roles: string; leases: number }>('nodes.live')`select id, roles, leases from nodes
   where seen_at >= $1`

const delivering = sql<{ count: number }>('nodes.delivering')`select count(*) as count from nodes
   where seen_at >= $1 and delivers = 1`

/** The roles of a node. A worker combines deliverer (deliveries, sending, housekeeping) and watcher. */
export const roles = ['api', 'worker', 'deliverer', 'watcher'] as const
export type Role = (typeof roles)[number]
export const isDeliverer = (of: readonly string[]): boolean => of.includes('worker') || of.includes('deliverer')
export const isWatcher = (of: readonly string[]): boolean => of.includes('worker') || of.includes('watcher')

export interface Node {
  id: string
  startedAt: number
  roles?: readonly string[]
  version?: string
  /** The host name of the machine. */
  host?: string
}

/** A node as of its last heartbeat. */
export type SeenNode = Omit<RowOf<typeof nodes>, 'delivers' | 'leases'>
const seen = sql<SeenNode>('nodes.seen')`select id, started_at, seen_at, roles, watched_grants, version, host from nodes
   order by started_at, id`

/** A node without a heartbeat for this long counts as dead. */
export const nodeLeaseMs = 15_000

/** The current load of a node. */
export interface NodeWork {
  watchedGrants: number
  /** Webhook destinations that it delivers to. */
  leases: number
}

export const beatNode = (
  queries: Queries,
  { id, startedAt, roles: of = [], version = '', host = '' }: Node,
  now: number,
  { watchedGrants, leases }: NodeWork = { watchedGrants: 0, leases: 0 },
): Promise<number> =>
  queries.run(
    ...beat({
      id,
      started_at: startedAt,
      seen_at: now,
      delivers: isDeliverer(of) ? 1 : 0,
      roles: of.join(','),
      watched_grants: watchedGrants,
      version,
      host,
      leases,
    }),
  )
export const leaveNode = (queries: Queries, id: string): Promise<number> => queries.run(leave, [id])
/** The node works no longer in the background; others share its work from now on. */
export const retireNode = (queries: Queries, id: string): Promise<number> => queries.run(retire, [id])
export const forgetDeadNodes = (queries: Queries, now: number): Promise<number> =>
  queries.run(forget, [now - 20 * nodeLeaseMs])
/** Deletes all nodes, when the only server of a SQLite file starts. */
export const abandonNodes = (queries: Queries): Promise<number> => queries.run(abandon)

export interface LiveNode {
  id: string
  roles: string[]
  /** The number of destinations as of its last heartbeat. */
  leases: number
}

/** The live nodes with their roles. */
export const liveRoles = async (queries: Queries, now: number): Promise<LiveNode[]> =>
  (await queries.all(live, [now - nodeLeaseMs])).map(({ roles, ...node }) => ({ ...node, roles: roles.split(',') }))
export const liveNodes = async (queries: Queries, now: number): Promise<string[]> =>
  (await liveRoles(queries, now)).map(({ id }) => id)
/** The number of live nodes that deliver. */
export const liveDeliverers = async (queries: Queries, now: number): Promise<number> =>
  (await queries.get(delivering, [now - nodeLeaseMs]))?.count ?? 0
/** The live nodes that watch grants, in the same order on every node. */
export const liveWatchers = async (queries: Queries, now: number): Promise<string[]> =>
  (await liveRoles(queries, now))
    .filter((node) => isWatcher(node.roles))
    .map(({ id }) => id)
    .toSorted()
/** The live nodes and those that died recently without signing off, oldest first. */
export const seenNodes = (queries: Queries): Promise<SeenNode[]> => queries.all(seen)

/** The live nodes that are older than a version, such as `web-1 (1.2.0)`. */
export async function nodesOlderThan(queries: Queries, version: string, now: number): Promise<string[]> {
  const nodes = await seenNodes(queries)
  return nodes
    .filter((node) => node.seen_at >= now - nodeLeaseMs && isOlder(node.version, version))
    .map((node) => `${node.host || node.id} (${node.version || 'unknown version'})`)
}
