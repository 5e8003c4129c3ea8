import path from 'node:path'
import type { Log } from '@waypost/platform/log'
import type { Database } from './database.ts'
import type { ServerNews } from './postgresql-servers.ts'
import type { PostgresqlOptions } from './postgresql-session.ts'
import { lockForServing } from './server-lock.ts'
import { openSqlite } from './sqlite.ts'
import { prepareFile } from './sqlite-file.ts'

/**
 * Opens the configured store: PostgreSQL by its address, otherwise SQLite in the data folder. Only that driver is
 * loaded.
 */
export async function openDatabase(
  dataDir: string,
  databaseUrl: string | undefined,
  options: { log: Log; lock: boolean; postgresql?: PostgresqlOptions },
): Promise<Database> {
  if (databaseUrl !== undefined) {
    const onLost = (error: Error): void => options.log.warn({ error }, 'an idle database connection broke')
    const onDeaf = (): void =>
      options.log.info(
        'a pooler lends connections by the transaction: this node hears nothing of others and looks often',
      )
    const onNews: ServerNews = (news, text) => options.log.warn(news, text)
    const { openPostgresql } = await import('./postgresql.ts')
    return openPostgresql(databaseUrl, onLost, { onDeaf, onNews, ...options.postgresql })
  }
  const file = path.join(dataDir, 'waypost.db')
  const lock = options.lock ? lockForServing(file) : undefined
  let database: Database
  try {
    prepareFile(file)
    database = openSqlite(file)
  } catch (error) {
    lock?.[Symbol.dispose]()
    throw error
  }
  return {
    ...database,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      lock?.[Symbol.dispose]()
    },
  }
}
