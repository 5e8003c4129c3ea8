/** API calls of grants, summed per hour and route. Written in batches, never within a request. */
import { type Queries, sql, type Value } from '../../engine/database.ts'
import { writeRows } from '../../engine/row-lists.ts'
import { statementsOn } from '../../engine/table.ts'

export interface CallSum {
  grantId: string
  /** The start of the hour, in milliseconds. */
  hour: number
  route: string
  requests: number
  refused: number
  errors: number
  milliseconds: number
  lastAt: number
  lastRequestId: string
}

const types = ['text', 'bigint', 'text', 'integer', 'integer', 'integer', 'bigint', 'bigint', 'text']
const add = (values: string): string => `insert into grant_calls
   (grant_id, hour, route, application_id, requests, refused, errors, milliseconds, last_at, last_request_id)
   select g.id, v.column2, v.column3, g.application_id, v.column4, v.column5, v.column6, v.column7, v.column8, v.column9
   from (values ${values}) as v join grants g on g.id = v.column1 where true order by g.id, v.column2, v.column3
   on conflict (grant_id, hour, route, application_id) do update set requests = grant_calls.requests + excluded.requests,
   refused = grant_calls.refused + excluded.refused, errors = grant_calls.errors + excluded.errors,
   milliseconds = grant_calls.milliseconds + excluded.milliseconds, last_at = excluded.last_at,
   last_request_id = excluded.last_request_id`

/** Adds to the sums of grants that still exist. All nodes write in the same order, which prevents deadlocks. */
export async function addCalls(queries: Queries, sums: readonly CallSum[]): Promise<void> {
  const sorted = sums.toSorted((a, b) => compare(a.grantId, b.grantId) || a.hour - b.hour || compare(a.route, b.route))
  const rows = sorted.map((sum): Value[] => [
    sum.grantId,
    sum.hour,
    sum.route,
    sum.requests,
    sum.refused,
    sum.errors,
    sum.milliseconds,
    sum.lastAt,
    sum.lastRequestId,
  ])
  await writeRows(queries, rows, { name: 'grant_calls.add', types, text: add })
}
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export interface CallRow {
  hour: number
  route: string
  requests: number
  refused: number
  errors: number
  milliseconds: number
  last_at: number
  last_request_id: string
}
const ofGrant = sql<CallRow>('grant_calls.ofGrant')`
   select hour, route, requests, refused, errors, milliseconds, last_at, last_request_id from grant_calls
   where application_id = $1 and grant_id = $2 and (hour, route) < ($3, $4) order by hour desc, route desc limit $5`
/** The sums of one grant before a position, newest hours first. */
export const callsOfGrant = (
  queries: Queries,
  of: { applicationId: string; grantId: string },
  page: { before: readonly [hour: number, route: string]; limit: number },
): Promise<CallRow[]> => queries.all(ofGrant, [of.applicationId, of.grantId, ...page.before, page.limit])

export const purgeCalls = statementsOn('grant_calls').purge('grant_id, hour, route, application_id', 'hour')
