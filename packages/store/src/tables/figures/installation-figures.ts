/** Figures of the whole installation. Every statement uses an index and reads a limited number of rows. */

import { type Queries, type Statement, sql } from '../../engine/database.ts'
import { readAllCounts } from '../applications/application-counts.ts'
import { readFact } from '../applications/installation.ts'
import { newQueues } from '../notifications/deliveries.ts'
import { servedStatuses } from '../notifications/destination-status.ts'

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
