/** When grants were used, what went wrong with them, and whose watches fail. Written in batches, never by a request. */
import type { DataSeals } from '../lib/data-seals.ts'
import type { SealContext } from '../lib/secrets.ts'
import { dynamic, type Queries, sql, type Value } from './database.ts'

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
}
export interface WatchFailure {
  grantId: string
  failures: number
  nextTryAt: number
}

/** Rows of values, each cast to its type, because a statement with a join does not tell what they are. */
function valuesOf(rows: readonly (readonly Value[])[], types: readonly string[]): string {
  let count = 0
  return rows.map(() => `(${types.map((type) => `cast($${++count} as ${type})`).join(', ')})`).join(', ')
}

/** Pieces whose lengths are powers of two, so that few texts are prepared. */
function* pieces<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; ) {
    const length = 2 ** Math.floor(Math.log2(Math.min(rows.length - from, 128)))
    yield rows.slice(from, from + length)
    from += length
  }
}

/** Writes rows of grants that are still there. */
async function write(
  queries: Queries,
  rows: readonly (readonly Value[])[],
  how: { name: string; types: readonly string[]; text(values: string): string },
): Promise<void> {
  for (const piece of pieces(rows)) {
    await queries.run(dynamic(how.name, how.text(valuesOf(piece, how.types))), piece.flat())
  }
}

export const saveGrantUses = (queries: Queries, uses: readonly GrantUse[]): Promise<void> =>
  write(
    queries,
    uses.map((use) => [use.grantId, use.lastUsedAt]),
    {
      name: 'grant_uses.save',
      types: ['text', 'bigint'],
      text: (values) => `insert into grant_uses (grant_id, application_id, last_used_at)
   select g.id, g.application_id, v.column2 from (values ${values}) as v join grants g on g.id = v.column1 where true
   on conflict (grant_id) do update set last_used_at = excluded.last_used_at
   where grant_uses.last_used_at < excluded.last_used_at`,
    },
  )

/** What a provider said may repeat addresses and names of folders. */
const messageContext = (grantId: string, id: string): SealContext => ({
  table: 'grant_errors',
  column: 'sealed_message',
  application: grantId,
  row: id,
})

export const addGrantErrors = (queries: Queries, errors: readonly GrantError[], seals: DataSeals): Promise<void> =>
  write(
    queries,
    errors.map(({ id, grantId, at, operation, type, message, requestId }) => {
      return [id, grantId, at, operation, type, seals.seal(message, messageContext(grantId, id)), requestId]
    }),
    {
      name: 'grant_errors.add',
      types: ['text', 'text', 'bigint', 'text', 'text', 'text', 'text'],
      text: (
        values,
      ) => `insert into grant_errors (id, application_id, grant_id, at, operation, type, sealed_message, request_id)
   select v.column1, g.application_id, g.id, v.column3, v.column4, v.column5, v.column6, v.column7
   from (values ${values}) as v join grants g on g.id = v.column2 where true on conflict do nothing`,
    },
  )

export const saveWatchFailures = (queries: Queries, failures: readonly WatchFailure[]): Promise<void> =>
  write(
    queries,
    failures.map((each) => [each.grantId, each.failures, each.nextTryAt]),
    {
      name: 'watch_failures.save',
      types: ['text', 'integer', 'bigint'],
      text: (values) => `insert into watch_failures (grant_id, application_id, failures, next_try_at)
   select g.id, g.application_id, v.column2, v.column3 from (values ${values}) as v join grants g on g.id = v.column1
   where true on conflict (grant_id) do update set failures = excluded.failures, next_try_at = excluded.next_try_at`,
    },
  )

export const forgetWatchFailures = (queries: Queries, grantIds: readonly string[]): Promise<void> =>
  write(
    queries,
    grantIds.map((id) => [id]),
    {
      name: 'watch_failures.forget',
      types: ['text'],
      text: (values) => `delete from watch_failures where grant_id in (values ${values})`,
    },
  )

const keptErrors = 20

/** Leaves the last errors of each grant. */
export const trimGrantErrors = (queries: Queries, grantIds: readonly string[]): Promise<void> =>
  write(
    queries,
    grantIds.map((id) => [id]),
    {
      name: 'grant_errors.trim',
      types: ['text'],
      text: (values) => `delete from grant_errors where id in (
     select id from (
       select id, row_number() over (partition by grant_id order by at desc, id desc) as place from grant_errors
       where grant_id in (values ${values})) as ranked
     where place > ${keptErrors})`,
    },
  )

export interface GrantErrorRow {
  at: number
  operation: string
  type: string
  message: string
  request_id: string | null
}
const errorsOf = sql<Omit<GrantErrorRow, 'message'> & { id: string; sealed_message: string }>(
  'grant_errors.of',
  `select id, at, operation, type, sealed_message, request_id from grant_errors
   where application_id = $1 and grant_id = $2 order by at desc, id desc limit ${keptErrors}`,
)
const useOf = sql<{ last_used_at: number }>(
  'grant_uses.of',
  'select last_used_at from grant_uses where application_id = $1 and grant_id = $2',
)

export interface WatchStateRow {
  /** The node that has the grant's shard, if it is alive. */
  node_id: string | null
  watched: number
  synced_at: number | null
  failures: number | null
  next_try_at: number | null
}
const watchOf = sql<WatchStateRow>(
  'watches.state',
  `select g.watched, n.id as node_id, w.synced_at, f.failures, f.next_try_at from grants g
   left join watch_shards s on s.shard = g.shard left join nodes n on n.id = s.owner and n.seen_at >= $3
   left join watches w on w.grant_id = g.id left join watch_failures f on f.grant_id = g.id
   where g.application_id = $1 and g.id = $2`,
)

export interface GrantAddress {
  applicationId: string
  grantId: string
}
/** The last errors of a grant, the newest first. */
export async function lastGrantErrors(queries: Queries, at: GrantAddress, seals: DataSeals): Promise<GrantErrorRow[]> {
  const rows = await queries.all(errorsOf, [at.applicationId, at.grantId])
  await seals.learn(rows.map((row) => row.sealed_message))
  return rows.map(({ id, sealed_message, ...row }) => {
    return { ...row, message: seals.openOrTell(sealed_message, messageContext(at.grantId, id)) ?? '' }
  })
}
export const lastGrantUse = async (queries: Queries, at: GrantAddress): Promise<number | null> =>
  (await queries.get(useOf, [at.applicationId, at.grantId]))?.last_used_at ?? null
export const watchState = (
  queries: Queries,
  at: GrantAddress,
  aliveSince: number,
): Promise<WatchStateRow | undefined> => queries.get(watchOf, [at.applicationId, at.grantId, aliveSince])
