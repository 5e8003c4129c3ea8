/**
 * PostgreSQL's partitions by day. They are created in advance and dropped as a whole. If none was created for a day,
 * because housekeeping did not run for long, its rows go into the default partition and are deleted one by one.
 *
 * Both operations change the catalog: they wait for statements that use the table, and others queue behind them. So
 * they wait for at most `lockMs`, and are retried later if that was too short.
 */
import { type Database, type Queries, sql } from '../../engine/database.ts'

const lockMs = 500

interface DatedTable {
  name: 'notifications' | 'delivery_attempts'
  key: string
  /** Indexes that each partition has on its own. */
  own: string[]
}

// Attempts first: they are dropped before their notifications.
const tables: readonly DatedTable[] = [
  { name: 'delivery_attempts', key: 'notification', own: [] },
  // An id starts with its creation time in milliseconds. So ids are unique within a day by the index, and across days
  // by time.
  { name: 'notifications', key: 'position', own: ['create unique index on $partition (application_id, id)'] },
]

/** Such as `notifications_20261117`. */
const partitionOf = ({ name }: DatedTable, day: number): string =>
  `${name}_${new Date(day * dayMs).toISOString().slice(0, 10).replaceAll('-', '')}`

/** The day in the name of a partition; undefined for other partitions. */
function dayOfName(name: string): number | undefined {
  const [, year, month, date] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
  return date === undefined ? undefined : Date.UTC(Number(year), Number(month) - 1, Number(date)) / dayMs
}

const partitions = sql<{ name: string }>('partitions.list')`select c.relname as name from pg_inherits i
   join pg_class c on c.oid = i.inhrelid
   where i.inhparent in (cast('notifications' as regclass), cast('delivery_attempts' as regclass)) order by c.relname`

const namesOf = async (queries: Queries): Promise<Set<string>> =>
  new Set((await queries.all(partitions)).map(({ name }) => name))

/** The days that have partitions, oldest first. */
export async function partitionedDays(database: Database): Promise<number[]> {
  const days = [...(await namesOf(database))].flatMap((name) => dayOfName(name) ?? [])
  return [...new Set(days)].sort((a, b) => a - b)
}

const waitingShortly = `set local lock_timeout = ${lockMs}`

/** One by one: Citus sends each to the workers, and cannot take a text with several apart. */
function makingOf(table: DatedTable, day: number): string[] {
  const { name, key, own } = table
  const partition = partitionOf(table, day)
  const [first, behind] = [firstPositionOf(day), firstPositionOf(day + 1)]
  // Created separately and then attached, which does not block writers.
  return [
    `create table ${partition} (like ${name} including defaults including indexes,
     constraint ${partition}_of_day check (${key} >= ${first} and ${key} < ${behind}))`,
    ...own.map((statement) => statement.replace('$partition', partition)),
    `alter table ${name} attach partition ${partition} for values from (${first}) to (${behind})`,
    `alter table ${partition} drop constraint ${partition}_of_day`,
  ]
}

/** Whether the default partition already contains rows of a day. Then they stay there. */
const strays = ({ name, key }: DatedTable) =>
  sql<{ found: number }>(`partitions.strays.${name}`)`select 1 as found from ${name}_default
   where ${key} >= $1 and ${key} < $2 limit 1`
const strayed = new Map(tables.map((table) => [table, strays(table)]))

async function makeDay(tx: Queries, execute: (script: string) => Promise<void>, day: number): Promise<void> {
  const made = await namesOf(tx)
  for (const table of tables) {
    const stray = strayed.get(table)
    if (made.has(partitionOf(table, day))) continue
    if (stray && (await tx.get(stray, [firstPositionOf(day), firstPositionOf(day + 1)]))) continue
    for (const statement of makingOf(table, day)) await execute(statement)
  }
}

/** Creates missing partitions for a day and the days that follow. Does nothing on SQLite. */
export async function makePartitions(database: Database, day: number, following: number): Promise<void> {
  if (database.engine === 'sqlite') return
  const days = Array.from({ length: following + 1 }, (_, index) => day + index)
  const made = await namesOf(database)
  const missing = days.filter((each) => tables.some((table) => !made.has(partitionOf(table, each))))
  for (const each of missing) {
    await database.exclusively(async (tx, execute) => {
      await execute(waitingShortly)
      await makeDay(tx, execute, each)
    })
  }
}

/** Drops the partitions of a day with all their rows. */
export async function dropDay(database: Database, day: number): Promise<void> {
  for (const table of tables) {
    await database.exclusively(async (tx, execute) => {
      const partition = partitionOf(table, day)
      if (!(await namesOf(tx)).has(partition)) return
      await execute(waitingShortly)
      await execute(`alter table ${table.name} detach partition ${partition}`)
      await execute(`drop table ${partition}`)
    })
  }
}

const isEmpty = ({ name }: DatedTable) => `not exists (select 1 from ${name}_undated)`

/** Drops the partitions of rows from before there were days, once they are empty. */
export async function dropEmptyFormer(database: Database): Promise<void> {
  const names = await namesOf(database)
  for (const table of tables.filter(({ name }) => names.has(`${name}_undated`))) {
    await database.exclusively(async (_tx, execute) => {
      await execute(waitingShortly)
      await execute(`do $$ begin if ${isEmpty(table)} then drop table ${table.name}_undated; end if; end $$`)
    })
  }
}

/**
 * The day within the position of a notification. On PostgreSQL a position starts with the creation day, and each
 * partition holds the positions of one day. So a position, in the queue or in the log of attempts, identifies its
 * partition, and an expired day is dropped as a whole. Positions from older stores and those of SQLite have no day;
 * they are smaller than all others.
 */
export const dayMs = 86_400_000
/** Positions per day: enough for a billion per hour, and for three centuries of days below 2^53. */
export const positionsPerDay = 2 ** 36

/** Days since 1970. */
export const dayOf = (milliseconds: number): number => Math.floor(milliseconds / dayMs)

/** The smallest position of a day. */
export const firstPositionOf = (day: number): number => day * positionsPerDay

/** 0 if the position has no day. */
export const dayOfPosition = (position: number): number => Math.floor(position / positionsPerDay)
