/**
 * Notifications: each has a number of its own within its grant. Where somebody asks for it, a destination that is subscribed
 * (also one that takes nothing now: what it misses can be replayed) or the application's stream, it is written once, sealed,
 * with a row in the queue for every destination that takes it now. All of it stands in the transaction of the change that
 * it tells of. Where nobody asks, nothing stays but the number.
 */
import { type Engine, type Queries, sql } from './database.ts'

export interface NewNotification {
  id: string
  applicationId: string
  grantId: string
  /** What destinations subscribe to. */
  trigger: string
  source: string
  /** Milliseconds. */
  createdAt: number
}

export interface NotificationContent {
  /** The trigger, or the same with what says that something was left out. */
  type: string
  /** The JSON text of `data`, sealed. */
  sealedPayload: string
  /** Of the text, in UTF-8. */
  bytes: number
}

export interface NotificationWriting {
  /** Made only where it is needed, as far as the engine can tell before. */
  content(): NotificationContent
  /** Hears, before the transaction is through, that destinations wait for it. */
  onQueued(): void
}

export type AddNotification = (
  tx: Queries,
  notification: NewNotification,
  writing: NotificationWriting,
) => Promise<void>

const count = `insert into notification_sequences (application_id, grant_id, last) values ($1, $2, 1)
   on conflict (grant_id) do update set last = notification_sequences.last + 1 returning last`
const columns = 'application_id, grant_id, id, sequence, type, source, bytes, created_at, sealed_payload'
const queued = 'webhook_id, application_id, notification, state, attempts, tries, due_at, bytes'
const taking = `status in ('active', 'failing')`
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
   from webhooks where application_id = $1 and ${taking} and instr(triggers, $4) > 0`,
)

/** Most changes interest nobody: asking costs less than sealing, and than inserting nothing. */
const asked = sql<{ streamed: number; subscribed: number | null; taken: number | null }>(
  'notifications.asked',
  `select a.notification_stream_until > 0 as streamed, max(w.id is not null) as subscribed, max(w.${taking}) as taken
   from applications a left join webhooks w on w.application_id = a.id and instr(w.triggers, $2) > 0
   where a.id = $1`,
)

const addInSteps: AddNotification = async (tx, added, { content, onQueued }) => {
  const { applicationId, grantId, id, trigger, source, createdAt } = added
  const counted = await tx.get(next, [applicationId, grantId])
  const word = wordOf(trigger)
  const by = await tx.get(asked, [applicationId, word])
  if (!by?.streamed && !by?.subscribed) return
  const { type, bytes, sealedPayload } = content()
  await tx.run(insert, [applicationId, grantId, id, counted?.last ?? 0, type, source, bytes, createdAt, sealedPayload])
  if (!by.taken) return
  await tx.run(queue, [applicationId, createdAt, bytes, word])
  onQueued()
}

// The same in one: on PostgreSQL every statement is a way there and back, which costs more than sealing in vain.
const addAtOnce = sql(
  'notifications.add',
  `with counted as (${count}),
   added as (insert into notifications (${columns})
     select $1, $2, $3, counted.last, $4, $5, $6, $7, $8 from counted
     where exists (select 1 from applications where id = $1 and notification_stream_until > 0)
     or exists (select 1 from webhooks where application_id = $1 and strpos(triggers, $9) > 0) returning position)
   insert into deliveries (${queued})
   select id, application_id, (select position from added), 'waiting', 0, 0, $7, $6
   from webhooks where application_id = $1 and ${taking} and strpos(triggers, $9) > 0`,
)

/** The way to write a notification that suits the engine. */
export const notificationAdder = (engine: Engine): AddNotification =>
  engine === 'sqlite'
    ? addInSteps
    : (tx, added, { content, onQueued }) => {
        const { applicationId, grantId, id, trigger, source, createdAt } = added
        const { type, bytes, sealedPayload } = content()
        const values = [applicationId, grantId, id, type, source, bytes, createdAt, sealedPayload, wordOf(trigger)]
        return tx.post(addAtOnce, values, (rows) => rows > 0 && onQueued())
      }
