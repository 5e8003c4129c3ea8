/** The queue of deliveries and the log of their attempts. What was delivered leaves the queue; what failed for good stays. */
import { dynamic, type Queries, type Statement, sql, type Value } from './database.ts'

export interface DueDelivery {
  id: number
  notification: number
  due_at: number
  /** How often it was tried, ever; and since it was queued or replayed. */
  attempts: number
  tries: number
  bytes: number
}

/** What a notification is composed of, as the store has it. */
export interface SealedNotification {
  position: number
  id: string
  application_id: string
  type: string
  source: string
  sequence: number
  created_at: number
  sealed_payload: string
}

/** The same, opened. */
export type StoredNotification = Omit<SealedNotification, 'sealed_payload'> & { payload: string }

export interface AttemptRow {
  webhookId: string
  applicationId: string
  notification: number
  attempt: number
  at: number
  latencyMs: number
  status: number | null
  error: string | null
  sealedAnswer: string | null
}

/** What a delivery that did not succeed becomes. */
export interface Postponed {
  id: number
  attempts: number
  tries: number
  dueAt: number
  state: 'waiting' | 'failed'
}

const due = sql<DueDelivery>(
  'deliveries.due',
  `select id, notification, due_at, attempts, tries, bytes from deliveries
   where application_id = $1 and webhook_id = $2 and state = 'waiting' and due_at <= $3 and (due_at, id) > ($4, $5)
   order by due_at, id limit $6`,
)
/** Nobody has to know more exactly what is more. */
const maxCounted = 100_000
const waiting = sql<{ n: number }>(
  'deliveries.waiting',
  `select count(*) as n from (select 1 from deliveries where state = 'waiting' limit ${maxCounted}) as counted`,
)

/** How much waits for delivery, of all destinations together; a hundred thousand where it is more. */
export const countWaiting = async (queries: Queries): Promise<number> => (await queries.get(waiting))?.n ?? 0

/** Due deliveries of a destination, the oldest first, behind a place in that order. */
export const dueDeliveries = (
  queries: Queries,
  at: { applicationId: string; webhookId: string },
  { now, after, limit }: { now: number; after?: Pick<DueDelivery, 'due_at' | 'id'> | undefined; limit: number },
): Promise<DueDelivery[]> =>
  queries.all(due, [at.applicationId, at.webhookId, now, after?.due_at ?? -1, after?.id ?? -1, limit])

/** Pieces whose lengths are powers of two, so that few texts are prepared. */
function* pieces<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; ) {
    const length = 2 ** Math.floor(Math.log2(Math.min(rows.length - from, 256)))
    yield rows.slice(from, from + length)
    from += length
  }
}

const parameters = (count: number, from: number): string =>
  Array.from({ length: count }, (_, index) => `$${from + index}`).join(', ')

/** Statements for so many rows, each composed once. */
function forRows<T>(compose: (count: number) => Statement<T>): (count: number) => Statement<T> {
  const composed = new Map<number, Statement<T>>()
  return (count) => {
    const statement = composed.get(count) ?? compose(count)
    composed.set(count, statement)
    return statement
  }
}

const notificationsIn = forRows((count) =>
  dynamic<SealedNotification>(
    'notifications.at',
    `select position, id, application_id, type, source, sequence, created_at, sealed_payload from notifications
   where position in (${parameters(count, 1)})`,
  ),
)

/** Notifications by position; those that are gone are missing. */
export async function notificationsAt(queries: Queries, positions: readonly number[]): Promise<SealedNotification[]> {
  const found: SealedNotification[] = []
  for (const piece of pieces(positions)) {
    found.push(...(await queries.all(notificationsIn(piece.length), piece)))
  }
  return found
}

/** Results count only from who has the lease. */
const owned = 'webhook_id in (select webhook_id from lanes where owner = $1)'

const complete = forRows((count) =>
  dynamic('deliveries.complete', `delete from deliveries where id in (${parameters(count, 2)}) and ${owned}`),
)

/** Takes delivered ones off the queue. */
export async function completeDeliveries(tx: Queries, owner: string, ids: readonly number[]): Promise<void> {
  for (const piece of pieces(ids)) {
    await tx.run(complete(piece.length), [owner, ...piece])
  }
}

const postpone = forRows((rows) => {
  let count = 1
  const next = (type: string): string => `cast($${++count} as ${type})`
  const lists = Array.from(
    { length: rows },
    () => `(${next('bigint')}, ${next('integer')}, ${next('integer')}, ${next('bigint')}, ${next('text')})`,
  )
  return dynamic(
    'deliveries.postpone',
    `update deliveries set attempts = v.column2, tries = v.column3, due_at = v.column4,
   state = case when deliveries.state = 'failed' then deliveries.state else v.column5 end
   from (values ${lists.join(', ')}) as v where deliveries.id = v.column1 and ${owned}`,
  )
})

/** Writes when failed ones are tried again, or that they are not; what was given up meanwhile stays given up. */
export async function postponeDeliveries(tx: Queries, owner: string, rows: readonly Postponed[]): Promise<void> {
  for (const piece of pieces(rows)) {
    const values = piece.flatMap((row) => [row.id, row.attempts, row.tries, row.dueAt, row.state])
    await tx.run(postpone(piece.length), [owner, ...values])
  }
}

const logAll = forRows((rows) => {
  const lists = Array.from({ length: rows }, (_, index) => `(${parameters(9, 9 * index + 1)})`)
  return dynamic(
    'delivery_attempts.add',
    `insert into delivery_attempts
   (webhook_id, notification, attempt, application_id, at, latency_ms, status, error, sealed_answer)
   values ${lists.join(', ')} on conflict do nothing`,
  )
})

export async function logAttempts(tx: Queries, rows: readonly AttemptRow[]): Promise<void> {
  for (const piece of pieces(rows)) {
    const values: Value[] = []
    for (const {
      webhookId,
      notification,
      attempt,
      applicationId,
      at,
      latencyMs,
      status,
      error,
      sealedAnswer,
    } of piece) {
      values.push(webhookId, notification, attempt, applicationId, at, latencyMs, status, error, sealedAnswer)
    }
    await tx.run(logAll(piece.length), values)
  }
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

const ofDestination = `select d.id, n.id as notification_id, n.type, n.grant_id, d.state, d.attempts, d.due_at
   from deliveries d join notifications n on n.position = d.notification
   where d.application_id = $1 and d.webhook_id = $2`
const listFailed = sql<ListedDelivery>(
  'deliveries.listFailed',
  `${ofDestination} and d.state = 'failed' and d.id > $3 order by d.id limit $4`,
)
const listWaiting = sql<ListedDelivery>(
  'deliveries.listWaiting',
  `${ofDestination} and d.state = 'waiting' and (d.due_at, d.id) > ($3, $4) order by d.due_at, d.id limit $5`,
)

/** Where a page ends: in what failed, or in what waits. */
export type DeliveryPosition = readonly [state: ListedDelivery['state'], dueAt: number, id: number]

/**
 * What failed for a destination, in the order it was queued, and then what waits, by the next try. Each is an order that an
 * index has: one more index over what waits would cost every delivery.
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
      : await queries.all(listFailed, [...of, idBefore, page.limit])
  if (page.state === 'failed' || failed.length >= page.limit) return failed
  const behind = stateBefore === 'waiting' ? [dueBefore, idBefore] : [-1, -1]
  return [...failed, ...(await queries.all(listWaiting, [...of, ...behind, page.limit - failed.length]))]
}

export interface ListedAttempt {
  notification: number
  attempt: number
  at: number
  latency_ms: number
  status: number | null
  error: string | null
  sealed_answer: string | null
  notification_id: string | null
  type: string | null
}

/** Where a page of the log ends. */
export type AttemptPosition = readonly [at: number, notification: number, attempt: number]

export interface AttemptFilter {
  notificationId?: string | undefined
  outcome?: 'delivered' | 'failed' | undefined
  /** Milliseconds. */
  start?: number | undefined
  end?: number | undefined
}

// In the words of the indexes that have the one or the other alone.
const delivered = 'status >= 200 and status < 300'
const failed = 'status is null or status < 200 or status >= 300'

/** Attempts, the newest first. */
export function listAttempts(
  queries: Queries,
  of: { applicationId: string; webhookId: string },
  page: { filter: AttemptFilter; after?: AttemptPosition | undefined; limit: number },
): Promise<ListedAttempt[]> {
  const { filter, after } = page
  const values: (string | number)[] = [of.applicationId, of.webhookId, page.limit]
  const add = (value: string | number): string => `$${values.push(value)}`
  const conditions = [
    ...(after ? [`and (a.at, a.notification, a.attempt) < (${after.map(add).join(', ')})`] : []),
    ...(filter.notificationId === undefined
      ? []
      : [
          `and a.notification = (select position from notifications where application_id = $1 and id = ${add(filter.notificationId)})`,
        ]),
    ...(filter.outcome === 'delivered' ? [`and ${delivered}`] : []),
    ...(filter.outcome === 'failed' ? [`and (${failed})`] : []),
    ...(filter.start === undefined ? [] : [`and a.at >= ${add(filter.start)}`]),
    ...(filter.end === undefined ? [] : [`and a.at < ${add(filter.end)}`]),
  ]
  const text = `select a.notification, a.attempt, a.at, a.latency_ms, a.status, a.error, a.sealed_answer, n.id as notification_id, n.type
   from delivery_attempts a left join notifications n on n.position = a.notification
   where a.application_id = $1 and a.webhook_id = $2 ${conditions.join(' ')}
   order by a.at desc, a.notification desc, a.attempt desc limit $3`
  return queries.all(dynamic<ListedAttempt>('delivery_attempts.list', text), values)
}

/** A delivery that waits for a later try, and how often it was tried. */
export type LaterDelivery = Pick<DueDelivery, 'id' | 'attempts' | 'due_at'>

const later = sql<LaterDelivery>(
  'deliveries.later',
  `select id, attempts, due_at from deliveries
   where application_id = $1 and webhook_id = $2 and state = 'waiting' and (due_at, id) > ($3, $4)
   order by due_at, id limit $5`,
)

/** Deliveries of a destination that are due after a time, behind a place in that order. */
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
  return dynamic(
    'deliveries.makeDue',
    `update deliveries set due_at = $3 from (values ${lists.join(', ')}) as v
   where application_id = $1 and webhook_id = $2 and state = 'waiting' and due_at > $3
   and deliveries.id = v.column1 and deliveries.attempts = v.column2`,
  )
})

/** Makes these due now, but for what was tried since they were read; answers how many there are. */
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

const tally = (name: string, outcome: string) =>
  sql<{ n: number }>(
    `delivery_attempts.${name}`,
    `select count(*) as n from delivery_attempts
     where application_id = $1 and webhook_id = $2 and at >= $3 and at < $4 and (${outcome})`,
  )
const tallies = { delivered: tally('tallyDelivered', delivered), failed: tally('tallyFailed', failed) }

/** How many attempts succeeded and failed in a span of time, by the indexes alone. */
export async function tallyAttempts(
  queries: Queries,
  of: { applicationId: string; webhookId: string },
  { from, to }: { from: number; to: number },
): Promise<{ delivered: number; failed: number }> {
  const count = async (which: keyof typeof tallies): Promise<number> =>
    (await queries.get(tallies[which], [of.applicationId, of.webhookId, from, to]))?.n ?? 0
  return { delivered: await count('delivered'), failed: await count('failed') }
}
