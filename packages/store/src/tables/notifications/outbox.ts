import { wholeMs } from '@waypost/platform/clock'
import { type Distributable, dynamic, type Queries, sql } from '../../engine/database.ts'
import { forRows, parameters, pieces } from '../../engine/row-lists.ts'
import { statementsOn } from '../../engine/table.ts'

const outbox = statementsOn('outbox')

/** The kinds of jobs that this version can do. Nodes of another version may write others, and do them. */
export const jobKinds = [
  'approvals.execute',
  'approvals.expire',
  'approvals.mail',
  'bookings.mail',
  'bookings.remind',
  'bookings.remove',
  'bookings.settle',
  'calendars.remove',
  'invitations.check',
  'invitations.send',
  'itip.receive',
  'mail.send',
  'provider.revoke',
  'store.leftovers',
  'workspaces.group',
] as const
export type JobKind = (typeof jobKinds)[number]

/** A job for later, written in the transaction of the change that requires it. */
export interface OutboxRow {
  id: string
  application_id: string
  grant_id: string
  kind: JobKind
  payload: string
  attempts: number
  due_at: number
  created_at: number
}

const add = sql('outbox.add', { raises: ['jobs'] })`
   insert into outbox (id, application_id, grant_id, kind, payload, attempts, due_at, owner, lease_until, created_at)
   values ($1, $2, $3, $4, $5, 0, $6, null, null, $7) on conflict (id, application_id) do nothing`
const knownFrom = (first: number): string => `kind in (${parameters(jobKinds.length, first)})`
// The condition appears twice, because PostgreSQL checks the outer one again if another node was faster.
const claim = sql<OutboxRow>('outbox.claim')`update outbox set owner = $1, lease_until = $2, attempts = attempts + 1
   where (lease_until is null or lease_until < $3) and (id, application_id) in (
     select id, application_id from outbox where due_at <= $3 and (lease_until is null or lease_until < $3)
     and ${knownFrom(5)} order by due_at, id limit $4)
   returning id, application_id, grant_id, kind, payload, attempts, due_at, created_at`
// In a distributed store, due jobs are found first. Then each application's are claimed on the machine that has them.
const due = sql<{ id: string; application_id: string }>('outbox.due')`select id, application_id from outbox
   where due_at <= $1 and (lease_until is null or lease_until < $1) and ${knownFrom(3)} order by due_at, id limit $2`
const claimThese = forRows((count) =>
  dynamic<OutboxRow>({
    name: 'outbox.claimThese',
    text: `update outbox set owner = $2, lease_until = $3, attempts = attempts + 1
   where application_id = $1 and (lease_until is null or lease_until < $4) and id in (${parameters(count, 5)})
   returning id, application_id, grant_id, kind, payload, attempts, due_at, created_at`,
  }),
)
const complete = outbox.delete('complete')`where application_id = $1 and id = $2 and owner = $3`
const fail = sql('outbox.fail', { raises: ['jobs'] })`update outbox set due_at = $4, owner = null, lease_until = null
   where application_id = $1 and id = $2 and owner = $3`
const defer = sql('outbox.defer', { raises: ['jobs'] })`update outbox
   set due_at = $4, owner = null, lease_until = null, attempts = attempts - 1
   where application_id = $1 and id = $2 and owner = $3`
const become = sql('outbox.become', { raises: ['jobs'] })`update outbox set kind = $4, due_at = $5
   where application_id = $1 and id = $2 and kind = $3 and owner is null`
const withdraw = outbox.delete('withdraw')`where application_id = $1 and id = $2 and kind = $3 and owner is null`
const take = outbox.delete('take')`where application_id = $1 and id = $2`
const removeOfBookings = outbox.delete('removeOfBookings')`where application_id = $1 and grant_id = $2
   and kind in ($3, $4)`
const hasten = sql('outbox.hasten', { raises: ['jobs'] })`update outbox set due_at = $2
   where kind = $1 and due_at > $2 and owner is null`
const waiting = outbox.count('waiting')`where application_id = $1 and grant_id = $2 and kind = $3 and id < $4`
const ofKind = outbox.count('ofKind')`where application_id = $1 and grant_id = $2 and kind = $3`
/** Beyond this number, an exact count is not needed. */
const maxCounted = 100_000
const depth = sql<{ n: number }>('outbox.depth')`select count(*) as n
   from (select 1 from outbox limit ${maxCounted}) as counted`

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
): Promise<number> =>
  tx.run(add, [job.id, job.applicationId, job.grantId, job.kind, job.payload, wholeMs(job.dueAt), job.now])
interface JobClaim {
  owner: string
  leaseUntil: number
  now: number
  limit: number
}
/** Leases up to `limit` due jobs of the kinds that this version can do. */
export const claimOutbox = (queries: Distributable, by: JobClaim): Promise<OutboxRow[]> =>
  queries.isDistributed?.()
    ? claimByApplication(queries, by)
    : queries.all(claim, [by.owner, by.leaseUntil, by.now, by.limit, ...jobKinds])

async function claimByApplication(queries: Queries, by: JobClaim): Promise<OutboxRow[]> {
  const found = Map.groupBy(await queries.all(due, [by.now, by.limit, ...jobKinds]), (job) => job.application_id)
  const claimed: OutboxRow[] = []
  for (const [applicationId, jobs] of found) {
    for (const piece of pieces(jobs.map(({ id }) => id))) {
      const values = [applicationId, by.owner, by.leaseUntil, by.now, ...piece]
      claimed.push(...(await queries.all(claimThese(piece.length), values)))
    }
  }
  return claimed
}
export const completeOutbox = (queries: Queries, job: OutboxRow, owner: string): Promise<number> =>
  queries.run(complete, [job.application_id, job.id, owner])
export const failOutbox = (queries: Queries, job: OutboxRow, owner: string, dueAt: number): Promise<number> =>
  queries.run(fail, [job.application_id, job.id, owner, wholeMs(dueAt)])
/** Returns a job that must wait for another one. This does not count as an attempt. */
export const deferOutbox = (queries: Queries, job: OutboxRow, owner: string, dueAt: number): Promise<number> =>
  queries.run(defer, [job.application_id, job.id, owner, wholeMs(dueAt)])

export interface JobAddress {
  applicationId: string
  id: string
  kind: string
}
/** Changes the kind and the due time of a waiting job. False if a worker has leased it. */
export const changeOutbox = async (
  queries: Queries,
  at: JobAddress,
  to: { kind: string; dueAt: number },
): Promise<boolean> => (await queries.run(become, [at.applicationId, at.id, at.kind, to.kind, wholeMs(to.dueAt)])) === 1
/** Deletes a job unless a worker has leased it. */
export const withdrawOutbox = (queries: Queries, at: JobAddress): Promise<number> =>
  queries.run(withdraw, [at.applicationId, at.id, at.kind])
/**
 * Deletes a job in the transaction that does it. False if it is gone: then it was done before. Its worker calls this.
 */
export const takeOutbox = async (tx: Queries, at: Pick<JobAddress, 'applicationId' | 'id'>): Promise<boolean> =>
  (await tx.run(take, [at.applicationId, at.id])) === 1
/** Deletes the mails and reminders about bookings that wait, with the grant that would send them. */
export const removeBookingJobs = (tx: Queries, at: { applicationId: string; id: string }): Promise<number> =>
  tx.run(removeOfBookings, [at.applicationId, at.id, 'bookings.mail', 'bookings.remind'])
/** Makes all jobs of a kind due earlier. */
export const hastenOutbox = (queries: Queries, kind: string, dueAt: number): Promise<number> =>
  queries.run(hasten, [kind, wholeMs(dueAt)])
/** Whether an earlier job of the same kind and grant is waiting. */
export const hasEarlierJob = async (queries: Queries, at: JobAddress & { grantId: string }): Promise<boolean> =>
  ((await queries.get(waiting, [at.applicationId, at.grantId, at.kind, at.id]))?.n ?? 0) > 0
/** The number of jobs of a kind that wait or run. */
export const countJobs = async (
  queries: Queries,
  at: { applicationId: string; grantId: string; kind: JobKind },
): Promise<number> => (await queries.get(ofKind, [at.applicationId, at.grantId, at.kind]))?.n ?? 0
/** The number of jobs, counted up to `maxCounted`. */
export const outboxDepth = async (queries: Queries): Promise<number> => (await queries.get(depth))?.n ?? 0
