/**
 * Notifications: each is written once, with a number of its own within its grant, together with a row in the queue for
 * every destination that wants it. All of it stands in the transaction of the change that it tells of.
 */
import { type Engine, type Queries, sql } from './database.ts'

export interface NewNotification {
  id: string
  applicationId: string
  grantId: string
  /** What destinations subscribe to; `type` is the same, or says that something was left out. */
  trigger: string
  type: string
  source: string
  /** The JSON text of `data`. */
  payload: string
  /** Of the payload, in UTF-8. */
  bytes: number
  /** Milliseconds. */
  createdAt: number
}

/** Writes a notification; `onQueued` hears, before the transaction is through, that destinations wait for it. */
export type AddNotification = (tx: Queries, notification: NewNotification, onQueued: () => void) => Promise<void>

const count = `insert into notification_sequences (application_id, grant_id, last) values ($1, $2, 1)
   on conflict (grant_id) do update set last = notification_sequences.last + 1 returning last`
const columns = 'application_id, grant_id, id, sequence, type, source, bytes, created_at, payload'
const queued = 'webhook_id, application_id, notification, state, attempts, tries, due_at, bytes'
const subscribed = `from webhooks where application_id = $1 and status in ('active', 'failing')`
/** A trigger as it stands among the words of `webhooks.triggers`, each between blanks. */
const wordOf = (trigger: string): string => ` ${trigger} `

const next = sql<{ last: number }>('notification_sequences.next', count)
const insert = sql(
  'notifications.insert',
  `insert into notifications (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)
// SQLite has one writer: the highest position is that of the row before. LIKE would be planned anew at every call.
const queue = sql(
  'deliveries.queue',
  `insert into deliveries (${queued})
   select id, application_id, (select max(position) from notifications), 'waiting', 0, 0, $2, $3
   ${subscribed} and instr(triggers, $4) > 0`,
)

/** Most changes interest nobody: asking costs less than inserting nothing. */
const wanted = sql<{ id: string }>('webhooks.wanting', `select id ${subscribed} and instr(triggers, $2) > 0 limit 1`)

const addInSteps: AddNotification = async (tx, added, onQueued) => {
  const { applicationId, grantId, id, trigger, type, source, bytes, createdAt, payload } = added
  const counted = await tx.get(next, [applicationId, grantId])
  await tx.run(insert, [applicationId, grantId, id, counted?.last ?? 0, type, source, bytes, createdAt, payload])
  const word = wordOf(trigger)
  if (!(await tx.get(wanted, [applicationId, word]))) return
  await tx.run(queue, [applicationId, createdAt, bytes, word])
  onQueued()
}

// The same three in one: on PostgreSQL every statement is a way there and back, which costs more than the work.
const addAtOnce = sql(
  'notifications.add',
  `with counted as (${count}),
   added as (insert into notifications (${columns})
     select $1, $2, $3, counted.last, $4, $5, $6, $7, $8 from counted returning position)
   insert into deliveries (${queued})
   select id, application_id, (select position from added), 'waiting', 0, 0, $7, $6
   ${subscribed} and strpos(triggers, $9) > 0`,
)

/** The way to write a notification that suits the engine. */
export const notificationAdder = (engine: Engine): AddNotification =>
  engine === 'sqlite'
    ? addInSteps
    : (tx, added, onQueued) => {
        const { applicationId, grantId, id, trigger, type, source, bytes, createdAt, payload } = added
        const values = [applicationId, grantId, id, type, source, bytes, createdAt, payload, wordOf(trigger)]
        return tx.post(addAtOnce, values, (rows) => rows > 0 && onQueued())
      }

const erased = `select position from notifications where application_id = $1 and grant_id = $2 and type not like $3`
const eraseDeliveries = sql(
  'deliveries.erase',
  `delete from deliveries where application_id = $1 and notification in (${erased})`,
)
const eraseAttempts = sql(
  'delivery_attempts.erase',
  `delete from delivery_attempts where application_id = $1 and notification in (${erased})`,
)
const erase = sql(
  'notifications.erase',
  'delete from notifications where application_id = $1 and grant_id = $2 and type not like $3',
)

/**
 * Removes what was told about a grant's data, whether it was delivered or still waits. What was told about the grant
 * itself stays: that it is gone must still arrive.
 */
export async function eraseNotifications(tx: Queries, applicationId: string, grantId: string): Promise<void> {
  const values = [applicationId, grantId, 'grant.%']
  await tx.run(eraseDeliveries, values)
  await tx.run(eraseAttempts, values)
  await tx.run(erase, values)
}
