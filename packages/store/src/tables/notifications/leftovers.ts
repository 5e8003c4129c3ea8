/**
 * Deletes the dependent rows of a deleted destination or grant, or gives up those of a failed destination. There may
 * be a million. The first batch is part of the change itself. A job of the outbox does the rest in batches, so that
 * no request waits for it.
 */
import { newId } from '@waypost/platform/ids'
import { type Queries, sql } from '../../engine/database.ts'
import { piece, removeNotifications, type StoredRow } from './notification-purge.ts'
import { addToOutbox } from './outbox.ts'
import { storedStatuses } from './webhooks.ts'

export interface Leftover {
  /**
   * `destination`: the queue and the attempts of a deleted one. `failed destination`: its waiting deliveries.
   * `grant`: the notifications about its data. `grant tombstone`: the contacts and events of a deleted grant, and its row
   * (`grant-tombstones.ts`).
   */
  of: 'destination' | 'failed destination' | 'grant' | 'grant tombstone'
  applicationId: string
  /** The id of the destination or the grant. */
  id: string
  /** For a grant: notifications from this position on are done. */
  before?: { transaction: number; position: number }
}

export const leftoversJob = 'store.leftovers'

// Each state has its own index.
const removeIn = (state: 'waiting' | 'failed') =>
  sql(`deliveries.remove.${state}`)`delete from deliveries
   where application_id = $1 and webhook_id = $2 and notification in (
       select notification from deliveries where application_id = $1 and webhook_id = $2 and state = '${state}' limit ${piece})`
const removals = [removeIn('waiting'), removeIn('failed')]
const removeAttempts = sql('delivery_attempts.removeOf')`delete from delivery_attempts
   where application_id = $1 and (notification, webhook_id, attempt) in (
     select notification, webhook_id, attempt from delivery_attempts
     where application_id = $1 and webhook_id = $2 limit ${piece})`
const giveUp = sql('deliveries.giveUp')`update deliveries set state = 'failed'
   where application_id = $1 and webhook_id = $2 and notification in (
     select notification from deliveries where application_id = $1 and webhook_id = $2 and state = 'waiting' limit ${piece})
   and webhook_id in (select id from webhooks where application_id = $1 and status in ${storedStatuses('failed')})`
// Newest first, because these may still wait for delivery.
const notificationsOf = sql<StoredRow>('notifications.toldOf')`select transaction_number, position, type, created_at
   from notifications where application_id = $1 and grant_id = $2 and (transaction_number, position) < ($3, $4)
   order by transaction_number desc, position desc limit ${piece}`

const removeContacts = sql('contacts.removeOf')`delete from contacts
   where application_id = $1 and grant_id = $2 and id in (
     select id from contacts where application_id = $1 and grant_id = $2 limit ${piece})`
const removeEvents = sql('events.removeOf')`delete from events where application_id = $1 and grant_id = $2 and id in (
     select id from events where application_id = $1 and grant_id = $2 limit ${piece})`
const removeTombstone = sql('grants.removeTombstone', { raises: ['watches'] })`delete from grants
   where application_id = $1 and id = $2 and document = 'null'`

const everything = { transaction: Number.MAX_SAFE_INTEGER, position: Number.MAX_SAFE_INTEGER }

/**
 * Deletes notifications about the data of a grant. Those about the grant itself stay: its deletion must still be
 * delivered.
 */
async function eraseReported(tx: Queries, left: Leftover): Promise<Leftover | undefined> {
  const { transaction, position } = left.before ?? everything
  const rows = await tx.all(notificationsOf, [left.applicationId, left.id, transaction, position])
  const reported = rows.filter(({ type }) => !type.startsWith('grant.'))
  await removeNotifications(
    tx,
    left.applicationId,
    reported.map((row) => row.position),
  )
  const last = rows.at(-1)
  if (!last || rows.length < piece) return undefined
  return { ...left, before: { transaction: last.transaction_number, position: last.position } }
}

/** Processes a batch. Returns the remaining work, if there may be any. */
export async function removeLeftovers(tx: Queries, left: Leftover): Promise<Leftover | undefined> {
  const values = [left.applicationId, left.id]
  if (left.of === 'grant') return eraseReported(tx, left)
  if (left.of === 'grant tombstone') {
    if ((await tx.run(removeContacts, values)) === piece) return left
    if ((await tx.run(removeEvents, values)) === piece) return left
    await tx.run(removeTombstone, values)
    return undefined
  }
  if (left.of === 'failed destination') return (await tx.run(giveUp, values)) === piece ? left : undefined
  let isFull = false
  for (const removal of [...removals, removeAttempts]) {
    if ((await tx.run(removal, values)) === piece) isFull = true
  }
  return isFull ? left : undefined
}

/** Processes the first batch in the transaction of the change, and creates a job for the rest. */
export async function leaveBehind(tx: Queries, left: Leftover, now: number): Promise<void> {
  const rest = await removeLeftovers(tx, left)
  if (!rest) return
  const isOfGrant = left.of === 'grant' || left.of === 'grant tombstone'
  const job = { id: newId(), applicationId: left.applicationId, grantId: isOfGrant ? left.id : '' }
  await addToOutbox(tx, { ...job, kind: leftoversJob, payload: JSON.stringify(rest), dueAt: now, now })
}
