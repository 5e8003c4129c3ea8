/**
 * Jobs of the outbox that used all their attempts. They wait here until somebody retries or discards them, or until
 * their retention ends. The payload is the one of the outbox, sealed where it was sealed there.
 */
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { type Queries, sql } from '../../engine/database.ts'
import { among, equal, type Keyset, type KeysetPage, type KeysetPosition, readKeyset } from '../../engine/keyset.ts'
import { statementsOn } from '../../engine/table.ts'
import { sealedColumn } from '../../sealing/sealed-values.ts'
import { addToOutbox, type OutboxRow } from './outbox.ts'

const failedJobs = statementsOn('failed_jobs')

export interface FailedJobRow {
  id: string
  application_id: string
  grant_id: string
  kind: string
  attempts: number
  created_at: number
  failed_at: number
  /** The name of the error. */
  error: string
  /** The message of the last error. */
  message: string
}
type StoredRow = Omit<FailedJobRow, 'message'> & { sealed_message: string }

const columns = 'id, application_id, grant_id, kind, attempts, created_at, failed_at, error, sealed_message'
const add = sql('failed_jobs.add')`insert into failed_jobs (id, application_id, grant_id, kind, payload, attempts,
   created_at, failed_at, error, sealed_message)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (id, application_id) do nothing`
const take = sql<{ id: string; grant_id: string; kind: string; payload: string }>('failed_jobs.take')`
   delete from failed_jobs where application_id = $1 and id = $2 returning id, grant_id, kind, payload`
/** The jobs that one step of a retry or a removal takes. */
export const pieceRows = 100
const takeOfKind = sql<{ id: string; grant_id: string; kind: string; payload: string }>('failed_jobs.takeOfKind')`
   delete from failed_jobs where application_id = $1 and id in (
     select id from failed_jobs where application_id = $1 and kind = $2 order by failed_at, id limit ${pieceRows})
   returning id, grant_id, kind, payload`
const takeAny = sql<{ id: string; grant_id: string; kind: string; payload: string }>('failed_jobs.takeAny')`
   delete from failed_jobs where application_id = $1 and id in (
     select id from failed_jobs where application_id = $1 order by failed_at, id limit ${pieceRows})
   returning id, grant_id, kind, payload`
const find = sql<{ application_id: string }>('failed_jobs.find')`select application_id from failed_jobs where id = $1`
/** For a command that acts on all applications. */
const applications = sql<{ application_id: string }>('failed_jobs.applications')`select application_id from failed_jobs
   group by application_id order by application_id`
const removeOfGrant = failedJobs.delete('removeOfGrant')`where application_id = $1 and grant_id = $2`
const expired = sql<{ id: string; application_id: string }>('failed_jobs.expired')`select id, application_id
   from failed_jobs where failed_at < $1 order by failed_at, id limit ${pieceRows}`
const remove = failedJobs.delete('remove')`where application_id = $1 and id = $2`
/** Beyond this number, an exact count is not needed. */
const maxCounted = 10_000
const byKind = sql<{ kind: string; n: number }>('failed_jobs.byKind')`select kind, count(*) as n
   from (select kind from failed_jobs limit ${maxCounted}) as counted group by kind`
const byKindOf = sql<{ kind: string; n: number }>('failed_jobs.byKindOf')`select kind, count(*) as n
   from (select kind from failed_jobs where application_id = $1 limit ${maxCounted}) as counted group by kind`

const contextOf = sealedColumn('failed_jobs', 'sealed_message')

/** Records a job, in the transaction that removes it from the outbox. */
export async function addFailedJob(
  tx: Queries,
  job: OutboxRow,
  { error, message, now, seals }: { error: string; message: string; now: number; seals: DataSeals },
): Promise<void> {
  const sealed = seals.seal(message, contextOf(job.application_id, job.id))
  const { id, application_id, grant_id, kind, payload, attempts, created_at } = job
  await tx.post(add, [id, application_id, grant_id, kind, payload, attempts, created_at, now, error, sealed])
}

export interface FailedJobFilter {
  applicationId?: string | undefined
  grantId?: string | undefined
  kind?: string | undefined
  /** The applications whose jobs may be seen; undefined for all. */
  reached?: readonly string[] | undefined
}

/** Newest first. One filter uses its index, the others apply to the rows found. */
function keysetOf({ applicationId, grantId, kind, reached }: FailedJobFilter): Keyset {
  const filters = [equal('grant_id', grantId), equal('application_id', applicationId), equal('kind', kind)]
  const [indexed = [], ...rest] = filters.filter((each) => each.length > 0)
  const others = [...rest.flat(), ...(reached ? [among('application_id', reached)] : [])]
  return {
    name: 'failed_jobs.list',
    keys: ['failed_at', 'id'],
    order: 'desc',
    walk: { from: 'failed_jobs', where: indexed },
    read: { columns, from: 'failed_jobs', where: others },
    sparse: others.length > 0,
  }
}

/** A page of failed jobs, newest first. */
export async function listFailedJobs(
  queries: Queries,
  filter: FailedJobFilter,
  page: { after?: KeysetPosition | undefined; limit: number },
  seals: DataSeals,
): Promise<KeysetPage<FailedJobRow>> {
  const found = await readKeyset<StoredRow>(queries, [keysetOf(filter)], page)
  await seals.learn(found.rows.map((row) => row.sealed_message))
  const rows = found.rows.map(({ sealed_message, ...row }) => ({
    ...row,
    message: seals.open(sealed_message, contextOf(row.application_id, row.id)),
  }))
  return { ...found, rows }
}

interface JobAddress {
  applicationId: string
  id: string
}

/** The application of a failed job. */
export const applicationOfFailedJob = async (queries: Queries, id: string): Promise<string | undefined> =>
  (await queries.get(find, [id]))?.application_id

export const applicationsWithFailedJobs = async (queries: Queries): Promise<string[]> =>
  (await queries.all(applications)).map(({ application_id }) => application_id)

/** Returns a failed job to the outbox with all its attempts. False if there is none with this id. */
export async function retryFailedJob(tx: Queries, { applicationId, id }: JobAddress, now: number): Promise<boolean> {
  const row = await tx.get(take, [applicationId, id])
  if (row) await addAgain(tx, applicationId, [row], now)
  return row !== undefined
}

/** Returns up to `pieceRows` failed jobs of an application to the outbox, oldest first; their number. */
export async function retryFailedJobs(
  tx: Queries,
  { applicationId, kind }: { applicationId: string; kind: string | undefined },
  now: number,
): Promise<number> {
  const rows = await (kind === undefined ? tx.all(takeAny, [applicationId]) : tx.all(takeOfKind, [applicationId, kind]))
  await addAgain(tx, applicationId, rows, now)
  return rows.length
}

async function addAgain(
  tx: Queries,
  applicationId: string,
  rows: readonly { id: string; grant_id: string; kind: string; payload: string }[],
  now: number,
): Promise<void> {
  // The sealed payload is bound to the id, so the job keeps it.
  for (const { id, grant_id, kind, payload } of rows) {
    await addToOutbox(tx, { id, applicationId, grantId: grant_id, kind, payload, dueAt: now, now })
  }
}

/** Deletes a failed job. False if there is none with this id. */
export const discardFailedJob = async (tx: Queries, { applicationId, id }: JobAddress): Promise<boolean> =>
  (await tx.run(remove, [applicationId, id])) === 1

/** Deletes up to `pieceRows` failed jobs of an application; their number. */
export const discardFailedJobs = async (
  tx: Queries,
  { applicationId, kind }: { applicationId: string; kind: string | undefined },
): Promise<number> =>
  (await (kind === undefined ? tx.all(takeAny, [applicationId]) : tx.all(takeOfKind, [applicationId, kind]))).length

/** Deletes the failed jobs of a grant that is deleted. */
export const removeFailedJobsOf = (tx: Queries, { applicationId, id }: JobAddress): Promise<void> =>
  tx.post(removeOfGrant, [applicationId, id])

/** Deletes some of the jobs that failed before a time. True if there may be more. */
export async function purgeFailedJobs(queries: Queries, before: number): Promise<boolean> {
  const rows = await queries.all(expired, [before])
  for (const { id, application_id } of rows) await queries.run(remove, [application_id, id])
  return rows.length === pieceRows
}

/** The number of failed jobs by kind, of all applications or of one, counted up to `maxCounted` in all. */
export const countFailedJobs = (queries: Queries, applicationId?: string): Promise<{ kind: string; n: number }[]> =>
  applicationId === undefined ? queries.all(byKind) : queries.all(byKindOf, [applicationId])
