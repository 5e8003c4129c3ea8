/**
 * Settings of a new connection to PostgreSQL, and detection of a pooler that assigns connections per transaction. The
 * startup message contains only the name of the program, because poolers reject other settings.
 */
import type pg from 'pg'
import { type Database, type Distributable, sql } from './database.ts'
import type { ServerNews } from './postgresql-servers.ts'

/**
 * `session`: each connection belongs to this process while it is open. `transaction`: a pooler assigns another server
 * connection to each transaction. `auto` detects it.
 */
export const poolings = ['auto', 'session', 'transaction'] as const
export type Pooling = (typeof poolings)[number]

export interface PostgresqlOptions {
  /** Detected by default. */
  pooling?: Pooling
  /** The maximum number of connections, including those for reads and the one that listens. */
  connections?: number
  /** PostgreSQL's own address for LISTEN, if the main address is a pooler's. */
  directUrl?: string | undefined
  /** Called if LISTEN is impossible: connections come from a pooler, and there is no direct address. */
  onDeaf?(): void
  /** Called when another server is used, when none can be used, and when PostgreSQL waits for its standby. */
  onNews?: ServerNews
}

/** Connections shared by all reads outside transactions. */
export const maxReaders = 2
/** The connection that listens for messages of other nodes. */
export const listeners = 1
/** The minimum: two connections remain for transactions, so that one need not wait for another. */
export const leastConnections = maxReaders + listeners + 2
export const usualConnections = 12

/** The settings of each session. */
// In the form in which PostgreSQL prints them.
const sessionSettings = {
  statement_timeout: '1min',
  // A node that freezes within a transaction blocks rows that others need. Must be shorter than the leases of nodes.
  idle_in_transaction_session_timeout: '10s',
  // Each statement finds its rows through an index. Plans for specific values would follow statistics that do not
  // include a new account yet, and read all of its events instead.
  plan_cache_mode: 'force_generic_plan',
} as const

const all = Object.entries(sessionSettings)
const setAll = all.map(([name, value]) => `set_config('${name}', '${value}', false)`).join(' || ')

/** Whether the tables are distributed by Citus: `waypost db distribute` creates this table last. */
const isDistributed = `to_regclass('distribution') is not null`
// Citus plans most statements for their values, because these decide which shard is asked. It fails without them.
const distributedPlans = 'auto'
// A limit of a transaction, such as `set local lock_timeout`, applies to the machines that it reaches.
const setDistributed = `case when ${isDistributed} then set_config('plan_cache_mode', '${distributedPlans}', false)
   || set_config('citus.propagate_set_commands', 'local', false) end`

/** The process id reported at connect, by the server or a pooler. `processID` of pg.Client is not documented. */
export const reportedProcess = (client: pg.ClientBase): number =>
  'processID' in client && typeof client.processID === 'number' ? client.processID : 0

export interface Session {
  /** The connection belongs to this process until it is closed; otherwise a pooler assigns it. */
  isOwn: boolean
  /** The tables are distributed over machines. */
  isDistributed: boolean
  isStandby: boolean
  isReadOnly: boolean
}

const sessionText = (isOwn: string): string => `select ${isOwn} as own, pg_is_in_recovery() as standby,
  current_setting('transaction_read_only') = 'on' as read_only, ${isDistributed} as distributed,
  case when ${isOwn} then ${setAll} end, case when ${isOwn} then ${setDistributed} end`

/** Applies the settings if no pooler is involved. */
export async function openSession(client: pg.ClientBase, pooling: Pooling): Promise<Session> {
  // A pooler reports a made-up process id, which differs from that of the server process that answers.
  const owns = { auto: `pg_backend_pid() = ${reportedProcess(client)}`, session: 'true', transaction: 'false' }
  const { rows } = await client.query<{ own: boolean; distributed: boolean; standby: boolean; read_only: boolean }>(
    sessionText(owns[pooling]),
  )
  const [row] = rows
  return {
    isOwn: row?.own === true,
    isDistributed: row?.distributed === true,
    isStandby: row?.standby === true,
    isReadOnly: row?.read_only === true,
  }
}

const current = sql<Record<string, string>>('session.settings')`
   select ${all.map(([name]) => `current_setting('${name}') as ${name}`).join(', ')}`

const settingsOf = (queries: Distributable): [name: string, value: string][] =>
  Object.entries(
    queries.isDistributed?.() ? { ...sessionSettings, plan_cache_mode: distributedPlans } : sessionSettings,
  )

/** The settings that a connection through a pooler does not have. */
export async function missingSettings(queries: Distributable): Promise<string[]> {
  const row = await queries.get(current)
  return settingsOf(queries).flatMap(([name, value]) => (row?.[name] === value ? [] : [name]))
}

/**
 * Stores the settings on the role, for this database only, because they cannot be set per connection behind a pooler.
 * Connections that the pooler opens later have them. Returns the missing settings if the role may not change itself.
 */
export async function keepSettings(database: Database): Promise<string[]> {
  if (database.engine !== 'postgresql' || !database.isPooled()) return []
  const missing = await missingSettings(database)
  if (missing.length === 0) return []
  const statements = settingsOf(database).map(
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
