import { type Queries, sql } from './database.ts'

const beat = sql(
  'nodes.beat',
  `insert into nodes (id, started_at, seen_at, delivers, roles, watched_grants) values ($1, $2, $3, $4, $5, $6)
   on conflict (id) do update set seen_at = excluded.seen_at, watched_grants = excluded.watched_grants`,
)
const leave = sql('nodes.leave', 'delete from nodes where id = $1')
const forget = sql('nodes.forget', 'delete from nodes where seen_at < $1')
const abandon = sql('nodes.abandon', 'delete from nodes')
const live = sql<{ id: string }>('nodes.live', 'select id from nodes where seen_at >= $1')

const delivering = sql<{ count: number }>(
  'nodes.delivering',
  'select count(*) as count from nodes where seen_at >= $1 and delivers = 1',
)

const working = sql<{ id: string }>(
  'nodes.working',
  'select id from nodes where seen_at >= $1 and delivers = 1 order by id',
)

export interface Node {
  id: string
  startedAt: number
  /** Whether it works in the background: delivers notifications, and watches for changes. */
  delivers?: boolean
  roles?: readonly string[]
}

/** A node as it showed itself last. */
export interface SeenNode {
  id: string
  started_at: number
  seen_at: number
  roles: string
  watched_grants: number
}
const seen = sql<SeenNode>(
  'nodes.seen',
  'select id, started_at, seen_at, roles, watched_grants from nodes where seen_at >= $1 order by started_at, id',
)

/** A node that was not seen for this long is taken for dead. */
export const nodeLeaseMs = 15_000

export const beatNode = (queries: Queries, node: Node, now: number, watchedGrants = 0): Promise<number> =>
  queries.run(beat, [node.id, node.startedAt, now, node.delivers ? 1 : 0, (node.roles ?? []).join(','), watchedGrants])
export const leaveNode = (queries: Queries, id: string): Promise<number> => queries.run(leave, [id])
export const forgetDeadNodes = (queries: Queries, now: number): Promise<number> =>
  queries.run(forget, [now - 20 * nodeLeaseMs])
/** Forgets every node: at the start of the only server of a SQLite file. */
export const abandonNodes = (queries: Queries): Promise<number> => queries.run(abandon)
export const liveNodes = async (queries: Queries, now: number): Promise<string[]> =>
  (await queries.all(live, [now - nodeLeaseMs])).map((row) => row.id)
/** How many nodes share the deliveries. */
export const liveDeliverers = async (queries: Queries, now: number): Promise<number> =>
  (await queries.get(delivering, [now - nodeLeaseMs]))?.count ?? 0
/** The nodes that share the work in the background, in an order that all of them see. */
export const liveWorkers = async (queries: Queries, now: number): Promise<string[]> =>
  (await queries.all(working, [now - nodeLeaseMs])).map((row) => row.id)
/** The nodes that are alive, the oldest first. */
export const seenNodes = (queries: Queries, now: number): Promise<SeenNode[]> => queries.all(seen, [now - nodeLeaseMs])
