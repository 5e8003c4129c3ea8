/** Notifications to read: as a stream in an order that never changes, and one by one. */
import { dynamic, type Engine, type Queries, sql, type Value } from './database.ts'
import type { StoredNotification } from './deliveries.ts'

/** Where a reader is in the stream. */
export interface StreamPosition {
  transaction: number
  position: number
}

export interface StreamFilter {
  grantId?: string | undefined
  types?: readonly string[] | undefined
  /** Milliseconds. */
  since?: number | undefined
}

export interface StreamedRow extends StoredNotification {
  transaction_number: number
}

const columns = 'transaction_number, position, id, type, source, sequence, created_at, payload'

/**
 * PostgreSQL numbers rows when they are written and shows them when their transaction ends. What lies before the oldest
 * transaction that is still open is complete, so a reader who goes no further misses nothing.
 */
const settled: Record<Engine, string> = {
  sqlite: '',
  postgresql: 'and transaction_number < pg_snapshot_xmin(pg_current_snapshot())::text::bigint',
}

const conditionsOf = (filter: StreamFilter, add: (value: Value) => string): string[] => [
  ...(filter.grantId === undefined ? [] : [`and grant_id = ${add(filter.grantId)}`]),
  ...(filter.since === undefined ? [] : [`and created_at >= ${add(filter.since)}`]),
  ...(filter.types === undefined ? [] : [`and type in (${filter.types.map(add).join(', ')})`]),
]

/** The next notifications of an application, the oldest first. */
export function readStream(
  queries: Queries,
  engine: Engine,
  at: { applicationId: string; after: StreamPosition; filter: StreamFilter; limit: number },
): Promise<StreamedRow[]> {
  const { applicationId, after, filter, limit } = at
  const values: Value[] = [applicationId, after.transaction, after.position, limit]
  const add = (value: Value): string => `$${values.push(value)}`
  const conditions = conditionsOf(filter, add)
  const text = `select ${columns} from notifications where application_id = $1 and (transaction_number, position) > ($2, $3)
   ${settled[engine]} ${conditions.join(' ')} order by transaction_number, position limit $4`
  return queries.all(dynamic<StreamedRow>('notifications.stream', text), values)
}

/** Where the newest notification of an application stands that can be read; the beginning where there is none. */
export async function newestOfStream(queries: Queries, engine: Engine, applicationId: string): Promise<StreamPosition> {
  const text = `select transaction_number, position from notifications where application_id = $1 ${settled[engine]}
   order by transaction_number desc, position desc limit 1`
  const newest = dynamic<Pick<StreamedRow, 'transaction_number' | 'position'>>('notifications.newest', text)
  const [row] = await queries.all(newest, [applicationId])
  return { transaction: row?.transaction_number ?? 0, position: row?.position ?? 0 }
}

/** The latest notifications of an application, the newest first, before a position. */
export function readLatest(
  queries: Queries,
  at: { applicationId: string; before: StreamPosition | undefined; filter: StreamFilter; limit: number },
): Promise<StreamedRow[]> {
  const { applicationId, before, filter, limit } = at
  const values: Value[] = [applicationId, limit]
  const add = (value: Value): string => `$${values.push(value)}`
  const conditions = conditionsOf(filter, add)
  if (before) {
    conditions.push(`and (transaction_number, position) < (${add(before.transaction)}, ${add(before.position)})`)
  }
  const text = `select ${columns} from notifications where application_id = $1 ${conditions.join(' ')}
   order by transaction_number desc, position desc limit $2`
  return queries.all(dynamic<StreamedRow>('notifications.latest', text), values)
}

const get = sql<StreamedRow>(
  'notifications.get',
  `select ${columns} from notifications where application_id = $1 and id = $2`,
)
export interface DeliveryState {
  webhook_id: string
  state: 'waiting' | 'failed'
  attempts: number
  due_at: number
}
const queued = sql<DeliveryState>(
  'deliveries.ofNotification',
  'select webhook_id, state, attempts, due_at from deliveries where application_id = $1 and notification = $2',
)
const attempted = sql<{ webhook_id: string; attempts: number }>(
  'delivery_attempts.ofNotification',
  `select webhook_id, max(attempt) as attempts from delivery_attempts
   where application_id = $1 and notification = $2 group by webhook_id`,
)

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

// By position, which is the order of age but for moments: no index by time has to be kept up.
const oldest = sql<{ position: number; created_at: number }>(
  'notifications.oldest',
  'select position, created_at from notifications order by position limit $1',
)
const piece = 500
const places = Array.from({ length: piece }, (_, index) => `$${index + 1}`).join(', ')
const purge = sql('notifications.purge', `delete from notifications where position in (${places})`)
const purgeQueued = sql('deliveries.purge', `delete from deliveries where notification in (${places})`)
const purgeAttempts = sql('delivery_attempts.purge', `delete from delivery_attempts where notification in (${places})`)

/** Removes some of what is older than `before`, with what came of it; true when there may be more. */
export async function purgeNotifications(tx: Queries, before: number): Promise<boolean> {
  const rows = await tx.all(oldest, [piece])
  const old = rows.filter(({ created_at }) => created_at < before)
  if (old.length === 0) return false
  const positions = Array.from({ length: piece }, (_, index) => (old[index] ?? old[0])?.position ?? 0)
  for (const statement of [purgeQueued, purgeAttempts, purge]) await tx.run(statement, positions)
  return old.length === piece
}
