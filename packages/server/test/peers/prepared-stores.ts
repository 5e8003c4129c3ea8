/**
 * Stores that have seen every migration and no start, made once for a run: a test copies one instead of migrating its own.
 * Who tests migrations, or what a first start does with an empty store, takes an empty one.
 */
import { constants } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLog } from '../../src/lib/log.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { openDatabase } from '../../src/store/engine/open.ts'
import { migrate } from '../../src/store/migrations/migrate.ts'
import type { PreparedCitus } from './citus.ts'
import { createDatabase } from './postgres.ts'

export interface PreparedStores {
  sqliteFile: string
  /** The name of a database, and the server it is on. */
  postgresTemplate: string
  postgresUrl: string
  /** For `npm run test:citus`. */
  citus?: PreparedCitus
}

export async function prepareStores(folder: string, postgresUrl: string): Promise<PreparedStores> {
  const templateUrl = await createDatabase(postgresUrl)
  const options = { log: createLog('error'), lock: false }
  await migrated(await openDatabase(folder, undefined, options))
  await migrated(await openDatabase(folder, templateUrl, options))
  const postgresTemplate = new URL(templateUrl).pathname.slice(1)
  return { sqliteFile: join(folder, 'waypost.db'), postgresTemplate, postgresUrl }
}

async function migrated(store: Database): Promise<void> {
  await using database = store
  await migrate(database, Date.now())
}

/** Puts the prepared file into a data folder without a store. */
export const copySqlite = ({ sqliteFile }: PreparedStores, dataDir: string): Promise<void> =>
  copyFile(sqliteFile, join(dataDir, 'waypost.db'), constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
