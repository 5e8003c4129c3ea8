/** The queue of deliveries. Delivered rows are deleted (`delivery-results.ts`); permanently failed rows stay. */
import { dynamic, type Engine, type Queries, type Statement, sql, statedLimit } from '../../engine/database.ts'
import { forRows, parameters, pieces } from '../../engine/row-lists.ts'
import { stepping } from '../../engine/stepping.ts'

export interface DueDelivery {
  /** The position of the notification, which is unique per destination. */
  id: number
  due_at: number
  /** `attempts`: in total; `tries`: since it was queued or replayed. */
  attempts: number
  tries: number
  bytes: number
}

/** The stored fields from which a notification is built. */
export interface SealedNotification {
  position: number
  id: string
  application_id: string
  grant_id: string
  type: string
  source: string
  sequence: number
  created_at: number
  sealed_payload: string
}

/** A notification with the decrypted payload: the bytes of the JSON text. */
export type OpenedNotification = Omit<SealedNotification, 'sealed_payload' | 'application_id'> & { payload: Buffer }

const due = sql<DueDelivery>('deliveries.due')`select notification as id, due_at, attempts, tries, bytes from deliveries
   where application_id = $1 and webhook_id = $2 and state = 'waiting' and due_at <= $3 and (due_at, notification) > ($4, $5)
   order by due_at, notification limit $6`
/** Beyond this number, an exact count is not needed. */
const maxCounted = 100_000
const waiting = sql<{ n: number }>('deliveries.waiting')`select count(*) as n
   from (select 1 from deliveries where state = 'waiting' limit ${maxCounted}) as counted`

/** The destinations with deliveries that were not tried since they were queued. Used within other statements. */
export const newQueues = stepping({
  table: 'deliveries',
  column: 'webhook_id',
  where: `state = 'waiting' and tries = 0`,
})

/** The number of waiting deliveries of all destinations, counted up to `maxCounted`. */
export const countWaiting = async (queries: Queries): Promise<number> => (await queries.get(waiting))?.n ?? 0

/** Due deliveries of a destination, oldest first, after a position. */
export const dueDeliveries = (
  queries: Queries,
  at: { applicationId: string; webhookId: string },
  { now, after, limit }: { now: number; after?: Pick<DueDelivery, 'due_at' | 'id'> | undefined; limit: number },
): Promise<DueDelivery[]> =>
  queries.all(due, [at.applicationId, at.webhookId, now, after?.due_at ?? -1, after?.id ?? -1, limit])

const overtaken = sql<DueDelivery>('deliveries.overtaken')`select notification as id, due_at, attempts, tries, bytes
   from deliveries
   where application_id = $1 and webhook_id = $2 and state = 'waiting' and due_at >= $3 and due_at <= $4
   and notification < $5 order by due_at, notification limit $6`
/** Notifications of one grant are written one after the other. Their times differ from that order by much less. */
const overtakenMs = 60_000
/** Such deliveries are rare. */
const maxOvertaken = 256

/** A part of the queue by time, and a position above those of interest. At most `max` rows are known already. */
export interface Overtaking {
  from: number
  to: number
  below: number
  max: number
}

/** Deliveries within a minute before or after a part of the queue whose position is lower than `below`. */
export const overtakenDeliveries = (
  queries: Queries,
  at: { applicationId: string; webhookId: string },
  { from, to, below, max }: Overtaking,
): Promise<DueDelivery[]> =>
  queries.all(overtaken, [
    at.applicationId,
    at.webhookId,
    from - overtakenMs,
    to + overtakenMs,
    below,
    max + maxOvertaken,
  ])

/** Rows of placeholders, from `$2` on. PostgreSQL needs their types. */
function valueLists(rows: number, types: readonly string[]): string {
  let count = 1
  const list = (): string => `(${types.map((type) => `cast($${++count} as ${type})`).join(', ')})`
  return Array.from({ length: rows }, list).join(', ')
}

const notificationColumns = 'position, id, application_id, grant_id, type, source, sequence, created_at, sealed_payload'
const notificationsIn: Record<Engine, (count: number) => Statement<SealedNotification>> = {
  sqlite: forRows((count) =>
    dynamic({
      name: 'notifications.at',
      text: `select ${notificationColumns} from notifications
   where application_id = $1 and position in (${parameters(count, 2)})`,
    }),
  ),
  // Each row is found by its key. Without statistics for a new day, PostgreSQL assumes few rows per application and
  // would read all of them.
  postgresql: forRows((count) =>
    dynamic({
      name: 'notifications.at',
      text: `select found.* from (values ${valueLists(count, ['bigint'])}) as v cross join lateral (
     select ${notificationColumns} from notifications where application_id = $1 and position = v.column1 offset 0) as found`,
    }),
  ),
}

/** Notifications of an application by position. Deleted ones are missing in the result. */
export async function notificationsAt(
  queries: Queries,
  engine: Engine,
  applicationId: string,
  positions: readonly number[],
): Promise<SealedNotification[]> {
  const found: SealedNotification[] = []
  for (const piece of pieces(positions)) {
    found.push(...(await queries.all(notificationsIn[engine](piece.length), [applicationId, ...piece])))
  }
  return found
}

export interface ListedDelivery {
  id: number
  notification_id: string
  type: string
  grant_id: string
  state: 'waiting' | 'failed'
  attempts: number
  due_at: number
}

const ofDestination = `select d.notification as id, n.id as notification_id, n.type, n.grant_id, d.state, d.attempts, d.due_at
   from deliveries d join notifications n on n.application_id = d.application_id and n.position = d.notification
   where d.application_id = $1 and d.webhook_id = $2`
const listFailed = forRows((limit) =>
  dynamic<ListedDelivery>({
    name: 'deliveries.listFailed',
    text: `${ofDestination} and d.state = 'failed' and d.notification > $3 order by d.notification limit ${limit}`,
  }),
)
const listWaiting = forRows((limit) =>
  dynamic<ListedDelivery>({
    name: 'deliveries.listWaiting',
    text: `${ofDestination} and d.state = 'waiting' and (d.due_at, d.notification) > ($3, $4)
   order by d.due_at, d.notification limit ${limit}`,
  }),
)

/** The position of the last row of a page: among the failed or the waiting deliveries. */
export type DeliveryPosition = readonly [state: ListedDelivery['state'], dueAt: number, id: number]

/**
 * The failed deliveries of a destination in the order of the queue, then the waiting ones by their next attempt. Both
 * orders have an index; one more index on waiting deliveries would slow down each delivery.
 */
export async function listDeliveries(
  queries: Queries,
  at: { applicationId: string; webhookId: string },
  page: { state?: ListedDelivery['state'] | undefined; after?: DeliveryPosition | undefined; limit: number },
): Promise<ListedDelivery[]> {
  const of = [at.applicationId, at.webhookId]
  const [stateBefore, dueBefore, idBefore] = page.after ?? ['failed', -1, -1]
  const failed =
    page.state === 'waiting' || stateBefore === 'waiting'
      ? []
      : (await queries.all(listFailed(statedLimit(page.limit)), [...of, idBefore])).slice(0, page.limit)
  if (page.state === 'failed' || failed.length >= page.limit) return failed
  const behind = stateBefore === 'waiting' ? [dueBefore, idBefore] : [-1, -1]
  const left = page.limit - failed.length
  return [...failed, ...(await queries.all(listWaiting(statedLimit(left)), [...of, ...behind])).slice(0, left)]
}

/** A delivery that waits for a later attempt. */
export type LaterDelivery = Pick<DueDelivery, 'id' | 'attempts' | 'due_at'>

const later = sql<LaterDelivery>('deliveries.later')`select notification as id, attempts, due_at from deliveries
   where application_id = $1 and webhook_id = $2 and state = 'waiting' and (due_at, notification) > ($3, $4)
   order by due_at, notification limit $5`

/** Deliveries of a destination that are due after a time, after a position. */
export const laterDeliveries = (
  queries: Queries,
  at: { applicationId: string; webhookId: string },
  { now, after, limit }: { now: number; after?: LaterDelivery | undefined; limit: number },
): Promise<LaterDelivery[]> =>
  queries.all(later, [
    at.applicationId,
    at.webhookId,
    after?.due_at ?? now,
    after?.id ?? Number.MAX_SAFE_INTEGER,
    limit,
  ])

const makeDue = forRows((rows) => {
  const lists = Array.from(
    { length: rows },
    (_, row) => `(cast($${2 * row + 4} as bigint), cast($${2 * row + 5} as integer))`,
  )
  return dynamic({
    name: 'deliveries.makeDue',
    text: `update deliveries set due_at = $3 from (values ${lists.join(', ')}) as v
   where application_id = $1 and webhook_id = $2 and state = 'waiting' and due_at > $3
   and deliveries.notification = v.column1 and deliveries.attempts = v.column2`,
    raises: ['deliveries'],
  })
})

/** Makes deliveries due now, except those that were attempted since they were read. Returns their number. */
export async function makeDeliveriesDue(
  queries: Queries,
  at: { applicationId: string; webhookId: string },
  { rows, now }: { rows: readonly LaterDelivery[]; now: number },
): Promise<number> {
  let count = 0
  for (const piece of pieces(rows)) {
    const values = piece.flatMap(({ id, attempts }) => [id, attempts])
    count += await queries.run(makeDue(piece.length), [at.applicationId, at.webhookId, now, ...values])
  }
  return count
}

const counted = (name: string, condition: string) =>
  sql<{ n: number }>(`deliveries.${name}`)`select count(*) as n from (select 1 from deliveries
     where application_id = $1 and webhook_id = $2 and ${condition} limit $4) as counted`
// The third parameter is the time. The count of failed ones does not need it, but must give it a type.
const backlogCounts = {
  due: counted('countDue', `state = 'waiting' and due_at <= $3`),
  later: counted('countLater', `state = 'waiting' and due_at > $3`),
  failed: counted('countFailed', `state = 'failed' and cast($3 as bigint) >= 0`),
}
const nextDue = sql<{ due_at: number }>('deliveries.nextDue')`select due_at from deliveries
   where application_id = $1 and webhook_id = $2 and state = 'waiting' order by due_at, notification limit 1`

export interface BacklogCounts {
  due: number
  later: number
  failed: number
  /** The time of the next attempt, in milliseconds. */
  nextAt: number | undefined
}

/** The number of waiting and failed deliveries of a destination, each counted up to `max`. */
export async function countBacklog(
  queries: Queries,
  at: { applicationId: string; webhookId: string },
  { now, max }: { now: number; max: number },
): Promise<BacklogCounts> {
  const count = async (which: keyof typeof backlogCounts): Promise<number> =>
    (await queries.get(backlogCounts[which], [at.applicationId, at.webhookId, now, max]))?.n ?? 0
  return {
    due: await count('due'),
    later: await count('later'),
    failed: await count('failed'),
    nextAt: (await queries.get(nextDue, [at.applicationId, at.webhookId]))?.due_at,
  }
}

const stateAt = sql<Pick<ListedDelivery, 'state' | 'due_at'>>('deliveries.stateAt')`select state, due_at from deliveries
   where application_id = $1 and webhook_id = $2 and notification = $3`

/** The state of a notification in the queue of a destination; undefined if it is not queued. */
export const deliveryState = (
  queries: Queries,
  at: { applicationId: string; webhookId: string },
  notification: number,
): Promise<Pick<ListedDelivery, 'state' | 'due_at'> | undefined> =>
  queries.get(stateAt, [at.applicationId, at.webhookId, notification])
