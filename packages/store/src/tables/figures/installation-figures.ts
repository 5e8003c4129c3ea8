/** Figures of the whole installation. Every statement uses an index and reads a limited number of rows. */
import { type Queries, type Statement, sql } from '../../engine/database.ts'
import { writeRows } from '../../engine/row-lists.ts'
import { number, type RowOf, table, text } from '../../engine/table.ts'
import { readAllCounts } from '../applications/application-counts.ts'
import { readFact } from '../applications/installation.ts'
import { newQueues } from '../notifications/deliveries.ts'
import { servedStatuses } from '../notifications/webhooks.ts'

/** Starts from the destinations with due deliveries, found in the same way as by the deliverers. */
const oldestOnOne = sql<{ due_at: number | null }>('deliveries.oldestWaiting')`
   select min((select min(d.due_at) from deliveries d where d.webhook_id = w.id and d.state = 'waiting')) as due_at
   from (select value as webhook_id from (${newQueues}) as fresh
     union select webhook_id from delivery_leases where retry_at <= $1) as waiting
   join webhooks w on w.id = waiting.webhook_id
   where w.status in ${servedStatuses}`
/** Citus cannot step through an index of all shards: each shard looks at all of its active destinations. */
const oldestOnShards = sql<{ due_at: number | null }>('deliveries.oldestWaitingOnShards')`
   select min(first.due_at) as due_at from (select w.application_id, (
     select min(d.due_at) from deliveries d where d.application_id = w.application_id and d.webhook_id = w.id
     and d.state = 'waiting') as due_at from webhooks w where w.status in ${servedStatuses}) as first
   where first.due_at <= $1`
const oldestWaiting: Statement<{ due_at: number | null }> = { ...oldestOnOne, distributed: oldestOnShards }
/** Beyond this number, an exact count is not needed. */
const maxJobs = 10_000
const jobs = sql<{ kind: string; n: number; due_at: number }>('outbox.dueByKind')`
   select kind, count(*) as n, min(due_at) as due_at
   from (select kind, due_at from outbox where due_at <= $1 order by due_at, id limit ${maxJobs}) as due group by kind`
const sends = sql<{ n: number; due_at: number | null }>('sends.dueNow')`select count(*) as n, min(next_at) as due_at
   from (select next_at from sends where next_at is not null and next_at <= $1 order by next_at, id limit ${maxJobs}) as due`

export interface DueJobs {
  kind: string
  count: number
  /** Milliseconds. */
  dueAt: number
}

/** The number of grants per provider and state. */
export async function countGrants(queries: Queries): Promise<{ provider: string; state: string; count: number }[]> {
  const counts = new Map<string, { provider: string; state: string; count: number }>()
  for (const { by, amount } of await readAllCounts(queries, 'grants')) {
    const [provider = '', status = '', blocked] = by
    const state = blocked === '1' ? 'blocked' : status
    const counted = counts.getOrInsertComputed(`${provider} ${state}`, () => ({ provider, state, count: 0 }))
    counted.count += amount
  }
  return [...counts.values()]
}

/** The due time of the delivery that has been due longest; undefined if none is due. */
export const oldestDelivery = async (queries: Queries, now: number): Promise<number | undefined> =>
  (await queries.get(oldestWaiting, [now]))?.due_at ?? undefined

/** Due jobs of the outbox by kind, and messages due to be sent. */
export async function dueJobs(queries: Queries, now: number): Promise<DueJobs[]> {
  const found = (await queries.all(jobs, [now])).map(({ kind, n, due_at }) => ({ kind, count: n, dueAt: due_at }))
  const waiting = await queries.get(sends, [now])
  return [...found, { kind: 'message.send', count: waiting?.n ?? 0, dueAt: waiting?.due_at ?? now }]
}

/** The time of the last successful backup, in milliseconds. */
export async function lastBackup(queries: Queries): Promise<number | undefined> {
  const at = Number(await readFact(queries, 'last_backup_at'))
  return at > 0 ? at : undefined
}

// Request figures of applications per five minutes and provider, as counted by each node.

const figures = table('application_figures', {
  application_id: text,
  /** The start of the interval, in milliseconds. */
  at: number,
  /** The kind of account; empty for requests without an account. */
  provider: text,
  node_id: text,
  requests: number,
  refused: number,
  errors: number,
  provider_errors: number,
  /** A histogram of durations, as JSON. */
  latencies: text,
})
export type ApplicationFiguresRow = RowOf<typeof figures>

const { columns, valuesOf } = figures
const types = ['text', 'bigint', 'text', 'text', 'integer', 'integer', 'integer', 'integer', 'text']
const save = (values: string): string => `insert into application_figures (${columns})
   select a.id, v.column2, v.column3, v.column4, v.column5, v.column6, v.column7, v.column8, v.column9
   from (values ${values}) as v join applications a on a.id = v.column1 where true
   on conflict (application_id, at, provider, node_id) do update set requests = excluded.requests,
   refused = excluded.refused, errors = excluded.errors, provider_errors = excluded.provider_errors,
   latencies = excluded.latencies`

/** Replaces the figures that the same node wrote for the same interval. */
export const saveApplicationFigures = (queries: Queries, rows: readonly ApplicationFiguresRow[]): Promise<void> =>
  writeRows(queries, rows.map(valuesOf), { name: 'application_figures.save', types, text: save })

const since = figures.select('since')`where application_id = $1 and at >= $2 order by at`
export const applicationFigures = (
  queries: Queries,
  applicationId: string,
  from: number,
): Promise<ApplicationFiguresRow[]> => queries.all(since, [applicationId, from])

const purge = figures.delete('purge')`where at < $1`
export const purgeApplicationFigures = (queries: Queries, before: number): Promise<number> =>
  queries.run(purge, [before])

// Problems of an application. Every statement uses an index and reads a limited number of rows.

/** Beyond this number, an exact count is not needed. */
export const maxCounted = 1_000

const counted = (name: string, table: string, condition: string) =>
  sql<{ n: number }>(name)`select count(*) as n
   from (select 1 from ${table} where ${condition} limit ${maxCounted}) as counted`

const invalid = counted('grants.countInvalid', 'grants', `application_id = $1 and status = 'invalid'`)
const notFetched = counted('watch_failures.count', 'watch_failures', 'application_id = $1 and failures >= 3')
const ofDestination = (state: string, column = '1'): string =>
  `select ${column} from deliveries where webhook_id = $1 and application_id = $2 and state = '${state}' limit ${maxCounted}`
interface Queue {
  waiting: number
  /** Those of `waiting` whose last attempt failed. */
  retrying: number
  failed: number
  due_at: number | null
}
const queue = sql<Queue>('deliveries.queueOf')`
   select (select count(*) from (${ofDestination('waiting')}) as waiting) as waiting,
   (select count(*) from (${ofDestination('waiting', 'tries')}) as waiting where tries > 0) as retrying,
   (select count(*) from (${ofDestination('failed')}) as failed) as failed,
   (select due_at from deliveries where webhook_id = $1 and application_id = $2 and state = 'waiting'
     order by due_at, notification limit 1) as due_at`

/** The number of grants that lost access, and of grants whose changes cannot be fetched. */
export const countUnwell = async (
  queries: Queries,
  applicationId: string,
): Promise<{ invalid: number; notFetched: number }> => ({
  invalid: (await queries.get(invalid, [applicationId]))?.n ?? 0,
  notFetched: (await queries.get(notFetched, [applicationId]))?.n ?? 0,
})

/** The number of deliveries that wait for a destination, and the due time of the first; milliseconds. */
export const queueOf = (
  queries: Queries,
  at: { applicationId: string; webhookId: string },
): Promise<Queue | undefined> => queries.get(queue, [at.webhookId, at.applicationId])
