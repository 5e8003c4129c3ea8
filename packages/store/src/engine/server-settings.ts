import { type Database, sql } from './database.ts'

const settings = sql<{ name: string; setting: string }>('durability.settings')`select name, setting from pg_settings
   where name in ('fsync', 'synchronous_commit')`

/**
 * Explains why a store could lose acknowledged writes, or returns undefined if it would not. We open SQLite as
 * durable.
 */
export async function checkDurability(database: Database): Promise<string | undefined> {
  if (database.engine === 'sqlite') return undefined
  const unsafe = (await database.all(settings)).filter(({ setting }) => setting === 'off')
  return unsafe.length > 0 ? `PostgreSQL runs with ${unsafe.map(({ name }) => `${name}=off`).join(' and ')}` : undefined
}

const limit = sql<{ usable: number }>('connections.limit')`select cast(current_setting('max_connections') as integer)
   - cast(current_setting('superuser_reserved_connections') as integer) as usable`

/** Connections that PostgreSQL accepts from the service. Undefined on SQLite, and with a pooler in between. */
export const connectionLimit = async (database: Database): Promise<number | undefined> =>
  database.engine === 'sqlite' || database.isPooled() ? undefined : (await database.get(limit))?.usable
