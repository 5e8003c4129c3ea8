/** The time of the next planned work, for workers that are idle. Each query uses an index. */
import { type Queries, sql } from '../../engine/database.ts'

// Covers retries only, because new deliveries are due at once.
const retry = sql<{ at: number | null }>('delivery_leases.nextToRetry')`select min(retry_at) as at from delivery_leases
   where retry_at > $1`
const judgement = sql<{ at: number | null }>('delivery_leases.nextToJudge')`select min(judge_at) as at
   from delivery_leases where judge_at > $1`
const send = sql<{ at: number | null }>('sends.next')`select min(next_at) as at from sends where next_at > $1`
const job = sql<{ at: number | null }>('outbox.next')`select min(due_at) as at from outbox where due_at > $1`

const earliest = (...times: (number | null | undefined)[]): number | undefined => {
  const known = times.filter((at) => at != null)
  return known.length === 0 ? undefined : Math.min(...known)
}

/** The next retry, or the next time-based state change of a destination. Undefined if nothing is planned. */
export const nextDelivery = async (queries: Queries, now: number): Promise<number | undefined> => {
  const [due, judged] = await Promise.all([queries.get(retry, [now]), queries.get(judgement, [now])])
  return earliest(due?.at, judged?.at)
}
export const nextSend = async (queries: Queries, now: number): Promise<number | undefined> =>
  earliest((await queries.get(send, [now]))?.at)
export const nextJob = async (queries: Queries, now: number): Promise<number | undefined> =>
  earliest((await queries.get(job, [now]))?.at)
