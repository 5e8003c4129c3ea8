/** The log of delivery attempts: pages, single attempts, and counts. */
import { dynamic, type Queries, sql, statedLimit, type Value } from '../../engine/database.ts'

interface DestinationAddress {
  applicationId: string
  webhookId: string
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
  grant_id: string | null
}

/** The position of the last attempt of a page. */
export type AttemptPosition = readonly [at: number, notification: number, attempt: number]

export interface AttemptFilter {
  notificationId?: string | undefined
  outcome?: 'delivered' | 'failed' | undefined
  /** Milliseconds. */
  start?: number | undefined
  end?: number | undefined
}

// Must match the conditions of the partial indexes.
const delivered = 'status >= 200 and status < 300'
const failed = 'status is null or status < 200 or status >= 300'

const columns = `a.notification, a.attempt, a.at, a.latency_ms, a.status, a.error, a.sealed_answer, n.id as notification_id,
   n.type, n.grant_id`
const retained = `delivery_attempts a left join notifications n
   on n.application_id = a.application_id and n.position = a.notification`

interface AttemptPage {
  filter: AttemptFilter
  after?: AttemptPosition | undefined
  limit: number
}

function textOf(wanted: string, of: DestinationAddress, { filter, after, limit }: AttemptPage) {
  const values: Value[] = [of.applicationId, of.webhookId]
  const add = (value: Value): string => `$${values.push(value)}`
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
  const text = `select ${wanted} from ${retained}
   where a.application_id = $1 and a.webhook_id = $2 ${conditions.join(' ')}
   order by a.at desc, a.notification desc, a.attempt desc limit ${statedLimit(limit)}`
  return { text, values }
}

/** Attempts, newest first. */
export async function listAttempts(
  queries: Queries,
  of: DestinationAddress,
  page: AttemptPage,
): Promise<ListedAttempt[]> {
  const { text, values } = textOf(columns, of, page)
  return (await queries.all(dynamic<ListedAttempt>({ name: 'delivery_attempts.list', text }), values)).slice(
    0,
    page.limit,
  )
}

export type AttemptHead = Pick<ListedAttempt, 'at' | 'notification' | 'attempt' | 'type' | 'grant_id'>

/** A page of attempts without the responses, for filters that are applied to each row. */
export async function scanAttempts(
  queries: Queries,
  of: DestinationAddress,
  page: AttemptPage,
): Promise<AttemptHead[]> {
  const { text, values } = textOf('a.at, a.notification, a.attempt, n.type, n.grant_id', of, page)
  return (await queries.all(dynamic<AttemptHead>({ name: 'delivery_attempts.scan', text }), values)).slice(
    0,
    page.limit,
  )
}

/** All attempts to deliver these notifications to a destination, in no particular order. */
export function attemptsOf(
  queries: Queries,
  of: DestinationAddress,
  notifications: readonly number[],
): Promise<ListedAttempt[]> {
  if (notifications.length === 0) return Promise.resolve([])
  const places = notifications.map((_, index) => `$${index + 3}`).join(', ')
  const text = `select ${columns} from ${retained}
   where a.application_id = $1 and a.webhook_id = $2 and a.notification in (${places})`
  return queries.all(dynamic<ListedAttempt>({ name: 'delivery_attempts.several', text }), [
    of.applicationId,
    of.webhookId,
    ...notifications,
  ])
}

const taken = (count: number): string => {
  const places = Array.from({ length: count }, (_, index) => `$${index + 3}`).join(', ')
  return `select distinct a.notification from delivery_attempts a
   where a.application_id = $1 and a.webhook_id = $2 and a.notification in (${places}) and ${delivered}
   and not exists (select 1 from deliveries d
     where d.application_id = a.application_id and d.notification = a.notification and d.webhook_id = a.webhook_id)`
}

/** Those of the notifications that a destination has accepted and that are not queued for it again. */
export async function takenOf(
  queries: Queries,
  of: DestinationAddress,
  notifications: readonly number[],
): Promise<number[]> {
  if (notifications.length === 0) return []
  const statement = dynamic<{ notification: number }>({
    name: 'delivery_attempts.taken',
    text: taken(notifications.length),
  })
  const rows = await queries.all(statement, [of.applicationId, of.webhookId, ...notifications])
  return rows.map(({ notification }) => notification)
}

const tally = (name: string, outcome: string) =>
  sql<{ n: number }>(`delivery_attempts.${name}`)`select count(*) as n from (select 1 from delivery_attempts
     where application_id = $1 and webhook_id = $2 and at >= $3 and at < $4 and (${outcome}) limit $5) as counted`
const tallies = { delivered: tally('tallyDelivered', delivered), failed: tally('tallyFailed', failed) }

/** The number of successful and failed attempts in a period, each counted up to `max`. Reads only the indexes. */
export async function tallyAttempts(
  queries: Queries,
  of: { applicationId: string; webhookId: string },
  { from, to, max }: { from: number; to: number; max: number },
): Promise<{ delivered: number; failed: number }> {
  const count = async (which: keyof typeof tallies): Promise<number> =>
    (await queries.get(tallies[which], [of.applicationId, of.webhookId, from, to, max]))?.n ?? 0
  return { delivered: await count('delivered'), failed: await count('failed') }
}
