/** Last uses of grants, their errors, and failing watches. Written in batches, without those of deleted grants. */
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { type Queries, sql } from '../../engine/database.ts'
import { writeRows } from '../../engine/row-lists.ts'
import { sealedColumn } from '../../sealing/sealed-values.ts'

export interface GrantUse {
  grantId: string
  lastUsedAt: number
}
export interface GrantError {
  id: string
  grantId: string
  at: number
  operation: string
  type: string
  message: string
  requestId: string | null
  /** The client caused the error, not the account, its provider or the service. */
  isRefusal: boolean
}
export interface WatchFailure {
  grantId: string
  failures: number
  nextTryAt: number
}

export const saveGrantUses = (queries: Queries, uses: readonly GrantUse[]): Promise<void> =>
  writeRows(
    queries,
    uses.map((use) => [use.grantId, use.lastUsedAt]),
    {
      name: 'grant_uses.save',
      types: ['text', 'bigint'],
      text: (values) => `insert into grant_uses (grant_id, application_id, last_used_at)
   select g.id, g.application_id, v.column2 from (values ${values}) as v join grants g on g.id = v.column1 where true
   on conflict (grant_id, application_id) do update set last_used_at = excluded.last_used_at
   where grant_uses.last_used_at < excluded.last_used_at`,
    },
  )

/** Encrypted, because a provider's message may contain addresses and folder names. */
const messageContext = sealedColumn('grant_errors', 'sealed_message')

export const addGrantErrors = (queries: Queries, errors: readonly GrantError[], seals: DataSeals): Promise<void> =>
  writeRows(
    queries,
    errors.map(({ id, grantId, at, operation, type, message, requestId, isRefusal }) => {
      const sealed = seals.seal(message, messageContext(grantId, id))
      return [id, grantId, at, operation, type, sealed, requestId, isRefusal ? 1 : 0]
    }),
    {
      name: 'grant_errors.add',
      types: ['text', 'text', 'bigint', 'text', 'text', 'text', 'text', 'integer'],
      text: (
        values,
      ) => `insert into grant_errors (id, application_id, grant_id, at, operation, type, sealed_message, request_id, refused)
   select v.column1, g.application_id, g.id, v.column3, v.column4, v.column5, v.column6, v.column7, v.column8
   from (values ${values}) as v join grants g on g.id = v.column2 where true on conflict do nothing`,
    },
  )

export const saveWatchFailures = (queries: Queries, failures: readonly WatchFailure[]): Promise<void> =>
  writeRows(
    queries,
    failures.map((each) => [each.grantId, each.failures, each.nextTryAt]),
    {
      name: 'watch_failures.save',
      types: ['text', 'integer', 'bigint'],
      text: (values) => `insert into watch_failures (grant_id, application_id, failures, next_try_at)
   select g.id, g.application_id, v.column2, v.column3 from (values ${values}) as v join grants g on g.id = v.column1
   where true on conflict (grant_id, application_id) do update set failures = excluded.failures, next_try_at = excluded.next_try_at`,
    },
  )

export const forgetWatchFailures = (queries: Queries, grantIds: readonly string[]): Promise<void> =>
  writeRows(
    queries,
    grantIds.map((id) => [id]),
    {
      name: 'watch_failures.forget',
      types: ['text'],
      text: (values) => `delete from watch_failures where grant_id in (values ${values})`,
    },
  )

const retainedErrors = 20

/** Deletes all but the newest errors of each grant; errors caused by clients count separately. */
export const trimGrantErrors = (queries: Queries, grantIds: readonly string[]): Promise<void> =>
  writeRows(
    queries,
    grantIds.map((id) => [id]),
    {
      name: 'grant_errors.trim',
      types: ['text'],
      text: (values) => `delete from grant_errors where (id, application_id) in (
     select id, application_id from (
       select id, application_id, row_number() over (partition by grant_id, refused order by at desc, id desc) as place from grant_errors
       where grant_id in (values ${values})) as ranked
     where place > ${retainedErrors})`,
    },
  )

export interface GrantErrorRow {
  at: number
  operation: string
  type: string
  message: string
  request_id: string | null
}
export interface TimelineError extends GrantErrorRow {
  id: string
  refused: number
}
export interface ApplicationError extends GrantErrorRow {
  id: string
  grant_id: string
  provider: string
}
const errorsOf = sql<Omit<GrantErrorRow, 'message'> & { id: string; sealed_message: string }>('grant_errors.of')`
   select id, at, operation, type, sealed_message, request_id from grant_errors
   where application_id = $1 and grant_id = $2 and refused = 0 order by at desc, id desc limit ${retainedErrors}`
const errorsBefore = sql<Omit<TimelineError, 'message'> & { sealed_message: string }>('grant_errors.before')`
   select id, at, operation, type, sealed_message, request_id, refused from grant_errors
   where application_id = $1 and grant_id = $2 and (at, id) < ($3, $4) order by at desc, id desc limit $5`
const newestErrors = sql<Omit<ApplicationError, 'message'> & { sealed_message: string }>('grant_errors.newest')`
   select e.id, e.at, e.operation, e.type, e.sealed_message, e.request_id, e.grant_id, g.provider
   from grant_errors e join grants g on g.id = e.grant_id and g.application_id = e.application_id
   where e.application_id = $1 and e.refused = 0 order by e.at desc, e.id desc limit $2`
const useOf = sql<{ last_used_at: number }>('grant_uses.of')`select last_used_at from grant_uses
   where application_id = $1 and grant_id = $2`

export interface WatchStateRow {
  /** The node that owns the grant's shard, if it is alive. */
  node_id: string | null
  watched: number
  synced_at: number | null
  failures: number | null
  next_try_at: number | null
}
const watchOf = sql<WatchStateRow>('watches.state')`
   select g.watched, n.id as node_id, w.synced_at, f.failures, f.next_try_at from grants g
   left join watch_shards s on s.shard = g.shard left join nodes n on n.id = s.owner and n.seen_at >= $3
   left join watches w on w.grant_id = g.id and w.application_id = g.application_id
   left join watch_failures f on f.grant_id = g.id and f.application_id = g.application_id
   where g.application_id = $1 and g.id = $2`

export interface GrantAddress {
  applicationId: string
  grantId: string
}
/** The newest errors of a grant, without those caused by clients. */
export async function lastGrantErrors(queries: Queries, at: GrantAddress, seals: DataSeals): Promise<GrantErrorRow[]> {
  const rows = await queries.all(errorsOf, [at.applicationId, at.grantId])
  await seals.learn(rows.map((row) => row.sealed_message))
  return rows.map(({ id, sealed_message, ...row }) => {
    return { ...row, message: seals.openOrLog(sealed_message, messageContext(at.grantId, id)) ?? '' }
  })
}
/** Errors of a grant before a position, newest first, including those caused by clients. */
export async function errorsOfGrant(
  queries: Queries,
  { applicationId, grantId }: GrantAddress,
  page: { before: readonly [at: number, id: string]; limit: number },
  seals: DataSeals,
): Promise<TimelineError[]> {
  const rows = await queries.all(errorsBefore, [applicationId, grantId, ...page.before, page.limit])
  await seals.learn(rows.map((row) => row.sealed_message))
  return rows.map(({ sealed_message, ...row }) => {
    return { ...row, message: seals.openOrLog(sealed_message, messageContext(grantId, row.id)) ?? '' }
  })
}
/** The newest errors of all grants of an application, without those caused by clients. */
export async function newestGrantErrors(
  queries: Queries,
  applicationId: string,
  limit: number,
  seals: DataSeals,
): Promise<ApplicationError[]> {
  const rows = await queries.all(newestErrors, [applicationId, limit])
  await seals.learn(rows.map((row) => row.sealed_message))
  return rows.map(({ sealed_message, ...row }) => {
    return { ...row, message: seals.openOrLog(sealed_message, messageContext(row.grant_id, row.id)) ?? '' }
  })
}
export const lastGrantUse = async (queries: Queries, at: GrantAddress): Promise<number | null> =>
  (await queries.get(useOf, [at.applicationId, at.grantId]))?.last_used_at ?? null
export const watchState = (
  queries: Queries,
  at: GrantAddress,
  aliveSince: number,
): Promise<WatchStateRow | undefined> => queries.get(watchOf, [at.applicationId, at.grantId, aliveSince])
