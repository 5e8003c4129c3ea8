/**
 * Up to which transaction the notifications of an application are complete on a distributed store (ADR 0035).
 *
 * The coordinator numbers transactions. A transaction that wrote on one worker is committed there before its number
 * ends at the coordinator. One that wrote on several machines is prepared there, ends at the coordinator, and is then
 * committed on the workers: for a moment, or until a dead worker is back, its rows are invisible although its number
 * has ended. So a reader asks for the end at the coordinator first, then for what is still prepared on the worker of
 * the application, and reads the rows last.
 */
import { type Queries, StoreUnavailable, sql } from '../../engine/database.ts'

const ended = sql<{ horizon: number; host: string; port: number; prepared: boolean }>('citus.ended')`
   select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon, n.nodename as host, n.nodeport as port,
   exists (select 1 from pg_dist_transaction t where t.groupid = p.groupid) as prepared
   from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
   where p.shardid = get_shard_id_for_distribution_column('notifications', cast($1 as text))`
const preparedThere = sql<{ success: boolean; result: string }>('citus.prepared')`select success, result
   from master_run_on_worker(array[cast($1 as text)], array[cast($2 as integer)], array[cast($3 as text)], false)`
const listPrepared = `select coalesce(string_agg(gid, ' '), '') from pg_prepared_xacts where database = current_database()`
const numbersOf = sql<{ number: number }>('citus.numbers')`select xmin::text::bigint as number from pg_dist_transaction
   where gid = any (string_to_array($1, cast($2 as text)))`

/** Transaction numbers in catalogs have 32 bits. */
const cycle = 2 ** 32

/** The whole number of a transaction before `horizon`; undefined if it is not before it. */
export function wholeNumber(short: number, horizon: number): number | undefined {
  const age = (((horizon - short) % cycle) + cycle) % cycle
  return age === 0 || age >= cycle / 2 ? undefined : horizon - age
}

/** All transactions with smaller numbers are complete for readers of this application. */
export async function settledBefore(queries: Queries, applicationId: string): Promise<number> {
  const found = await queries.get(ended, [applicationId])
  if (!found) throw new Error('the store has no place for the notifications of this application')
  const { horizon, host, port, prepared } = found
  if (!prepared) return horizon
  const there = await queries.get(preparedThere, [host, port, listPrepared])
  if (!there?.success)
    throw new StoreUnavailable(`the worker ${host}:${port} of the store cannot be reached`, there?.result, {
      isPart: true,
    })
  if (there.result === '') return horizon
  const numbers = (await queries.all(numbersOf, [there.result, ' '])).map(({ number }) => wholeNumber(number, horizon))
  return Math.min(horizon, ...numbers.filter((number) => number !== undefined))
}
