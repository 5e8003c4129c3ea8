import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { copyCitus } from './citus.ts'
import { createDatabase, dropDatabase } from './postgres.ts'
import { copySqlite } from './prepared-stores.ts'

/** The URL of a new, empty database on the run's shared PostgreSQL server; it goes when the server goes. */
export function freshDatabaseUrl(language?: string): Promise<string> {
  return createDatabase(inject('stores').postgresUrl, { language })
}

export interface TestDatabase extends AsyncDisposable {
  url: string
}

/** A new database on the shared server, or the shared cluster of Citus, that has seen every migration, and no start. */
export async function migratedDatabase(): Promise<TestDatabase> {
  const { postgresUrl, postgresTemplate, citus } = inject('stores')
  if (citus) return copyCitus(citus)
  const url = await createDatabase(postgresUrl, { template: postgresTemplate })
  return { url, [Symbol.asyncDispose]: () => dropDatabase(url) }
}

export interface TestStore extends AsyncDisposable {
  dataDir: string
  databaseUrl: string | undefined
}

/** A store that has seen every migration, and no start, for services and commands that share it or follow one another. */
export async function migratedStore(engine: 'sqlite' | 'postgresql'): Promise<TestStore> {
  await using resources = new AsyncDisposableStack()
  const dataDir = resources.use(await mkdtempDisposable(join(tmpdir(), 'waypost-store-'))).path
  const databaseUrl = engine === 'postgresql' ? resources.use(await migratedDatabase()).url : undefined
  if (engine === 'sqlite') await copySqlite(inject('stores'), dataDir)
  const open = resources.move()
  return { dataDir, databaseUrl, [Symbol.asyncDispose]: () => open.disposeAsync() }
}
