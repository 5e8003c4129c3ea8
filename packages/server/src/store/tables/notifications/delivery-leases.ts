/**
 * The leases of webhook destinations: one node at a time delivers to a destination. A lease that nobody renews is free
 * again, and what its former owner still has to tell does not count (`owner` is asked with every result).
 */
import { dynamic, type Queries, sql } from '../../engine/database.ts'
import { forRows, parameters, pieces } from '../../engine/row-lists.ts'
import { newQueues } from './deliveries.ts'

/** A destination as deliveries need it. */
export interface LeasedDestination {
  id: string
  application_id: string
  webhook_url: string
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

// Those that wait for a later try are not looked at, however many there are. One that nobody has, and that turns out to
// have nothing to be tried again, is leased all the same: who gives it back keeps when there is. The first that is due is
// asked for by itself: beside an `or`, PostgreSQL would read all that waits to find whether there is any.
const due = sql<WaitingDestination>({
  name: 'delivery_leases.due',
  text: `select w.id as webhook_id, w.application_id, w.revision, delivery_leases.owner, delivery_leases.lease_until
   from (select value as webhook_id from (${newQueues}) as fresh
     union select webhook_id from delivery_leases where retry_at <= $1) as waiting
   join webhooks w on w.id = waiting.webhook_id
   left join delivery_leases on delivery_leases.webhook_id = w.id and delivery_leases.application_id = w.application_id
   where w.status in ('active', 'failing') and ((delivery_leases.retry_at <= $1 and delivery_leases.lease_until < $1) or (
     select d.due_at from deliveries d where d.webhook_id = w.id and d.state = 'waiting' order by d.due_at limit 1) <= $1)`,
  reads: ['delivery_leases', 'webhooks', 'deliveries'],
})
const retriesOf = sql<{ webhook_id: string; retry_at: number }>({
  name: 'delivery_leases.retriesOf',
  text: 'select webhook_id, retry_at from delivery_leases where application_id = $1 and owner = $2 and retry_at is not null',
  reads: ['delivery_leases'],
})
// Always another value: who is about to put it off sees that it came in between.
const retryNow = sql({
  name: 'delivery_leases.retryNow',
  text: 'update delivery_leases set retry_at = $3 where application_id = $1 and webhook_id = $2',
  writes: ['delivery_leases'],
})
// Unless somebody made it earlier meanwhile. What is new counts, too: to pass over it could take long.
const settle = sql({
  name: 'delivery_leases.settle',
  text: `update delivery_leases set retry_at = (select due_at from deliveries
     where application_id = $1 and webhook_id = $3 and state = 'waiting' order by due_at, notification limit 1)
   where application_id = $1 and owner = $2 and webhook_id = $3 and retry_at = $4`,
  reads: ['deliveries'],
  writes: ['delivery_leases'],
})
const toJudge = sql<DueDestination>({
  name: 'delivery_leases.toJudge',
  text: `select w.id as webhook_id, w.application_id, delivery_leases.owner, delivery_leases.lease_until
   from delivery_leases join webhooks w on w.id = delivery_leases.webhook_id and w.application_id = delivery_leases.application_id
   where delivery_leases.judge_at <= $1 and w.status in ('active', 'failing') order by delivery_leases.judge_at limit 100`,
  reads: ['delivery_leases', 'webhooks'],
})
const take = sql<{ epoch: number; health: string | null; judge_at: number | null }>({
  name: 'delivery_leases.take',
  text: `insert into delivery_leases (webhook_id, application_id, owner, epoch, lease_until, health, judge_at)
   select id, application_id, $3, 1, $4, null, null from webhooks where application_id = $1 and id = $2
   on conflict (webhook_id, application_id) do update set owner = excluded.owner, epoch = delivery_leases.epoch + 1, lease_until = excluded.lease_until
   where delivery_leases.owner is null or delivery_leases.owner = excluded.owner or delivery_leases.lease_until < $5
   returning epoch, health, judge_at`,
  reads: ['webhooks'],
  writes: ['delivery_leases'],
})
const renew = sql<{ webhook_id: string }>({
  name: 'delivery_leases.renew',
  text: 'update delivery_leases set lease_until = $2 where owner = $1 returning webhook_id',
  writes: ['delivery_leases'],
})
const release = forRows((count) =>
  dynamic({
    name: 'delivery_leases.release',
    text: `update delivery_leases set owner = null, lease_until = 0
   where application_id = $1 and owner = $2 and webhook_id in (${parameters(count, 3)})`,
    writes: ['delivery_leases'],
    raises: ['deliveries'],
  }),
)
const abandon = sql({
  name: 'delivery_leases.abandon',
  text: 'update delivery_leases set owner = null, lease_until = 0 where owner is not null',
  writes: ['delivery_leases'],
  raises: ['deliveries'],
})
const destination = sql<LeasedDestination>({
  name: 'delivery_leases.destination',
  text: `select id, application_id, webhook_url, status, revision, sealed_secret, sealed_previous_secret, previous_secret_until,
   document from webhooks where application_id = $1 and id = $2`,
  reads: ['webhooks'],
})
const step = sql({
  name: 'delivery_leases.step',
  text: `update webhooks set status = $3, status_updated_at = $4, revision = revision + 1
   where application_id = $1 and id = $2 and revision = $5`,
  writes: ['webhooks'],
  raises: ['deliveries'],
})

export interface DestinationAddress {
  applicationId: string
  webhookId: string
}

/** The destinations that have something to be delivered now, and who has their leases. */
export const dueDestinations = (queries: Queries, now: number): Promise<WaitingDestination[]> => queries.all(due, [now])

/** Something is tried now at a destination, though it was to be tried later. */
export const noteRetryNow = (tx: Queries, at: DestinationAddress, now: number): Promise<void> =>
  tx.post(retryNow, [at.applicationId, at.webhookId, now])

/** Destinations of one application that a node has the leases of. */
export interface OwnedDestinations {
  applicationId: string
  owner: string
  webhookIds: readonly string[]
}

/** Finds out when something is next to be tried again at destinations that one has the leases of. */
export async function settleRetries(
  queries: Queries,
  { applicationId, owner, webhookIds }: OwnedDestinations,
): Promise<void> {
  for (const { webhook_id, retry_at } of await queries.all(retriesOf, [applicationId, owner])) {
    if (webhookIds.includes(webhook_id)) await queries.run(settle, [applicationId, owner, webhook_id, retry_at])
  }
}

/** Destinations whose state the time may have changed, though nothing is to be delivered; and who has their leases. */
export const destinationsToJudge = (queries: Queries, now: number): Promise<DueDestination[]> =>
  queries.all(toJudge, [now])

/** What clocks of nodes may differ by: so long after its end a lease is free for others. */
const clocksMs = 500

/** Whether nobody else has a lease that somebody had until then. */
export const isOver = (until: number | null, now: number): boolean => (until ?? 0) < now - clocksMs

/** Takes a lease that is free or one's own; undefined where it is not, or the destination is gone. */
export const leaseDestination = (
  queries: Queries,
  { applicationId, webhookId }: DestinationAddress,
  by: { owner: string; until: number; now: number },
): Promise<{ epoch: number; health: string | null; judge_at: number | null } | undefined> =>
  queries.get(take, [applicationId, webhookId, by.owner, by.until, by.now - clocksMs])

/** Renews every lease of a node; answers which ones it still has. */
export const renewLeases = async (queries: Queries, owner: string, until: number): Promise<Set<string>> =>
  new Set((await queries.all(renew, [owner, until])).map((row) => row.webhook_id))

/** Gives leases back. */
export async function releaseLeases(
  queries: Queries,
  { applicationId, owner, webhookIds }: OwnedDestinations,
): Promise<void> {
  for (const piece of pieces(webhookIds)) await queries.run(release(piece.length), [applicationId, owner, ...piece])
}

/** Frees every lease: at the start of the only server of a SQLite file. */
export const abandonLeases = (queries: Queries): Promise<number> => queries.run(abandon)

export const leasedDestination = (queries: Queries, at: DestinationAddress): Promise<LeasedDestination | undefined> =>
  queries.get(destination, [at.applicationId, at.webhookId])

/** Moves a destination to another state, unless somebody changed it in the meantime. */
export const stepDestination = async (
  queries: Queries,
  at: DestinationAddress,
  to: { status: string; revision: number; now: number },
): Promise<boolean> => (await queries.run(step, [at.applicationId, at.webhookId, to.status, to.now, to.revision])) === 1
