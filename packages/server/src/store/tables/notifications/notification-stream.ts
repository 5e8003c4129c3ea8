/** Notifications to read: as a stream in an order that never changes, and one by one. */
import { dynamic, type Engine, type Queries, sql, type Value } from '../../engine/database.ts'
import type { SealedNotification } from './deliveries.ts'
import { dayOfPosition, firstPositionOf } from './notification-days.ts'

/** Where a reader is in the stream. */
export interface StreamPosition {
  transaction: number
  position: number
}

export interface StreamedRow extends SealedNotification {
  transaction_number: number
}

const columns = 'transaction_number, position, id, application_id, type, source, sequence, created_at, sealed_payload'

/**
 * PostgreSQL numbers rows when they are written and shows them when their transaction ends. What lies before the oldest
 * transaction that is still open is complete, so a reader who goes no further misses nothing.
 */
const settled: Record<Engine, string> = {
  sqlite: '',
  postgresql: 'and transaction_number < pg_snapshot_xmin(pg_current_snapshot())::text::bigint',
}

/**
 * The condition that a row stands behind or before a place. SQLite has one transaction number for all, and takes no index
 * for a pair whose second column is the row's own place.
 */
export const beyond = (engine: Engine, sign: '<' | '>', [transaction, position]: readonly [string, string]): string =>
  engine === 'sqlite'
    ? `transaction_number = 0 and ${transaction} >= 0 and position ${sign} ${position}`
    : `(transaction_number, position) ${sign} (${transaction}, ${position})`

// Transactions end in another order than they began: around midnight a day may hold what stands among that of its neighbour.
const behind = (position: number): number => firstPositionOf(dayOfPosition(position) - 1)
const before = (position: number): number => firstPositionOf(dayOfPosition(position) + 2)

/** Which part of the stream: of an application or one of its grants, behind a position, or before it, the newest first. */
export interface StreamPart {
  applicationId: string
  grantId?: string | undefined
  order: 'asc' | 'desc'
  from: StreamPosition | undefined
  limit: number
}

function textOf(engine: Engine, wanted: string, part: StreamPart): { text: string; values: Value[] } {
  const { applicationId, grantId, order, from, limit } = part
  const values: Value[] = [applicationId, limit]
  const add = (value: Value): string => `$${values.push(value)}`
  const isUp = order === 'asc'
  const conditions = [
    ...(grantId === undefined ? [] : [`and grant_id = ${add(grantId)}`]),
    ...(from === undefined
      ? []
      : [
          `and ${beyond(engine, isUp ? '>' : '<', [add(from.transaction), add(from.position)])}`,
          // Names the days, so that the partitions of others are not looked at.
          ...(engine === 'sqlite' || from.position === 0
            ? []
            : [
                isUp ? `and position >= ${add(behind(from.position))}` : `and position < ${add(before(from.position))}`,
              ]),
        ]),
    ...(isUp ? [settled[engine]] : []),
  ]
  const text = `select ${wanted} from notifications where application_id = $1 ${conditions.join(' ')}
   order by transaction_number ${order}, position ${order} limit $2`
  return { text, values }
}

/** The next notifications: an index has them in this order, so that no more are read than are wanted. */
export function readStream(queries: Queries, engine: Engine, part: StreamPart): Promise<StreamedRow[]> {
  const { text, values } = textOf(engine, columns, part)
  return queries.all(dynamic<StreamedRow>({ name: 'notifications.stream', text, reads: ['notifications'] }), values)
}

export type StreamHead = Pick<StreamedRow, 'transaction_number' | 'position' | 'id' | 'type' | 'created_at'>

/** The same without what they hold: to be looked through for those that a filter wants. */
export function scanStream(queries: Queries, engine: Engine, part: StreamPart): Promise<StreamHead[]> {
  const { text, values } = textOf(engine, 'transaction_number, position, id, type, created_at', part)
  return queries.all(dynamic<StreamHead>({ name: 'notifications.scan', text, reads: ['notifications'] }), values)
}

/** Notifications of an application by their positions. */
export function streamedAt(
  queries: Queries,
  applicationId: string,
  positions: readonly number[],
): Promise<StreamedRow[]> {
  if (positions.length === 0) return Promise.resolve([])
  const list = positions.map((_, index) => `$${index + 2}`).join(', ')
  const text = `select ${columns} from notifications where application_id = $1 and position in (${list})`
  return queries.all(dynamic<StreamedRow>({ name: 'notifications.several', text, reads: ['notifications'] }), [
    applicationId,
    ...positions,
  ])
}

/** Where the newest notification of an application stands that can be read; the beginning where there is none. */
export async function newestOfStream(queries: Queries, engine: Engine, applicationId: string): Promise<StreamPosition> {
  const text = `select transaction_number, position from notifications where application_id = $1 ${settled[engine]}
   order by transaction_number desc, position desc limit 1`
  const newest = dynamic<Pick<StreamedRow, 'transaction_number' | 'position'>>({
    name: 'notifications.newest',
    text,
    reads: ['notifications'],
  })
  const [row] = await queries.all(newest, [applicationId])
  return { transaction: row?.transaction_number ?? 0, position: row?.position ?? 0 }
}

const get = sql<StreamedRow>({
  name: 'notifications.get',
  text: `select ${columns} from notifications where application_id = $1 and id = $2`,
  reads: ['notifications'],
})
export interface DeliveryState {
  webhook_id: string
  state: 'waiting' | 'failed'
  attempts: number
  due_at: number
}
const queued = sql<DeliveryState>({
  name: 'deliveries.ofNotification',
  text: 'select webhook_id, state, attempts, due_at from deliveries where application_id = $1 and notification = $2',
  reads: ['deliveries'],
})
const attempted = sql<{ webhook_id: string; attempts: number }>({
  name: 'delivery_attempts.ofNotification',
  text: `select webhook_id, max(attempt) as attempts from delivery_attempts
   where application_id = $1 and notification = $2 group by webhook_id`,
  reads: ['delivery_attempts'],
})

export const getNotification = (
  queries: Queries,
  applicationId: string,
  id: string,
): Promise<StreamedRow | undefined> => queries.get(get, [applicationId, id])

/** How often a notification was tried at each destination, and what still waits or failed. */
export const deliveriesOf = async (
  queries: Queries,
  applicationId: string,
  position: number,
): Promise<{ queued: DeliveryState[]; attempted: { webhook_id: string; attempts: number }[] }> => ({
  queued: await queries.all(queued, [applicationId, position]),
  attempted: await queries.all(attempted, [applicationId, position]),
})
