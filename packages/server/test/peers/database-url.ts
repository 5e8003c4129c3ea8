import { inject } from 'vitest'
import { createDatabase, dropDatabase } from './postgres.ts'

/** The URL of a new, empty database on the run's shared PostgreSQL server; it goes when the server goes. */
export function freshDatabaseUrl(language?: string): Promise<string> {
  return createDatabase(inject('stores').postgresUrl, { language })
}

export interface TestDatabase extends AsyncDisposable {
  url: string
}

/** A new database on the shared server that has seen every migration, and no start. */
export async function migratedDatabase(): Promise<TestDatabase> {
  const { postgresUrl, postgresTemplate } = inject('stores')
  const url = await createDatabase(postgresUrl, { template: postgresTemplate })
  return { url, [Symbol.asyncDispose]: () => dropDatabase(url) }
}
