/** Problems of an application. Every statement uses an index and reads a limited number of rows. */
import { type Queries, sql } from '../../engine/database.ts'

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
