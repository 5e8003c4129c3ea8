/** What `waypost doctor` says about the processes of this machine, and their connections to PostgreSQL. */

import type { Database } from '@waypost/store/engine/database'
import { usualConnections } from '@waypost/store/engine/postgresql-session'
import { connectionLimit } from '@waypost/store/engine/server-settings'
import type { Config } from '../../config.ts'
import { processCount } from '../../supervisor/role-split.ts'
import { type Finding, ok, warning } from './findings.ts'

export async function processFindings(database: Database, { workers, postgresql }: Config): Promise<Finding[]> {
  if (database.engine === 'sqlite') {
    return workers === 'auto'
      ? [
          warning(
            'processes',
            'WAYPOST_WORKERS=auto has no effect: one process uses a SQLite store',
            'unset it, or set DATABASE_URL to a PostgreSQL database',
          ),
        ]
      : []
  }
  const count = processCount({ workers, isShared: true })
  const each = postgresql.connections ?? usualConnections
  const total = count * each
  const what = `${count} ${count === 1 ? 'process' : 'processes'} with up to ${each} connections to PostgreSQL each: ${total}`
  const limit = await connectionLimit(database)
  if (limit === undefined) return [ok('processes', what)]
  return total <= limit
    ? [ok('processes', `${what} of ${limit}, which all machines share`)]
    : [
        warning(
          'processes',
          `${what}, but PostgreSQL accepts ${limit}`,
          'raise max_connections in postgresql.conf, lower WAYPOST_DATABASE_CONNECTIONS or WAYPOST_WORKERS, or use PgBouncer',
        ),
      ]
}
