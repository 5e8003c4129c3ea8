import { inject } from 'vitest'
import { copyCitus } from './citus.ts'
import { createDatabase, dropDatabase } from './postgres.ts'
import type { PreparedPostgres } from './prepared-stores.ts'
import { sharedServer } from './shared-servers.ts'

/** The PostgreSQL server that the files of a run share. */
const sharedPostgres = (): Promise<PreparedPostgres> => sharedServer('postgres')

/** The URL of the server, for poolers in front of it. */
export const sharedPostgresUrl = async (): Promise<string> => (await sharedPostgres()).url

/**
 * The URL of a new, empty database on the shared PostgreSQL server of the run. The database is removed with the server.
 */
export async function freshDatabaseUrl(language?: string): Promise<string> {
  return createDatabase(await sharedPostgresUrl(), { language })
}

export interface TestDatabase extends AsyncDisposable {
  url: string
}

/** A new migrated database without a first start, on the shared server or on the shared cluster of Citus. */
export async function migratedDatabase(): Promise<TestDatabase> {
  const { citus } = inject('stores')
  if (citus) return copyCitus(citus)
  const { url: server, template } = await sharedPostgres()
  const url = await createDatabase(server, { template })
  return { url, [Symbol.asyncDispose]: () => dropDatabase(url) }
}
