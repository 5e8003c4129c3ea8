/**
 * Migrated stores without a first start. A run prepares them once, and tests copy them. Tests of migrations, and of the
 * first start on an empty store, use an empty store instead.
 */
import { join } from 'node:path'
import { createLog } from '@waypost/platform/log'
import { openDatabase } from '@waypost/store/engine/open'
import { migrate } from '@waypost/store/migrations/migrate'
import type { PreparedCitus } from './citus.ts'

export interface PreparedStores {
  sqliteFile: string
  /** For `npm run test:citus`. */
  citus?: PreparedCitus
}

/** A server, and the name of its migrated database. */
export interface PreparedPostgres {
  url: string
  template: string
}

export async function prepareSqlite(folder: string): Promise<PreparedStores> {
  await migrateStore(folder)
  return { sqliteFile: join(folder, 'waypost.db') }
}

/** Creates and migrates a store: in the database of the URL, or else in a SQLite file in the folder. */
export async function migrateStore(folder: string, databaseUrl?: string): Promise<void> {
  await using database = await openDatabase(folder, databaseUrl, { log: createLog('error'), lock: false })
  await migrate(database, Date.now())
}
