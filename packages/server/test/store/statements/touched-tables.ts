/** The tables that a statement writes and locks according to the store, to compare with its declaration. */
import { constants, DatabaseSync } from 'node:sqlite'
import type { Statement } from '@waypost/store/engine/database'
import { schemaScripts } from '@waypost/store/migrations/migrate'
import pg from 'pg'

export interface Touched {
  writes: string[]
  locks: string[]
}

/** Undefined if the store does not accept the text, because it is written for the other one. */
export type Inspect = (statement: Statement) => Promise<Touched | undefined>

const sorted = ({ writes, locks }: { [each in keyof Touched]: Iterable<string> }): Touched => ({
  writes: [...new Set(writes)].toSorted(),
  locks: [...new Set(locks)].toSorted(),
})

/** What SQLite reports to its authorizer while it compiles a statement. SQLite has no row locks. */
export function sqliteInspector(): Inspect {
  const database = new DatabaseSync(':memory:')
  for (const script of schemaScripts('sqlite')) database.exec(script)
  // Otherwise rows that a foreign key deletes would count as written by the statement itself.
  database.exec('pragma foreign_keys = off')
  const tables = new Set(
    database
      .prepare("select name from sqlite_master where type = 'table'")
      .all()
      .map(({ name }) => String(name)),
  )
  const { SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE, SQLITE_OK } = constants
  return async (statement) => {
    const writes = new Set<string>()
    database.setAuthorizer((action, table) => {
      if (table === null || !tables.has(table)) return SQLITE_OK
      if (action === SQLITE_INSERT || action === SQLITE_UPDATE || action === SQLITE_DELETE) writes.add(table)
      return SQLITE_OK
    })
    try {
      database.prepare(statement.text)
    } catch {
      return undefined
    } finally {
      database.setAuthorizer(null)
    }
    return sorted({ writes, locks: statement.locks })
  }
}

const lockedTables = `select coalesce(parent.relname, c.relname) as table, l.mode from pg_locks l
  join pg_class c on c.oid = l.relation left join pg_inherits i on i.inhrelid = c.oid
  left join pg_class parent on parent.oid = i.inhparent
  where l.pid = pg_backend_pid() and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`

/** The locks on tables that PostgreSQL takes to compile a statement; each kind of access has its own. */
export async function openPostgresqlInspector(url: string, held: AsyncDisposableStack): Promise<Inspect> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  held.defer(() => client.end())
  return async ({ text, locks }) => {
    await client.query('begin')
    try {
      await client.query(`prepare inspected as ${text}${locks.length > 0 ? ' for no key update' : ''}`)
      const { rows } = await client.query<{ table: string; mode: string }>(lockedTables)
      await client.query('deallocate inspected')
      const having = (mode: string): string[] => rows.filter((row) => row.mode === mode).map(({ table }) => table)
      return sorted({ writes: having('RowExclusiveLock'), locks: having('RowShareLock') })
    } catch {
      return undefined
    } finally {
      await client.query('rollback')
    }
  }
}

/** The statements whose tables differ from what a store reports, and those that the store does not accept. */
export async function inspectAll(
  statements: Iterable<Statement>,
  inspect: Inspect,
): Promise<{ wrong: object[]; foreign: string[] }> {
  const wrong: object[] = []
  const foreign: string[] = []
  for (const statement of statements) {
    const touched = await inspect(statement)
    const stated = sorted(statement)
    if (!touched) foreign.push(statement.name || statement.text)
    else if (JSON.stringify(touched) !== JSON.stringify(stated)) wrong.push({ name: statement.name, stated, touched })
  }
  return { wrong, foreign }
}
