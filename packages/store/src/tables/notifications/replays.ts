/** Queues deliveries again, in batches. The duration does not depend on the length of the history. */
import { dynamic, type Queries } from '../../engine/database.ts'

interface DestinationAddress {
  applicationId: string
  webhookId: string
}

/** A permanently failed delivery, with the fields by which a replay selects. */
export interface FailedDelivery {
  id: number
  type: string
  grant_id: string
  created_at: number
}

// The limit is part of the text, as with `statedLimit`. Callers use a single value.
const failedAfter = (limit: number) =>
  dynamic<FailedDelivery>({
    name: 'deliveries.failedAfter',
    text: `select d.notification as id, n.type, n.grant_id, n.created_at
   from deliveries d join notifications n on n.application_id = d.application_id and n.position = d.notification
   where d.application_id = $1 and d.webhook_id = $2 and d.state = 'failed' and d.notification > $3 order by d.notification limit ${limit}`,
  })

/** Permanently failed deliveries in the order of the queue, after a position. */
export const failedDeliveries = (
  queries: Queries,
  at: DestinationAddress,
  { after, limit }: { after: number; limit: number },
): Promise<FailedDelivery[]> => queries.all(failedAfter(limit), [at.applicationId, at.webhookId, after])

const placeholders = (values: readonly number[]): string => values.map((_, index) => `$${index + 4}`).join(', ')

/** Queues permanently failed deliveries again. Returns the number of those that were still failed. */
export const requeueFailed = (
  queries: Queries,
  at: DestinationAddress,
  { ids, now }: { ids: readonly number[]; now: number },
): Promise<number> =>
  queries.run(
    dynamic({
      name: 'deliveries.requeueFailed',
      text: `update deliveries set state = 'waiting', tries = 0, due_at = $3
       where application_id = $1 and webhook_id = $2 and state = 'failed' and notification in (${placeholders(ids)})`,
      raises: ['deliveries'],
    }),
    [at.applicationId, at.webhookId, now, ...ids],
  )

/**
 * Queues notifications again, whether they were delivered or not. The count of attempts continues. Does nothing if
 * the destination was deleted.
 */
export const requeueNotifications = (
  queries: Queries,
  at: DestinationAddress,
  { positions, now }: { positions: readonly number[]; now: number },
): Promise<number> =>
  queries.run(
    dynamic({
      name: 'deliveries.replay',
      text: `insert into deliveries (webhook_id, application_id, notification, state, attempts, tries, due_at, bytes)
       select w.id, n.application_id, n.position, 'waiting', coalesce((select max(attempt) from delivery_attempts a
         where a.application_id = $1 and a.webhook_id = $2 and a.notification = n.position), 0), 0, cast($3 as bigint), n.bytes
       from notifications n join webhooks w on w.application_id = n.application_id
       where n.application_id = $1 and w.id = $2 and n.position in (${placeholders(positions)})
       order by n.position
       on conflict (application_id, notification, webhook_id) do update set state = excluded.state, tries = 0, due_at = excluded.due_at`,
      raises: ['deliveries'],
    }),
    [at.applicationId, at.webhookId, now, ...positions],
  )
