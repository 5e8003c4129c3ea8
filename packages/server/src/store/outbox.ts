import { type Queries, sql } from './database.ts'

/** Something to be done later: written together with the change that asks for it. */
export interface OutboxRow {
  id: string
  application_id: string
  grant_id: string
  kind: string
  payload: string
  attempts: number
  due_at: number
}

const add = sql(
  'outbox.add',
  `insert into outbox (id, application_id, grant_id, kind, payload, attempts, due_at, owner, lease_until, created_at)
   values ($1, $2, $3, $4, $5, 0, $6, null, null, $7)`,
)
// The condition stands twice: PostgreSQL looks at the outer one again when another node was faster.
const claim = sql<OutboxRow>(
  'outbox.claim',
  `update outbox set owner = $1, lease_until = $2, attempts = attempts + 1
   where (lease_until is null or lease_until < $3) and id in (
     select id from outbox where due_at <= $3 and (lease_until is null or lease_until < $3)
     order by due_at, id limit $4)
   returning id, application_id, grant_id, kind, payload, attempts, due_at`,
)
const complete = sql('outbox.complete', 'delete from outbox where id = $1 and owner = $2')
const fail = sql(
  'outbox.fail',
  'update outbox set due_at = $3, owner = null, lease_until = null where id = $1 and owner = $2',
)
const depth = sql<{ n: number }>('outbox.depth', 'select count(*) as n from outbox')

export const addToOutbox = (
  tx: Queries,
  job: {
    id: string
    applicationId: string
    grantId: string
    kind: string
    payload: string
    dueAt: number
    now: number
  },
): Promise<number> => tx.run(add, [job.id, job.applicationId, job.grantId, job.kind, job.payload, job.dueAt, job.now])
/** Takes up to `limit` due jobs; they are free again when the lease ends. */
export const claimOutbox = (
  queries: Queries,
  by: { owner: string; leaseUntil: number; now: number; limit: number },
): Promise<OutboxRow[]> => queries.all(claim, [by.owner, by.leaseUntil, by.now, by.limit])
export const completeOutbox = (queries: Queries, id: string, owner: string): Promise<number> =>
  queries.run(complete, [id, owner])
export const failOutbox = (queries: Queries, id: string, owner: string, dueAt: number): Promise<number> =>
  queries.run(fail, [id, owner, dueAt])
export const outboxDepth = async (queries: Queries): Promise<number> => (await queries.get(depth))?.n ?? 0
