/** Reads notifications: as a stream in a stable order, and one by one. */
import { type Distributable, dynamic, type Engine, type Queries, sql, type Value } from '../../engine/database.ts'
import { dayOfPosition, firstPositionOf } from './day-partitions.ts'
import type { SealedNotification } from './deliveries.ts'
import { settledBefore } from './settled-transactions.ts'

/** The position of a reader in the stream. */
export interface StreamPosition {
  transaction: number
  position: number
}

export interface StreamedRow extends SealedNotification {
  transaction_number: number
}

const columns =
  'transaction_number, position, id, application_id, grant_id, type, source, sequence, created_at, sealed_payload'

/**
 * PostgreSQL numbers rows when they are written, but they become visible when their transaction ends. Everything
 * before the oldest open transaction is complete, so a reader that stops there misses nothing.
 */
const settled: Record<Engine, string> = {
  sqlite: '',
  postgresql: 'and transaction_number < pg_snapshot_xmin(pg_current_snapshot())::text::bigint',
}

/** Binds a value, and returns its place in the text. */
type Add = (value: Value) => string

/** The condition that nothing can appear before a row any more. On a distributed store it is learned first. */
async function settledOf(queries: Distributable, engine: Engine, applicationId: string): Promise<(add: Add) => string> {
  if (!queries.isDistributed?.()) return () => settled[engine]
  const before = await settledBefore(queries, applicationId)
  return (add) => `and transaction_number < ${add(before)}`
}

/**
 * The condition that a row comes after or before a position. SQLite has a single transaction number, and uses no
 * index for a pair whose second column is the rowid.
 */
export const beyond = (engine: Engine, sign: '<' | '>', [transaction, position]: readonly [string, string]): string =>
  engine === 'sqlite'
    ? `transaction_number = 0 and ${transaction} >= 0 and position ${sign} ${position}`
    : `(transaction_number, position) ${sign} (${transaction}, ${position})`

// Transactions do not end in the order in which they began. Around midnight, rows of two neighboring days can
// alternate.
const behind = (position: number): number => firstPositionOf(dayOfPosition(position) - 1)
const before = (position: number): number => firstPositionOf(dayOfPosition(position) + 2)

/**
 * A part of the stream, of an application or one of its grants: after a position, or before it with the newest first.
 */
export interface StreamPart {
  applicationId: string
  grantId?: string | undefined
  order: 'asc' | 'desc'
  from: StreamPosition | undefined
  limit: number
}

interface StreamQuery {
  engine: Engine
  wanted: string
  part: StreamPart
}

async function textOf(queries: Distributable, requested: StreamQuery): Promise<{ text: string; values: Value[] }> {
  const { engine, wanted, part } = requested
  const { applicationId, grantId, order, from, limit } = part
  const values: Value[] = [applicationId, limit]
  const add: Add = (value) => `$${values.push(value)}`
  const isUp = order === 'asc'
  const conditions = [
    ...(grantId === undefined ? [] : [`and grant_id = ${add(grantId)}`]),
    ...(from === undefined
      ? []
      : [
          `and ${beyond(engine, isUp ? '>' : '<', [add(from.transaction), add(from.position)])}`,
          // Limits the days, so that other partitions are not read.
          ...(engine === 'sqlite' || from.position === 0
            ? []
            : [
                isUp ? `and position >= ${add(behind(from.position))}` : `and position < ${add(before(from.position))}`,
              ]),
        ]),
    ...(isUp ? [(await settledOf(queries, engine, applicationId))(add)] : []),
  ]
  const text = `select ${wanted} from notifications where application_id = $1 ${conditions.join(' ')}
   order by transaction_number ${order}, position ${order} limit $2`
  return { text, values }
}

/** The next notifications. An index has this order, so that no other rows are read. */
export async function readStream(queries: Distributable, engine: Engine, part: StreamPart): Promise<StreamedRow[]> {
  const { text, values } = await textOf(queries, { engine, wanted: columns, part })
  return queries.all(dynamic<StreamedRow>({ name: 'notifications.stream', text }), values)
}

export type StreamHead = Pick<StreamedRow, 'transaction_number' | 'position' | 'id' | 'type' | 'created_at'> & {
  grant_id: string
  bytes: number
}

/** The next notifications without payloads, for filters that are applied to each row. */
export async function scanStream(queries: Distributable, engine: Engine, part: StreamPart): Promise<StreamHead[]> {
  const wanted = 'transaction_number, position, id, type, created_at, grant_id, bytes'
  const { text, values } = await textOf(queries, { engine, wanted, part })
  return queries.all(dynamic<StreamHead>({ name: 'notifications.scan', text }), values)
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
  return queries.all(dynamic<StreamedRow>({ name: 'notifications.several', text }), [applicationId, ...positions])
}

/** The position of the newest readable notification of an application, or the start of the stream. */
export async function newestOfStream(
  queries: Distributable,
  engine: Engine,
  applicationId: string,
): Promise<StreamPosition> {
  const values: Value[] = [applicationId]
  const condition = (await settledOf(queries, engine, applicationId))((value) => `$${values.push(value)}`)
  const text = `select transaction_number, position from notifications where application_id = $1 ${condition}
   order by transaction_number desc, position desc limit 1`
  const newest = dynamic<Pick<StreamedRow, 'transaction_number' | 'position'>>({
    name: 'notifications.newest',
    text,
  })
  const [row] = await queries.all(newest, values)
  return { transaction: row?.transaction_number ?? 0, position: row?.position ?? 0 }
}

const get = sql<StreamedRow>('notifications.get')`select ${columns} from notifications
   where application_id = $1 and id = $2`
export interface DeliveryState {
  webhook_id: string
  state: 'waiting' | 'failed'
  attempts: number
  due_at: number
}
const queued = sql<DeliveryState>('deliveries.ofNotification')`select webhook_id, state, attempts, due_at
   from deliveries where application_id = $1 and notification = $2`
const attempted = sql<{ webhook_id: string; attempts: number }>('delivery_attempts.ofNotification')`
   select webhook_id, max(attempt) as attempts from delivery_attempts
   where application_id = $1 and notification = $2 group by webhook_id`

export const getNotification = (
  queries: Queries,
  applicationId: string,
  id: string,
): Promise<StreamedRow | undefined> => queries.get(get, [applicationId, id])

/** The attempts of a notification per destination, and its queued or failed deliveries. */
export const deliveriesOf = async (
  queries: Queries,
  applicationId: string,
  position: number,
): Promise<{ queued: DeliveryState[]; attempted: { webhook_id: string; attempts: number }[] }> => ({
  queued: await queries.all(queued, [applicationId, position]),
  attempted: await queries.all(attempted, [applicationId, position]),
})
