/**
 * Numbers that are asked for often and would take long to count: kept by whoever changes what they count, in the same
 * transaction. A change is a row of its own, so that nobody waits for another; housekeeping adds the rows up, those of an
 * application and those of all together.
 */
import { newOrderedId } from '../../../lib/ids.ts'
import { type Database, type Queries, sql } from '../../engine/database.ts'

const add = sql({
  name: 'application_counts.add',
  text: 'insert into application_counts (application_id, name, id, amount) values ($1, $2, $3, $4)',
  writes: ['application_counts'],
})
/** Behind a name and a slash stands what it is counted by. */
const between = (prefix: string): [string, string] => [`${prefix}/`, `${prefix}0`]

const read = sql<CountRow>({
  name: 'application_counts.read',
  text: `select name, cast(sum(amount) as bigint) as amount from application_counts
   where application_id = $1 and name >= $2 and name < $3 group by name`,
  reads: ['application_counts'],
})
const readAll = sql<CountRow>({
  name: 'application_counts.readAll',
  text: `select name, cast(sum(amount) as bigint) as amount
   from (select name, amount from installation_counts where name >= $1 and name < $2
     union all select name, amount from application_counts where id <> 'sum' and name >= $1 and name < $2) as counts
   group by name`,
  reads: ['installation_counts', 'application_counts'],
})

interface CountRow {
  name: string
  amount: number
}

/** Counts more, or fewer, of a name. */
export const addCount = (tx: Queries, applicationId: string, name: string, amount: number): Promise<void> =>
  tx.post(add, [applicationId, name, newOrderedId(), amount])

/** The counts of an application whose names begin with a word, by the words that follow it. */
export const readCounts = async (queries: Queries, applicationId: string, word: string): Promise<Counted[]> =>
  countedOf(await queries.all(read, [applicationId, ...between(word)]))
/** The same of all applications together. */
export const readAllCounts = async (queries: Queries, word: string): Promise<Counted[]> =>
  countedOf(await queries.all(readAll, between(word)))

export interface Counted {
  by: readonly string[]
  amount: number
}
const countedOf = (rows: readonly CountRow[]): Counted[] =>
  rows.filter(({ amount }) => amount !== 0).map(({ name, amount }) => ({ by: name.split('/').slice(1), amount }))

const atOnce = 500
const changed = sql<{ application_id: string }>({
  name: 'application_counts.changed',
  text: `select distinct application_id from application_counts where id <> 'sum' limit 100`,
  reads: ['application_counts'],
})
const take = sql<CountRow>({
  name: 'application_counts.take',
  text: `delete from application_counts where application_id = $1 and (name, id) in (
     select name, id from application_counts where application_id = $1 and id <> 'sum' order by name, id limit ${atOnce})
   returning name, amount`,
  writes: ['application_counts'],
})
const sum = sql({
  name: 'application_counts.sum',
  text: `insert into application_counts (application_id, name, id, amount) values ($1, $2, 'sum', $3)
   on conflict (application_id, name, id) do update set amount = application_counts.amount + excluded.amount`,
  writes: ['application_counts'],
})

const sumOfAll = sql({
  name: 'installation_counts.add',
  text: `insert into installation_counts (name, amount) values ($1, $2)
   on conflict (name) do update set amount = installation_counts.amount + excluded.amount`,
  writes: ['installation_counts'],
})

/** Adds up some of an application's changes; true when there may be more. */
async function addUp(tx: Queries, applicationId: string): Promise<boolean> {
  const rows = await tx.all(take, [applicationId])
  const sums = new Map<string, number>()
  for (const { name, amount } of rows) sums.set(name, (sums.get(name) ?? 0) + amount)
  // In one order, because others may be at it, too.
  for (const [name, amount] of [...sums].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await tx.run(sum, [applicationId, name, amount])
    await tx.run(sumOfAll, [name, amount])
  }
  return rows.length === atOnce
}

/** Adds up what changed since the last time. */
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
