import { type Database, sql } from './database.ts'

const limit = sql<{ usable: number }>('connections.limit')`select cast(current_setting('max_connections') as integer)
   - cast(current_setting('superuser_reserved_connections') as integer) as usable`

/** Connections that PostgreSQL accepts from the service. Undefined on SQLite, and with a pooler in between. */
export const connectionLimit = async (database: Database): Promise<number | undefined> =>
  database.engine === 'sqlite' || database.isPooled() ? undefined : (await database.get(limit))?.usable
