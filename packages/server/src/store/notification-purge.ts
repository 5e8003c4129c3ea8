/** Removes notifications with what came of them, a piece at a time, so that nobody waits for long. */
import { type Queries, sql } from './database.ts'
import type { StreamPosition } from './notification-stream.ts'

export interface KeptRow {
  transaction_number: number
  position: number
  type: string
  created_at: number
}

const piece = 500

// By position, which is the order of age but for moments: no index by time has to be kept up.
const from = sql<KeptRow>(
  'notifications.from',
  `select transaction_number, position, type, created_at from notifications
   where application_id = $1 and (transaction_number, position) > ($2, $3)
   order by transaction_number, position limit $4`,
)
const places = Array.from({ length: piece }, (_, index) => `$${index + 1}`).join(', ')
const purge = sql('notifications.purge', `delete from notifications where position in (${places})`)
const purgeQueued = sql('deliveries.purge', `delete from deliveries where notification in (${places})`)
const purgeAttempts = sql('delivery_attempts.purge', `delete from delivery_attempts where notification in (${places})`)
const stillQueued = sql<{ notification: number }>(
  'deliveries.stillQueued',
  `select notification from deliveries where notification in (${places})`,
)

const padded = (positions: readonly number[]): number[] =>
  Array.from({ length: piece }, (_, index) => positions[index] ?? positions[0] ?? 0)

/** Removes notifications, at most a piece of them, with what came of them. */
export async function removeNotifications(tx: Queries, positions: readonly number[]): Promise<void> {
  if (positions.length === 0) return
  for (const statement of [purgeQueued, purgeAttempts, purge]) await tx.run(statement, padded(positions))
}

/** When the oldest notification of an application was made. */
export const oldestKept = async (queries: Queries, applicationId: string): Promise<number | undefined> =>
  (await queries.all(from, [applicationId, 0, 0, 1]))[0]?.created_at

/** Removes some of what is older than `before`; true when there may be more. */
export async function purgeNotifications(tx: Queries, applicationId: string, before: number): Promise<boolean> {
  const rows = await tx.all(from, [applicationId, 0, 0, piece])
  const old = rows.filter(({ created_at }) => created_at < before).map(({ position }) => position)
  await removeNotifications(tx, old)
  return old.length === piece
}

/**
 * Looks through a piece of what is kept and removes what is of none of the types; what still waits for a destination, or
 * failed there, stays. Answers where to go on, or undefined at the end.
 */
export async function removeOtherTypes(
  tx: Queries,
  applicationId: string,
  { types, after }: { types: ReadonlySet<string>; after: StreamPosition },
): Promise<StreamPosition | undefined> {
  const rows = await tx.all(from, [applicationId, after.transaction, after.position, piece])
  const other = rows.filter(({ type }) => !types.has(type)).map(({ position }) => position)
  const queued = other.length === 0 ? [] : await tx.all(stillQueued, padded(other))
  const needed = new Set(queued.map(({ notification }) => notification))
  await removeNotifications(
    tx,
    other.filter((position) => !needed.has(position)),
  )
  const last = rows.at(-1)
  return last && rows.length === piece ? { transaction: last.transaction_number, position: last.position } : undefined
}
