/** Figures of each node per minute, and current totals. */

import { type Queries, sql } from '../../engine/database.ts'
import { number, type RowOf, table, text } from '../../engine/table.ts'
import { readAllCounts } from '../applications/application-counts.ts'
import { storedStatuses } from '../notifications/webhooks.ts'

const figures = table('health_figures', {
  /** The start of the minute, in milliseconds. */
  at: number,
  node_id: text,
  requests: number,
  errors: number,
  /** A histogram of durations, as JSON. */
  latencies: text,
  deliveries: number,
  delivery_failures: number,
  delivery_latencies: text,
  provider_errors: number,
  watched_grants: number,
  /** The memory of the process at the end of the minute; 0 if it was not measured. */
  memory_bytes: number,
})
export type FiguresRow = RowOf<typeof figures>

const save = figures.upsert('save', 'at, node_id')
const since = figures.select('since')`where at >= $1 order by at`
const ofNode = figures.select('ofNode')`where at >= $1 and node_id = $2 order by at`
const purge = figures.delete('purge')`where at < $1`

export const saveFigures = (queries: Queries, row: FiguresRow): Promise<number> => queries.run(...save(row))
/** Figures since a time, of all nodes or of one. */
export const figuresSince = (queries: Queries, from: number, nodeId?: string): Promise<FiguresRow[]> =>
  nodeId === undefined ? queries.all(since, [from]) : queries.all(ofNode, [from, nodeId])
export const purgeFigures = (queries: Queries, before: number): Promise<number> => queries.run(purge, [before])

interface Tally {
  status: string
  n: number
}
/** Beyond this number, an exact count is not needed. */
const maxCounted = 100_000
const destinationStates = ['active', 'failing', 'failed', 'pause']
const destinations = sql<Tally>('webhooks.tally')`${destinationStates
  .map(
    (status) => `select '${status}' as status, count(*) as n
   from (select 1 from webhooks where status in ${storedStatuses(status)} limit $1) as counted`,
  )
  .join(' union all ')}`
const sends = sql<{ n: number }>('sends.waiting')`select count(*) as n from (select 1 from sends
   where next_at is not null and state in ('accepted', 'scheduled', 'claimed') limit $1) as counted`

const countsOf = (rows: readonly Tally[]): Record<string, number> =>
  Object.fromEntries(rows.filter(({ n }) => n > 0).map(({ status, n }) => [status, n]))

/** The number of grants per state, over all applications. */
export async function tallyGrants(queries: Queries): Promise<Record<string, number>> {
  const tally: Record<string, number> = {}
  for (const { by, amount } of await readAllCounts(queries, 'grants')) {
    const [, status = ''] = by
    tally[status] = (tally[status] ?? 0) + amount
  }
  return tally
}
/** The number of destinations per state, over all applications, counted up to `max`. */
export const tallyDestinations = async (queries: Queries, max = maxCounted): Promise<Record<string, number>> =>
  countsOf(await queries.all(destinations, [max]))
/** The number of messages waiting to be sent, counted up to `max`. */
export const countSendsWaiting = async (queries: Queries, max = maxCounted): Promise<number> =>
  (await queries.get(sends, [max]))?.n ?? 0
