/** Deletes notifications with their deliveries and attempts, in batches, so that no request waits for long. */
import { type Engine, type Queries, type Statement, sql } from '../../engine/database.ts'
import { stepping } from '../../engine/stepping.ts'
import { beyond, type StreamPosition } from './notification-stream.ts'

export interface StoredRow {
  transaction_number: number
  position: number
  type: string
  created_at: number
}

/** Rows deleted per table and transaction. Small, because requests wait for the transaction on SQLite. */
export const piece = 100

// In order of position, which is nearly the order of age. So no index by time is needed.
const fromIn = (engine: Engine) =>
  sql<StoredRow>(`notifications.from.${engine}`)`select transaction_number, position, type, created_at
   from notifications where application_id = $1 and ${beyond(engine, '>', ['$2', '$3'])} and position < $4
   order by transaction_number, position limit $5`
const from: Record<Engine, ReturnType<typeof fromIn>> = { sqlite: fromIn('sqlite'), postgresql: fromIn('postgresql') }
const places = Array.from({ length: piece }, (_, index) => `$${index + 2}`).join(', ')
const purge = sql('notifications.purge')`delete from notifications
   where application_id = $1 and position in (${places})`
const purgeQueued = sql('deliveries.purge')`delete from deliveries
   where application_id = $1 and notification in (${places})`
const purgeAttempts = sql('delivery_attempts.purge')`delete from delivery_attempts
   where application_id = $1 and notification in (${places})`
const stillQueued = sql<{ notification: number }>('deliveries.stillQueued')`select notification from deliveries
   where application_id = $1 and notification in (${places})`
const purgeQueue = sql('deliveries.purgeBefore')`delete from deliveries
   where application_id = $1 and (notification, webhook_id) in (
     select notification, webhook_id from deliveries where application_id = $1 and notification >= $2 and notification < $3
     order by notification, webhook_id limit ${piece})`

/** Applications per page. */
export const holderPage = 200
// Reads only applications that have notifications.
const holdersOnOne = sql<NotificationHolder>('notifications.holders')`
   select held.id, a.notification_days, (select created_at from notifications
     where application_id = held.id and position < $2 order by transaction_number, position limit 1) as oldest
   from (select value as id from (${stepping({ table: 'notifications', column: 'application_id', where: 'position < $2', after: '$1' })}) as steps limit ${holderPage}) as held
   left join applications a on a.id = held.id order by held.id`
const queueHoldersOnOne = sql<{ id: string }>('deliveries.holders')`select value as id
   from (${stepping({ table: 'deliveries', column: 'application_id', after: '$1' })}) as steps
   where exists (select 1 from deliveries d where d.application_id = value and d.notification >= $2 and d.notification < $3)
   order by value limit ${holderPage}`
// Citus cannot step through an index of all shards: each shard reads its rows of these days, of which few are left.
const holdersOnShards = sql<NotificationHolder>('notifications.holdersOnShards')`
   select n.application_id as id, a.notification_days, min(n.created_at) as oldest
   from notifications n left join applications a on a.id = n.application_id
   where n.application_id > $1 and n.position < $2
   group by n.application_id, a.notification_days order by n.application_id limit ${holderPage}`
const holders: Statement<NotificationHolder> = { ...holdersOnOne, distributed: holdersOnShards }
const queueHoldersOnShards = sql<{ id: string }>('deliveries.holdersOnShards')`select distinct application_id as id
   from deliveries
   where application_id > $1 and notification >= $2 and notification < $3 order by application_id limit ${holderPage}`
const queueHolders: Statement<{ id: string }> = { ...queueHoldersOnOne, distributed: queueHoldersOnShards }

const padded = (positions: readonly number[]): number[] =>
  Array.from({ length: piece }, (_, index) => positions[index] ?? positions[0] ?? 0)

/** Deletes at most one batch of notifications, with their deliveries and attempts. */
export async function removeNotifications(
  tx: Queries,
  applicationId: string,
  positions: readonly number[],
): Promise<void> {
  if (positions.length === 0) return
  for (const statement of [purgeQueued, purgeAttempts, purge]) {
    await tx.run(statement, [applicationId, ...padded(positions)])
  }
}

/** An application, and the engine of its store. */
export interface Keeper {
  engine: Engine
  applicationId: string
}

/**
 * Notifications older than `before`. All of them have positions less than `below`, as far as positions contain the
 * day.
 */
export interface Aged {
  before: number
  below: number
}

export interface NotificationHolder {
  id: string
  /** See `ApplicationRow`. */
  notification_days: number | null
  /** The creation time of its oldest notification before the position. */
  oldest: number
}

/** A page of applications, after an id, that have notifications before a position. */
export const notificationHolders = (queries: Queries, after: string, below: number): Promise<NotificationHolder[]> =>
  queries.all(holders, [after, below])

/** A page of applications, after an id, with queued or failed deliveries between two positions. */
export const queueHoldersBetween = (
  queries: Queries,
  after: string,
  [first, behind]: readonly [number, number],
): Promise<{ id: string }[]> => queries.all(queueHolders, [after, first, behind])

/** The creation time of the oldest notification of an application before the position `below`. */
export const oldestRetained = async (
  queries: Queries,
  { engine, applicationId }: Keeper,
  below: number,
): Promise<number | undefined> => (await queries.all(from[engine], [applicationId, 0, 0, below, 1]))[0]?.created_at

/** Deletes a batch of expired notifications. True if there may be more. */
export async function purgeNotifications(
  tx: Queries,
  { engine, applicationId }: Keeper,
  { before, below }: Aged,
): Promise<boolean> {
  const rows = await tx.all(from[engine], [applicationId, 0, 0, below, piece])
  const old = rows.filter(({ created_at }) => created_at < before).map(({ position }) => position)
  await removeNotifications(tx, applicationId, old)
  return old.length === piece
}

/** Deletes a batch of queued and failed deliveries between two positions. True if there may be more. */
export const purgeQueueBetween = async (
  tx: Queries,
  applicationId: string,
  [first, behind]: readonly [number, number],
): Promise<boolean> => (await tx.run(purgeQueue, [applicationId, first, behind])) === piece

/**
 * Deletes, within a batch, notifications whose type is not among `types`; those still queued or failed stay. Returns
 * the position to continue from, or undefined at the end.
 */
export async function removeOtherTypes(
  tx: Queries,
  { engine, applicationId }: Keeper,
  { types, after }: { types: ReadonlySet<string>; after: StreamPosition },
): Promise<StreamPosition | undefined> {
  const everywhere = Number.MAX_SAFE_INTEGER
  const rows = await tx.all(from[engine], [applicationId, after.transaction, after.position, everywhere, piece])
  const other = rows.filter(({ type }) => !types.has(type)).map(({ position }) => position)
  const queued = other.length === 0 ? [] : await tx.all(stillQueued, [applicationId, ...padded(other)])
  const needed = new Set(queued.map(({ notification }) => notification))
  await removeNotifications(
    tx,
    applicationId,
    other.filter((position) => !needed.has(position)),
  )
  const last = rows.at(-1)
  return last && rows.length === piece ? { transaction: last.transaction_number, position: last.position } : undefined
}
