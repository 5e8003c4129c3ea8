/**
 * Leases of destinations: one node at a time delivers to a destination. A lease that is not renewed expires.
 * Every write of results checks `owner`, so that a former owner cannot change anything.
 */
import { dynamic, type Queries, type Statement, sql } from '../../engine/database.ts'
import { forRows, parameters, pieces } from '../../engine/row-lists.ts'
import { newQueues } from './deliveries.ts'
import { servedStatuses, statusRead, statusWritten } from './webhooks.ts'

/** The fields of a destination that deliveries need. */
export interface LeasedDestination {
  id: string
  application_id: string
  transport: string
  webhook_url: string
  /** Where a channel publishes, as JSON. Null for webhooks. */
  settings: string | null
  status: string
  revision: number
  sealed_secret: string
  sealed_previous_secret: string | null
  previous_secret_until: number | null
  document: string
}

export interface DueDestination {
  webhook_id: string
  application_id: string
  owner: string | null
  lease_until: number | null
}

export interface WaitingDestination extends DueDestination {
  revision: number
}

// Destinations that wait for a later attempt are not read. A free destination without anything to retry may be leased
// in vain; its release then stores the correct `retry_at`. The first due delivery is a separate subquery: next to an
// `or`, PostgreSQL would read all waiting deliveries to check whether there is one.
const dueOnOne = sql<WaitingDestination>('delivery_leases.due')`
   select w.id as webhook_id, w.application_id, w.revision, delivery_leases.owner, delivery_leases.lease_until
   from (select value as webhook_id from (${newQueues}) as fresh
     union select webhook_id from delivery_leases where retry_at <= $1) as waiting
   join webhooks w on w.id = waiting.webhook_id
   left join delivery_leases on delivery_leases.webhook_id = w.id and delivery_leases.application_id = w.application_id
   where w.status in ${servedStatuses} and ((delivery_leases.retry_at <= $1 and delivery_leases.lease_until < $1) or (
     select d.due_at from deliveries d where d.webhook_id = w.id and d.state = 'waiting' order by d.due_at limit 1) <= $1)`
// Citus cannot step through an index of all shards, so each shard looks at all of its active destinations.
const dueOnShards = sql<WaitingDestination>('delivery_leases.dueOnShards')`
   select w.id as webhook_id, w.application_id, w.revision, l.owner, l.lease_until
   from webhooks w left join delivery_leases l on l.webhook_id = w.id and l.application_id = w.application_id
   where w.status in ${servedStatuses} and ((l.retry_at <= $1 and l.lease_until < $1) or (
     select d.due_at from deliveries d where d.application_id = w.application_id and d.webhook_id = w.id
     and d.state = 'waiting' order by d.due_at limit 1) <= $1)`
const due: Statement<WaitingDestination> = { ...dueOnOne, distributed: dueOnShards }
const retriesOf = sql<{ webhook_id: string; retry_at: number }>('delivery_leases.retriesOf')`select webhook_id, retry_at
   from delivery_leases where application_id = $1 and owner = $2 and retry_at is not null`
// Always changes the value, so that a concurrent `settle` detects it.
const retryNow = sql('delivery_leases.retryNow')`update delivery_leases set retry_at = $3
   where application_id = $1 and webhook_id = $2`
// Unless another transaction has set an earlier time. New deliveries count too, because skipping them could take
// long.
const settle = sql('delivery_leases.settle')`update delivery_leases set retry_at = (select due_at from deliveries
     where application_id = $1 and webhook_id = $3 and state = 'waiting' order by due_at, notification limit 1)
   where application_id = $1 and owner = $2 and webhook_id = $3 and retry_at = $4`
const toJudge = sql<DueDestination>('delivery_leases.toJudge')`
   select w.id as webhook_id, w.application_id, delivery_leases.owner, delivery_leases.lease_until
   from delivery_leases join webhooks w on w.id = delivery_leases.webhook_id and w.application_id = delivery_leases.application_id
   where delivery_leases.judge_at <= $1 and w.status in ${servedStatuses} order by delivery_leases.judge_at limit 100`
const take = sql<{ epoch: number; health: string | null; judge_at: number | null }>('delivery_leases.take')`
   insert into delivery_leases (webhook_id, application_id, owner, epoch, lease_until, health, judge_at)
   select id, application_id, $3, 1, $4, null, null from webhooks where application_id = $1 and id = $2
   on conflict (webhook_id, application_id) do update set owner = excluded.owner, epoch = delivery_leases.epoch + 1, lease_until = excluded.lease_until
   where delivery_leases.owner is null or delivery_leases.owner = excluded.owner or delivery_leases.lease_until < $5
   returning epoch, health, judge_at`
const renew = sql<{ webhook_id: string }>('delivery_leases.renew')`update delivery_leases set lease_until = $2
   where owner = $1 returning webhook_id`
const release = forRows((count) =>
  dynamic({
    name: 'delivery_leases.release',
    text: `update delivery_leases set owner = null, lease_until = 0
   where application_id = $1 and owner = $2 and webhook_id in (${parameters(count, 3)})`,
    raises: ['deliveries'],
  }),
)
const releaseOwned = sql('delivery_leases.releaseOwned', { raises: ['deliveries'] })`update delivery_leases
   set owner = null, lease_until = 0 where owner = $1`
const abandon = sql('delivery_leases.abandon', { raises: ['deliveries'] })`update delivery_leases
   set owner = null, lease_until = 0 where owner is not null`
const destination = sql<LeasedDestination>('delivery_leases.destination')`select id, application_id, transport,
   webhook_url, settings, ${statusRead}, revision, sealed_secret, sealed_previous_secret, previous_secret_until,
   document from webhooks where application_id = $1 and id = $2`
const step = sql('delivery_leases.step', { raises: ['deliveries'] })`update webhooks
   set status = ${statusWritten('$3')}, status_updated_at = $4, revision = revision + 1
   where application_id = $1 and id = $2 and revision = $5`

export interface DestinationAddress {
  applicationId: string
  webhookId: string
}

/** The destinations with due deliveries, and the owners of their leases. */
export const dueDestinations = (queries: Queries, now: number): Promise<WaitingDestination[]> => queries.all(due, [now])

/** Records that a delivery planned for later is due now. */
export const noteRetryNow = (tx: Queries, at: DestinationAddress, now: number): Promise<void> =>
  tx.post(retryNow, [at.applicationId, at.webhookId, now])

/** Destinations of one application that a node has leased. */
export interface OwnedDestinations {
  applicationId: string
  owner: string
  webhookIds: readonly string[]
}

/** Computes the time of the next retry for leased destinations. */
export async function settleRetries(
  queries: Queries,
  { applicationId, owner, webhookIds }: OwnedDestinations,
): Promise<void> {
  for (const { webhook_id, retry_at } of await queries.all(retriesOf, [applicationId, owner])) {
    if (webhookIds.includes(webhook_id)) await queries.run(settle, [applicationId, owner, webhook_id, retry_at])
  }
}

/** Destinations whose state may change by the passage of time, and the owners of their leases. */
export const destinationsToJudge = (queries: Queries, now: number): Promise<DueDestination[]> =>
  queries.all(toJudge, [now])

/** The tolerated difference between the clocks of nodes: other nodes wait this long after the end of a lease. */
const clocksMs = 500

/** Whether a lease with this end has expired. */
export const isOver = (until: number | null, now: number): boolean => (until ?? 0) < now - clocksMs

/** Takes a lease that is free or already owned. Undefined if it is not free, or if the destination was deleted. */
export const leaseDestination = (
  queries: Queries,
  { applicationId, webhookId }: DestinationAddress,
  by: { owner: string; until: number; now: number },
): Promise<{ epoch: number; health: string | null; judge_at: number | null } | undefined> =>
  queries.get(take, [applicationId, webhookId, by.owner, by.until, by.now - clocksMs])

/** Renews all leases of a node. Returns the destinations that it still owns. */
export const renewLeases = async (queries: Queries, owner: string, until: number): Promise<Set<string>> =>
  new Set((await queries.all(renew, [owner, until])).map((row) => row.webhook_id))

/** Releases leases. */
export async function releaseLeases(
  queries: Queries,
  { applicationId, owner, webhookIds }: OwnedDestinations,
): Promise<void> {
  for (const piece of pieces(webhookIds)) await queries.run(release(piece.length), [applicationId, owner, ...piece])
}

/** Releases all leases of a node that is dead for certain. */
export const releaseLeasesOf = (queries: Queries, owner: string): Promise<number> => queries.run(releaseOwned, [owner])

/** Releases all leases, when the only server of a SQLite file starts. */
export const abandonLeases = (queries: Queries): Promise<number> => queries.run(abandon)

export const leasedDestination = (queries: Queries, at: DestinationAddress): Promise<LeasedDestination | undefined> =>
  queries.get(destination, [at.applicationId, at.webhookId])

/** Changes the state of a destination, unless it was changed in the meantime. */
export const stepDestination = async (
  queries: Queries,
  at: DestinationAddress,
  to: { status: string; revision: number; now: number },
): Promise<boolean> => (await queries.run(step, [at.applicationId, at.webhookId, to.status, to.now, to.revision])) === 1
