/**
 * Writes notifications. Each has a sequence number within its grant. A notification is stored if a destination
 * subscribes to it or the application's stream is on. A paused destination counts too, because missed notifications
 * can be replayed. It is stored once, encrypted, with a queue row for each destination that currently accepts
 * deliveries. All of this happens in the transaction of the reported change. Without subscribers, only the sequence
 * number is incremented.
 */
import { type Engine, insertingRows, type Queries, sql } from '../../engine/database.ts'
import { dayOf, firstPositionOf } from './day-partitions.ts'
import { servedStatuses } from './webhooks.ts'

export interface NewNotification {
  id: string
  applicationId: string
  grantId: string
  /** The name that destinations subscribe to. */
  trigger: string
  source: string
  /** Milliseconds. */
  createdAt: number
}

export interface NotificationContent {
  /** The trigger, or the trigger with a suffix for shortened content. */
  type: string
  /** The JSON text of `data`, encrypted. */
  sealedPayload: string
  /** The length of the text in UTF-8. */
  bytes: number
}

export interface NotificationWriting {
  /** Called only if the content is needed, as far as the engine can tell in advance. */
  content(): NotificationContent
  /** Called before the commit if deliveries were queued. */
  onQueued(): void
}

export type AddNotification = (
  tx: Queries,
  notification: NewNotification,
  writing: NotificationWriting,
) => Promise<void>

const count = `insert into notification_sequences (application_id, grant_id, last) values ($1, $2, 1)
   on conflict (grant_id, application_id) do update set last = notification_sequences.last + 1 returning last`
const columns = 'application_id, grant_id, id, sequence, type, source, bytes, created_at, sealed_payload'
const queued = 'webhook_id, application_id, notification, state, attempts, tries, due_at, bytes'
const taking = `status in ${servedStatuses}`
/** A trigger in the form of `webhooks.triggers`, where each is surrounded by spaces. */
const wordOf = (trigger: string): string => ` ${trigger} `

// Most changes have no subscriber, and a check costs less than encrypting or inserting nothing. `taken` is null if no
// destination subscribes, and 0 if none of the subscribers currently accepts deliveries.
const next = sql<{ last: number; streamed: number | null; taken: number | null }>('notification_sequences.next')`
   ${count}, (select notification_stream_until > 0 from applications where id = $1) as streamed,
   (select max(${taking}) from webhooks where application_id = $1 and instr(triggers, $3) > 0) as taken`
const insert = sql('notifications.insert')`insert into notifications (${columns})
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`
// SQLite has one writer, so the highest position is that of the row just inserted. LIKE would be planned on each
// call.
const queue = sql('deliveries.queue', { raises: ['deliveries'] })`insert into deliveries (${queued})
   select id, application_id, (select max(position) from notifications), 'waiting', 0, 0, $2, $3
   from webhooks where application_id = $1 and ${taking} and instr(triggers, $4) > 0`

const addInSteps: AddNotification = async (tx, added, { content, onQueued }) => {
  const { applicationId, grantId, id, trigger, source, createdAt } = added
  const word = wordOf(trigger)
  const { last = 0, streamed = 0, taken = null } = (await tx.get(next, [applicationId, grantId, word])) ?? {}
  if (!streamed && taken === null) return
  const { type, bytes, sealedPayload } = content()
  await tx.post(insert, [applicationId, grantId, id, last, type, source, bytes, createdAt, sealedPayload])
  if (!taken) return
  await tx.post(queue, [applicationId, createdAt, bytes, word])
  onQueued()
}

// Adds a notification in one statement: on PostgreSQL a round trip costs more than encrypting in vain. The position
// starts with the day.
const addAtOnce = sql('notifications.add', { raises: ['deliveries'] })`with counted as (${count}),
   added as (insert into notifications (${columns}, position)
     select $1, $2, $3, counted.last, $4, $5, $6, $7, $8, cast($10 as bigint) + nextval('notification_positions') from counted
     where exists (select 1 from applications where id = $1 and notification_stream_until > 0)
     or exists (select 1 from webhooks where application_id = $1 and strpos(triggers, $9) > 0) returning position)
   insert into deliveries (${queued})
   select id, application_id, (select position from added), 'waiting', 0, 0, $7, $6
   from webhooks where application_id = $1 and ${taking} and strpos(triggers, $9) > 0`

const addOnPostgresql: AddNotification = (tx, added, { content, onQueued }) => {
  const { applicationId, grantId, id, trigger, source, createdAt } = added
  const { type, bytes, sealedPayload } = content()
  const row = [applicationId, grantId, id, type, source, bytes, createdAt, sealedPayload]
  const values = [...row, wordOf(trigger), firstPositionOf(dayOf(createdAt))]
  return tx.post(addAtOnce, values, (rows) => rows > 0 && onQueued())
}

// On a distributed store, Citus would run `addAtOnce` on every worker, and each would number notifications by itself.
// So the coordinator, which is the same for all nodes, numbers them, and each statement concerns one worker.
const number = sql<{ place: number; transaction: number }>('notifications.number')`
   select nextval('notification_positions') as place, pg_current_xact_id()::text::bigint as transaction`
const countOne = sql<{ last: number }>('notification_sequences.count')`${count}`
const streams = sql<{ streamed: boolean }>('applications.streams')`select notification_stream_until > 0 as streamed
   from applications where id = $1`
const subscribed = sql<{ id: string; taking: boolean }>('webhooks.subscribed')`select id, ${taking} as taking
   from webhooks where application_id = $1 and strpos(triggers, $2) > 0`
const insertNumbered = sql('notifications.insertNumbered')`
   insert into notifications (${columns}, position, transaction_number)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`
const queueOne = sql('deliveries.queueOne', { raises: ['deliveries'] })`insert into deliveries (${queued})
   values ($1, $2, $3, $4, $5, $6, $7, $8)`

const addDistributed: AddNotification = async (tx, added, { content, onQueued }) => {
  const { applicationId, grantId, id, trigger, source, createdAt } = added
  const [counted, numbers, application, destinations] = await Promise.all([
    tx.get(countOne, [applicationId, grantId]),
    tx.get(number),
    tx.get(streams, [applicationId]),
    tx.all(subscribed, [applicationId, wordOf(trigger)]),
  ])
  if (!numbers || (!application?.streamed && destinations.length === 0)) return
  const { type, bytes, sealedPayload } = content()
  const row = [applicationId, grantId, id, counted?.last ?? 0, type, source, bytes, createdAt, sealedPayload]
  const position = firstPositionOf(dayOf(createdAt)) + numbers.place
  await tx.post(insertNumbered, [...row, position, numbers.transaction])
  const rows = destinations
    .filter((destination) => destination.taking)
    .map((destination) => [destination.id, applicationId, position, 'waiting', 0, 0, createdAt, bytes])
  if (rows.length === 0) return
  await tx.post(insertingRows('deliveries.queueAll', queueOne, rows), rows.flat())
  onQueued()
}

/** The method of writing a notification that suits the store. */
export const notificationAdder = (engine: Engine, isDistributed: () => boolean = () => false): AddNotification =>
  engine === 'sqlite'
    ? addInSteps
    : (tx, added, writing) => (isDistributed() ? addDistributed : addOnPostgresql)(tx, added, writing)
