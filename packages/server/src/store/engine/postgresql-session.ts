/**
 * What a connection to PostgreSQL is before it is used: one that is ours alone, or one that a pooler lends from transaction
 * to transaction. Nothing is asked for in the startup message but the name of the program, because poolers refuse the rest.
 */
import type pg from 'pg'
import { type Database, type Queries, sql } from './database.ts'

/**
 * How connections are shared with others: `session` where each is ours for as long as it is open, `transaction` where a
 * pooler lends another one for every transaction. `auto` looks for it.
 */
export const poolings = ['auto', 'session', 'transaction'] as const
export type Pooling = (typeof poolings)[number]

export interface PostgresqlOptions {
  /** Whether a pooler lends connections by the transaction; looked for unless it is said. */
  pooling?: Pooling
  /** How many connections there are at most, those for reads and the one that listens included. */
  connections?: number
  /** PostgreSQL's own address, to listen at, where the other one is a pooler's. */
  directUrl?: string | undefined
  /** Hears that nobody can listen: connections are lent, and there is no other address. */
  onDeaf?(): void
}

/** Connections that reads share. */
export const maxReaders = 2
/** One that listens for what other nodes tell. */
export const listeners = 1
/** The fewest with which it works: two are left, so that one transaction does not wait for another. */
export const leastConnections = maxReaders + listeners + 2
export const usualConnections = 12

/** What every session is set to. */
// As PostgreSQL writes them.
const sessionSettings = {
  statement_timeout: '1min',
  // A node that freezes in the middle of a transaction holds rows that others wait for: less long than its leases.
  idle_in_transaction_session_timeout: '10s',
  // Every statement names its rows by an index. Plans for given values would follow statistics that do not know a new
  // account yet, and read all of its events instead.
  plan_cache_mode: 'force_generic_plan',
} as const

const all = Object.entries(sessionSettings)
const setAll = all.map(([name, value]) => `set_config('${name}', '${value}', false)`).join(' || ')

/** The process that the server, or whoever stands before it, named when the connection was opened. */
const toldProcess = (client: pg.ClientBase): number =>
  'processID' in client && typeof client.processID === 'number' ? client.processID : 0

/** Sets what a session is set to, where the connection is ours; answers whether it is. */
export async function openSession(client: pg.ClientBase, pooling: Pooling): Promise<boolean> {
  if (pooling === 'transaction') return false
  // A pooler names a process of its own making: the one that answers is another.
  const isOwn = pooling === 'session' ? 'true' : `pg_backend_pid() = ${toldProcess(client)}`
  const { rows } = await client.query<{ own: boolean }>(`select ${isOwn} as own, case when ${isOwn} then ${setAll} end`)
  return rows[0]?.own === true
}

const current = sql<Record<string, string>>({
  name: 'session.settings',
  text: `select ${all.map(([name]) => `current_setting('${name}') as ${name}`).join(', ')}`,
})

/** The settings that a connection through a pooler does not come with. */
export async function missingSettings(queries: Queries): Promise<string[]> {
  const row = await queries.get(current)
  return all.flatMap(([name, value]) => (row?.[name] === value ? [] : [name]))
}

/**
 * Sets on the role, in this database alone, what cannot be set on connections that a pooler lends: those that it opens from
 * now on come with it. Answers what is still missing where the role may not.
 */
export async function keepSettings(database: Database): Promise<string[]> {
  if (database.engine !== 'postgresql' || !database.isPooled()) return []
  const missing = await missingSettings(database)
  if (missing.length === 0) return []
  const statements = all.map(
    ([name, value]) =>
      `execute format('alter role current_user in database %I set ${name} = %L', current_database(), '${value}');`,
  )
  try {
    await database.exclusively((_tx, execute) => execute(`do $$ begin ${statements.join(' ')} end $$`))
    return []
  } catch (error) {
    const mayNot = error instanceof Error && 'code' in error && error.code === '42501'
    if (!mayNot) throw error
    return missing
  }
}
