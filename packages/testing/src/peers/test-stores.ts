/** Copies of the prepared stores, for one test or one service. */
import { constants } from 'node:fs'
import { copyFile, mkdir, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'

/** The folder of the prepared stores. It is deleted at the end of the run. */
export const storesFolder = (): string => dirname(inject('stores').sqliteFile)

/** Copies the prepared file into a data folder without a store. */
export async function copySqlite(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const flags = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE
  await copyFile(inject('stores').sqliteFile, join(dataDir, 'waypost.db'), flags)
}

export interface TestStore extends AsyncDisposable {
  dataDir: string
  databaseUrl: string | undefined
}

/** A migrated store without a first start, for services and commands that share it or follow one another. */
export async function migratedStore(engine: 'sqlite' | 'postgresql'): Promise<TestStore> {
  await using resources = new AsyncDisposableStack()
  const dataDir = resources.use(await mkdtempDisposable(join(tmpdir(), 'waypost-store-'))).path
  const databaseUrl = engine === 'postgresql' ? resources.use(await postgresStore()).url : undefined
  if (engine === 'sqlite') await copySqlite(dataDir)
  const open = resources.move()
  return { dataDir, databaseUrl, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

/** Imports the server's module only here: a file that uses SQLite alone does not need PostgreSQL (`needs.ts`). */
export async function postgresStore(): Promise<AsyncDisposable & { url: string }> {
  const { migratedDatabase } = await import('./database-url.ts')
  return migratedDatabase()
}

/** The URL of a new, empty database on the shared server. It imports the server's module only here, for the same reason. */
export async function emptyPostgres(): Promise<string> {
  const { freshDatabaseUrl } = await import('./database-url.ts')
  return freshDatabaseUrl()
}
