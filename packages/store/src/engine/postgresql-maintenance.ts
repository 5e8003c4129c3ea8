/** Changes of the schema on PostgreSQL: limits for locks, and statements that run outside a transaction. */
import pg from 'pg'
import { type LockLimits, type Queries, sql } from './database.ts'
import { translate } from './postgresql-statements.ts'

/**
 * Limits the waits for locks in this transaction, and removes the limit for statements, which may read a large table.
 * Returns the server process of the transaction.
 */
export async function limitLocks(tx: Queries, { lockWaitMs }: LockLimits): Promise<number> {
  const text = `select pg_backend_pid() as process, set_config('statement_timeout', '0', true),
    set_config('lock_timeout', '${lockWaitMs}', true)`
  return (await tx.get(sql<{ process: number }>('')`${text}`))?.process ?? 0
}

/**
 * Runs one statement on a connection of its own. The setting and the statement are sent together: a pooler that
 * assigns connections by transaction keeps the connection while answers are outstanding.
 */
export async function maintain(settings: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(settings)
  // A broken connection also fails the statement, which reports it.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const set = client.query('set statement_timeout = 0')
    const ran = client.query(statement)
    // For a pooler, which lends the same connection to others afterwards.
    const reset = client.query('reset statement_timeout')
    const [, outcome] = await Promise.allSettled([set, ran, reset])
    if (outcome.status === 'rejected') throw outcome.reason
  } catch (error) {
    throw translate(error)
  } finally {
    await client.end().catch(() => undefined)
  }
}
