/**
 * Counters for numbers that are read often and slow to count. The transaction that changes the counted rows also
 * inserts the difference as a row of its own, so that no transaction waits for another. Housekeeping adds the rows
 * up, per application and for the whole installation.
 */
import { newOrderedId } from '@waypost/platform/ids'
import { type Database, type Queries, sql } from '../../engine/database.ts'

const add = sql('application_counts.add')`insert into application_counts (application_id, name, id, amount)
   values ($1, $2, $3, $4)`
/** The range of names that start with the prefix and a slash; the values counted by follow the slash. */
const between = (prefix: string): [string, string] => [`${prefix}/`, `${prefix}0`]

const read = sql<CountRow>('application_counts.read')`select name, cast(sum(amount) as bigint) as amount
   from application_counts where application_id = $1 and name >= $2 and name < $3 group by name`
const readAll = sql<CountRow>('application_counts.readAll')`select name, cast(sum(amount) as bigint) as amount
   from (select name, amount from installation_counts where name >= $1 and name < $2
     union all select name, amount from application_counts where id <> 'sum' and name >= $1 and name < $2) as counts
   group by name`

interface CountRow {
  name: string
  amount: number
}

/** Adds a positive or negative difference. */
export const addCount = (tx: Queries, applicationId: string, name: string, amount: number): Promise<void> =>
  tx.post(add, [applicationId, name, newOrderedId(), amount])

/** The counters of an application whose names start with a word, by the words that follow. */
export const readCounts = async (queries: Queries, applicationId: string, word: string): Promise<Counted[]> =>
  countedOf(await queries.all(read, [applicationId, ...between(word)]))
/** The counters of all applications together. */
export const readAllCounts = async (queries: Queries, word: string): Promise<Counted[]> =>
  countedOf(await queries.all(readAll, between(word)))

export interface Counted {
  by: readonly string[]
  amount: number
}
const countedOf = (rows: readonly CountRow[]): Counted[] =>
  rows.filter(({ amount }) => amount !== 0).map(({ name, amount }) => ({ by: name.split('/').slice(1), amount }))

const atOnce = 500
const changed = sql<{ application_id: string }>('application_counts.changed')`select distinct application_id
   from application_counts where id <> 'sum' limit 100`
const take = sql<CountRow>('application_counts.take')`delete from application_counts
   where application_id = $1 and (name, id) in (
     select name, id from application_counts where application_id = $1 and id <> 'sum' order by name, id limit ${atOnce})
   returning name, amount`
const sum = sql('application_counts.sum')`insert into application_counts (application_id, name, id, amount)
   values ($1, $2, 'sum', $3)
   on conflict (application_id, name, id) do update set amount = application_counts.amount + excluded.amount`

const sumOfAll = sql('installation_counts.add')`insert into installation_counts (name, amount) values ($1, $2)
   on conflict (name) do update set amount = installation_counts.amount + excluded.amount`

/** Adds up some differences of an application. True if there may be more. */
async function addUp(tx: Queries, applicationId: string): Promise<boolean> {
  const rows = await tx.all(take, [applicationId])
  const sums = new Map<string, number>()
  for (const { name, amount } of rows) sums.set(name, (sums.get(name) ?? 0) + amount)
  // Sorted, because other nodes may add up too: the same order on all nodes prevents deadlocks.
  for (const [name, amount] of [...sums].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await tx.run(sum, [applicationId, name, amount])
    await tx.run(sumOfAll, [name, amount])
  }
  return rows.length === atOnce
}

/** Adds up all differences since the last run. */
export async function addUpCounts(database: Database, stopping: AbortSignal): Promise<void> {
  for (;;) {
    const applications = await database.all(changed)
    if (applications.length === 0) return
    for (const { application_id: id } of applications) {
      while (!stopping.aborted && (await database.transaction((tx) => addUp(tx, id))));
    }
    if (stopping.aborted) return
  }
}
